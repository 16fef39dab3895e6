import { describe, expect, it } from "vitest";
import { decidePutOff, type PutOffDecision, type PutOffFacts } from "../../src/core/delivery/put-off.ts";
import { defaultPolicy } from "../../src/core/policy.ts";

const facts: PutOffFacts = {
  why: "failed",
  afterMs: 1000,
  isAside: false,
  failures: 1,
  failsAtOthers: false,
  tookOthers: false,
  isPlain: false,
  unreachable: 0,
};

describe("who waits for what a platform does not show now [F-124]", () => {
  it.each<[string, Partial<PutOffFacts>, PutOffDecision]>([
    ["a limit", { why: "limit", afterMs: 90_000 }, { type: "wait", ms: 90_000, who: "channel" }],
    [
      "a picture's limit",
      { why: "limit", afterMs: 90_000, isAside: true },
      { type: "wait", ms: 90_000, who: "message" },
    ],
    ["a limit of one message", { why: "message-limit", afterMs: 90_000 }, { type: "wait", ms: 90_000, who: "message" }],
    ["a limit of years", { why: "limit", afterMs: 1e12 }, { type: "wait", ms: 3_600_000, who: "channel" }],
    ["a limit without end", { why: "limit", afterMs: Infinity }, { type: "wait", ms: 3_600_000, who: "channel" }],
    ["a limit that has passed", { why: "limit", afterMs: -5000 }, { type: "wait", ms: 1, who: "channel" }],
    ["a limit that is no time", { why: "limit", afterMs: Number.NaN }, { type: "wait", ms: 1000, who: "channel" }],
    ["nobody there", { why: "unreachable", unreachable: 1 }, { type: "wait", ms: 1000, who: "channel" }],
    ["nobody there for long", { why: "unreachable", unreachable: 99 }, { type: "wait", ms: 30_000, who: "channel" }],
    ["a closed door", { why: "not-let-in", afterMs: 30_000 }, { type: "wait", ms: 30_000, who: "channel" }],
    ["a closed thread", { why: "thread-closed", afterMs: 300_000 }, { type: "wait", ms: 300_000, who: "message" }],
    ["one failure", {}, { type: "wait", ms: 1000, who: "message" }],
    ["the third", { failures: 3 }, { type: "wait", ms: 4000, who: "message" }],
    ["at several", { failures: 20, failsAtOthers: true }, { type: "wait", ms: 30_000, who: "channel" }],
    ["again and again", { failures: 8 }, { type: "suspect", ms: 30_000, next: "plain" }],
    [
      "as plain words too",
      { failures: 9, isPlain: true, tookOthers: true },
      { type: "suspect", ms: 30_000, next: "give-up" },
    ],
    ["as plain words, alone", { failures: 99, isPlain: true }, { type: "wait", ms: 30_000, who: "message" }],
    ["a picture, while cards fail", { isAside: true, failsAtOthers: true }, { type: "wait", ms: 1000, who: "message" }],
    [
      "a picture not seen yet",
      { why: "not-there-yet", afterMs: 2000, failures: 2 },
      { type: "wait", ms: 4000, who: "message" },
    ],
    [
      "a longer wait than the longest",
      { why: "failed", afterMs: 60_000 },
      { type: "wait", ms: 60_000, who: "message" },
    ],
  ])("%s", (_name, given, decision) => {
    expect(decidePutOff({ ...facts, ...given }, defaultPolicy)).toEqual(decision);
  });
});
