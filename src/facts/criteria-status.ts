import { contractOf } from "../core/acceptance/goal-contract.ts";
import type { CriterionResult } from "../core/acceptance/results.ts";
import { failedByPerson } from "../core/acceptance/manual.ts";
import { type JudgedEntry, judgePlan } from "../core/acceptance/plan.ts";
import { type AcceptedProof, type Backing, backingIn } from "../core/acceptance/backing.ts";
import { type EvidenceTag, evidenceTag } from "../core/acceptance/tag.ts";
import type { Criterion } from "../core/acceptance/spec.ts";
import type { LeftOutFiles } from "../core/cards/left-out-words.ts";
import type { NotedFile } from "../core/files/noted.ts";
import type { Goal } from "../core/goals/goal.ts";
import {
  backedAs,
  criterionHashIn,
  type Evidence,
  type EvidenceByGoal,
  resultOf,
  type Variant,
} from "../db/evidence.ts";
import { powerless, type TriedProof } from "../core/trials/tried.ts";
import { sha256 } from "../deps.ts";
import { acceptedIn, leftOutIn, statIn, notedIn, reachedIn, trialsIn, newestPlan } from "./evidence-details.ts";

/** The state of a goal's criteria by its evidence: the newest result of each. */
export interface CriteriaStatus {
  readonly criteria: readonly CriterionWithStatus[];
  /** The checks of its repository, each with its newest result. */
  readonly checks: readonly CheckWithStatus[];
  readonly tag: EvidenceTag;
  /** How much the work changes against its base; null when it changes nothing. */
  readonly stat: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** Proofs that passed and were put on trial in the newest round. Empty when there were none. */
  readonly trials: readonly TriedProof[];
  /** Set when a person accepted the proof of the commit that was verified last. */
  readonly accepted?: AcceptedProof;
  /** Changed files that are neither plain source nor new tests. */
  readonly noted: readonly NotedFile[];
  /** Files that the last execution left and git could not add. */
  readonly leftOut?: LeftOutFiles;
  /** What the verification's commands could reach beyond their own loopback, such as "npm test: cache:6379" (D39). */
  readonly reached: readonly string[];
  /** The agent's own plan, compared with the criteria. Empty when either is missing. */
  readonly plan: readonly JudgedEntry[];
}

export interface CriterionWithStatus {
  readonly id: string;
  readonly title: string;
  readonly status: CriterionResult["status"];
  readonly method: string;
  readonly details: readonly string[];
  /** Exit code of its command. Null when no command ran to its end. */
  readonly exitCode: number | null;
  /** The evidence row with this result. Null when nothing was run for it. */
  readonly evidenceId: number | null;
  /** Set when its proof passes whatever is broken. */
  readonly provesNothing?: true;
}

/** A check of the repository, with its result for this work. */
export interface CheckWithStatus {
  readonly command: string;
  readonly status: CriterionResult["status"];
  readonly exitCode: number | null;
  /** True when it also failed before the work began: the work is not blamed for it (D25). */
  readonly failedBefore: boolean;
  readonly evidenceId: number;
}

type Judged = Pick<Goal, "criteria" | "runId" | "status" | "phase">;

/** The state of a goal's criteria. `kept`: its evidence, oldest first. Only rows of its newest run count. */
export function criteriaStatusOf(goal: Judged, kept: readonly Evidence[]): CriteriaStatus {
  const ofRun = kept.filter((row) => row.runId === goal.runId);
  const { criteria } = contractOf(goal.criteria, [], 1);
  const trials = trialsIn(ofRun);
  const weak = new Set(powerless(trials).map(({ id }) => id));
  const judged = criteria.map((criterion): CriterionWithStatus => {
    const hash = criterionHash(criterion);
    const ofCriterion = ofRun.filter((each) => (criterionHashIn(each) ?? hash) === hash);
    const row = wordOn(goal, criterion.id, ofCriterion);
    const result = row === null ? null : (resultOf(row) ?? resultOf(row, "@committed"));
    return {
      id: criterion.id,
      title: criterion.title,
      status: result?.status ?? "not-checked",
      method: result?.method ?? criterion.verification.method,
      details: result?.details ?? [],
      exitCode: result?.exitCode ?? null,
      evidenceId: row?.evidenceId ?? null,
      ...(result?.status === "pass" && weak.has(criterion.id) ? { provesNothing: true as const } : {}),
    };
  });
  const plan = judged.length === 0 ? [] : judgePlan(newestPlan(ofRun), judged);
  const tag = evidenceTag({ criteria: proven(goal, judged, ofRun), saysDone: saysDone(goal, ofRun) });
  const checks = checksIn(ofRun);
  const reached = reachedIn(ofRun);
  const accepted = acceptedIn(ofRun);
  const leftOut = leftOutIn(ofRun);
  return {
    criteria: judged,
    checks,
    tag,
    plan,
    stat: statIn(ofRun),
    noted: notedIn(ofRun),
    reached,
    trials,
    ...(accepted === null ? {} : { accepted }),
    ...(leftOut === null ? {} : { leftOut }),
  };
}

/**
 * The results that say how the current work is backed. A complete goal was accepted by the gate, so its results count as they are. For any
 * other goal, results from before the newest execution are about other work, and a failing check counts against it. While the goal waits
 * for verification, no earlier result counts.
 */
