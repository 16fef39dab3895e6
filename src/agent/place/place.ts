import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Isolation, IsolationMode } from "../../core/isolation/isolation.ts";
import type { Mirror } from "../git/mirror.ts";
import { checkOutAlone, type Overlay } from "../git/own-checkout.ts";
import { removeTree } from "../git/tree.ts";
import { ownPath } from "../process/environment.ts";
import type { Enclosure } from "../process/guard.ts";
import { encloseWith, type Mount } from "./bubblewrap.ts";
import { keepDownloads, layDownloads } from "./downloads.ts";
import { criterionEnvironment, setupEnvironment } from "./environment.ts";
import { type Isolating, whatIsolates } from "./isolation.ts";
import { layRegistries, registrySettings } from "./registries.ts";
import { isInside, pathInside, systemMounts, toolMounts } from "./visible.ts";

/**
 * A place of its own (D39): a commit's files in a new directory with a neutral name, an empty HOME and /tmp, and nothing
 * that anybody left behind. What setup makes in it stays as long as the place, for as many commands as are run there.
 */
export interface Place {
  /** Where its files lie, for us. */
  readonly directory: string;
  /** The same as its commands see it. */
  readonly inside: string;
  readonly isolation: Isolation;
  /** How setup is run in it, and how criteria and checks are: hand it to `runShell`, with a command. */
  readonly setup: Inside;
  readonly criteria: Inside;
  /** Keeps what its setup has downloaded for later places of the same repository: only where nothing but the base has run. */
  keepDownloads(): Promise<void>;
  /** Everything in it is gone. Safe to repeat; nothing may run in it any more. */
  remove(): Promise<void>;
}

/** The part of `ShellOptions` that says where a command runs and what it is given. */
export interface Inside {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Nothing of our own environment beside it. */
  readonly inherits: false;
  readonly enclosure: Enclosure | null;
}

/** What is to lie in a place. */
export interface PlaceRequest {
  /** Whose it is: a goal's id, for one. */
  readonly owner: string;
  /** What places share downloads: a repository's id, for one. */
  readonly repository: string;
  readonly mirror: Mirror;
  readonly commit: string;
  readonly overlay: Overlay;
  /** Names of commits that its git knows, such as `refs/remotes/origin/main`. */
  readonly refs: Readonly<Record<string, string>>;
}

/** Where places are made, and what they keep out. */
export interface PlaceSettings {
  readonly mode: IsolationMode;
  readonly dataDir: string;
  /** Files and folders of ours that are not seen, wherever they lie; the data directory is always one. */
  readonly hidden: readonly string[];
  /** Folders outside that commands may write to all the same (COS_WRITABLE). */
  readonly writable: readonly string[];
}

const projectInside = "/workspace/project";
const objectsInside = "/workspace/.objects";
const settingsInside = "/workspace/.settings";

/** Places, as a turn makes them. */
export interface Places {
  /** What isolates here, tried when it is asked for first. */
  isolating(): Promise<Isolating>;
  /** Makes a place; two of them share nothing. Throws `GitError`, `NoSpace`, or what the file system throws. */
  open(request: PlaceRequest): Promise<Place>;
  /** Removes every place of an owner: what a process left that was killed. Nothing may run in them any more. */
  clear(owner: string): Promise<void>;
}

