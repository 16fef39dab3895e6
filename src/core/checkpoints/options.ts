import type { CampaignQuestion, CheckpointOption, GoalQuestion, Reason } from "./checkpoint.ts";

/** The options of each question, in the order of its buttons. The effect says what an option does. */

function option(
  label: string,
  description: string,
  effect: CheckpointOption["effect"],
  isRecommended = false,
): CheckpointOption {
  return { label, description, effect, isRecommended };
}

/** A response to an escalation that does not decide it. */
export const acknowledgeLabel = "Acknowledge";

/** The option that a goal with a fixed command offers instead of instructions (D50). */
export const editLabel = "Edit the command";

/** The option of a milestone that accepts words: its goals get them, and the campaign's budget does not change. */
export const adjustLabel = "Adjust";

/** The option that replaces a proof that cannot fail. */
export const criterionLabel = "Give another criterion";

export const pauseSessionOption = option("Pause", "Pause the session for manual review", "pause");
const pauseCampaign = option("Pause", "Pause campaign for review", "pause");
const editCommand = option(editLabel, "Run another command instead", "edit", true);
const skipToNext = option("Skip", "Skip this goal and move to the next one", "skip");
const skip = option("Skip", "Skip this goal", "skip");
const manual = option("Manual", "I'll handle this manually", "manual");

/** Returns the options of a question about a goal or its session. `runsCommand`: the command is fixed, so it can only be edited. */
export function goalOptions(kind: GoalQuestion, reasons: readonly Reason[], runsCommand = false): CheckpointOption[] {
  switch (kind) {
    case "start":
    case "continue":
    case "diff":
    case "permission":
    case "hiccup":
      return usualOptions(kind, reasons, runsCommand);
    // D26: accept the changed proof, or send the work back.
    case "proof":
      return [
        option("Accept", "The changed files count as they are", "continue"),
        runsCommand ? editCommand : option("Send back", "Work on until it passes without them", "retry", true),
        skipToNext,
        pauseSessionOption,
      ];
    // A person accepts the findings of critics, or approves a spec; otherwise the work goes back (C-70).
    case "critics":
      return [
        option("Accept", "It counts as it is", "continue"),
        option("Send back", "Work on what was found", "retry", true),
        skipToNext,
        pauseSessionOption,
      ];
    case "approval":
      return [
        option("Approve", "It counts as it is", "continue", true),
        option("Send back", "Work on what was found", "retry"),
        skipToNext,
        pauseSessionOption,
      ];
    // Rung 3: one question before the sixth attempt (D19).
    case "clarify":
      return [
        option("Answer", "Tell the agent what it needs", "modify", true),
        option("Go on", "Try once more without an answer", "continue"),
        skip,
      ];
    // The end of the ladder (S4-RM-11, C-64, C-65). For a fixed command: it failed in all its automatic runs (D50).
    case "escalation":
      return runsCommand
        ? [option("Retry", "Run it twice more", "continue"), editCommand, skip, manual]
        : [option("Retry", "Try again with fresh context", "continue"), recommended(skip), manual];
    // The session was paused because goals failed in a row, or because no goal can continue (D20).
    case "breaker":
      return [option("Resume", "The session goes on", "continue"), option("Stop", "End the session", "skip")];
    // A ceiling that was met while nobody could be asked.
    case "ceiling":
      return [option("Proceed", "Give it more and go on", "continue"), recommended(skip)];
  }
}

/** Recommends Proceed, or Pause when the card reports that something is wrong (S4-CK-13, C-65, C-104). */
function usualOptions(kind: GoalQuestion, reasons: readonly Reason[], runsCommand: boolean): CheckpointOption[] {
  const isWrong = reasons.some((reason) => reason.trigger === "hiccup") || kind === "permission";
  // Interrupted work is tried again: there is no action to approve.
  const proceeds = kind === "hiccup" ? "Try again" : "Approve this action and continue";
  // A fixed command takes no instructions.
  const modifies = runsCommand ? "I'll give other criteria or another budget" : "I'll provide adjusted instructions";
  return [
    option("Proceed", proceeds, "continue", !isWrong),
    skipToNext,
    option("Modify", modifies, "modify"),
    isWrong ? recommended(pauseSessionOption) : pauseSessionOption,
  ];
}

function recommended(usual: CheckpointOption): CheckpointOption {
  return { ...usual, isRecommended: true };
}

/** Returns the options for a proof that cannot fail: the person may give a criterion that can, and the same work must pass it (D38). */
export function withCriterion(options: readonly CheckpointOption[]): CheckpointOption[] {
  return options.flatMap((each): CheckpointOption[] => {
    if (each.effect === "continue")
      return [
        option(each.label, "It counts as it is, and every report says that you accepted it", each.effect),
        option(criterionLabel, "Say what shows that it is done: a command that can fail", "modify", true),
      ];
    const description = each.effect === "retry" ? "Work on what was found" : each.description;
    return [option(each.label, description, each.effect)];
  });
}

/** What would let the goal continue, when that is known. It is then recommended. */
export type Help =
  /** The work is done and only its push was refused. A person must fix the push, not the work. */
  | { readonly type: "push" }
  /** A program must be installed first; `missing` describes it. */
  | { readonly type: "install"; readonly missing: string }
  /** The work conflicts with its target branch and is done again on top of it. */
  | { readonly type: "again"; readonly onto: string };

/** Returns the options with the helping one recommended. Unchanged when it is not offered, because nothing is retried any more. */
export function withHelp(options: readonly CheckpointOption[], help: Help): CheckpointOption[] {
  const wanted = help.type === "again" ? "Proceed" : "Retry";
  if (!options.some(({ label }) => label === wanted)) return [...options];
  return options.map(({ label, description, effect }) =>
    option(label, label === wanted ? helpDescription(help, description) : description, effect, label === wanted),
  );
}

function helpDescription(help: Help, usual: string): string {
  switch (help.type) {
    case "push":
      return "Push it again";
    case "install":
      return usual;
    case "again":
      return `Work it again on top of ${help.onto}`;
  }
}

/** Returns the options of a question about a campaign, one of them recommended. S4-CX-03, C-83, C-87, C-89. */
export function campaignOptions(kind: CampaignQuestion, why: "total" | "day" | null): CheckpointOption[] {
  switch (kind) {
    case "plan":
      return [
        option("Start", "Approve the plan; its first day begins when it is time", "continue", true),
        option("Modify", "Say what should be different, or give another budget", "modify"),
        option("Discard", "Give this campaign up", "skip"),
      ];
    case "milestone":
      return [
        option("Proceed", "Start this milestone", "continue", true),
        option(adjustLabel, "Modify milestone scope", "modify"),
        pauseCampaign,
      ];
    case "confirm":
      return [option("Done", "The milestone is done", "continue"), option("Not done", "It stays open", "skip", true)];
    case "replan":
      return [
        option("Replan", "Replan the remaining days", "continue", true),
        option("Keep the plan", "Go on as planned", "skip"),
        pauseCampaign,
      ];
    case "money":
      return [
        ...(why === "day" ? [option("Proceed", "Let this day cost more, within what is left in all", "continue")] : []),
        option("Modify", "Give the campaign another total budget", "modify", true),
        option("Stop", "End the campaign here", "skip"),
      ];
  }
}

/** Returns the options of a policy question. Proceed applies exactly the shown diff. None is recommended: tuning must not judge itself. */
export function policyOptions(): CheckpointOption[] {
  return [
    option("Proceed", "The policy is as this diff says", "continue"),
    option("Skip", "The policy stays as it is", "skip"),
  ];
}
