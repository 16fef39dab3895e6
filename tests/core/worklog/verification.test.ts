import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { finalSummary } from "../../../src/core/worklog/finish.ts";
import { breakerOf, checkResults, openMismatch, verifyEntry } from "../../../src/core/worklog/checks.ts";
import {
  afterAttempt,
  afterRead,
  type Breaker,
  closedBreaker,
  compareTodos,
  mayAttempt,
  optionsFor,
  type ReadResult,
  resolutionLabels,
} from "../../../src/core/worklog/verification.ts";

const policy = defaultPolicy.worklog.verification;
const todo = (id: string, status: string) => ({ id, status });
const mismatch: ReadResult = { type: "mismatch", mismatch: "status_mismatch", details: "x" };

describe("todos as they were written and as they are stored", () => {
  it("[S0-VF-03] [S0-VF-15] are equal by status and number", () => {
    expect(compareTodos([todo("a", "completed")], [todo("a", "completed")])).toEqual({ type: "match" });
    expect(compareTodos([], [])).toEqual({ type: "match" });
  });

  it("[S0-VF-04] differ in status, with both in words", () => {
    expect(compareTodos([todo("a", "completed")], [todo("a", "pending")])).toEqual({
      type: "mismatch",
      mismatch: "status_mismatch",
      details: "a: expected completed, found pending",
    });
  });

  it("[S0-VF-05] differ in number", () => {
    const three = [todo("a", "x"), todo("b", "x"), todo("c", "x")];
    expect(compareTodos(three, three.slice(1))).toEqual({
      type: "mismatch",
      mismatch: "count_mismatch",
      details: "expected 3 todos, found 2",
    });
  });

  it("[S0-VF-06] [S0-VF-07] are the same by id: never by words, nor by order", () => {
    const written = [
      { ...todo("a", "completed"), content: "one" },
      { ...todo("b", "pending"), content: "two" },
    ];
    const reworded = [
      { ...todo("b", "pending"), content: "other" },
      { ...todo("a", "completed"), content: "words" },
    ];

    expect(compareTodos(written, reworded)).toEqual({ type: "match" });
    expect(compareTodos(written, [todo("b", "pending"), todo("c", "completed")])).toMatchObject({
      mismatch: "missing_todo",
      details: "a is not there",
    });
    // What has no ids is compared by place (C-11).
    expect(compareTodos(written, [todo("", "completed"), todo("", "pending")])).toEqual({ type: "match" });
  });
});

describe("one verification", () => {
  it("[S0-VF-08] reads a second time after 100 ms, and never a third time by itself", () => {
    expect(afterRead(mismatch, "first", policy)).toEqual({ type: "retry", afterMs: 100 });
    expect(afterRead(mismatch, "second", policy)).toEqual({ type: "ask" });
  });

  it("[S0-VF-11] that still differs at the second read asks a person, with these choices (C-13)", () => {
    const reads = [mismatch, mismatch];
    const breaker = reads.reduce<Breaker>((so, read) => afterAttempt(so, read, 0, policy), closedBreaker);

    expect(reads.map((read, index) => afterRead(read, index === 0 ? "first" : "second", policy).type)).toEqual([
      "retry",
      "ask",
    ]);
    expect(optionsFor(breaker)).toEqual(["retry", "accept", "abort", "continue"]);
  });

  it("[S0-VF-10] passes at the second read, also after one that was too slow", () => {
    expect(afterRead({ type: "timeout" }, "first", policy)).toEqual({ type: "retry", afterMs: 100 });
    expect(afterRead({ type: "match" }, "second", policy)).toEqual({ type: "pass" });
    expect(policy.timeoutMs).toBe(1_000);
  });

  it("[S0-GD-02] is skipped when both reads were too slow, and counted so", () => {
    expect(afterRead({ type: "timeout" }, "second", policy)).toEqual({ type: "skip" });
    const at = new Date(0);
    const late = { expected: [], actual: [], details: null, result: "timeout", at } as const;
    const entries = [verifyEntry({ ...late, status: "retried" }), verifyEntry({ ...late, status: "timeout" })];
    expect(finalSummary(entries, { startedAt: at, endedAt: at, tokens: 0 }).verification_results).toEqual({
      passed: 0,
      failed: 0,
      skipped: 1,
      user_accepted: 0,
    });
  });
});

