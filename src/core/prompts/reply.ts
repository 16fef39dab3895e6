import { z } from "zod";
import { shorten } from "../text.ts";
import { fenced, fenceRule } from "./fence.ts";
import type { ModelQuestion } from "./question.ts";

const schema = z.object({
  decision: z.enum(["retry", "skip", "manual", "pause", "answer", "budget", "proceed", "unclear"]),
  instruction: z.string().max(4000).nullable(),
  budget_usd: z.number().nullable(),
  question_back: z.string().max(500).nullable(),
});

/** Asks what a chat reply to a question decides. The result is read back to the writer before it has any effect. */
export function replyQuestion(replied: {
  readonly context: string;
  readonly choices: readonly { readonly label: string; readonly description: string }[];
  readonly text: string;
}): ModelQuestion<z.infer<typeof schema>> {
  const choices = replied.choices.map((each) => `- ${each.label}: ${each.description}`);
  return {
    use: "reply",
    version: "reply-3",
    schema,
    maxOutputTokens: 1000,
    system: `You read a person's chat reply to a question and say which decision it states. ${fenceRule}`,
    prompt: [
      "The question:",
      fenced("question", shorten(replied.context, 2000)),
      "It offers:",
      fenced("choices", choices.join("\n")),
      "The reply:",
      fenced("reply", shorten(replied.text, 8000)),
      [
        "`decision`: what the reply states, or `unclear` when it is ambiguous, conditional, a question or about something else; never guess.",
        "`instruction`: for retry and answer the person's own words that say how, for budget those that say what to do besides, else null. `budget_usd`: for budget (what the goal may cost in all, never money that the work is about), else null.",
        "`question_back`: for unclear, one short question that would settle it, else null. Answer with one JSON object.",
      ].join("\n"),
    ].join("\n\n"),
  };
}
