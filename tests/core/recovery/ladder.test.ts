import { describe, expect, it } from "vitest";
import { attemptsCard } from "../../../src/core/cards/escalation-card.ts";
import { limitCard } from "../../../src/core/cards/notices.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { builtInAlternative, clarifyingQuestion, needsClarification } from "../../../src/core/recovery/alternative.ts";
import { type Failure, type FailureKind, failureKinds } from "../../../src/core/recovery/failure.ts";
import {
  decideNext,
  type LadderFacts,
  type NextStep,
  tellsOfLimit,
  tripsBreaker,
} from "../../../src/core/recovery/ladder.ts";
import { byApproach, normalApproach, saysOfWork } from "../../../src/core/recovery/tried.ts";

const now = new Date("2026-01-26T22:00:00Z");
const facts = (rung: 1 | 2 | 3, attempt: number, more: Partial<LadderFacts> = {}): LadderFacts => ({
  position: { rung, attempt },
  isOwnCommand: false,
  limitWaits: 0,
  onLimit: "wait",
  now,
  ...more,
});
const failure = (kind: FailureKind, resetsAt: Date | null = null): Failure => ({ kind, error: "boom", resetsAt });
const next = (given: LadderFacts, of: Failure): NextStep =>
  decideNext(given, { type: "failed", failure: of }, defaultPolicy);

describe("the next step after a failed attempt", () => {
  it.each<[1 | 2 | 3, number, NextStep]>([
    [1, 1, { type: "retry", position: { rung: 1, attempt: 2 }, delayMs: 5_000 }],
    [1, 2, { type: "retry", position: { rung: 1, attempt: 3 }, delayMs: 10_000 }],
    [1, 3, { type: "retry", position: { rung: 2, attempt: 1 }, delayMs: 0 }],
    [2, 1, { type: "retry", position: { rung: 2, attempt: 2 }, delayMs: 10_000 }],
    [2, 2, { type: "retry", position: { rung: 3, attempt: 1 }, delayMs: 0 }],
    [3, 1, { type: "escalate", reason: null }],
  ])("rung %i, attempt %i [S4-RM-01, S4-RM-02]", (rung, attempt, step) => {
    expect(next(facts(rung, attempt), failure("work"))).toEqual(step);
  });

  it("after a success there is none", () => {
    expect(decideNext(facts(2, 1), { type: "passed" }, defaultPolicy)).toEqual({ type: "done" });
  });

  const climbs: readonly FailureKind[] = ["work", "criteria", "crash", "timeout", "unavailable", "boundary", "push"];
  it.each(failureKinds)("%s climbs only when a machine may mend it", (kind) => {
    const step = next(facts(1, 1), failure(kind));

    expect(step.type === "retry").toBe(climbs.includes(kind));
  });

  it.each<[FailureKind, NextStep["type"]]>([
    ["ceiling", "fail"],
    ["setup", "fail"],
    ["login", "pause-session"],
    ["refusal", "escalate"],
    ["invalid-criteria", "escalate"],
    ["limit", "wait"],
  ])("%s is never retried: %s", (kind, type) => {
    expect(next(facts(1, 1), failure(kind)).type).toBe(type);
    expect(next(facts(3, 1), failure(kind)).type).toBe(type);
  });
});

describe("what a session is paused for", () => {
  it.each([
    ["Credit balance is too low", "the account of the agent's model has no money left: Credit balance is too low"],
    ["Please log in", "agent needs login: Please log in"],
  ])("%s", (error, reason) => {
    const step = next(facts(1, 1), { ...failure("login"), error });

    expect(step).toEqual({ type: "pause-session", reason });
  });
});

