import type { Interruption } from "../goals/after.ts";
import { formatUsd } from "../money.ts";
import { type Learnt, learntWords } from "../memory/recommend.ts";
import type { Policy } from "../policy.ts";
import { readOnlyWords } from "../space/no-space.ts";
import { capitalised, firstLine, shorten } from "../text.ts";
import type { CheckpointOption, GoalQuestion, Reason } from "./checkpoint.ts";
import { editLabel, type Help } from "./options.ts";
import type { Trigger } from "./triggers.ts";

/** The facts that the texts of a question are made from. */
export interface QuestionSubject {
  readonly content: string;
  readonly estimateMicroUsd: number | null;
  readonly errorCount: number;
  readonly recoveryLevel: number;
}

/** Returns the text for one reason (S4-CK-11). Only this text is built, so a missing estimate does no harm (C-62). */
export function contextOf(trigger: Trigger, subject: QuestionSubject, policy: Pick<Policy, "thresholds">): string {
  const content = firstLine(subject.content, 300);
  switch (trigger) {
    case "ux_change":
      return `About to make user-facing changes: ${content}`;
    case "cost_single":
      return `This action is estimated to cost ${formatUsd(subject.estimateMicroUsd ?? 0)}: ${content}`;
    case "cost_cumulative":
      return `Daily spending has exceeded ${formatUsd(policy.thresholds.dayMicroUsd)}. Next action: ${content}`;
    case "architecture":
      return `This involves architectural changes: ${content}`;
    case "scope_change":
      return `This goal was not in the original plan: ${content}`;
    case "hiccup":
      return `Encountered an unexpected situation: ${content}. Error count: ${subject.errorCount}, Recovery level: ${subject.recoveryLevel}`;
  }
}

/** Returns the reasons of a question asked before a run, one for each trigger, in their order. */
export function reasonsOf(
  fired: readonly Trigger[],
  subject: QuestionSubject,
  policy: Pick<Policy, "thresholds">,
): Reason[] {
  return fired.map((trigger) => ({ trigger, context: contextOf(trigger, subject, policy) }));
}

/** Returns the reason after repeated interruptions that are not the goal's fault. It names the disk or the agent. */
export function interruptedReason({ by, reason }: Interruption): Reason {
  return { trigger: "hiccup", context: shorten(`${interruptedWords[by](reason)}, then Proceed tries again`, 600) };
}

const interruptedWords: Readonly<Record<Interruption["by"], (reason: string) => string>> = {
  space: (reason) =>
    reason.includes(readOnlyWords)
      ? `Nothing can be written: ${reason}. Make it writable`
      : `No space left: ${reason}. Free some`,
  disk: (reason) => `The disk does not stay: ${reason}. See who removes or mounts the data directory`,
  agent: (reason) => `The agent does not begin: ${reason}. See what it says with "cos agent test"`,
};

/** Returns a reason of a question about a result: the changed files that fired the trigger (D28). */
export function diffReason(trigger: Trigger, files: readonly string[]): Reason {
  const what = trigger === "ux_change" ? "user-facing files" : "files that others depend on";
  const named = files.slice(0, 5).join(", ");
  const more = files.length > 5 ? ` and ${files.length - 5} more` : "";
  return { trigger, context: shorten(`The finished work changed ${what}: ${named}${more}`, 600) };
}

/**
 * Returns the recommendation as text: the marked choice, and what was learnt from answers to similar questions, or that nothing was
 * learnt. It never states a judgement that nobody made. C-65, D52 (replaces the texts of S4-CK-14 and S4-RM-11).
 */
export function recommendationOf({
  kind,
  reasons,
  options,
  learnt,
  help = null,
}: {
  readonly kind: GoalQuestion;
  readonly reasons: readonly Reason[];
  readonly options: readonly CheckpointOption[];
  readonly learnt: Learnt;
  readonly help?: Help | null;
}): string {
  const helps = help === null ? null : helpWords(help);
  if (helps !== null && options.some((each) => each.isRecommended && helps.startsWith(`${each.label} - `)))
    return helps;
  const label = options.find((each) => each.isRecommended)?.label ?? "Decide";
  const known = learntWords(options, learnt);
  const why = usualReason(kind, label, reasons);
  if (why === null) return `${label} - ${withoutName(known, label)}`;
  return learnt.precedents.length === 0 ? why : `${why} ${capitalised(known)}`;
}

/** Removes the choice's name from the text after it: "chosen for the last one like it". */
function withoutName(known: string, label: string): string {
  const named = `${label} was chosen`;
  return known.startsWith(named) ? `chosen${known.slice(named.length)}` : known;
}

function helpWords(help: Help): string {
  switch (help.type) {
    case "push":
      return "Retry - the work is done: mend what refused its push first.";
    case "install":
      return `Retry - ${help.missing}: install it there first.`;
    case "again":
      return `Proceed - it is worked again on top of ${help.onto}, and verified again.`;
  }
}

/**
 * Returns the fixed reason for a recommendation. Null when only learnt precedents give a reason. It states what happened and
 * judges nothing: nobody has assessed the risk, or whether another attempt would help.
 */
function usualReason(kind: GoalQuestion, label: string, reasons: readonly Reason[]): string | null {
  if (kind === "escalation" && (label === editLabel || label === "Skip"))
    return `${label} - nothing more is tried before somebody decides.`;
  if (kind === "clarify") return "Answer - the next attempt gets your words; without an answer it runs all the same.";
  if (kind === "ceiling") return "Skip - it needs more than was allowed: look at it before it gets more.";
  if (kind === "breaker") return "Look at what failed before the session goes on.";
  if (kind === "permission") return "Pause - look at what it wants to do before it does it.";
  if (label === "Pause" && reasons.some((reason) => reason.trigger === "hiccup"))
    return "Pause - something unexpected happened: look at it before it goes on.";
  return null;
}
