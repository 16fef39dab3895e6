import type { CampaignStep } from "../campaigns/step.ts";
import { sentence, type Span } from "./card.ts";

/** What a campaign does next, and why it waits. */

/** When the campaign's next day begins, and what may delay it. When that is not known, what the campaign does now. */
export function nextDayWords(
  step: CampaignStep,
  { campaignId, nextDayAt }: { readonly campaignId: string; readonly nextDayAt: Date | null },
): Span[] {
  if (nextDayAt === null || step.type !== "rest") return sentence(stepWords(step, campaignId));
  const at = { at: nextDayAt.toISOString() };
  if (step.reason === "not time yet") return ["Its next day begins ", at, "."];
  if (!isOutOfMoney(step)) return sentence(stepWords(step, campaignId));
  return [
    "Today's ceiling leaves nothing for its day, which begins ",
    at,
    " at the latest, or earlier when there is money.",
  ];
}

/** True when the campaign rests because the calendar day's ceiling leaves no money for its day. */
export function isOutOfMoney(step: CampaignStep): boolean {
  return step.type === "rest" && step.reason === "day's ceiling";
}

/** What a campaign does now, or why it rests, in one sentence. */
export function stepWords(step: CampaignStep, campaignId: string): string {
  if (step.type !== "rest") return "It goes on within seconds.";
  switch (step.reason) {
    case "ended":
      return "It is over.";
    case "not started":
      return "It has not started.";
    case "paused":
      return "It is paused.";
    case "waits for an answer":
      return "It waits for an answer: cos checkpoints";
    case "is being worked":
      return "Its day is being worked: cos watch";
    case "not time yet":
      return "Its next day begins when it is time.";
    case "schedule is off":
      return `Days of campaigns do not begin by themselves now. Begin one: cos campaign run ${campaignId}; let them: cos schedule set campaigns --on`;
    case "repository is busy":
      return "Another session holds its repository: cos autopilot status";
    case "day's ceiling":
      return "Today's ceiling leaves nothing for it: it begins when there is money again.";
  }
}
