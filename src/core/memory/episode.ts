import type { EvidenceTag } from "../acceptance/tag.ts";
import type { Effect } from "../checkpoints/checkpoint.ts";
import type { Goal, GoalStatus, Linkage } from "../goals/goal.ts";
import { failedAtWork, type Tried } from "../recovery/tried.ts";
import { firstLine, shorten } from "../text.ts";

/**
 * An episode: the record of one run of a goal, successful or not (S4-EP-02, C-76). It is made once, from the run's rows, after the run has
 * ended. Only fields that say so contain an agent's own words. Money in micro-dollars.
 */
export interface Episode {
  /** `ep-` and 8 hex digits (S4-EP-01). */
  readonly episodeId: string;
  /** Higher for episodes that were recorded later. */
  readonly episodeNo: number;
  readonly runId: string;
  readonly goalId: string;
  readonly repositoryId: string;
  /** When the run ended. */
  readonly at: Date;
  /** The goal as it was asked. */
  readonly goal: RememberedGoal;
  readonly actions: readonly Action[];
  readonly outcome: EpisodeOutcome;
  /** Null when nobody has reflected on the run yet, or there was nothing to learn. */
  readonly reflection: string | null;
  /** Who wrote the reflection: the built-in rule, or a model with the version of its prompt. */
  readonly reflectedBy: string | null;
  /** The highest rung that the run reached, from 1 to 4. */
  readonly recoveryLevel: number;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  readonly durationSeconds: number;
  readonly tags: readonly string[];
  readonly approvalResponse: ApprovalResponse | null;
  readonly originalRecommendation: string | null;
  readonly humanModification: string | null;
  /** Of the runs whose agents were told this lesson, how many succeeded and how many did not. */
  readonly toldDone: number;
  readonly toldInVain: number;
}

export interface RememberedGoal {
  readonly content: string;
  readonly tags: readonly string[];
  readonly linkage: Linkage;
}

export const approvalResponses = ["accepted", "modified", "rejected"] as const;
export type ApprovalResponse = (typeof approvalResponses)[number];

/** One thing that was done in a run. */
export interface Action {
  readonly type: "attempt" | "verification" | "setup";
  readonly description: string;
  readonly result: string;
  readonly costMicroUsd: number;
}

export interface EpisodeOutcome {
  readonly isSuccess: boolean;
  /** The goal's status after the run. `pending` when the goal was to begin again with another text. */
  readonly goalStatus: GoalStatus;
  readonly error: string | null;
  /** Paths that differ from the commit where the run began. */
  readonly artifacts: readonly string[];
}

/** The rows of a run. */
export interface RunFacts {
  readonly runId: string;
  readonly goalId: string;
  readonly repositoryId: string;
  readonly goal: RememberedGoal;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly rung: number;
  /** The goal's status after the run, and the words for it. Null when the run ended without a result for the goal. */
  readonly end: { readonly status: GoalStatus; readonly outcome: string } | null;
  readonly attempts: readonly (Pick<
    Tried,
    "rung" | "approach" | "end" | "error" | "criteria" | "files" | "costMicroUsd"
  > & { readonly instruction: string | null })[];
  readonly seen: readonly {
    readonly kind: "setup" | "execution" | "criterion" | "check";
    readonly criterion: string | null;
    readonly command: string;
    readonly exitCode: number | null;
    readonly tag: EvidenceTag;
    readonly files: readonly string[];
  }[];
  /** Questions about it that a person answered, oldest first. */
  readonly answers: readonly {
    readonly effect: Effect | "acknowledge";
    readonly choice: string;
    readonly recommendation: string;
    readonly instructions: string | null;
  }[];
  /** Paths that its tasks changed, if it has tasks. */
  readonly taskFiles: readonly string[];
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  /** Episodes whose lessons its agent was told. */
  readonly told: readonly string[];
}

/** An episode before it has an id. */
export type NewEpisode = Omit<Episode, "episodeId" | "episodeNo" | "toldDone" | "toldInVain">;

