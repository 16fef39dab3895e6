import type { Interruption } from "../goals/after.ts";
import { formatUsd } from "../money.ts";
import { type Learnt, learntWords } from "../memory/recommend.ts";
import type { Policy } from "../policy.ts";
import { firstLine, shorten } from "../text.ts";
import { type CheckpointOption, criterionLabel, editLabel, type GoalQuestion, type Reason } from "./checkpoint.ts";
import type { Trigger } from "./triggers.ts";

/** What the words of a question are made of. */
export interface Subject {
  readonly content: string;
  readonly estimateMicroUsd: number | null;
  readonly errorCount: number;
  readonly recoveryLevel: number;
}

/** The words for one reason (S4-CK-11); only the asked one is built, so a missing estimate never matters (C-62). */
export function contextOf(trigger: Trigger, subject: Subject, policy: Pick<Policy, "thresholds">): string {
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

/** The reasons of a question asked before a run, one for each trigger, in their order. */
export function reasonsOf(fired: readonly Trigger[], subject: Subject, policy: Pick<Policy, "thresholds">): Reason[] {
  return fired.map((trigger) => ({ trigger, context: contextOf(trigger, subject, policy) }));
}

/** Interrupted again and again by what is no fault of the goal: the disk or the agent is named, not the goal. */
export function interruptedReason({ by, reason }: Interruption): Reason {
  return { trigger: "hiccup", context: shorten(`${interruptedWords[by](reason)}, then Proceed tries again`, 600) };
}

const interruptedWords: Readonly<Record<Interruption["by"], (reason: string) => string>> = {
  space: (reason) => `No space left: ${reason}. Free some`,
  disk: (reason) => `The disk does not stay: ${reason}. See who removes or mounts the data directory`,
  agent: (reason) => `The agent does not begin: ${reason}. See what it says with "cos agent test"`,
};

/** The reasons of a question about a result: which changed files fired which trigger (D28). */
export function diffReason(trigger: Trigger, files: readonly string[]): Reason {
  const what = trigger === "ux_change" ? "user-facing files" : "files that others depend on";
  const named = files.slice(0, 5).join(", ");
  const more = files.length > 5 ? ` and ${files.length - 5} more` : "";
  return { trigger, context: shorten(`The finished work changed ${what}: ${named}${more}`, 600) };
}

/**
 * The four choices in their order, one recommended: Proceed, or Pause where the card says that something is wrong
 * (S4-CK-13, C-65, C-104). `runsCommand`: nobody can be told to work differently, so the command is what can be edited.
 */
export function optionsOf(kind: GoalQuestion, reasons: readonly Reason[], runsCommand = false): CheckpointOption[] {
  if (kind === "proof") return runsCommand ? insteadOf(proofOptions(), "Send back") : proofOptions();
  if (kind === "critics") return criticsOptions("Send back");
  if (kind === "approval") return criticsOptions("Approve");
  if (kind === "escalation") return runsCommand ? commandOptions() : escalationOptions();
  if (kind === "clarify") return clarifyOptions();
  if (kind === "breaker") return breakerOptions();
  if (kind === "ceiling") return ceilingOptions();
  const recommendsPause = reasons.some((reason) => reason.trigger === "hiccup") || kind === "permission";
  // What was interrupted is tried again: there is no action to approve.
  const proceeds = kind === "hiccup" ? "Try again" : "Approve this action and continue";
  const options: CheckpointOption[] = [
    { label: "Proceed", description: proceeds, effect: "continue", isRecommended: false },
    { label: "Skip", description: "Skip this goal and move to the next one", effect: "skip", isRecommended: false },
    { label: "Modify", description: modified(runsCommand), effect: "modify", isRecommended: false },
    { label: "Pause", description: "Pause the session for manual review", effect: "pause", isRecommended: false },
  ];
  const recommended = recommendsPause ? "pause" : "continue";
  return options.map((option) => ({ ...option, isRecommended: option.effect === recommended }));
}

/** A fixed command takes no instructions. */
function modified(runsCommand: boolean): string {
  return runsCommand ? "I'll give other criteria or another budget" : "I'll provide adjusted instructions";
}

/** D26: the changed proof counts, or the work goes back. */
function proofOptions(): CheckpointOption[] {
  return [
    { label: "Accept", description: "The changed files count as they are", effect: "continue", isRecommended: false },
    { label: "Send back", description: "Work on until it passes without them", effect: "retry", isRecommended: true },
    { label: "Skip", description: "Skip this goal and move to the next one", effect: "skip", isRecommended: false },
    { label: "Pause", description: "Pause the session for manual review", effect: "pause", isRecommended: false },
  ];
}

/** A proof that cannot fail is asked about: what the person gives instead can, and the same work is held to it (D38). */
export function withCriterion(options: readonly CheckpointOption[]): CheckpointOption[] {
  return options.flatMap((option): CheckpointOption[] => {
    if (option.effect === "continue")
      return [
        {
          ...option,
          description: "It counts as it is, and every report says that you accepted it",
          isRecommended: false,
        },
        {
          label: criterionLabel,
          description: "Say what shows that it is done: a command that can fail",
          effect: "modify",
          isRecommended: true,
        },
      ];
    const description = option.effect === "retry" ? "Work on what was found" : option.description;
    return [{ ...option, description, isRecommended: false }];
  });
}

/** What critics found is a person's to let pass, or a spec to approve; else the work goes back (C-70). */
function criticsOptions(recommended: "Send back" | "Approve"): CheckpointOption[] {
  const options: CheckpointOption[] = [
    {
      label: recommended === "Approve" ? "Approve" : "Accept",
      description: "It counts as it is",
      effect: "continue",
      isRecommended: false,
    },
    { label: "Send back", description: "Work on what was found", effect: "retry", isRecommended: false },
    { label: "Skip", description: "Skip this goal and move to the next one", effect: "skip", isRecommended: false },
    { label: "Pause", description: "Pause the session for manual review", effect: "pause", isRecommended: false },
  ];
  return options.map((option) => ({ ...option, isRecommended: option.label === recommended }));
}

/** The ladder's end (S4-RM-11, C-64, C-65). */
function escalationOptions(): CheckpointOption[] {
  return [
    { label: "Retry", description: "Try again with fresh context", effect: "continue", isRecommended: false },
    { label: "Skip", description: "Skip this goal", effect: "skip", isRecommended: true },
    { label: "Manual", description: "I'll handle this manually", effect: "manual", isRecommended: false },
  ];
}

const editOption: CheckpointOption = {
  label: editLabel,
  description: "Run another command instead",
  effect: "edit",
  isRecommended: true,
};

/** The work is done and only its push was refused: it is the push that a person mends, not the work. As they are where nothing is retried. */
export function afterPush(options: readonly CheckpointOption[]): CheckpointOption[] {
  if (!options.some(({ label }) => label === "Retry")) return [...options];
  return options.map((option) => {
    const isRetry = option.label === "Retry";
    return { ...option, ...(isRetry ? { description: "Push it again" } : {}), isRecommended: isRetry };
  });
}

/** A fixed command failed as often as it is run by itself (D50). */
function commandOptions(): CheckpointOption[] {
  return [
    { label: "Retry", description: "Run it twice more", effect: "continue", isRecommended: false },
    editOption,
    { label: "Skip", description: "Skip this goal", effect: "skip", isRecommended: false },
    { label: "Manual", description: "I'll handle this manually", effect: "manual", isRecommended: false },
  ];
}

/** Editing the command in the place of a choice that tells somebody to work on. */
function insteadOf(options: readonly CheckpointOption[], label: string): CheckpointOption[] {
  return options.map((option) => (option.label === label ? editOption : option));
}

/** Rung 3: one question, which the sixth attempt waits for (D19). */
function clarifyOptions(): CheckpointOption[] {
  return [
    { label: "Answer", description: "Tell the agent what it needs", effect: "modify", isRecommended: true },
    { label: "Go on", description: "Try once more without an answer", effect: "continue", isRecommended: false },
    { label: "Skip", description: "Skip this goal", effect: "skip", isRecommended: false },
  ];
}

/** A session that was paused because goal after goal failed, or because nobody can go on (D20). */
function breakerOptions(): CheckpointOption[] {
  return [
    { label: "Resume", description: "The session goes on", effect: "continue", isRecommended: false },
    { label: "Stop", description: "End the session", effect: "skip", isRecommended: false },
  ];
}

/** A ceiling that was met while nobody could be asked. */
function ceilingOptions(): CheckpointOption[] {
  return [
    { label: "Proceed", description: "Give it more and go on", effect: "continue", isRecommended: false },
    { label: "Skip", description: "Skip this goal", effect: "skip", isRecommended: true },
  ];
}

/**
 * The recommendation in words: the choice that is marked, and what was learnt from answers to questions like it, or that nothing
 * was; never what nobody has assessed. C-65, D52 (in the place of the words of S4-CK-14 and S4-RM-11).
 */
export function recommendationOf({
  kind,
  reasons,
  options,
  learnt,
  isNotPushed,
}: {
  readonly kind: GoalQuestion;
  readonly reasons: readonly Reason[];
  readonly options: readonly CheckpointOption[];
  readonly learnt: Learnt;
  readonly isNotPushed?: boolean;
}): string {
  if (isNotPushed === true && options.some((each) => each.isRecommended && each.label === "Retry"))
    return "Retry - the work is done: mend what refused its push first.";
  const label = options.find((each) => each.isRecommended)?.label ?? "Decide";
  const known = learntWords(options, learnt);
  const why = usualReason(kind, label, reasons);
  if (why === null) return `${label} - ${known}`;
  return learnt.precedents.length === 0 ? why : `${why} ${capital(known)}`;
}

/**
 * Why some questions recommend what they do whoever asks; null where only what was learnt says anything. It names what has
 * happened and judges nothing: nobody has looked at the risk, or at whether another attempt would help.
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

function capital(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
