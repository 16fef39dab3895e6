import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import {
  decideVote,
  parseQuorums,
  type QuorumRule,
  rulesOf,
  validVotes,
  tallyOf,
  type VoteDecision,
} from "../../src/core/checkpoints/quorum.ts";

const people = [{ name: "ana", accounts: ["slack:U1", "discord:2", "console"] }];
const electorate = { approvers: ["slack:U1", "slack:U2", "discord:2"], people, platforms: ["slack", "discord"] };
const anybody = (needed: number): QuorumRule => ({ needed, of: [], withoutRequester: false });

describe("COS_QUORUM", () => {
  it.each([
    ["architecture=2", { architecture: anybody(2) }],
    ["cost=2", { cost_single: anybody(2), cost_cumulative: anybody(2) }],
    [
      "architecture=1 of ana,slack:U2 without requester",
      { architecture: { needed: 1, of: ["ana", "slack:U2"], withoutRequester: true } },
    ],
    [
      "other = 2; cost = 1",
      {
        cost_single: anybody(1),
        cost_cumulative: anybody(1),
        hiccup: anybody(2),
        ux_change: anybody(2),
        architecture: anybody(2),
        scope_change: anybody(2),
      },
    ],
    ["ux=1 without requester;", { ux_change: { needed: 1, of: [], withoutRequester: true } }],
  ])("%s", (text, quorums) => {
    expect(parseQuorums(text, electorate)).toEqual({ type: "read", quorums });
  });

  it.each([
    "architecture",
    "architecture=0",
    "money=2",
    "cost=2 of",
    "cost=2 of bob",
    "cost=1;cost_single=1",
    "cost=2 from ana",
    "other=2;other=1",
  ])("%s is refused with what is expected", (text) => {
    expect(parseQuorums(text, electorate)).toMatchObject({
      type: "wrong",
      expected: expect.stringContaining("rules such as architecture=2") as string,
    });
  });

  // ana is three accounts and one vote; slack:U2 is the other one who may decide.
  it.each([
    ["architecture=3", "at most 2 for architecture"],
    ["architecture=2 without requester", "at most 1 for architecture"],
    ["architecture=2 of slack:U1,discord:2,console", "at most 1 for architecture"],
    ["architecture=2 of ana,slack:U9", "at most 1 for architecture"],
    ["architecture=1 of slack:U9", "at most 0 for architecture"],
  ])("%s can be satisfied by nobody, and says so", (text, words) => {
    expect(parseQuorums(text, electorate)).toMatchObject({
      type: "wrong",
      expected: expect.stringContaining(words) as string,
    });
  });

  it("a group may hold enough people, where its platform is set up and somebody may decide there", () => {
    const withRole = { ...electorate, approvers: ["discord:@7"] };

    expect(parseQuorums("cost=5 of discord:@7", withRole).type).toBe("read");
    expect(parseQuorums("cost=5", withRole).type).toBe("read");
    expect(parseQuorums("cost=5 of discord:@7", { ...withRole, platforms: ["slack"] }).type).toBe("wrong");
    expect(parseQuorums("cost=5 of slack:S7", withRole).type).toBe("wrong");
  });

  it("people with names at the console are votes of their own, those whom no setting knows are not", () => {
    const withBen = { ...electorate, people: [...people, { name: "ben", accounts: ["console:ben"] }] };

    expect(parseQuorums("cost=3", withBen).type).toBe("read");
    expect(parseQuorums("cost=2 of ana,console:ben", withBen).type).toBe("read");
    expect(parseQuorums("cost=4", withBen).type).toBe("wrong");
    expect(parseQuorums("cost=1 of console:eve", withBen).type).toBe("wrong");
  });

  it("stops the start, by name", () => {
    const parsed = parseConfig({ COS_QUORUM: "architecture=2" });

    expect(parsed.type === "invalid" ? parsed.problems : []).toEqual([
      'COS_QUORUM: found "architecture=2", expected at most 1 for architecture: no more people can vote there (COS_APPROVERS, COS_PEOPLE), and 2 would have to',
    ]);
  });
});

