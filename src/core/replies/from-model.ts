import { dollars } from "../money.ts";
import { amountWords, isAmount } from "./amounts.ts";
import type { CompiledReply } from "./compiled-reply.ts";
import { askedAmount, budgetAnd, instructed, offered, type RepliedTo, unclear } from "./offered.ts";

/** What a model made of a reply, held to the same rule: only what the card offers. */
export interface ModelReading {
  readonly decision: "retry" | "skip" | "manual" | "pause" | "answer" | "budget" | "proceed" | "unclear";
  readonly instruction: string | null;
  readonly budget_usd: number | null;
  readonly question_back: string | null;
}

/** A model's reading as what the question offers; unclear where it offers nothing such. */
export function fromModel(reading: ModelReading, question: RepliedTo): CompiledReply {
  const instruction = reading.instruction?.trim() || null;
  switch (reading.decision) {
    case "retry":
      return instruction === null
        ? offered({ type: "retry", instruction }, question)
        : instructed(instruction, question);
    case "proceed":
    case "skip":
    case "manual":
    case "pause":
      return offered({ type: reading.decision }, question);
    case "answer":
      return question.asksClarification && instruction !== null
        ? { type: "answer", text: instruction }
        : unclear(question, "");
    case "budget": {
      if (reading.budget_usd === null || !isAmount(reading.budget_usd)) return askedAmount(question, amountWords);
      return budgetAnd(dollars(reading.budget_usd), instruction, question);
    }
    case "unclear":
      return unclear(question, reading.question_back ?? "");
  }
}
