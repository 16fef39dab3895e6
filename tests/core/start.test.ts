import { describe, expect, it } from "vitest";
import { decideMoneyWait, goalCeiling, moneyToGoOn, newEstimate } from "../../src/core/goals/budget.ts";
import { moneyAgain } from "../../src/core/goals/money-again.ts";
import { nextInSession } from "../../src/core/goals/next.ts";
import { decideStart, type StartFacts } from "../../src/core/goals/start.ts";
import { dollars } from "../../src/core/money.ts";
import { defaultPolicy } from "../../src/core/policy.ts";

function ceilings(left: { goal?: number; session?: number; day?: number }): StartFacts["ceilings"] {
  const of = (usd: number) => ({ ceilingMicroUsd: dollars(usd), spentMicroUsd: 0 });
  return { goal: of(left.goal ?? 5), session: of(left.session ?? 15), day: of(left.day ?? 30) };
}

const facts: StartFacts = {
  openCheckpointId: null,
  ceilings: ceilings({}),
  estimateMicroUsd: null,
  fired: [],
  settled: [],
  contentHash: "h1",
  executor: "agent",
  isFlat: false,
};

describe("whether a run may start", () => {
  it("runs with the least that is left as its cap", () => {
    expect(decideStart({ ...facts, ceilings: ceilings({ day: 3 }) }, defaultPolicy)).toEqual({
      type: "run",
      executor: "agent",
      capMicroUsd: dollars(3),
    });
  });

  it("asks nothing where nothing is a reason to [S4-CK-06]", () => {
    expect(decideStart({ ...facts, fired: [], settled: [] }, defaultPolicy)).toEqual({
      type: "run",
      executor: "agent",
      capMicroUsd: dollars(5),
    });
  });

  it("refuses when less than the minimum is left, and says which ceiling [S4-AP-07]", () => {
    const session = { ceilingMicroUsd: dollars(10), spentMicroUsd: dollars(9.8) };

    expect(decideStart({ ...facts, ceilings: { ...ceilings({}), session } }, defaultPolicy)).toEqual({
      type: "refuse",
      ceiling: "session",
      leftMicroUsd: 200_000,
      needMicroUsd: 500_000,
    });
  });

  it("exactly the minimum is enough [S4-AP-08]", () => {
    expect(decideStart({ ...facts, ceilings: ceilings({ session: 0.5 }) }, defaultPolicy).type).toBe("run");
  });

  it("the budget comes before the question [S4-AP-09]", () => {
    const poor = { ...facts, fired: ["ux_change" as const], ceilings: ceilings({ session: 0.49 }) };

    expect(decideStart(poor, defaultPolicy).type).toBe("refuse");
  });

  it("an estimate above what is left is refused [C-69]", () => {
    const dear = { ...facts, estimateMicroUsd: dollars(4), ceilings: ceilings({ session: 3.99 }) };

    expect(decideStart(dear, defaultPolicy)).toMatchObject({ type: "refuse", needMicroUsd: 4_000_000 });
  });

  it("what earlier runs have cost is a part of the estimate [C-69]", () => {
    const left = ceilings({ session: 3 });
    const again = {
      ...facts,
      estimateMicroUsd: dollars(4),
      ceilings: { ...left, goal: { ceilingMicroUsd: dollars(6), spentMicroUsd: dollars(2.5) } },
    };

    expect(decideStart(again, defaultPolicy).type).toBe("run");
    const spent = { ...again.ceilings, goal: { ceilingMicroUsd: dollars(6), spentMicroUsd: dollars(5.6) } };
    expect(decideStart({ ...again, ceilings: spent }, defaultPolicy)).toMatchObject({
      type: "refuse",
      needMicroUsd: 500_000,
    });
  });

  it("asks for every reason that nobody settled for this content [C-61]", () => {
    const settled = [{ trigger: "ux_change" as const, contentHash: "h1" }];
    const asking = { ...facts, fired: ["ux_change" as const, "cost_single" as const], settled };

    expect(decideStart(asking, defaultPolicy)).toEqual({ type: "ask", reasons: ["cost_single"] });
    expect(decideStart({ ...asking, contentHash: "h2" }, defaultPolicy)).toEqual({
      type: "ask",
      reasons: ["ux_change", "cost_single"],
    });
  });

  it("runs once what it was asked about is approved, and does not ask again [S4-CK-09]", () => {
    const asked = { ...facts, fired: ["ux_change" as const] };
    const approved = { ...asked, settled: [{ trigger: "ux_change" as const, contentHash: "h1" }] };

    expect(decideStart(asked, defaultPolicy)).toEqual({ type: "ask", reasons: ["ux_change"] });
    expect(decideStart({ ...asked, openCheckpointId: "cp-1" }, defaultPolicy).type).toBe("wait");
    expect(decideStart(approved, defaultPolicy)).toMatchObject({ type: "run", executor: "agent" });
  });

  it("waits while a question is open, and leaves to a person what nobody can work [C-73]", () => {
    expect(decideStart({ ...facts, openCheckpointId: "cp-1" }, defaultPolicy)).toEqual({
      type: "wait",
      checkpointId: "cp-1",
    });
    expect(decideStart({ ...facts, executor: "none" }, defaultPolicy)).toEqual({ type: "manual" });
  });

  it.each([
    [null, null, 5],
    [null, 2, 5],
    [null, 7.5, 11.25],
    [3, 7.5, 3],
  ])("a ceiling of %s set and an estimate of %s make %s USD", (set, estimate, expected) => {
    const goal = {
      ceilingMicroUsd: set === null ? null : dollars(set),
      estimateMicroUsd: estimate === null ? null : dollars(estimate),
    };

    expect(goalCeiling(goal, defaultPolicy)).toBe(dollars(expected));
  });
});