describe("the next step after a fixed command failed (D50)", () => {
  const own = (attempt: number, more: Partial<LadderFacts> = {}): LadderFacts =>
    facts(1, attempt, { isOwnCommand: true, ...more });

  const counts: readonly FailureKind[] = ["work", "criteria", "crash", "timeout", "unavailable", "boundary", "push"];
  it.each(counts)("%s: once more, and then a person [F-119]", (kind) => {
    expect(next(own(1), failure(kind))).toEqual({
      type: "retry",
      position: { rung: 1, attempt: 2 },
      delayMs: defaultPolicy.recovery.commandBackoffMs,
    });
    expect(next(own(2), failure(kind))).toEqual({ type: "escalate", reason: null });
  });

  it("the second failure may be another one, and a ladder that it had begun before is over", () => {
    expect(next(own(2), failure("timeout")).type).toBe("escalate");
    expect(next(facts(2, 1, { isOwnCommand: true }), failure("work")).type).toBe("escalate");
  });

  it("what is no execution ends or waits as ever", () => {
    expect(next(own(1), failure("setup")).type).toBe("fail");
    expect(next(own(1), failure("invalid-criteria")).type).toBe("escalate");
  });

  it("where an agent may try once, a command is run once", () => {
    const { recovery } = defaultPolicy;
    const once = { ...defaultPolicy, recovery: { ...recovery, rungs: [{ attempts: 1, backoffMs: 0 }] } };
    expect(decideNext(own(1), { type: "failed", failure: failure("work") }, once).type).toBe("escalate");
  });
});

describe("a provider's limit", () => {
  const at = new Date("2026-01-27T03:00:00Z");

  it("waits for its end, or ever longer when nobody knows it", () => {
    expect(next(facts(2, 1), failure("limit", at))).toEqual({ type: "wait", until: at, isKnown: true });
    const waits = [0, 1, 2, 3, 10].map((limitWaits) => {
      const step = next(facts(1, 1, { limitWaits }), failure("limit"));
      return step.type === "wait" ? (step.until.getTime() - now.getTime()) / 60_000 : null;
    });
    expect(waits).toEqual([15, 30, 60, 120, 120]);
  });

  it("pauses the session, with its date, where it is over in more than eight days only", () => {
    const inDays = (days: number): Date => new Date(now.getTime() + days * 24 * 60 * 60_000);
    expect(next(facts(1, 1), failure("limit", inDays(8))).type).toBe("wait");
    expect(next(facts(1, 1), failure("limit", inDays(9)))).toEqual({
      type: "pause-session",
      reason: "the provider's limit lasts until 2026-02-04 22:00 UTC: boom",
    });
  });

  it("pauses the session where that is wanted, or when it never ends", () => {
    expect(next(facts(1, 1, { onLimit: "pause" }), failure("limit", at)).type).toBe("pause-session");
    expect(next(facts(1, 1, { limitWaits: 20 }), failure("limit", at)).type).toBe("pause-session");
  });
});

it("three failures in a row trip the breaker [S4-RM-06]", () => {
  expect([1, 2, 3, 4].map((streak) => tripsBreaker(streak, defaultPolicy))).toEqual([false, false, true, true]);
});

describe("the built-in alternatives [S4-RM-07]", () => {
  const goal = { criteria: ["AC-2"] };

  it.each<FailureKind>(["work", "criteria", "crash", "timeout", "unavailable", "boundary", "push"])(
    "%s has at least two, each once",
    (kind) => {
      const tried: { approach: string }[] = [];
      for (let number = 0; number < 10; number += 1) {
        const found = builtInAlternative({ kind, error: "boom" }, tried, goal);
        if (found.type === "none") break;
        expect(found.source).toBe("built-in rule");
        expect(found.instruction).toContain("AC-2");
        tried.push({ approach: found.approach.toUpperCase() });
      }
      expect(tried.length).toBeGreaterThanOrEqual(2);
      expect(new Set(tried.map((each) => normalApproach(each.approach))).size).toBe(tried.length);
    },
  );
});

it.each([
  ["Config MISSING", true],
  ["module not found", true],
  ["x is undefined", true],
  ["Unknown option", true],
  ["timeout", false],
  ['Not verified: AC-1: expected output with "missing \\"x\\"", which is not there', false],
  ["Not verified: AC-1: expected output that matches /unknown|not\\/found/i, none does", false],
  ['Not verified: AC-1: expected output with "ok", which is not there; AC-2: sh: jq: not found', true],
  ["", false],
  [null, false],
] as const)("%j needs a clarification: %s [S4-RM-08]", (error, needs) => {
  expect(needsClarification(error)).toBe(needs);
});

