import { realExecutor } from "../src/agent/acp/executor.ts";
import { realGit } from "../src/agent/git/door.ts";
import type { Mirror } from "../src/agent/git/mirror.ts";
import { openPlaces } from "../src/agent/place/place.ts";
import type { Runner } from "../src/agent/process/runner.ts";
import type { Deps } from "../src/deps.ts";

/**
 * Git and executors that do nothing, so that what is measured is the engine: every commit is made, every branch is published,
 * every goal is done at once. What they answer is what the real ones answer for a goal that adds one file. What else a turn asks of
 * git is not answered and says so: a real git would find no repository, and its goals would never be done.
 */
export const nothing: Pick<Deps, "git" | "executor" | "places"> = {
  git: {
    ...unanswered(),
    inspectRepository: realGit.inspectRepository,
    refresh: async () => ({ type: "fresh" }),
    openMirror: async (at) => mirrorAt(at),
    openAtBase: async (at) => ({ mirror: mirrorAt(at), commit: commitOf("1") }),
    fetchBase: async () => commitOf("1"),
    filesAt: async () => ["README.md"],
    linksAt: async () => [],
    textAt: async () => null,
    changedFiles: async () => [file],
    differenceOf: async () => ({ files: [file], diffstat: stat }),
    takeLeftObjects: async () => undefined,
    contains: async () => true,
    hasCommit: async () => true,
    prepareWorktree: async () => ({ kept: null, isNew: true }),
    prepareCheckout: async () => undefined,
    removeWorktree: async () => undefined,
    commitWork: async () => ({ type: "committed", commit: commitOf("2"), files: [file], diffstat: stat }),
    snapshotRefs: async () => ({}),
    restoreRefs: async () => [],
    publishBranch: async () => ({ type: "published", earlier: null }),
    pushToRemote: async () => ({ type: "published", earlier: null }),
  },
  // Nothing is started, so nothing is shut in.
  places: openPlaces({
    mode: "off",
    dataDir: "/nonexistent",
    hidden: [],
    seen: [],
    writable: [],
    ports: [],
    hosts: [],
  }),
  executor: {
    ...realExecutor,
    ofCommand: (command) => worker(command, null),
    // A cent each.
    ofAgent: (line) => ({ type: "ok", runner: worker(line, 10_000), kind: "command", label: line }),
    endRun: async () => 0,
    endOwn: async () => 0,
  },
};

const file = { path: "a.txt", status: "added", oldPath: null } as const;
const stat = { files: 1, insertions: 1, deletions: 0 };

function mirrorAt(at: { readonly mirrorDir: string; readonly repositoryPath: string }): Mirror {
  return { dir: at.mirrorDir, repositoryPath: at.repositoryPath, objectFormat: "sha1", config: "", exclude: "" };
}

function commitOf(digit: string): string {
  return digit.repeat(40);
}

function unanswered(): Deps["git"] {
  const refuse = (name: string) => async (): Promise<never> => {
    throw new Error(`a turn asked git for ${name}, which bench/nothing.ts does not answer`);
  };
  const names = Object.keys(realGit) as (keyof Deps["git"])[];
  return Object.assign({ ...realGit }, Object.fromEntries(names.map((name) => [name, refuse(name)])));
}

/** Done at once, at this price; null for a command, which costs nothing. */
function worker(command: string, microUsd: number | null): Runner {
  return async (_request, observer) => {
    observer.onActivity("Works");
    if (microUsd !== null) await observer.onSpend(microUsd, "nothing");
    return {
      type: "finished",
      command,
      exitCode: 0,
      summary: "Done.",
      said: null,
      durationMs: 1,
      output: null,
      noSpace: null,
    };
  };
}
