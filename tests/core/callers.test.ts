import { describe, expect, it } from "vitest";
import {
  decideHidden,
  decidePeer,
  decideTerminal,
  decideUntold,
  lessTrusted,
  type CallerOrigin,
  type PeerFacts,
  type Traced,
} from "../../src/core/callers.ts";
import { originRefused } from "../../src/core/cards/caller-words.ts";

const marked: Traced = { type: "marked", runId: "run-1" };
const plain: Traced = { type: "unmarked", session: 7, hasTerminal: false, isFromOutside: false };
const gone: Traced = { type: "gone" };
const atTerminal: Traced = { ...plain, hasTerminal: true };

/** "person/terminal", "agent/run-1", "unknown/untraceable", "remote/10.0.0.5". */
function short(origin: CallerOrigin | { readonly type: "untold" }): string {
  switch (origin.type) {
    case "person":
      return `person/${origin.by.type}`;
    case "agent":
      return `agent/${origin.runId ?? "bot"}`;
    case "unknown":
      return `unknown/${origin.why}`;
    case "remote":
      return `remote/${origin.address}`;
    case "untold":
      return "untold";
  }
}

describe("who calls from the terminal [F-104]", () => {
  it.each([
    [marked, true, "agent/run-1"],
    [marked, false, "agent/run-1"],
    [{ type: "marked", runId: null } as const, true, "agent/bot"],
    [gone, false, "person/undistinguished"],
    [gone, true, "unknown/untraceable"],
    [atTerminal, true, "person/terminal"],
    [{ ...plain, isFromOutside: true }, true, "person/outside"],
    [plain, true, "untold"],
  ])("%o, processes can be seen: %o: %s", (self, canSee, expected) => {
    expect(short(decideTerminal({ self, canSee }))).toBe(expected);
  });

  it.each([
    [[], false, "person/alone"],
    [[new Set([1, 7])], false, "person/session"],
    [[new Set([1]), new Set([7])], false, "person/session"],
    [[new Set([1, 2])], false, "unknown/no-terminal"],
    [[new Set([1, 2])], true, "person/allowed"],
  ])("of session 7 where goals are worked in %o, unknown allowed: %o: %s", (workedIn, allowsUnknown, expected) => {
    expect(short(decideUntold({ session: 7, workedIn, allowsUnknown }))).toBe(expected);
  });
});

describe("a process of the terminal that hides what is above it [F-104]", () => {
  const first = 4_026_531_836;
  it.each([
    [first, [first], false, "-"],
    [2, [], false, "-"],
    [2, [null], false, "-"],
    [2, [2], false, "-"],
    [2, [first, 2], false, "-"],
    [first, [2], false, "-"],
    [2, [first], false, "unknown/hidden"],
    [3, [2], false, "unknown/hidden"],
    [null, [first], false, "unknown/hidden"],
    [null, [null], false, "-"],
    [2, [first], true, "person/allowed"],
  ])(
    "in namespace %o where goals are worked in %o, unknown allowed: %o: %s",
    (namespace, workedIn, allows, expected) => {
      const origin = decideHidden({ namespace, workedIn, allowsUnknown: allows });

      expect(origin === null ? "-" : short(origin)).toBe(expected);
    },
  );
});

describe("who is at the other end of a connection [F-103]", () => {
  const here = {
    ownUid: 1000,
    agentUids: new Set([1000, 1001]),
    ownSessions: new Set([3]),
    isFollowed: true,
    allowsUnknown: false,
  };
  const local = (holders: readonly Traced[], uid: number | null = 1000): PeerFacts => ({
    canSee: true,
    remoteAddress: null,
    uid,
    holders,
  });

  it.each([
    ["a browser or a script of ours", local([plain]), here, "person/process"],
    ["any holder of a goal's", local([plain, marked]), here, "agent/run-1"],
    ["a holder that went while it was looked at", local([plain, gone]), here, "unknown/untraceable"],
    ["our own user, untraceable", local([]), here, "unknown/untraceable"],
    ["no living process's socket", local([], null), here, "unknown/untraceable"],
    ["another user", local([], 1002), here, "person/user"],
    ["a user as whom goals are worked", local([], 1001), here, "unknown/untraceable"],
    ["another user, seen by root", local([], 1002), { ...here, ownUid: 0 }, "unknown/untraceable"],
    ["untraceable, where unknown callers are allowed", local([]), { ...here, allowsUnknown: true }, "person/allowed"],
    ["not followed", local([plain]), { ...here, isFollowed: false }, "unknown/not-followed"],
    ["not followed, at a terminal", local([atTerminal]), { ...here, isFollowed: false }, "person/terminal"],
    [
      "not followed, of our own session",
      local([{ ...plain, session: 3 }]),
      { ...here, isFollowed: false },
      "person/session",
    ],
    [
      "not followed, where unknown callers are allowed",
      local([plain]),
      { ...here, isFollowed: false, allowsUnknown: true },
      "person/allowed",
    ],
    ["a goal's where unknown callers are allowed", local([marked]), { ...here, allowsUnknown: true }, "agent/run-1"],
    ["where nothing can be seen", { ...local([]), canSee: false }, here, "person/undistinguished"],
    ["another machine", { ...local([]), remoteAddress: "10.0.0.5" }, here, "remote/10.0.0.5"],
  ] as const)("%s", (_name, facts, at, expected) => {
    expect(short(decidePeer(facts, at))).toBe(expected);
  });

  it("trusts the less trusting of two looks, whichever came first", () => {
    const person: CallerOrigin = { type: "person", by: { type: "process" } };
    const unknown: CallerOrigin = { type: "unknown", why: "untraceable" };
    const agent: CallerOrigin = { type: "agent", runId: "run-1" };

    expect([lessTrusted(person, unknown), lessTrusted(unknown, person)].map(short)).toEqual([
      "unknown/untraceable",
      "unknown/untraceable",
    ]);
    expect([lessTrusted(agent, unknown), lessTrusted(unknown, agent)].map(short)).toEqual([
      "agent/run-1",
      "agent/run-1",
    ]);
    expect(short(lessTrusted(person, person))).toBe("person/process");
  });
});

describe("a refusal", () => {
  it.each([
    [{ type: "agent", runId: "run-1" }, "a goal's own process cannot decide (run run-1)", "cos approve"],
    [{ type: "agent", runId: null }, "a goal's own process cannot decide (a process of the bot)", "cos approve"],
    [{ type: "unknown", why: "untraceable" }, "has ended or cannot be seen", "COS_UNKNOWN_CALLERS=allow"],
    [{ type: "unknown", why: "no-terminal" }, "it has no terminal", "ssh -t"],
    [{ type: "unknown", why: "not-followed" }, "cannot be distinguished from others", "COS_UNKNOWN_CALLERS=allow"],
    [{ type: "unknown", why: "hidden" }, "a PID namespace of its own", "outside of every container"],
  ] as const)("of %o says why and what to do", (origin, why, next) => {
    const words = originRefused(origin, "approve");

    expect(words.reason).toContain(why);
    expect(words.next).toContain(next);
  });
});
