import { z } from "zod";
import { dollars } from "../../core/money.ts";
import { firstLine } from "../../core/text.ts";

const Cost = z.object({ amount: z.unknown(), currency: z.string() });

/** No session of an agent costs more: what says so cannot be (F-309). In US dollars. */
const mostUsd = 100_000;

/** What an agent says that its session cost, in micro-dollars; odd: in words, where it cannot be counted. */
export type ToldCost =
  | { readonly type: "cost"; readonly costMicroUsd: number }
  | { readonly type: "odd"; readonly words: string };

/**
 * Reads the `cost` of a `usage_update`; null: none is told. Another currency cannot be held against a ceiling in dollars, and an
 * impossible amount against anything: as silence (D22).
 */
export function costIn(said: unknown): ToldCost | null {
  const cost = Cost.safeParse(said).data;
  if (cost === undefined) return null;
  const { amount, currency } = cost;
  const isPossible = typeof amount === "number" && amount >= 0 && amount <= mostUsd;
  if (isPossible && currency === "USD") return { type: "cost", costMicroUsd: dollars(amount) };
  const told = typeof amount === "number" || typeof amount === "string" ? amount : "no number";
  return { type: "odd", words: firstLine(`${told} ${currency}`, 60) };
}
