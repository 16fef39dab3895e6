import { mkdtemp, realpath } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Isolation } from "../../core/isolation/isolation.ts";
import type { Reach } from "../../core/isolation/network.ts";
import { removeTree } from "../git/tree.ts";
import { ownPath } from "../process/environment.ts";
import type { Enclosure } from "../process/guarded-process.ts";
import { encloseWith, type Mount, type Network, type Tools } from "./bubblewrap.ts";
import { criterionEnvironment, setupEnvironment } from "./environment.ts";
import { hiddenMounts, writableMounts } from "./hidden.ts";
import type { PlaceSettings } from "./settings.ts";
import type { InsidePaths } from "./seen.ts";
import { pathInside, systemMounts, toolMounts } from "./visible.ts";
import { openWayOut } from "./way-out.ts";
import { temporaryNames } from "../../core/housekeeping/folders.ts";

/** How the commands of a place see it, and their environment, with or without isolation. */
export interface RoomsOfPlace {
  /** The path of its files, as its commands see it. */
  readonly inside: string;
  /** Options for `runShell`, with a command: for setup, and for criteria and checks. */
  readonly setup: Inside;
  readonly criteria: Inside;
}

/** The part of `ShellOptions` with working directory, environment and isolation. */
export interface Inside {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Nothing of our own environment is added. */
  readonly inherits: false;
  readonly enclosure: Enclosure | null;
  /** Opens a room whose network reaches what a criterion names. Missing when the command has the machine's network anyway. */
  readonly reaching?: (reach: Reach) => Promise<ReachRoom>;
}

/** A room with a network, until it is closed. */
export interface ReachRoom {
  readonly enclosure: Enclosure | null;
  close(): Promise<void>;
}

/** The paths of a place's parts, for us. */
export interface Laid {
  readonly directory: string;
  readonly home: string;
  readonly temporary: string;
  /** Registry settings, visible only to setup. */
  readonly registries: string;
  /** The mirror's objects. */
  readonly objects: string;
}

/** The rooms without isolation. HOME, temporary files and environment are still the place's own. */
export function openRooms(laid: Laid, registries: Readonly<Record<string, string>>): RoomsOfPlace {
  const { directory, home, temporary } = laid;
  const where = { home, temporary, path: pathInside(ownPath()) };
  const common = { cwd: directory, inherits: false, enclosure: null } as const;
  return {
    inside: directory,
    setup: { ...common, environment: { ...setupEnvironment(where), ...registries } },
    criteria: { ...common, environment: criterionEnvironment(where) },
  };
}

interface RoomParts {
  readonly tools: Tools;
  readonly settings: PlaceSettings;
  readonly laid: Laid & { readonly locked: readonly string[] };
  readonly seen: InsidePaths;
  /** Lists of host names and users with the place's own entries, if it has some. */
  readonly names: readonly Mount[];
  readonly isolation: Isolation;
}

/**
 * The rooms with isolation: the system and its tools, read-only, and the place. Setup has the machine's network, criteria a private
 * loopback.
 */
export function shutRooms(parts: RoomParts, registries: Readonly<Record<string, string>>): RoomsOfPlace {
  const { laid, seen, isolation } = parts;
  const where = { home: homedir(), temporary: "/tmp", path: pathInside(ownPath()) };
  const setup = { ...setupEnvironment(where), ...registries };
  const forSetup: Mount = { type: "read", from: laid.registries, at: seen.registries };
  const isApart = isolation.shown.includes("network");
  const none: Network = isApart ? { type: "none", forwards: [] } : { type: "machine" };
  const given = criterionEnvironment(where);
  const criteria = shut(parts, given, { extra: [], network: none });
  return {
    inside: seen.project,
    setup: shut(parts, setup, { extra: [forSetup], network: { type: "machine" } }),
    criteria: isApart ? { ...criteria, reaching: (reach) => openReach(parts, given, reach) } : criteria,
  };
}

/** Opens a network for a criterion. On this machine's loopback it reaches only ports that a person named, like an agent. */
async function openReach(parts: RoomParts, given: Readonly<Record<string, string>>, reach: Reach): Promise<ReachRoom> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), temporaryNames.wayOut)));
  const asked = reach.type === "hosts" ? reach.hosts : [];
  const ports = parts.settings.ports.filter((port) => asked.includes(`localhost:${port}`));
  const wayOut = await openWayOut(parts.tools, { reach, ports }, folder).catch(async (error: unknown) => {
    await removeTree(folder);
    throw error;
  });
  const { network, mounts: extra } = wayOut;
  return {
    enclosure: shut(parts, given, { extra, network }).enclosure,
    async close() {
      wayOut.close();
      await removeTree(folder);
    },
  };
}

function shut(
  { tools, settings, laid, seen, names }: RoomParts,
  environment: Readonly<Record<string, string>>,
  { extra, network }: { readonly extra: readonly Mount[]; readonly network: Network },
): Omit<Inside, "reaching"> {
  const { directory, home, temporary, objects } = laid;
  const own = homedir();
  const machine: readonly Mount[] = [
    { type: "devices" },
    ...systemMounts(),
    ...names,
    { type: "write", from: temporary, at: "/tmp" },
    { type: "write", from: temporary, at: "/var/tmp" },
    // HOME may lie among temporary files. A later mount covers an earlier one.
    { type: "write", from: home, at: own },
    ...toolMounts({ path: pathInside(ownPath()), home: own }),
  ];
  const mounts: readonly Mount[] = [
    ...machine,
    ...hiddenMounts(settings, machine),
    ...writableMounts(settings, machine),
    { type: "write", from: directory, at: seen.project },
    ...laid.locked.map((path): Mount => ({ type: "read", from: join(directory, path), at: join(seen.project, path) })),
    { type: "read", from: objects, at: seen.objects },
    ...extra,
  ];
  const enclosure: Enclosure = {
    enclose: ({ command, cwd, environment: given }) =>
      encloseWith(
        {
          tools,
          mounts,
          network,
          isMarked: false,
          ...(seen.hostName === undefined ? {} : { hostName: seen.hostName }),
          ...(seen.user === undefined ? {} : { userId: seen.user.id }),
        },
        {
          command,
          cwd: join(seen.project, relative(directory, cwd)),
          environment: { ...withoutOurs(given), ...namesOf(seen) },
        },
      ),
  };
  return { cwd: directory, environment, inherits: false, enclosure };
}

/** Programs also read their user's name from variables. */
function namesOf({ user }: InsidePaths): Record<string, string> {
  return user === undefined ? {} : { USER: user.name, LOGNAME: user.name };
}

/** Removes our own variables, so that nothing inside shows the owner. */
function withoutOurs(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("COS_")));
}
