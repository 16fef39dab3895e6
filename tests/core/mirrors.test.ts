import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { type Mirrors, parseMirrors, shownOn } from "../../src/core/checkpoints/mirrors.ts";
import type { Trigger } from "../../src/core/checkpoints/triggers.ts";

const both = ["slack", "discord"];
const everything = { hiccup: ["slack"], ux_change: ["slack"], architecture: ["slack"], scope_change: ["slack"] };
const slackOnly = { cost_single: ["slack"], cost_cumulative: ["slack"] };

describe("COS_MIRRORS", () => {
  it.each<[string, Mirrors]>([
    ["", {}],
    ["cost=slack", slackOnly],
    [" cost = slack ; ", slackOnly],
    ["other = slack; cost = discord", { ...everything, cost_single: ["discord"], cost_cumulative: ["discord"] }],
    ["cost_single=discord,console", { cost_single: ["discord", "console"] }],
    [
      "other=slack;ux=discord",
      {
        ux_change: ["discord"],
        ...slackOnly,
        hiccup: ["slack"],
        architecture: ["slack"],
        scope_change: ["slack"],
      },
    ],
  ])("%s", (text, mirrors) => {
    expect(parseMirrors(text, both)).toEqual({ type: "read", mirrors });
  });

  it.each([
    "cost",
    "cost=",
    "money=slack",
    "cost=teams",
    "cost=slack=discord",
    "cost=slack;cost_single=discord",
    "=slack",
    "other=slack;other=discord",
  ])("%s is refused", (text) => {
    expect(parseMirrors(text, both)).toMatchObject({ type: "wrong" });
  });

  it("names a platform that is not set up, and stops the start", () => {
    const parsed = parseConfig({ COS_MIRRORS: "cost=slack" });
    expect(parsed.type === "invalid" ? parsed.problems : []).toEqual([
      expect.stringMatching(/^COS_MIRRORS: found "cost=slack", expected rules such as .* each with places of console$/),
    ]);
  });

  const mirrors: Mirrors = { ux_change: ["discord"], hiccup: ["slack"] };
  it.each<[readonly Trigger[], readonly string[] | null]>([
    [["ux_change"], ["console", "discord"]],
    [
      ["ux_change", "hiccup"],
      ["console", "discord", "slack"],
    ],
    [["ux_change", "architecture"], null],
    [[], null],
  ])("%j is shown on %j", (reasons, places) => {
    expect(
      shownOn(
        reasons.map((trigger) => ({ trigger })),
        mirrors,
      ),
    ).toEqual(places);
  });
});
