import { describe, expect, it } from "vitest";
import { type Backing, backingIn } from "../../src/core/acceptance/backing.ts";
import { countVerified, tagText, verifiedCount } from "../../src/core/cards/tag-words.ts";
import type { TrialVerdict } from "../../src/core/trials/judge.ts";

const accepted = { by: "ada", at: new Date("2026-11-23T16:05:30Z") };

describe("how a goal is backed, in a list", () => {
  it.each<[Backing, string]>([
    [{ tag: "verified" }, "verified"],
    [{ tag: "verified", guardsOnly: true }, "verified, guards only"],
    [{ tag: "claimed" }, "claimed"],
    [{ tag: "claimed", provesNothing: "all" }, "claimed, proves nothing"],
    [{ tag: "claimed", provesNothing: "all", accepted }, "accepted by ada on 2026-11-23 16:05 UTC, proves nothing"],
    [
      { tag: "claimed", provesNothing: "some", accepted },
      "accepted by ada on 2026-11-23 16:05 UTC, a part proves nothing",
    ],
    [{ tag: "verified", guardsOnly: true, accepted }, "accepted by ada on 2026-11-23 16:05 UTC, guards only"],
    [{ tag: "verified", accepted }, "verified, proof accepted by ada on 2026-11-23 16:05 UTC"],
  ])("never says verified alone of what somebody let count: %j [F-209]", (backing, words) => {
    expect(tagText(backing)).toBe(words);
  });

  it.each<[string, [string, TrialVerdict][], Partial<Backing>]>([
    ["all proves nothing", [["AC-1", "no-power"]], { provesNothing: "all" }],
    [
      "a check that guards makes up for nothing",
      [
        ["AC-1", "no-power"],
        ["CHECK-1", "guards"],
      ],
      { provesNothing: "all" },
    ],
    [
      "a part of it",
      [
        ["AC-1", "proves"],
        ["AC-2", "no-power"],
      ],
      { provesNothing: "some" },
    ],
    [
      "it proves",
      [
        ["AC-1", "proves"],
        ["AC-2", "guards"],
      ],
      {},
    ],
  ])("is made of its trials: %s [F-201]", (_what, tried, expected) => {
    const trials = tried.map(([id, verdict]) => ({ id, verdict }));

    expect(backingIn({ tag: "claimed", criteria: [], trials })).toEqual({ tag: "claimed", ...expected });
  });

  it("counts what is verified, and what of that only guards", () => {
    const goals: Backing[] = [{ tag: "verified" }, { tag: "verified", guardsOnly: true }, { tag: "claimed" }];

    expect(verifiedCount(countVerified(goals))).toBe("2 verified (1 guards only)");
    expect(verifiedCount(countVerified(goals.slice(0, 1)))).toBe("1 verified");
  });
});
