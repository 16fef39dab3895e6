import type { Span } from "./card.ts";
import { asRecommended, questionCommand } from "./answer-command.ts";
import { firstLine } from "../text.ts";
import { aboutCampaign, type Checkpoint } from "../checkpoints/checkpoint.ts";
import { campaignQuestionNames } from "./campaign-question-card.ts";
import { ceilingName, triggerNames } from "./checkpoint-card.ts";

/** A question's name. For a goal, its most important reason; for a campaign or the policy, one name for each kind. */
export function questionName(checkpoint: Checkpoint): string {
  if (checkpoint.kind === "tuning") return "when to ask";
  if (checkpoint.kind === "ceiling") return ceilingName;
  const campaign = aboutCampaign(checkpoint);
  return campaign === null ? triggerNames[checkpoint.trigger] : campaignQuestionNames[campaign.kind];
}

/**
 * True when the question's text names its goal. Most do; a question about files or a command does not. `content`: the goal's text, or null.
 */
export function namesItsGoal(context: string, content: string | null): boolean {
  return content === null || context.includes(firstLine(content, 60));
}

/** The question in one line, its goal first: "Round prices up: about to make user-facing changes". */
export function askedLine(context: string, content: string | null): string {
  if (content === null) return firstLine(context, 100);
  const goal = firstLine(content, 60);
  const behind = `: ${firstLine(content, 300)}`;
  if (context.endsWith(behind)) {
    const asked = context.slice(0, -behind.length).replace(/\. Next action$/, "");
    return `${goal}: ${asked.charAt(0).toLowerCase()}${firstLine(asked.slice(1), 100)}`;
  }
  const asked = firstLine(context, 100);
  return namesItsGoal(context, content) ? asked : `${goal}: ${asked}`;
}

/** An open question: what it asks, since when, and the command that answers it. `more`: further words about it. */
export function waitingItem(
  question: Pick<Checkpoint, "checkpointId" | "kind" | "options" | "createdAt">,
  asks: string,
  more = "",
): Span[] {
  return [
    { link: asks, to: `/#${question.checkpointId}` },
    ", since ",
    { at: question.createdAt.toISOString() },
    `${more}: `,
    { command: questionCommand(asRecommended(question)) },
  ];
}
