import { z } from "zod";
import type { NewEpisode } from "../memory/episode.ts";
import { formatUsd } from "../money.ts";
import { shorten } from "../text.ts";
import { fenced, fenceRule } from "./fence.ts";
import type { ModelQuestion } from "./question.ts";

const schema = z.object({ reflection: z.string().min(20).max(2000) });

/** Asks for the lesson of a run, in two or three sentences. S4-RF-07. */
export function reflectionQuestion(episode: NewEpisode): ModelQuestion<z.infer<typeof schema>> {
  const { goal, actions, outcome, recoveryLevel, costMicroUsd, durationSeconds } = episode;
  const done = actions.map((each) => `- ${each.type}: ${each.description}: ${each.result}`);
  return {
    use: "reflection",
    version: "reflection-1",
    schema,
    maxOutputTokens: 200,
    system: `You look back at a run of a coding agent and say what it teaches. ${fenceRule}`,
    prompt: [
      "The goal:",
      fenced("goal", shorten(goal.content, 2000)),
      "What was done:",
      fenced("actions", shorten(done.join("\n"), 6000)),
      [
        `Outcome: ${outcome.isSuccess ? "SUCCESS" : "FAILURE"} (${outcome.goalStatus})`,
        `Recovery level: ${recoveryLevel}`,
        `Cost: ${formatUsd(costMicroUsd)}`,
        `Duration: ${durationSeconds} s`,
      ].join("\n"),
      ...(outcome.error === null ? [] : ["Error:", fenced("error", shorten(outcome.error, 1000))]),
      ...(outcome.artifacts.length === 0 ? [] : ["Files:", fenced("files", outcome.artifacts.slice(0, 40).join("\n"))]),
      [
        "`reflection`: two or three sentences: what worked or did not, what to do differently, the key insight for similar goals.",
        "Name only files and commands from above. Answer with one JSON object.",
      ].join("\n"),
    ].join("\n\n"),
  };
}
