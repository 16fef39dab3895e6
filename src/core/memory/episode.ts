import type { EvidenceTag } from "../acceptance/tag.ts";
import type { Effect } from "../checkpoints/checkpoint.ts";
import type { Goal, GoalStatus, Linkage } from "../goals/goal.ts";
import { failedAtWork, type Tried } from "../recovery/tried.ts";
import { firstLine, shorten } from "../text.ts";

/**
 * An episode: what is remembered of one run of a goal, whether it succeeded or not (S4-EP-02, C-76). It is made of what the run
 * left in rows, once, after the run has ended; nothing of it is an agent's word but what says so. Money in micro-dollars.
 */
export interface Episode {
  /** `ep-` and 8 hex digits (S4-EP-01). */
  readonly episodeId: string;
  /** Higher for what was remembered later. */
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
  /** Null: nobody has thought about it yet, or there was nothing to think about. */
  readonly reflection: string | null;
  /** Who wrote it: the built-in rule, or a model with its prompt's version. */
  readonly reflectedBy: string | null;
  /** The highest rung that the run climbed to, from 1 to 4. */
  readonly recoveryLevel: number;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  readonly durationSeconds: number;
  readonly tags: readonly string[];
  readonly approvalResponse: ApprovalResponse | null;
  readonly originalRecommendation: string | null;
  readonly humanModification: string | null;
  /** How many runs that were told of it were done, and how many were not. */
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
  /** As the run left its goal; `pending` when it was to begin again with another content. */
  readonly goalStatus: GoalStatus;
  readonly error: string | null;
  /** Paths that differ from where the run began. */
  readonly artifacts: readonly string[];
}

/** What a run left in rows. */
export interface RunFacts {
  readonly runId: string;
  readonly goalId: string;
  readonly repositoryId: string;
  readonly goal: RememberedGoal;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly rung: number;
  /** How it left its goal, and the words for it; null when it ended without a word about the goal. */
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
  /** Paths that its tasks changed, when it has some. */
  readonly taskFiles: readonly string[];
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  /** Episodes that its agent was told of. */
  readonly told: readonly string[];
}

/** An episode before it has a name. */
export type NewEpisode = Omit<Episode, "episodeId" | "episodeNo" | "toldDone" | "toldInVain">;

/** What is remembered of a run. Pure; the same rows make the same episode. S4-EP-02, S4-EP-03, C-76. */
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
 * Whether what its agent was told of helped: it was done, or attempts failed and it never was. Null where the run says nothing of that:
 * it was skipped, stopped or changed without an attempt that failed at its work, or ended over what is around the work.
 */
export function toldHelped({ end, attempts }: Pick<RunFacts, "end" | "attempts">): boolean | null {
  if (end === null) return null;
  if (end.status === "complete") return true;
  return attempts.some(failedAtWork) ? false : null;
}

/** By what episodes are found again: the kind of link with its name, and the goal's own tags, each once. S4-RF-05, C-78. */
export function tagsOf({ linkage, tags }: Pick<Goal, "linkage" | "tags">): string[] {
  return [...new Set([...linkTags(linkage), ...tags])];
}

/** Tags that say what kind of work something is, and nothing of what it is about. */
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
 * What an answer says of what was recommended. S4-EP-03, C-77. The Retry of an escalation goes on; `retry` sends finished work back,
 * which is what was recommended, or turns that down.
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

/** Every path that the run is known to have changed. */
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