describe("the circuit breaker", () => {
  function after(...reads: readonly ReadResult[]): Breaker {
    return reads.reduce<Breaker>((breaker, read) => afterAttempt(breaker, read, 0, policy), closedBreaker);
  }

  it("[S0-CB-01] is closed at first", () => {
    expect(mayAttempt(closedBreaker, 0, policy)).toBe(true);
    expect(closedBreaker.failures).toBe(0);
  });

  it("[S0-CB-02] opens at the third failure, a person's Retry counted too", () => {
    expect(after(mismatch, mismatch).openedAtMs).toBeNull();
    expect(after(mismatch, mismatch, mismatch)).toEqual({ failures: 3, openedAtMs: 0 });
  });

  it("[S0-CB-03] [S0-CB-04] refuses for 300 s, the last moment not included", () => {
    const open = after(mismatch, mismatch, mismatch);
    expect([10_000, 299_000, 299_999, 300_000].map((ms) => mayAttempt(open, ms, policy))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it("is not held open by a clock that was set back by a day", () => {
    const breaker = { failures: 3, openedAtMs: 86_400_000 };
    expect(mayAttempt(breaker, 1_000, policy)).toBe(true);
  });

  it("[S0-CB-05] starts over after a pass", () => {
    expect(after(mismatch, mismatch, { type: "match" })).toEqual({ failures: 0, openedAtMs: null });
  });

  it("[S0-CB-06] offers exactly these, and Retry while it is closed (C-13)", () => {
    expect(optionsFor(closedBreaker)).toEqual(["retry", "accept", "abort", "continue"]);
    const options = optionsFor(after(mismatch, mismatch, mismatch));
    expect(options).toEqual(["accept", "abort", "continue"]);
    expect(options.map((option) => resolutionLabels[option])).toEqual([
      "Accept current state as correct",
      "Abort task with partial worklog",
      "Continue without verification (log risk)",
    ]);
  });

  it("[S0-CB-02] stands where the worklog says", () => {
    const check = (result: "pass" | "fail", status: "retried" | "failed" | "completed", second: number) =>
      verifyEntry({
        status,
        result,
        expected: [],
        actual: [],
        details: null,
        at: new Date(`2026-01-26T09:00:0${second}Z`),
      });
    const failing = [check("fail", "retried", 0), check("fail", "failed", 1)];

    expect(breakerOf(failing, policy)).toEqual({ failures: 2, openedAtMs: null });
    expect(breakerOf([...failing, check("fail", "failed", 2)], policy)).toEqual({
      failures: 3,
      openedAtMs: Date.parse("2026-01-26T09:00:02Z"),
    });
    expect(breakerOf([...failing, check("pass", "completed", 2)], policy)).toEqual(closedBreaker);
    expect(openMismatch(failing)).toEqual(failing[1]);
    expect(openMismatch([...failing, check("pass", "completed", 2)])).toBeNull();
  });

  it("[S0-VF-05] of more than a hundred todos keeps what differs and how many there were, so that a retry can match", () => {
    const written = Array.from({ length: 120 }, (_, index) => ({ id: `todo-${index + 1}`, status: "pending" }));
    const other = written.map((todo, index) => (index === 117 ? { ...todo, status: "completed" } : todo));
    const entry = { status: "failed", result: "fail", details: "status_mismatch", at: new Date(0) } as const;

    const { details } = verifyEntry({ ...entry, expected: written, actual: other });
    const { details: few } = verifyEntry({ ...entry, expected: written.slice(0, 3), actual: [] });

    expect([details.expected_state.length, details.expected_count, few.expected_count]).toEqual([100, 120, undefined]);
    expect(details.actual_state[0]).toEqual({ id: "todo-118", status: "completed" });
    const kept = details.expected_state;
    expect(compareTodos(kept, written, details.expected_count)).toEqual({ type: "match" });
    expect(compareTodos(kept, other, details.expected_count)).toMatchObject({ mismatch: "status_mismatch" });
    expect(compareTodos(kept, written.slice(0, 110), details.expected_count)).toEqual({
      type: "mismatch",
      mismatch: "count_mismatch",
      details: "expected 120 todos, found 110",
    });
  });

  it("[S0-FN-04] counts a check that a person settled once, as what the person said", () => {
    const check = (
      result: "pass" | "fail" | "user_accepted" | "bypassed",
      status: "retried" | "failed" | "completed" | "skipped",
      by?: string,
    ) =>
      verifyEntry({
        status,
        result,
        expected: [],
        actual: [],
        details: null,
        at: new Date(0),
        ...(by === undefined ? {} : { by }),
      });
    const failed = [check("fail", "retried"), check("fail", "failed")];

    expect(checkResults([check("pass", "completed"), ...failed])).toEqual(["pass", "fail"]);
    expect(checkResults([...failed, check("user_accepted", "completed", "ana")])).toEqual(["user_accepted"]);
    expect(checkResults([...failed, check("fail", "completed", "ana")])).toEqual(["fail"]);
    expect(checkResults([...failed, check("bypassed", "skipped")])).toEqual(["fail", "bypassed"]);
    const unchecked = [...failed, check("bypassed", "skipped"), check("bypassed", "skipped")];
    expect(
      checkResults([...unchecked, check("user_accepted", "completed", "ana"), check("pass", "completed")]),
    ).toEqual(["user_accepted", "bypassed", "bypassed", "pass"]);
    expect(checkResults([check("bypassed", "completed", "ana"), check("pass", "completed")])).toEqual([
      "bypassed",
      "pass",
    ]);
  });

  it("[S0-FN-04] counts a check that a person had read again as what was found last, and says who it was", () => {
    const read = (result: "pass" | "fail", status: "retried" | "failed" | "completed", readFor?: string) =>
      verifyEntry({
        status,
        result,
        expected: [],
        actual: [],
        details: result === "pass" ? null : "t1 differs",
        at: new Date(0),
        ...(readFor === undefined ? {} : { readFor }),
      });
    const failed = [read("fail", "retried"), read("fail", "failed")];
    const again = read("pass", "completed", "ana");

    expect(checkResults([...failed, again])).toEqual(["pass"]);
    expect(checkResults([...failed, read("fail", "failed", "ana"), again])).toEqual(["pass"]);
    expect(checkResults([...failed, read("fail", "failed", "ana"), read("pass", "completed")])).toEqual([
      "fail",
      "pass",
    ]);
    expect([again.context, again.details.read_for]).toEqual([
      "read again for ana: todos are as they were written",
      "ana",
    ]);
    expect(breakerOf([...failed, read("fail", "failed", "ana")], policy).failures).toBe(3);
  });

  it("[S0-CB-02] counts reads, not what a person decides about them", () => {
    const at = new Date("2026-01-26T09:00:00Z");
    const same = { expected: [], actual: [], details: null, at, result: "fail" } as const;
    const failing = [verifyEntry({ ...same, status: "retried" }), verifyEntry({ ...same, status: "failed" })];

    expect(breakerOf([...failing, verifyEntry({ ...same, status: "completed", by: "ana" })], policy)).toEqual({
      failures: 2,
      openedAtMs: null,
    });
  });
});