it("the question names the goal and the error", () => {
  expect(clarifyingQuestion({ error: "Config MISSING" }, "Write the note")).toContain("Write the note");
});

it("attempts are grouped by approach, whatever its spelling", () => {
  const tried = (approach: string) =>
    ({
      ladder: 1,
      rung: 1,
      number: 1,
      approach,
      source: null,
      end: "work",
      error: "",
      fingerprint: "",
      criteria: [],
      files: [],
      commit: null,
      exitCode: null,
      output: null,
      costMicroUsd: 0,
      costIsEstimated: false,
      at: now,
    }) as const;

  const groups = byApproach([tried("As asked"), tried("in small steps"), tried("as asked!")]);
  expect(groups.map((group) => [group.approach, group.attempts.length])).toEqual([
    ["As asked", 2],
    ["in small steps", 1],
  ]);
});

it.each(["wait", "pause"] as const)(
  "an outage is waited for, longer each time, where a limit would be: %s",
  (onLimit) => {
    const failure = { kind: "limit", error: "fetch failed", resetsAt: null, isOutage: true } as const;
    const minutes = [0, 1, 2, 3, 4, 5, 6, 19, 20].map((limitWaits) => {
      const facts = { position: { rung: 1, attempt: 1 }, isOwnCommand: false, limitWaits, onLimit, now } as const;
      const step = decideNext(facts, { type: "failed", failure }, defaultPolicy);
      return step.type === "wait" ? (step.until.getTime() - now.getTime()) / 60_000 : step.type;
    });
    expect(minutes).toEqual([1, 2, 4, 8, 16, 30, 30, 30, "pause-session"]);
  },
);

it("a limit is told when it is met again and again, and at once where it takes long", () => {
  const hours = (count: number): number => count * 60 * 60_000;
  expect([1, 2, 3, 4].map((waits) => tellsOfLimit(waits, hours(2), defaultPolicy))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect([1, 2, 3, 4].map((waits) => tellsOfLimit(waits, hours(3), defaultPolicy))).toEqual([true, true, true, false]);
  const away = { kind: "limit", error: "fetch failed", isOutage: true } as const;
  expect(limitCard({ goalId: "goal-1", content: "Write" }, 3, now, away).title).toBe(
    "The agent's provider did not answer 3 times in a row",
  );
  const card = limitCard({ goalId: "goal-1", content: "Write" }, 1, now, {
    kind: "limit",
    error: "weekly limit reached",
  });
  expect(card.title).toBe("The provider's limit was met");
});

it("says that an attempt changed nothing only where that is known", () => {
  const about = {
    ladder: 1,
    rung: 1,
    number: 1,
    approach: "as asked",
    source: null,
    end: "crash",
    error: "died",
  } as const;
  const rest = {
    fingerprint: "f",
    criteria: [],
    exitCode: null,
    output: null,
    costMicroUsd: 0,
    costIsEstimated: false,
  };
  const words = (files: readonly string[], commit: string | null): string => {
    const attempts = [{ ...about, ...rest, files, commit, at: now }];
    return JSON.stringify(attemptsCard({ goalId: "goal-1", content: "Write" }, attempts));
  };
  expect(words(["a.ts"], "c1")).toContain(": changed a.ts; died");
  expect(words(["a.ts"], null)).toContain(": changed a.ts; died");
  expect(words([], "c0")).toContain(": changed nothing; died");
  expect(words([], null)).toContain(": it is not known what it changed; died");
});

it("a failure that says nothing of its work is no other goal's", () => {
  const of = (end: FailureKind, files: string[] = [], criteria: string[] = []) => saysOfWork({ end, files, criteria });
  expect((["timeout", "crash", "unavailable"] as const).map((end) => of(end))).toEqual([false, false, false]);
  expect([of("work"), of("criteria"), of("push"), of("boundary")]).toEqual([true, true, true, true]);
  expect([of("timeout", ["a.ts"]), of("crash", [], ["AC-1"])]).toEqual([true, true]);
});