describe("what a session does next", () => {
  const goal = (goalId: string, status: "pending" | "in_progress" | "blocked" | "complete" | "failed", rest = {}) => ({
    goalId,
    status,
    isLeased: false,
    question: "none" as const,
    unmet: [],
    ...rest,
  });

  it("works its goals in order, one at a time [S4-AP-03]", () => {
    const ids = ["g1", "g2", "g3"];
    const worked: string[] = [];
    for (;;) {
      const goals = ids.map((id) => goal(id, worked.includes(id) ? "complete" : "pending"));
      const next = nextInSession(goals, false);
      if (next.type !== "run") break;
      worked.push(next.goalId);
    }
    expect(worked).toEqual(["g1", "g2", "g3"]);
    expect(nextInSession([goal("1", "complete"), goal("2", "pending"), goal("3", "pending")], false)).toEqual({
      type: "run",
      goalId: "2",
    });
    expect(nextInSession([goal("1", "pending"), goal("2", "in_progress", { isLeased: true })], false)).toEqual({
      type: "busy",
      goalId: "2",
    });
  });

  it("stops at an open card that holds it, and passes over any other and over a parked goal [F-116]", () => {
    const holding = goal("1", "blocked", { question: "holds" });
    const passing = goal("1", "blocked", { question: "passes" });

    expect(nextInSession([holding, goal("2", "pending")], false)).toEqual({ type: "waits", goalId: "1" });
    expect(nextInSession([passing, goal("2", "pending")], false)).toEqual({ type: "run", goalId: "2" });
    expect(nextInSession([passing, goal("2", "complete")], false)).toEqual({ type: "waits", goalId: "1" });
    expect(nextInSession([goal("1", "blocked"), goal("2", "pending")], false)).toEqual({ type: "run", goalId: "2" });
  });

  it("starts nothing more when it is stopping, and is done when all have ended", () => {
    expect(nextInSession([goal("1", "pending")], true)).toEqual({ type: "done" });
    expect(nextInSession([goal("1", "complete"), goal("2", "failed")], false)).toEqual({ type: "done" });
  });

  it.each([
    [null, null, 4.5, null],
    [null, null, 5.5, [7, 10.5]],
    [null, 20, 30, [40, 60]],
    [20, null, 20, [21, 31.5]],
    [3, null, 3.2, [6, 9]],
  ] as const)(
    "a ceiling of %s set, an estimate of %s and %s USD spent: it goes on with %s",
    (set, estimate, spent, more) => {
      const ceilingMicroUsd = set === null ? null : dollars(set);
      const goal = { ceilingMicroUsd, estimateMicroUsd: estimate === null ? null : dollars(estimate) };
      const found = moneyToGoOn(goal, dollars(spent), defaultPolicy);

      expect(found).toEqual(
        more === null ? null : { estimateMicroUsd: dollars(more[0]), ceilingMicroUsd: dollars(more[1]) },
      );
      if (found === null) return;
      const edited = { ...goal, ...newEstimate(goal, found.estimateMicroUsd) };
      expect(goalCeiling(edited, defaultPolicy)).toBe(found.ceilingMicroUsd);
    },
  );

  it.each([
    [null, 0.1, 0],
    [null, 0.1, 0.1],
    [0.2, 5, 0.2],
    [null, 0.1, 10.4],
    [1_000_000, 5, 1_000_000],
  ])(
    "a ceiling of %s set, one of %s USD for every goal and %s USD spent: what it goes on with is enough for a turn",
    (set, usual, spent) => {
      const policy = { ...defaultPolicy, ceilings: { ...defaultPolicy.ceilings, goalMicroUsd: dollars(usual) } };
      const goal = { ceilingMicroUsd: set === null ? null : dollars(set), estimateMicroUsd: null };
      const found = moneyToGoOn(goal, dollars(spent), policy);

      const left = (found?.ceilingMicroUsd ?? 0) - dollars(spent);
      expect(left).toBeGreaterThanOrEqual(policy.goals.minimumTurnMicroUsd);
    },
  );

  const none = { more: null, sessionMicroUsd: null, day: null };
  const day = (need: number, left: number, isTomorrow: boolean) => ({
    needMicroUsd: dollars(need),
    leftMicroUsd: dollars(left),
    ceilingMicroUsd: dollars(30),
    isTomorrow,
  });
  it.each([
    ["enough of everything", null, 1, 29, none],
    ["a day that has too little left", null, 1, 29.6, { ...none, day: day(0.5, 0.4, true) }],
    ["a day that has cost more than its ceiling", null, 1, 31, { ...none, day: day(0.5, 0, true) }],
    ["an estimate above what sessions have", 20, 1, 1, { ...none, sessionMicroUsd: dollars(19) }],
    ["an estimate of all that sessions have", 16, 1, 1, none],
    ["an estimate above that by half a dollar", 16.5, 1, 1, { ...none, sessionMicroUsd: dollars(16) }],
    [
      "an estimate of all that a day has",
      31,
      1,
      1,
      { more: null, sessionMicroUsd: dollars(30), day: day(30, 29, true) },
    ],
    ["an estimate above what is left of the day", 12, 1, 20, { ...none, day: day(11, 10, true) }],
    [
      "an estimate above what a day has",
      40,
      1,
      1,
      { more: null, sessionMicroUsd: dollars(39), day: day(39, 29, false) },
    ],
  ] as const)("what a goal is worked again with: %s", (_, estimate, spent, today, expected) => {
    const goal = { ceilingMicroUsd: null, estimateMicroUsd: estimate === null ? null : dollars(estimate) };
    const spentOf = { goalMicroUsd: dollars(spent), dayMicroUsd: dollars(today) };

    expect(moneyAgain(goal, spentOf, defaultPolicy)).toEqual(expected);
  });

  it("a goal at its own ceiling on a day that has too little for what it goes on with lacks both", () => {
    const goal = { ceilingMicroUsd: null, estimateMicroUsd: dollars(20) };
    const found = moneyAgain(goal, { goalMicroUsd: dollars(30), dayMicroUsd: dollars(30) }, defaultPolicy);

    expect(found.more).toEqual({ estimateMicroUsd: dollars(40), ceilingMicroUsd: dollars(60) });
    expect(found.day).toEqual(day(10, 0, true));
  });

  it("a new estimate takes the place of a lower ceiling only", () => {
    expect(newEstimate({ ceilingMicroUsd: dollars(7) }, dollars(8))).toEqual({
      estimateMicroUsd: dollars(8),
      ceilingMicroUsd: null,
    });
    expect(newEstimate({ ceilingMicroUsd: dollars(7) }, dollars(6))).toEqual({ estimateMicroUsd: dollars(6) });
    expect(newEstimate({ ceilingMicroUsd: null }, dollars(6))).toEqual({ estimateMicroUsd: dollars(6) });
  });
});