describe("a vote", () => {
  const voter = (person: string, ...accounts: string[]) => ({ person, accounts: [person, ...accounts] });
  const named: QuorumRule = { needed: 2, of: ["ana", "discord:@7"], withoutRequester: true };

  it.each<[string, readonly QuorumRule[], readonly string[], ReturnType<typeof voter>, VoteDecision]>([
    ["is the first of two", [anybody(2)], [], voter("ana"), { type: "counted" }],
    ["is the second of two", [anybody(2)], ["ben"], voter("ana"), { type: "settles" }],
    ["is the same person's", [anybody(2)], ["ana"], voter("ana"), { type: "repeated" }],
    ["is of a group", [named], ["ana"], voter("discord:5", "discord:@7"), { type: "settles" }],
    ["is of nobody who is named", [named], ["ana"], voter("discord:5"), { type: "not-counted", reason: "not-named" }],
    ["is the requester's", [named], [], voter("req", "discord:@7"), { type: "not-counted", reason: "requester" }],
    ["counts for one of two rules", [anybody(2), named], ["ana"], voter("discord:5"), { type: "counted" }],
  ])("%s", (_, rules, given, who, decision) => {
    expect(
      decideVote(
        rules,
        given.map((person) => voter(person)),
        who,
        "req",
      ),
    ).toEqual(decision);
  });

  it("is counted once for each rule that it counts for", () => {
    const tally = tallyOf([anybody(2), named], [voter("ana"), voter("discord:5"), voter("req", "discord:@7")], "req");

    expect(tally.map(({ votes }) => votes)).toEqual([3, 1]);
  });

  it("stands while COS_APPROVERS names its person, with any account of theirs or a group that they voted in", () => {
    const votes = [
      { person: "ana", accounts: ["discord:2"] },
      { person: "slack:U2", accounts: ["slack:U2"] },
      { person: "slack:U3", accounts: ["slack:U3", "slack:S1"] },
      { person: "console", accounts: ["console"] },
      { person: "ben", accounts: ["console:ben"] },
    ];
    const validWith = (approvers: string[], known = people) =>
      validVotes(votes, { approvers, people: known }).map(({ person }) => person);

    expect(validWith(["slack:U1", "slack:U2", "slack:S1"])).toEqual(["ana", "slack:U2", "slack:U3"]);
    expect(validWith(["slack:U2"], [])).toEqual(["slack:U2", "console"]);
    expect(validWith([], [{ name: "ben", accounts: ["console:ben"] }])).toEqual(["console", "ben"]);
  });

  it("is whose the account is by COS_PEOPLE as it is now: one for each person, the first that counts", () => {
    const approvers = ["slack:U1", "discord:2", "discord:@7", "slack:U9"];
    const valid = (given: ReturnType<typeof voter>[], known: typeof people = people) =>
      validVotes(given, { approvers, people: known }).map(({ person, accounts }) => [person, accounts[0]]);

    // Both were given before the two were one.
    expect(valid([voter("slack:U1"), voter("discord:2")])).toEqual([["ana", "slack:U1"]]);
    // The first was given in a role that decides, by an account that does not.
    const lea = [{ name: "lea", accounts: ["slack:U8", "discord:5"] }];
    expect(valid([voter("slack:U8"), voter("discord:5", "discord:@7")], lea)).toEqual([["lea", "discord:5"]]);
    // What was ana's is nobody's now, and ana is somebody else.
    const before = { person: "ana", accounts: ["slack:U1"] };
    const other = [{ name: "ana", accounts: ["slack:U9"] }];
    expect(valid([before, voter("slack:U9")], other)).toEqual([
      ["slack:U1", "slack:U1"],
      ["ana", "slack:U9"],
    ]);
  });

  it("an agent's question for words needs nobody to agree", () => {
    const quorums = { hiccup: anybody(2) };
    const reasons = [{ trigger: "hiccup" as const }];

    expect(rulesOf({ kind: "clarify", reasons }, quorums)).toEqual([]);
    expect(rulesOf({ kind: "hiccup", reasons: [...reasons, ...reasons] }, quorums)).toEqual([anybody(2)]);
  });
});
