import { z } from "zod";
import { shorten } from "../text.ts";
import type { Lesson } from "../memory/lesson.ts";
import { fenced, fencedLines, fenceRule } from "./fence.ts";
import { lessonParts } from "./lessons.ts";
import type { ModelQuestion } from "./question.ts";

const schema = z.object({
  approach: z.string().trim().min(2).max(200),
  instruction: z.string().trim().min(4).max(4000),
});

/** One alternative approach to a goal that failed (S4-RM-07). */
export type ModelAlternative = z.infer<typeof schema>;

export interface FailedGoal {
  readonly content: string;
  readonly kind: string;
  readonly error: string;
  readonly criteria: readonly string[];
  /** What was tried under the same failure, here and for other goals, and how it ended. */
  readonly tried: readonly { readonly approach: string; readonly end: string; readonly error: string }[];
  readonly lessons: readonly Lesson[];
}

/** Asks for ONE alternative approach that differs from everything that was tried under the same failure. */
export function alternativeQuestion(failed: FailedGoal): ModelQuestion<ModelAlternative> {
  const tried = failed.tried.slice(0, 12).map((each) => `- ${each.approach}: ${each.end}. ${shorten(each.error, 300)}`);
  return {
    use: "alternative",
    version: "alternative-3",
    schema,
    maxOutputTokens: 1500,
    system: `You help a coding agent that is stuck. ${fenceRule}`,
    prompt: [
      "A coding agent failed at this goal:",
      fenced("goal", shorten(failed.content, 4000)),
      ...(failed.criteria.length === 0 ? [] : ["Failing:", fencedLines("criteria", failed.criteria)]),
      `How it failed (${failed.kind}):`,
      fenced("error", shorten(failed.error, 2000)),
      "Tried under the same failure:",
      fenced("tried", tried.join("\n") || "nothing yet"),
      ...lessonParts(failed.lessons),
      [
        "Suggest ONE alternative approach. Be specific and actionable, and differ from everything that was tried.",
        "`approach`: its name in a few words. `instruction`: what the agent is to do differently. Answer with one JSON object.",
      ].join("\n"),
    ].join("\n\n"),
  };
}
