import { dollars } from "../money.ts";
import { amountWords, isAmount } from "./amounts.ts";
import type { CompiledReply } from "./compiled-reply.ts";
import { askedAmount, budgetAnd, instructed, offered, type RepliedTo, unclear } from "./offered.ts";

/** A model's reading of a reply, before it is limited to what the card offers. */
export interface ReplyFromModel {
  readonly decision: "retry" | "skip" | "manual" | "pause" | "answer" | "budget" | "proceed" | "unclear";
  readonly instruction: string | null;
  readonly budget_usd: number | null;
  readonly question_back: string | null;
}

/** Returns the model's reading as a choice that the question offers. Unclear when it offers none. */
export function fromModel(reply: ReplyFromModel, question: RepliedTo): CompiledReply {
  const instruction = reply.instruction?.trim() || null;
  switch (reply.decision) {
    case "retry":
      return instruction === null
        ? offered({ type: "retry", instruction }, question)
        : instructed(instruction, question);
    case "proceed":
    case "skip":
    case "manual":
    case "pause":
      return offered({ type: reply.decision }, question);
    case "answer":
      return question.asksClarification && instruction !== null
        ? { type: "answer", text: instruction }
        : unclear(question, "");
    case "budget": {
      if (reply.budget_usd === null || !isAmount(reply.budget_usd)) return askedAmount(question, amountWords);
      return budgetAnd(dollars(reply.budget_usd), instruction, question);
    }
    case "unclear":
      return unclear(question, reply.question_back ?? "");
  }
}
