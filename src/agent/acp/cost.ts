import { z } from "zod";
import { dollars } from "../../core/money.ts";
import { firstLine } from "../../core/text.ts";

const Cost = z.object({ amount: z.unknown(), currency: z.string() });

/** Maximum plausible cost of one agent session, in US dollars. Larger amounts are rejected as impossible (F-309). */
const mostUsd = 100_000;

/** The session cost an agent reported, in micro-dollars. `odd` when it cannot be counted, with the reported words. */
export type ToldCost =
  | { readonly type: "cost"; readonly costMicroUsd: number }
  | { readonly type: "odd"; readonly words: string };

/**
 * Parses the `cost` of a `usage_update`. Null when none is reported. Another currency cannot be compared with a ceiling in dollars, and
 * an impossible amount with nothing. Both count as if no cost was reported (D22).
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
