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
 * What a goal's executor and the setup of its worktree are shut into (D39): they write to their worktree, its mirror (but not to the
 * objects that are there), a private /tmp, private caches and the state of known agents, read the rest of the machine but what is ours,
 * and see no process but their own. Their network leads out, and nowhere on this machine but to ports that a person named.
 */
export interface AgentRoom {
  /** Null: nothing shuts them in. */
  readonly enclosure: Enclosure | null;
  readonly isolation: Isolation;
  /** When nothing runs in it any more: what its git has made comes into the mirror. */
  close(): Promise<void>;
}

export interface AgentRoomRequest {
  readonly worktree: string;
  readonly mirror: Pick<Mirror, "dir">;
  readonly runId: string;
  /** Where its output is kept, which it does not see. */
  readonly outputFile: string;
  /** The line that starts its agent, where it is one. */
  readonly agent?: string;
}

/** Makes the room. Throws what the file system throws. */
export async function openAgentRoom(settings: PlaceSettings, request: AgentRoomRequest): Promise<AgentRoom> {
  const isolating = await whatIsolates(settings.mode);
  const { tools } = isolating;
  const isolation = isolationOfAgents(isolating, settings);
  if (tools === null) return { enclosure: null, isolation, close: async () => undefined };
  const own = await realpath(await mkdtemp(join(tmpdir(), temporaryNames.room)));
  const { hosts, ports } = settings;
  const reach = hosts.length === 0 ? ({ type: "all" } as const) : ({ type: "hosts", hosts } as const);
  const wayOut = await openWayOut(tools, { reach, ports }, own);
  const home = homedir();
  if (request.agent !== undefined) await beginState(home, request.agent);
  const temporary = join(own, "tmp");
  await mkdir(temporary);
  const objects = await layObjectsOf(request.mirror.dir, request.runId);
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
    isolation,
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

/** What was worked in a room, after the room was closed, whatever became of it. */
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
  // What our own git obeys there is ours alone: nobody writes it between our looking at it and our calling git (D23).
  for (const file of ["config", "shallow"].map((name) => join(history, name)))
    if (existsSync(file)) mounts.push({ type: "read", from: file, at: file });
  // What we keep there of all goals of the repository: which refs are ours, and what is known of files.
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
  // The one file of ours that it may write to: what it called and may not.
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
