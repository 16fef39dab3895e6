import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { type People, parsePeople, personWith } from "../../src/core/people.ts";

const ana = { name: "ana", accounts: ["slack:U1", "discord:2", "console"] };

describe("COS_PEOPLE", () => {
  it.each<[string, People]>([
    ["", []],
    ["ana=slack:U1+discord:2+console", [ana]],
    [" ana = slack:U1 + discord:2 + console ; Jürgen=slack:U9;", [ana, { name: "Jürgen", accounts: ["slack:U9"] }]],
    ["ben=console:ben+slack:U1", [{ name: "ben", accounts: ["console:ben", "slack:U1"] }]],
  ])("%s", (text, people) => {
    expect(parsePeople(text)).toEqual({ type: "read", people });
  });

  it.each([
    "ana",
    "ana=",
    "=slack:U1",
    "ana=slack:S1",
    "ana=discord:@1",
    "ana=terminal",
    "ana=console:",
    "ana=console:a b",
    "ana=console:console",
    "ana=console:ana;ben=console:ana",
    "ana=slack:U1+slack:U1",
    "ana=slack:U1;ana=slack:U2",
    "ana=slack:U1;ben=slack:U1",
    "ana=console;ben=console",
    "console=slack:U1",
    "@ana=slack:U1",
    "ana=slack:U1=x",
  ])("%s is refused, and stops the start", (text) => {
    expect(parsePeople(text)).toMatchObject({ type: "wrong" });
    const parsed = parseConfig({ COS_PEOPLE: text });
    expect(parsed.type === "invalid" ? parsed.problems : []).toEqual([expect.stringContaining("COS_PEOPLE: found ")]);
  });

  it.each([
    ["slack:U1", "ana"],
    ["console", "ana"],
    ["slack:U2", undefined],
  ])("%s is %s", (account, name) => {
    expect(personWith(account, [ana])?.name).toBe(name);
  });
});
