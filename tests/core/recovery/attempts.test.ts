import { describe, expect, it } from "vitest";
import { failureFingerprint } from "../../../src/core/recovery/fingerprint.ts";
import { goesOnWithIt } from "../../../src/core/recovery/half-done.ts";
import {
  outcomeBeforePush,
  outcomeOfWork,
  pushWaitMs,
  waitingPushOutcome,
} from "../../../src/core/recovery/push-wait.ts";
import { changeOf, failedAtWork, leftAside } from "../../../src/core/recovery/tried.ts";
import type { ExecutionEnd } from "../../../src/core/goals/after.ts";

/** What an attempt left, and what makes it the same as another one. */

describe("two failures", () => {
  const traits = { kind: "crash", error: "exit 1", criteria: ["AC-1", "AC-2"], files: ["a.ts", "b.ts"] } as const;
  const one = failureFingerprint(traits);

  it("are the same whatever the order of criteria and files, and however often each is named", () => {
    const other = { ...traits, criteria: ["AC-2", "AC-1", "AC-2"], files: ["b.ts", "a.ts", "a.ts"] };
    expect(failureFingerprint(other)).toBe(one);
  });

  it.each([
    ["kind", { kind: "timeout" as const }],
    ["error", { error: "heap out of memory" }],
    ["criteria", { criteria: ["AC-1"] }],
    ["files", { files: ["a.ts"] }],
    ["files in the place of criteria", { criteria: [], files: ["AC-1", "AC-2"] }],
  ])("are not when they differ in their %s", (_what, more) => {
    expect(failureFingerprint({ ...traits, ...more })).not.toBe(one);
  });
});

describe("what an attempt left", () => {
  it.each([
    ["files", { files: ["a"], commit: "c2" }, { commit: "c1" }, "files"],
    ["files that no commit holds", { files: ["a"], commit: null }, { commit: null }, "files"],
    ["the commit that it went on with", { files: ["a"], commit: "c1" }, { commit: "c1" }, "nothing"],
    ["a commit without files", { files: [], commit: "c1" }, undefined, "nothing"],
    ["no commit", { files: [], commit: null }, undefined, "not known"],
  ])("%s: %j", (_what, left, before, change) => {
    expect(changeOf(left, before)).toBe(change);
  });

  const left = { commit: "c1", files: ["a", "b"] };
  it.each([
    ["timeout", left, "c0", { commit: "c1", files: 2 }],
    ["crash", left, null, { commit: "c1", files: 2 }],
    ["work", left, "c0", { commit: "c1", files: 2 }],
    ["criteria", left, "c0", undefined],
    ["timeout", left, "c1", undefined],
    ["timeout", { ...left, commit: null }, "c0", undefined],
    ["timeout", { ...left, files: [] }, "c0", undefined],
  ] as const)("is aside after %s with %j, and the next begins at %j: %j", (end, what, head, aside) => {
    expect(leftAside({ end, ...what }, head)).toEqual(aside);
  });

  it.each([
    ["crash", [], [], false],
    ["timeout", [], ["a"], true],
    ["unavailable", ["AC-1"], [], true],
    ["criteria", [], [], true],
    ["push", ["AC-1"], ["a"], false],
    ["passed", [], ["a"], false],
  ] as const)(
    "an attempt that ended with %s, criteria %j and files %j failed over its work: %j",
    (end, criteria, files, expected) => {
      expect(failedAtWork({ end, criteria, files })).toBe(expected);
    },
  );

  it.each<[ExecutionEnd, boolean]>([
    [{ type: "permission" }, true],
    [{ type: "needs-login", reason: "" }, true],
    [{ type: "cut", why: "shutdown" }, true],
    [{ type: "cut", why: "pause" }, true],
    [{ type: "cut", why: "ceiling" }, true],
    [{ type: "cut", why: "skip" }, false],
    [{ type: "cut", why: "lost" }, false],
    [{ type: "failed", reason: "exit 1" }, false],
    [{ type: "timeout", reason: "" }, false],
    [{ type: "setup-failure", reason: "" }, false],
  ])("is gone on with in its own session after %j: %j (D8, D23)", (end, expected) => {
    expect(goesOnWithIt(end, null)).toBe(expected);
  });
});

describe("a push that waits", () => {
  it("is tried for an hour in all", () => {
    const waits = [0, 1, 2, 3, 4, 5].map((each) => pushWaitMs(each) ?? 0);

    expect(waits).toEqual([60_000, 120_000, 240_000, 480_000, 900_000, 1_800_000]);
    expect(pushWaitMs(6)).toBeNull();
  });

  it.each([
    ["2 files changed.", "2 files changed. Its push waits and is tried again by itself: no route"],
    [null, "The work is done. Its push waits and is tried again by itself: no route"],
  ])("keeps what was said of its work: %j", (said, words) => {
    const waiting = waitingPushOutcome(said, "no route\nto host");

    expect(waiting).toBe(words);
    expect(waitingPushOutcome(waiting, "no route")).toBe(words);
    expect([outcomeOfWork(waiting), outcomeBeforePush(waiting), outcomeBeforePush(said)]).toEqual([said, said, null]);
  });
});
