import { type Episode, episodeOf, type RunFacts } from "../../src/core/memory/episode.ts";
import { insertEpisode, keepReflection } from "../../src/db/episodes.ts";
import { type TestWorld, valueOf } from "./deps.ts";

/** An episode as `cos episodes --json` gives it. */
export interface ShownEpisode {
  readonly episodeId: string;
  readonly goalId: string;
  readonly runId: string;
  readonly reflection: string | null;
  readonly reflectedBy: string | null;
  readonly recoveryLevel: number;
  readonly costUsd: number;
  readonly tags: readonly string[];
  readonly actions: readonly { readonly type: string; readonly description: string; readonly result: string }[];
  readonly outcome: {
    readonly isSuccess: boolean;
    readonly goalStatus: string;
    readonly error: string | null;
    readonly artifacts: readonly string[];
  };
  readonly approvalResponse: string | null;
  readonly originalRecommendation: string | null;
  readonly humanModification: string | null;
  readonly durationSeconds: number;
  readonly toldDone: number;
  readonly toldInVain: number;
}

/**
 * What is remembered once so many runs are: what happened is read when every older transaction of the server is over, also those
 * of other tests' databases.
 */
export async function remembered(world: TestWorld, runs: number): Promise<ShownEpisode[]> {
  while (true) {
    await world.tick();
    const found = valueOf<ShownEpisode[]>(await world.command("episodes", "--limit", "10000"));
    if (found.length >= runs) return found;
  }
}

/** An episode of a run that succeeded at once, but for what is given. */
export function episode(given: Partial<Episode> & { readonly episodeNo: number }): Episode {
  return {
    episodeId: `ep-${given.episodeNo}`,
    runId: `run-${given.episodeNo}`,
    goalId: `goal-${given.episodeNo}`,
    repositoryId: "repo-1",
    at: new Date("2026-01-26T09:00:00Z"),
    goal: { content: "Add dark mode", tags: [], linkage: { kind: "none" } },
    actions: [],
    outcome: { isSuccess: true, goalStatus: "complete", error: null, artifacts: [] },
    reflection: "It was done at the first attempt.",
    reflectedBy: "the built-in rule",
    recoveryLevel: 1,
    costMicroUsd: 0,
    costIsEstimated: false,
    durationSeconds: 60,
    tags: [],
    approvalResponse: null,
    originalRecommendation: null,
    humanModification: null,
    toldDone: 0,
    toldInVain: 0,
    ...given,
  };
}

/** What a run left that changed one file and passed, but for what is given. */
export function runFacts(given: Partial<RunFacts> = {}): RunFacts {
  return {
    runId: "run-1",
    goalId: "goal-1",
    repositoryId: "repo-1",
    goal: { content: "Add dark mode", tags: [], linkage: { kind: "none" } },
    startedAt: new Date("2026-01-26T09:00:00Z"),
    endedAt: new Date("2026-01-26T09:02:00Z"),
    rung: 1,
    end: { status: "complete", outcome: "Done." },
    attempts: [attempt({ end: "passed", error: "" })],
    seen: [
      {
        kind: "execution",
        criterion: null,
        command: "agent",
        exitCode: 0,
        tag: "claimed",
        files: ["src/theme.ts"],
      },
    ],
    answers: [],
    taskFiles: [],
    costMicroUsd: 120_000,
    costIsEstimated: false,
    told: [],
    ...given,
  };
}

export function attempt(given: Partial<RunFacts["attempts"][number]> = {}): RunFacts["attempts"][number] {
  return {
    rung: 1,
    approach: "as asked",
    instruction: null,
    end: "work",
    error: "exit code 1",
    criteria: [],
    files: [],
    costMicroUsd: 0,
    ...given,
  };
}

/** Remembers a run of the only repository that was done, with what it taught. */
export async function taught(
  { deps: { database } }: Pick<TestWorld, "deps">,
  content: string,
  reflection: string,
): Promise<void> {
  const { rows } = await database.pool.query<{ repository_id: string }>("select repository_id from cos.repositories");
  const run = runFacts({
    repositoryId: rows[0]?.repository_id ?? "",
    goal: { content, tags: [], linkage: { kind: "none" } },
  });
  await insertEpisode(database.db, "ep-0000000a", episodeOf(run), { told: [], hasHelped: null, isPending: true });
  await keepReflection(database.db, "ep-0000000a", { reflection, reflectedBy: "the built-in rule" });
}
