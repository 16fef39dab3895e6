import type { CampaignQuestion } from "../checkpoints/checkpoint.ts";

/** The question that holds a campaign. The question whether a milestone is done holds nothing before the last day is over. */
export function holdingQuestion<Q extends { readonly kind: CampaignQuestion }>(pending: readonly Q[]): Q | null {
  return pending.find(({ kind }) => kind !== "confirm") ?? null;
}

/** The recommendation in words. `milestone`: the name of the milestone that would begin (S4-CX-03). */
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
