import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Counting, costOfCall, triedCounting } from "../../../src/core/agents/counting.ts";

/** What each call of an agent used of each of its sessions, in micro-dollars; a call may use more than one. */
const calls = fc.array(
  fc.dictionary(fc.constantFrom("s1", "s2", "s3"), fc.integer({ min: 1, max: 5_000_000 }), { minKeys: 1 }),
  { maxLength: 12 },
);

/** The ledger of calls, one after the other, by an agent that counts in one way; `known`: what is known of it at first. */
function ledgerOf(used: readonly Readonly<Record<string, number>>[], counts: Counting, known: Counting | null) {
  const sums = new Map<string, number>();
  const most = new Map<string, number>();
  let counting = known;
  let charged = 0;
  let isCertain = true;
  for (const call of used) {
    const sessions = Object.entries(call).map(([session, amount]) => {
      const sum = (sums.get(session) ?? 0) + amount;
      sums.set(session, sum);
      return { session, before: most.get(session) ?? 0, said: counts === "anew" ? amount : sum };
    });
    const cost = costOfCall(sessions, counting);
    counting = cost.learnt ?? counting;
    charged += cost.amountMicroUsd;
    isCertain &&= cost.isCertain;
    for (const { session, before, said } of sessions) most.set(session, Math.max(before, said));
  }
  return { charged, isCertain, used: [...sums.values()].reduce((sum, each) => sum + each, 0) };
}

describe("what an agent's sessions cost", () => {
  it.each(["goes-on", "anew"] as const)(
    "in any order is what they used, of an agent that counts %s [F-301]",
    (counts) => {
      fc.assert(
        fc.property(calls, (used) => {
          const ledger = ledgerOf(used, counts, counts);
          expect(ledger).toEqual({ charged: ledger.used, isCertain: true, used: ledger.used });
        }),
      );
    },
  );

  it.each(["goes-on", "anew"] as const)(
    "is estimated where nobody knows that it counts %s, or right [F-301]",
    (counts) => {
      fc.assert(
        fc.property(calls, (used) => {
          const ledger = ledgerOf(used, counts, null);
          if (ledger.isCertain) expect(ledger.charged).toBe(ledger.used);
        }),
      );
    },
  );

  it("is not known of an agent that is called as what every object has", () => {
    expect(triedCounting("constructor")).toBe(null);
  });

  it("is known of agents that were tried, and learnt when a session says less than before [F-301]", () => {
    expect([triedCounting("OpenCode"), triedCounting("nobody's")]).toEqual(["goes-on", null]);
    const less = [{ before: 500, said: 200 }];
    expect(costOfCall(less, null)).toEqual({ amountMicroUsd: 200, learnt: "anew", isCertain: true });
    const more = [{ before: 500, said: 700 }];
    expect(costOfCall(more, null)).toEqual({ amountMicroUsd: 200, learnt: null, isCertain: false });
    expect(costOfCall(more, "anew").amountMicroUsd).toBe(700);
  });
});
