import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, realpath } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Isolation } from "../../core/isolation/isolation.ts";
import { removeTree } from "../git/tree.ts";
import type { Mirror } from "../git/mirror.ts";
import { makePlain } from "../git/plain-mirror.ts";
import { layObjectsOf, takeObjectsOf } from "../git/agent-objects.ts";
import { keptObjects } from "../git/new-objects.ts";
import { indexFolder, journalFolder } from "../git/mirror-folders.ts";
import { ownPath } from "../process/environment.ts";
import type { Enclosure } from "../process/guarded-process.ts";
import { refusedCallsFile } from "../process/refused-calls.ts";
import { encloseWith, type Mount, type Network, type Tools } from "./bubblewrap.ts";
import { cacheMounts } from "./caches.ts";
import { machineMounts, writableMounts } from "./hidden.ts";
import { isolationOfAgents, whatIsolates } from "./isolation.ts";
import { beginState, copiedMounts, restoreSettings, settingsBefore, stateMounts } from "./known-agents.ts";
import type { PlaceSettings } from "./settings.ts";
import { openWayOut } from "./way-out.ts";
import { temporaryNames } from "../../core/housekeeping/folders.ts";

/**
 * The room of a goal's executor and of its worktree's setup (D39). They can write to their worktree, its mirror (but not to existing
 * objects), a private /tmp, private caches and the state of known agents. They can read the rest of the machine except our own files,
 * and see only their own processes. Their network reaches the outside, and on this machine only ports that a person named.
 */
export interface AgentRoom {
  /** Null when nothing isolates. */
  readonly enclosure: Enclosure | null;
  readonly isolation: Isolation;
  /** Closes the room, which must have no process any more: objects that its git created are brought into the mirror. */
  close(): Promise<void>;
}

export interface AgentRoomRequest {
  readonly worktree: string;
  readonly mirror: Pick<Mirror, "dir">;
  readonly runId: string;
  /** The file for its output, which is hidden in the room. */
  readonly outputFile: string;
  /** The line that starts its agent, if it is an agent. */
  readonly agent?: string;
}

/** Opens a room. Throws errors of the file system. */
export async function openAgentRoom(settings: PlaceSettings, request: AgentRoomRequest): Promise<AgentRoom> {
  const isolating = await whatIsolates(settings.mode);
  const { tools } = isolating;
  const isolation = isolationOfAgents(isolating, settings);
  if (tools === null) return { enclosure: null, isolation, close: async () => undefined };
  const undo: (() => void | Promise<void>)[] = [];
  try {
    const furnished = await furnish(tools, settings, request, (step) => void undo.unshift(step));
    return { ...furnished, isolation };
  } catch (error) {
    for (const step of undo) await step();
    throw error;
  }
}

/** Passes to `onFailure` what must be done, in reverse order, when it throws. */
async function furnish(
  tools: Tools,
  settings: PlaceSettings,
  request: AgentRoomRequest,
  onFailure: (step: () => void | Promise<void>) => void,
): Promise<Omit<AgentRoom, "isolation">> {
  const own = await realpath(await mkdtemp(join(tmpdir(), temporaryNames.room)));
  onFailure(() => removeTree(own));
  const { hosts, ports } = settings;
  const reach = hosts.length === 0 ? ({ type: "all" } as const) : ({ type: "hosts", hosts } as const);
  const wayOut = await openWayOut(tools, { reach, ports }, own);
  onFailure(() => wayOut.close());
  const home = homedir();
  if (request.agent !== undefined) await beginState(home, request.agent);
  const temporary = join(own, "tmp");
  await mkdir(temporary);
  const objects = await layObjectsOf(request.mirror.dir, request.runId);
  onFailure(() => takeObjectsOf(request.mirror.dir, objects));
  const mounts = [
    ...(await cacheMounts(own, home, ownPath())),
    ...stateMounts(home),
    ...(await copiedMounts(home, own)),
    ...wayOut.mounts,
    ...writableMounts(settings, [{ type: "read", from: "/", at: "/" }]),
    ...(await workMounts(request, objects)),
  ];
  const before = settingsBefore(home);
  return {
    enclosure: enclosureOf(tools, wayOut.network, (command) => [
      ...machineMounts(settings, { home, path: ownPath(), temporary, command }),
      ...mounts,
    ]),
    async close() {
      wayOut.close();
      try {
        await makePlain(request.mirror.dir);
        await takeObjectsOf(request.mirror.dir, objects);
      } finally {
        try {
          await restoreSettings(before);
        } finally {
          await removeTree(own);
        }
      }
    },
  };
}

/** Waits for the work in a room, then closes the room, whether the work succeeded or not. Returns the result of the work. */
export async function afterClosing<Worked>(room: AgentRoom, working: Promise<Worked>): Promise<Worked> {
  try {
    return await working;
  } finally {
    await room.close();
  }
}

async function workMounts(
  { worktree, mirror, runId, outputFile }: AgentRoomRequest,
  objects: string,
): Promise<Mount[]> {
  const work = await realpath(worktree);
  const history = await realpath(mirror.dir);
  const mounts: Mount[] = [work, history].map((at) => ({ type: "write", from: at, at }));
  // Files that our own git obeys are read-only, so that nobody changes them between our check and our call of git (D23).
  for (const file of ["config", "shallow"].map((name) => join(history, name)))
    if (existsSync(file)) mounts.push({ type: "read", from: file, at: file });
  // Our data on all goals of the repository: the journal of our refs, and indexes of files.
  for (const folder of [journalFolder, indexFolder].map((name) => join(history, name))) {
    await mkdir(folder, { recursive: true });
    mounts.push({ type: "read", from: folder, at: folder });
  }
  const kept = join(history, "objects");
  if (existsSync(kept)) {
    mounts.push({ type: "write", from: objects, at: kept }, { type: "read", from: kept, at: join(kept, keptObjects) });
  }
  const calls = refusedCallsFile(outputFile, runId);
  if (calls === null) return mounts;
  // The one file of ours that the room can write to: calls that were refused.
  await (await open(calls, "a", 0o600)).close();
  return [...mounts, { type: "write", from: await realpath(calls), at: await realpath(calls) }];
}

function enclosureOf(
  tools: Tools,
  network: Network,
  mountsFor: (command: readonly string[]) => readonly Mount[],
): Enclosure {
  return {
    enclose: ({ command, cwd, environment }) =>
      encloseWith(
        { tools, mounts: mountsFor(command), network, isMarked: true },
        { command, cwd, environment: { ...environment, ...("TMPDIR" in environment ? { TMPDIR: "/tmp" } : {}) } },
      ),
  };
}
