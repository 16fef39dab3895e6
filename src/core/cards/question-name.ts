import { aboutCampaign, type Checkpoint } from "../checkpoints/checkpoint.ts";
import { campaignQuestionNames } from "./campaign-question-card.ts";
import { ceilingName, triggerNames } from "./checkpoint-card.ts";

/** Of a goal its most important reason; of a campaign and of the policy there is one for each kind. */
export function questionName(checkpoint: Checkpoint): string {
  if (checkpoint.kind === "tuning") return "when to ask";
  if (checkpoint.kind === "ceiling") return ceilingName;
  const campaign = aboutCampaign(checkpoint);
  return campaign === null ? triggerNames[checkpoint.trigger] : campaignQuestionNames[campaign.kind];
}
