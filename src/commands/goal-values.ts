import { evidenceOutcome, wasRunBySystem } from "../core/cards/evidence-words.ts";
import type { PullView } from "../core/cards/pull-words.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import type { KeptApart } from "../core/isolation/isolation.ts";
import { toUsd } from "../core/money.ts";
import type { TriedProof } from "../core/trials/tried.ts";
import type { consultationsOf } from "../db/consultations.ts";
import { backedAs, type Evidence } from "../db/evidence.ts";
import type { tasksOf } from "../db/tasks.ts";
import { isolationOf } from "../facts/isolation.ts";
import type { OutputState } from "../facts/kept-output.ts";
import type { CriterionWithStatus } from "../facts/criteria-status.ts";

/** What belongs to a goal, as programs read it (`goal show --json`). */

type Consultation = Awaited<ReturnType<typeof consultationsOf>>[number];
type Task = Awaited<ReturnType<typeof tasksOf>>[number];

/** A question as `--json` shows it. */
export function questionValue({ checkpointId, kind, trigger, status, chosenOption, resolvedBy }: Checkpoint): object {
  return { checkpointId, kind, trigger, status, chosenOption, resolvedBy };
}

/** A task of a plan as `--json` shows it. */
export function taskValue({ id, title, status, attempts, found, feedback, commit, dependsOn }: Task): object {
  return { id, title, status, attempts, found, feedback, commit, dependsOn };
}

/** A call of a model as `--json` shows it; its cost in USD, null when it was not reported. */
export function consultationValue({ use, promptVersion, model, outcome, costMicroUsd, at }: Consultation): object {
  return { use, promptVersion, model, outcome, costUsd: costMicroUsd === null ? null : toUsd(costMicroUsd), at };
}

/**
 * A criterion as `--json` shows it. `kept`: the evidence of its goal, which says how well the criterion's run was isolated. `verdict`:
 * the result of its trials; null when it was not tried.
 */
export function criterionValue(
  criterion: CriterionWithStatus,
  kept: readonly Evidence[],
  trials: readonly TriedProof[],
): object {
  const { id, title, status, method, details, exitCode, evidenceId } = criterion;
  const isolated = isolatedIn(kept.find((row) => row.evidenceId === evidenceId));
  const verdict = trials.find((each) => each.id === id)?.verdict ?? null;
  return { id, title, status, verdict, method, details, exitCode, evidence: evidenceId, isolated };
}

/** Evidence as `--json` shows it. `output`: whether its output still exists; null when none was kept. */
export function evidenceValue(row: Evidence, output: OutputState | null): object {
  const { evidenceId, kind, command, exitCode, durationMs, commit, at, sha256, outputFile } = row;
  const outcome = evidenceOutcome(row);
  // A criterion that only a person can judge was run by nobody.
  const result = outcome === "passed" || outcome === "failed" ? outcome : "not run";
  const said = { result, outcome, runBySystem: wasRunBySystem(row), tag: backedAs(row) };
  const isolated = isolatedIn(row);
  return { evidenceId, kind, command, exitCode, durationMs, commit, at, sha256, ...said, outputFile, output, isolated };
}

/** A goal's pull request as `--json` shows it; null when none is wanted. */
export function pullValue(pull: PullView | null): PullView | null {
  if (pull === null) return null;
  const { provider, state, number, url, isDraft, endedBy, remarksWaiting, lastRemark, checks, trouble } = pull;
  return { provider, state, number, url, isDraft, endedBy, remarksWaiting, lastRemark, checks, trouble };
}

/** Returns how a command was isolated, as far as that was shown; null when nothing ran. */
function isolatedIn(row: Evidence | undefined): readonly KeptApart[] | null {
  return row === undefined ? null : (isolationOf(row)?.shown ?? null);
}
