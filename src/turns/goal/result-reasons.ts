import type { Reason } from "../../core/checkpoints/checkpoint.ts";
import { diffReason } from "../../core/checkpoints/question.ts";
import { diffTriggers } from "../../core/checkpoints/triggers.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { unsettled } from "../../core/goals/start.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { contentHashOf } from "../shared/begin-run.ts";

/** Reasons to ask about a result with these changed files, except those that were settled in this run for this content (D28). */
export function resultReasons(
  { policy }: Pick<Deps, "policy">,
  files: readonly string[],
  about: { readonly run: Run; readonly goal: Goal },
): Reason[] {
  const found = diffTriggers(files, policy);
  const open = openTriggers(found, about);
  return found.filter(({ trigger }) => open.has(trigger)).map((each) => diffReason(each.trigger, each.files));
}

/** The triggers that were not settled in this run for this content. */
export function openTriggers(
  found: readonly Pick<Reason, "trigger">[],
  { run, goal }: { readonly run: Run; readonly goal: Goal },
): ReadonlySet<Reason["trigger"]> {
  const triggers = found.map(({ trigger }) => trigger);
  return new Set(unsettled(triggers, run.settled, contentHashOf(goal)));
}