/** Makes the episode of a run. Pure: the same rows give the same episode. S4-EP-02, S4-EP-03, C-76. */
export function episodeOf(run: RunFacts): NewEpisode {
  const { end } = run;
  const isSuccess = end?.status === "complete";
  const answer = run.answers.at(-1) ?? null;
  return {
    runId: run.runId,
    goalId: run.goalId,
    repositoryId: run.repositoryId,
    at: run.endedAt,
    goal: run.goal,
    actions: actionsOf(run),
    outcome: {
      isSuccess,
      goalStatus: end?.status ?? "pending",
      error: isSuccess
        ? null
        : firstLine(lastError(run) ?? end?.outcome ?? "The goal was changed while it was at work.", 500),
      artifacts: touchedFiles(run),
    },
    reflection: null,
    reflectedBy: null,
    recoveryLevel: Math.max(1, run.rung, ...run.attempts.map((each) => each.rung)),
    costMicroUsd: run.costMicroUsd,
    costIsEstimated: run.costIsEstimated,
    durationSeconds: Math.max(0, Math.round((run.endedAt.getTime() - run.startedAt.getTime()) / 1000)),
    tags: tagsOf(run.goal),
    approvalResponse: answer === null ? null : responseOf(answer),
    originalRecommendation: answer === null ? null : shorten(answer.recommendation, 500),
    humanModification: run.answers.findLast((each) => each.instructions !== null)?.instructions ?? null,
  };
}

/**
 * Whether the lessons that its agent was told helped: true when the goal is complete, false when attempts failed and it is not. Null when
 * the run says nothing about it: it was skipped, stopped or changed without an attempt that failed at the work itself, or it ended for
 * reasons outside of the work.
 */
export function toldHelped({ end, attempts }: Pick<RunFacts, "end" | "attempts">): boolean | null {
  if (end === null) return null;
  if (end.status === "complete") return true;
  return attempts.some(failedAtWork) ? false : null;
}

/** The tags by which episodes are found: the kind of the link with its name, and the goal's own tags, each once. S4-RF-05, C-78. */
export function tagsOf({ linkage, tags }: Pick<Goal, "linkage" | "tags">): string[] {
  return [...new Set([...linkTags(linkage), ...tags])];
}

/** Tags that name a kind of work and not its subject. */
export const kindTags: ReadonlySet<string> = new Set(["feature", "bug", "spec"]);

function linkTags(linkage: Linkage): string[] {
  switch (linkage.kind) {
    case "feature":
      return ["feature", linkage.feature];
    case "bug":
      return ["bug", linkage.bug];
    case "spec":
      return ["spec", linkage.path];
    case "issue":
    case "none":
      return [];
  }
}

/**
 * What an answer says about the recommendation. S4-EP-03, C-77. The Retry of an escalation has the effect `continue`. The effect `retry`
 * sends finished work back: accepted if that was recommended, else rejected.
 */
export function responseOf({
  effect,
  choice,
  recommendation,
}: Pick<RunFacts["answers"][number], "effect" | "choice" | "recommendation">): ApprovalResponse | null {
  switch (effect) {
    case "continue":
      return "accepted";
    case "retry":
      return recommendation.startsWith(`${choice} - `) ? "accepted" : "rejected";
    case "modify":
    case "edit":
      return "modified";
    case "skip":
    case "pause":
    case "manual":
      return "rejected";
    case "acknowledge":
      return null;
  }
}

/** All paths that the run is known to have changed. */
export function touchedFiles({
  attempts,
  seen,
  taskFiles,
}: Pick<RunFacts, "attempts" | "seen" | "taskFiles">): string[] {
  const all = [...attempts.flatMap((each) => each.files), ...seen.flatMap((each) => each.files), ...taskFiles];
  return [...new Set(all)].slice(0, 200);
}

function lastError({ attempts }: RunFacts): string | null {
  return attempts.findLast((each) => each.end !== "passed")?.error ?? null;
}

function actionsOf({ attempts, seen }: RunFacts): Action[] {
  const setups = seen.filter((each) => each.kind === "setup");
  const proofs = seen.filter((each) => each.kind === "criterion" || each.kind === "check");
  const action = (type: Action["type"], each: RunFacts["seen"][number]): Action => ({
    type,
    description: firstLine(each.command, 200),
    result: each.exitCode === null ? each.tag : `exit code ${each.exitCode}`,
    costMicroUsd: 0,
  });
  return [
    ...setups.map((each) => action("setup", each)),
    ...attempts.map(
      (each): Action => ({
        type: "attempt",
        description: firstLine(each.approach, 200),
        result: each.end === "passed" ? "passed" : `${each.end}: ${firstLine(each.error, 300)}`,
        costMicroUsd: each.costMicroUsd,
      }),
    ),
    ...proofs.map((each) => action("verification", each)),
  ].slice(0, 60);
}
