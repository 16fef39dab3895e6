import { fenced } from "./fence.ts";

/** Asks once more for an answer that did not match its schema. The model's answer and the problem are fenced as data too. */
export function repairPrompt(prompt: string, answer: string, problem: string): string {
  return [
    prompt,
    "Your last answer could not be used. It was:",
    fenced("answer", answer.slice(0, 4000)),
    "What is wrong with it:",
    fenced("problem", problem),
    "Answer again with one JSON object of the wanted shape and nothing else.",
  ].join("\n\n");
}