export function openPlaces(settings: PlaceSettings): Places {
  const folderOf = (owner: string): string => join(settings.dataDir, "places", owner);
  return {
    isolating: () => whatIsolates(settings.mode),
    open: (request) => openPlace(settings, request, folderOf(request.owner)),
    async clear(owner) {
      const folder = folderOf(owner);
      for (const name of await readdir(folder).catch(() => [])) await removeEntry(join(folder, name));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openPlace(settings: PlaceSettings, request: PlaceRequest, folder: string): Promise<Place> {
  const { mirror, commit, overlay, refs } = request;
  const isolating = await whatIsolates(settings.mode);
  const { tools } = isolating;
  const root = await newRoot(folder, tools !== null);
  const directory = join(root, "project");
  const home = join(root, "home");
  const temporary = join(root, "tmp");
  const registries = join(root, "settings");
  const downloads = join(settings.dataDir, "downloads", request.repository);
  for (const each of [home, temporary, registries]) await mkdir(each);
  await layDownloads(downloads, home);
  const objects = join(mirror.dir, "objects");
  try {
    const seen = tools === null ? objects : objectsInside;
    await checkOutAlone({ mirror, directory, commit, overlay, refs, objects: seen });
  } catch (error) {
    await removeTree(root);
    throw error;
  }

  const path = pathInside(ownPath());
  const own = homedir();
  const seenRegistries = tools === null ? registries : settingsInside;
  const registryVariables = await layRegistries(registrySettings(own), registries, seenRegistries);
  const where = tools === null ? { home, temporary, path } : { home: own, temporary: "/tmp", path };

  function inside(environment: Readonly<Record<string, string>>, extra: readonly Mount[], hasNetwork: boolean): Inside {
    if (tools === null) return { cwd: directory, environment, inherits: false, enclosure: null };
    const mounts: Mount[] = [
      ...systemMounts(),
      { type: "write", from: home, at: own },
      ...toolMounts({ path, home: own }),
      { type: "write", from: temporary, at: "/tmp" },
      { type: "write", from: temporary, at: "/var/tmp" },
    ];
    mounts.push(
      ...hiddenMounts([settings.dataDir, ...settings.hidden], mounts),
      ...settings.writable.map((folder): Mount => ({ type: "write", from: folder, at: folder })),
      { type: "write", from: directory, at: projectInside },
      { type: "read", from: objects, at: objectsInside },
      ...extra,
    );
    const enclosure: Enclosure = {
      enclose: ({ command, cwd, environment: given }) =>
        encloseWith(
          { ...tools, mounts, hasNetwork },
          { command, cwd: join(projectInside, relative(directory, cwd)), environment: withoutOurs(given) },
        ),
    };
    return { cwd: directory, environment, inherits: false, enclosure };
  }

  return {
    directory,
    inside: tools === null ? directory : projectInside,
    isolation: isolating.isolation,
    setup: inside(
      { ...setupEnvironment(where), ...registryVariables },
      [{ type: "read", from: registries, at: settingsInside }],
      true,
    ),
    criteria: inside(criterionEnvironment(where), [], !isolating.isolation.shown.includes("network")),
    keepDownloads: () => keepDownloads(home, downloads),
    remove: () => removeRoot(folder, root),
  };
}

/**
 * A new directory. Where nothing isolates, commands see its path: then it lies among temporary files, under a name that
 * says nothing, and the folder holds a link to it.
 */
async function newRoot(folder: string, isIsolated: boolean): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = randomBytes(6).toString("hex");
  if (isIsolated) {
    const root = join(folder, name);
    await mkdir(root, { mode: 0o700 });
    return await realpath(root);
  }
  const root = await mkdtemp(join(await realpath(tmpdir()), `${name}-`));
  await symlink(root, join(folder, name));
  return root;
}

async function removeRoot(folder: string, root: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const entry = join(folder, name);
    if ((await realpath(entry).catch(() => entry)) === root) await removeEntry(entry);
  }
  await removeTree(root);
}

async function removeEntry(entry: string): Promise<void> {
  const found = await lstat(entry).catch(() => null);
  if (found?.isSymbolicLink() === true) await removeTree(await readlink(entry));
  if (found?.isSymbolicLink() === true) await rm(entry, { force: true });
  else await removeTree(entry);
}

/** Only what would be seen is covered: whatever is mounted leaves its name. */
function hiddenMounts(hidden: readonly string[], mounts: readonly Mount[]): Mount[] {
  const seen = hidden.filter((path) => existsSync(path) && mounts.some(({ at }) => isInside(path, at)));
  return seen.map((at) =>
    statSync(at).isDirectory() ? { type: "empty", at } : { type: "read", from: "/dev/null", at },
  );
}

/** Nothing inside says whose it is. */
function withoutOurs(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("COS_")));
}
