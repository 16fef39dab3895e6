import { adjustLabel, type CampaignQuestion, type CheckpointOption } from "../checkpoints/checkpoint.ts";

/** The question that holds a campaign: whether a milestone is done holds nothing before its last day is over. */
export function holdingQuestion<Q extends { readonly kind: CampaignQuestion }>(pending: readonly Q[]): Q | null {
  return pending.find(({ kind }) => kind !== "confirm") ?? null;
}

/** The choices, one recommended. S4-CX-03, C-83, C-87, C-89. */
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
        option("Pause", "Pause campaign for review", "pause"),
      ];
    case "confirm":
      return [option("Done", "The milestone is done", "continue"), option("Not done", "It stays open", "skip", true)];
    case "replan":
      return [
        option("Replan", "Plan the remaining days anew", "continue", true),
        option("Keep the plan", "Go on as planned", "skip"),
        option("Pause", "Pause campaign for review", "pause"),
      ];
    case "money":
      return [
        ...(why === "day" ? [option("Proceed", "Let this day cost more, within what is left in all", "continue")] : []),
        option("Modify", "Give the campaign another total budget", "modify", true),
        option("Stop", "End the campaign here", "skip"),
      ];
  }
}

function option(
  label: string,
  description: string,
  effect: CheckpointOption["effect"],
  isRecommended = false,
): CheckpointOption {
  return { label, description, effect, isRecommended };
}

/** The recommendation in words; `milestone`: the name of the one that would begin (S4-CX-03). */
export function campaignRecommendation(kind: CampaignQuestion, milestone: string | null): string {
  switch (kind) {
    case "plan":
      return "Look at the days and their goals; nothing runs before you start it.";
    case "milestone":
      return `Proceed with milestone: ${milestone ?? "the next one"}`;
    case "confirm":
      return "Not done - look at its goals before it counts as done.";
    case "replan":
      return "Replan - the campaign is behind; the rest is planned from where it is.";
    case "money":
      return "Modify - look at what was achieved for the money before you give more.";
  }
}