function proven(
  { status, phase }: Judged,
  judged: readonly CriterionWithStatus[],
  ofRun: readonly Evidence[],
): Pick<CriterionWithStatus, "method" | "status">[] {
  const asSeen = judged.map((each) => (each.provesNothing ? { ...each, status: "not-checked" as const } : each));
  if (status === "complete" || judged.length === 0) return asSeen;
  const works = workIn(ofRun);
  const isOutdated = (evidenceId: number | null): boolean => {
    const row = ofRun.find((each) => each.evidenceId === evidenceId);
    if (row === undefined) return false;
    const later = works.filter((work) => work.evidenceId > row.evidenceId);
    return phase === "verify" || later.some((work) => backedAs(work) !== "claimed" || work.commit !== row.commit);
  };
  const asItLies = asSeen.map(({ method, status: word, evidenceId }) => ({
    method,
    status: isOutdated(evidenceId) ? ("not-checked" as const) : word,
  }));
  return [...asItLies, ...failingChecks(ofRun)];
}

/** Checks of the repository whose newest result is a failure, unless they failed before the work began (D25). */
function failingChecks(ofRun: readonly Evidence[]): Pick<CriterionWithStatus, "method" | "status">[] {
  const checks = ofRun.filter((row) => row.kind === "check");
  const words = (variant: Variant) => checks.flatMap((row) => resultOf(row, variant) ?? []);
  const atBase = words("@base").filter((each) => each.status === "fail");
  const newest = (variant: Variant) => [...new Map(words(variant).map((each) => [each.id, each])).values()];
  return [...newest(""), ...newest("@committed")].filter(
    (each) => each.status === "fail" && (each.brokenSetup === true || !atBase.some(({ id }) => id === each.id)),
  );
}

/** The newest result of each check, with the base's proof files. */
function checksIn(ofRun: readonly Evidence[]): CheckWithStatus[] {
  const rows = ofRun.filter((row) => row.kind === "check");
  const failedAtBase = new Set(
    rows.flatMap((row) => {
      const result = resultOf(row, "@base");
      return result?.status === "fail" ? [result.id] : [];
    }),
  );
  const newest = new Map(
    rows.flatMap((row) => {
      const result = resultOf(row);
      return result === null ? [] : [[result.id, { row, result }] as const];
    }),
  );
  return [...newest.values()].map(({ row, result }) => ({
    command: result.by,
    status: result.status,
    exitCode: result.exitCode ?? null,
    failedBefore: result.status === "fail" && result.brokenSetup !== true && failedAtBase.has(result.id),
    evidenceId: row.evidenceId,
  }));
}

/** Executions that did work. Executions that checked a task did none. */
function workIn(ofRun: readonly Evidence[]): Evidence[] {
  return ofRun.filter((row) => row.kind === "execution" && !(row.criterion ?? "").startsWith("check-"));
}

/**
 * True when the newest message of its executor says that the goal is done. Agents of tasks speak only for their task. So for a goal with
 * tasks this counts only after all tasks have passed.
 */
function saysDone({ status, phase }: Judged, ofRun: readonly Evidence[]): boolean {
  const newest = [...new Map(workIn(ofRun).map((row) => [row.criterion, row])).values()];
  const isInPieces = newest.some((row) => row.criterion !== null);
  const haveAllPassed = status === "complete" || phase === "verify" || phase === "finish";
  return newest.length > 0 && (!isInPieces || haveAllPassed) && newest.every((row) => backedAs(row) === "claimed");
}

/** How a goal is backed. `kept` may also contain the evidence of other goals. */
export function backingOf(goal: Judged & Pick<Goal, "goalId">, kept: EvidenceByGoal): Backing {
  return backingIn(criteriaStatusOf(goal, kept.get(goal.goalId) ?? []));
}

/**
 * Why a finished goal is merged only when a person asks for it by name: a person said that a criterion does not hold. Null when nobody said
 * so.
 */
export function refusedByPerson(goal: Judged & Pick<Goal, "goalId">, kept: EvidenceByGoal): string | null {
  const failed = failedByPerson(criteriaStatusOf(goal, kept.get(goal.goalId) ?? []).criteria);
  return failed.length === 0 ? null : `${failed.join(", ")} does not hold: cos goal merge ${goal.goalId}`;
}

/** Hash of how a criterion is verified. Results with another hash say nothing about it. */
export function criterionHash(criterion: Pick<Criterion, "verification">): string {
  return sha256(JSON.stringify(criterion.verification));
}

/**
 * The evidence row that decides a criterion: the newest one with the frozen contract, unless that passes and the one as committed fails.
 * For a complete goal whose changed proof a person accepted: the one as committed (D26). If nothing can be run for a criterion, a person's
 * answer about the same commit counts.
 */
function wordOn(goal: Pick<Goal, "status">, id: string, rows: readonly Evidence[]): Evidence | null {
  const newest = (variant: Variant) => rows.findLast((row) => resultOf(row, variant)?.id === id) ?? null;
  const last = newest("");
  const said = rows.findLast((row) => row.commit === last?.commit && isPersonsWord(row, id));
  const frozen = last !== null && resultOf(last)?.status === "requires-human" ? (said ?? last) : last;
  const committed = newest("@committed");
  if (frozen === null || committed === null || committed.commit !== frozen.commit) return frozen;
  const [asWas, asIs] = [resultOf(frozen)?.status, resultOf(committed, "@committed")?.status];
  if (asWas === "pass" && asIs === "fail") return committed;
  return goal.status === "complete" && asWas === "fail" && asIs === "pass" ? committed : frozen;
}

function isPersonsWord(row: Evidence, id: string): boolean {
  const result = resultOf(row);
  return result?.id === id && result.method === "manual" && result.status !== "requires-human";
}