describe("what a goal waits for that a ceiling refuses", () => {
  const none = { session: 0, day: 0, campaign: 0, night: 0 };

  it.each<[string, { day?: number; session?: number }, Partial<typeof none>, boolean, string | null]>([
    ["nothing: it was spent", { day: 2 }, {}, false, null],
    ["what others have reserved of the day", { day: 2 }, { day: 2 }, false, "others"],
    ["nothing: less is reserved than it needs", { day: 2 }, { day: 1.9 }, false, null],
    ["nothing: the session's is spent, the day's reserved", { day: 2, session: 2 }, { day: 2 }, false, null],
    ["what others have reserved of both", { day: 2, session: 2 }, { day: 2, session: 2 }, false, "others"],
    ["the next day, in a night", { day: 2 }, {}, true, "tomorrow"],
    ["nothing, in a night: the session's is spent", { session: 2 }, {}, true, null],
  ])("%s", (_what, left, reserved, isNight, wait) => {
    const of = (usd: number) => ({ ceilingMicroUsd: dollars(30), spentMicroUsd: dollars(30 - usd) });
    const own = { goal: of(30), session: of(left.session ?? 30), day: of(left.day ?? 30) };
    const ceiling = left.session === undefined ? "day" : "session";
    const refusal = { type: "refuse", ceiling, leftMicroUsd: dollars(2), needMicroUsd: dollars(4) } as const;
    const back = Object.fromEntries(
      Object.entries({ ...none, ...reserved }).map(([name, usd]) => [name, dollars(usd)]),
    );

    expect(decideMoneyWait(refusal, { ceilings: own, reserved: { ...none, ...back }, isNight })).toBe(wait);
  });

  it("not for a day whose whole ceiling is too little", () => {
    const of = (usd: number) => ({ ceilingMicroUsd: dollars(usd), spentMicroUsd: 0 });
    const facts = { ceilings: { goal: of(9), session: of(9), day: of(4) }, reserved: none, isNight: true };
    const refusal = { type: "refuse", ceiling: "day", leftMicroUsd: dollars(4) } as const;

    expect(decideMoneyWait({ ...refusal, needMicroUsd: dollars(4) + 1 }, facts)).toBeNull();
    const spent = { ...facts, ceilings: { ...facts.ceilings, day: { ...of(4), spentMicroUsd: dollars(1) } } };
    expect(decideMoneyWait({ ...refusal, needMicroUsd: dollars(4) }, spent)).toBe("tomorrow");
  });
});
