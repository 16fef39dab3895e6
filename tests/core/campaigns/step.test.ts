import { describe, expect, it } from "vitest";
import { dayStatuses, milestoneStatuses, needsReplan } from "../../../src/core/campaigns/campaign.ts";
import { mayReplan } from "../../../src/core/campaigns/replan.ts";
import {
  type CampaignFacts,
  type CampaignStep,
  decideCampaign,
  fairShare,
  type MilestoneWork,
} from "../../../src/core/campaigns/step.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";

const usd = 1_000_000;
const minimum = 500_000;

const milestone: MilestoneWork = {
  milestoneId: "ms-1",
  status: "in_progress",
  targetDay: 3,
  left: 1,
  unfinished: 0,
  unproven: 0,
  verified: 0,
  firstDay: 1,
  asked: "no",
};

/** An active campaign on its third day, whose hour has come. */
const due: CampaignFacts = {
  campaign: { state: "active", currentDay: 3, pausedBy: null, totalBudgetMicroUsd: 50 * usd },
  spentMicroUsd: 10 * usd,
  wantsPlan: false,
  question: null,
  confirming: false,
  day: { dayNumber: 3, status: "pending", budgetMicroUsd: 15 * usd },
  session: null,
  daySpentMicroUsd: 0,
  unworked: 0,
  goesOn: false,
  milestones: [milestone],
  dueDate: "2026-01-28",
  isScheduled: true,
  today: "2026-01-28",
  busyWith: null,
  shareMicroUsd: 30 * usd,
};

const working: CampaignFacts = {
  ...due,
  day: { dayNumber: 3, status: "in_progress", budgetMicroUsd: 15 * usd },
  session: { status: "running", isOnlyWaiting: false, endedBy: null, worked: 0, isOutOfDay: false },
  unworked: 2,
  dueDate: null,
};

const over: CampaignFacts = {
  ...working,
  session: { status: "ended", isOnlyWaiting: false, endedBy: null, worked: 3, isOutOfDay: false },
  unworked: 0,
};

const paused = { ...due.campaign, state: "paused" } as const;

describe("what a campaign does next", () => {
  it.each<[string, CampaignFacts, CampaignStep]>([
    [
      "nothing when it is over",
      { ...due, campaign: { ...due.campaign, state: "completed" } },
      { type: "rest", reason: "ended" },
    ],
    [
      "nothing before its plan is approved",
      { ...due, campaign: { ...due.campaign, state: "planning" }, question: "plan" },
      { type: "rest", reason: "waits for an answer" },
    ],
    ["the plan that somebody wants comes first", { ...due, wantsPlan: true }, { type: "plan" }],
    [
      "nothing while a person holds it",
      { ...due, campaign: { ...paused, pausedBy: "ana" } },
      { type: "rest", reason: "paused" },
    ],
    [
      "nothing while a question is open",
      { ...due, campaign: paused, question: "milestone" },
      { type: "rest", reason: "waits for an answer" },
    ],
    ["it is held while a question is open", { ...due, question: "milestone" }, { type: "hold" }],
    ["nothing before its hour", { ...due, dueDate: null }, { type: "rest", reason: "not time yet" }],
    [
      "nothing by itself when its schedule is off",
      { ...due, dueDate: null, isScheduled: false },
      { type: "rest", reason: "schedule is off" },
    ],
    [
      "it waits for another session on its repository",
      { ...due, busyWith: "session-1" },
      { type: "rest", reason: "repository is busy" },
    ],
    [
      "it waits when the calendar day has no money left for it",
      { ...due, shareMicroUsd: minimum - 1 },
      { type: "rest", reason: "day's ceiling" },
    ],
    ["its day begins", due, { type: "begin-day", date: "2026-01-28", budgetMicroUsd: 15 * usd }],
    [
      "a question about whether a milestone is done holds nothing",
      { ...due, confirming: true },
      { type: "begin-day", date: "2026-01-28", budgetMicroUsd: 15 * usd },
    ],
  ])("%s", (_what, facts, step) => {
    expect(decideCampaign(facts, minimum)).toEqual(step);
  });

  it("a milestone is asked about before the first day with its goals, once", () => {
    const pending: MilestoneWork = { ...milestone, status: "pending", firstDay: 3 };

    expect(decideCampaign({ ...due, milestones: [pending] }, minimum)).toEqual({
      type: "ask-milestone",
      milestoneId: "ms-1",
    });
    expect(decideCampaign({ ...due, milestones: [{ ...pending, firstDay: 4 }] }, minimum).type).toBe("begin-day");
    expect(decideCampaign({ ...due, milestones: [{ ...pending, status: "in_progress" }] }, minimum).type).toBe(
      "begin-day",
    );
  });

  it("a day may cost the least of its own, what is left in all, and its share of today [S4-CX-05]", () => {
    const budget = (facts: Partial<CampaignFacts>): number => {
      const step = decideCampaign({ ...due, ...facts }, minimum);
      return step.type === "begin-day" ? step.budgetMicroUsd : -1;
    };

    expect(budget({ spentMicroUsd: 45 * usd })).toBe(5 * usd);
    expect(budget({ shareMicroUsd: 7 * usd })).toBe(7 * usd);
    expect(budget({})).toBe(15 * usd);
  });

  it.each<[string, CampaignFacts, CampaignStep]>([
    ["while it is worked, nothing", working, { type: "rest", reason: "is being worked" }],
    [
      "while everything waits for answers, it is held",
      { ...working, session: { status: "running", isOnlyWaiting: true, endedBy: null, worked: 1, isOutOfDay: false } },
      { type: "hold" },
    ],
    [
      "and rests held",
      {
        ...working,
        campaign: paused,
        session: { status: "running", isOnlyWaiting: true, endedBy: null, worked: 1, isOutOfDay: false },
      },
      { type: "rest", reason: "waits for an answer" },
    ],
    ["and goes on by itself when it was answered", { ...working, campaign: paused }, { type: "go-on" }],
    [
      "a paused session holds it",
      { ...working, session: { status: "paused", isOnlyWaiting: false, endedBy: null, worked: 1, isOutOfDay: false } },
      { type: "hold" },
    ],
    ["when its session has ended it is closed", over, { type: "close-day", carries: false }],
    ["what its money was not enough for goes over", { ...over, unworked: 1 }, { type: "close-day", carries: true }],
    [
      "but not when nothing of it was worked: that would go on for ever",
      {
        ...over,
        unworked: 1,
        session: { status: "ended", isOnlyWaiting: false, endedBy: null, worked: 0, isOutOfDay: false },
      },
      { type: "ask-money", why: "day" },
    ],
    [
      "when the calendar day's money is spent it rests",
      {
        ...over,
        unworked: 1,
        session: { status: "ended", isOnlyWaiting: false, endedBy: null, worked: 0, isOutOfDay: true },
      },
      { type: "rest", reason: "day's ceiling" },
    ],
    [
      "and goes on when another date is due",
      {
        ...over,
        unworked: 1,
        dueDate: "2026-01-29",
        session: { status: "ended", isOnlyWaiting: false, endedBy: null, worked: 0, isOutOfDay: true },
      },
      { type: "begin-day", date: "2026-01-29", budgetMicroUsd: 15 * usd },
    ],
    [
      "a person who stopped its session has paused it",
      {
        ...over,
        unworked: 1,
        session: { status: "ended", isOnlyWaiting: false, endedBy: "ana", worked: 1, isOutOfDay: false },
      },
      { type: "pause", by: "ana" },
    ],
    [
      "and when they say so it goes on",
      {
        ...over,
        unworked: 1,
        goesOn: true,
        session: { status: "ended", isOnlyWaiting: false, endedBy: "ana", worked: 1, isOutOfDay: false },
      },
      { type: "begin-day", date: "2026-01-28", budgetMicroUsd: 15 * usd },
    ],
    [
      "with what is left of its own money",
      { ...over, unworked: 1, goesOn: true, daySpentMicroUsd: 12 * usd },
      { type: "begin-day", date: "2026-01-28", budgetMicroUsd: 3 * usd },
    ],
  ])("in the middle of a day: %s", (_what, facts, step) => {
    expect(decideCampaign(facts, minimum)).toEqual(step);
  });

  it("without money left it asks, and the day does not change", () => {
    expect(decideCampaign({ ...due, spentMicroUsd: 49.6 * usd }, minimum)).toEqual({ type: "ask-money", why: "total" });
    expect(decideCampaign({ ...due, spentMicroUsd: 49.5 * usd }, minimum).type).toBe("begin-day");
    expect(decideCampaign({ ...over, unworked: 1, spentMicroUsd: 50 * usd }, minimum)).toEqual({
      type: "ask-money",
      why: "total",
    });
  });

  it("late beyond its threshold it is replanned before its next day, by itself once and not the day after [S4-CX-07]", () => {
    const late = { state: "active", elapsedDays: 4, plannedDays: 10, milestonesDone: 0, milestones: 4 } as const;
    const may = (automaticReplans: number, lastAutomaticDay: number | null, finishedDay: number): object =>
      mayReplan({ automaticReplans, lastAutomaticDay, finishedDay }, defaultPolicy);

    expect([needsReplan({ ...late, elapsedDays: 3 }, 0.3), needsReplan(late, 0.3)]).toEqual([false, true]);
    expect(may(0, null, 4)).toEqual({ type: "automatic" });
    for (const facts of [due, working, over])
      expect(decideCampaign({ ...facts, wantsPlan: true }, minimum)).toEqual({ type: "plan" });
    expect(decideCampaign({ ...due, wantsPlan: false }, minimum).type).toBe("begin-day");
    expect(may(1, 4, 5)).toEqual({ type: "ask", reason: "day-before" });
    expect(may(3, 4, 9)).toEqual({ type: "ask", reason: "too-often" });
  });

  it("has these states of milestones and days [S4-CM-03]", () => {
    expect(milestoneStatuses).toEqual(["pending", "in_progress", "done", "blocked"]);
    expect(dayStatuses).toEqual(["pending", "in_progress", "done"]);
  });

  it("a milestone is done when all its goals are verified; a person is asked once when they are not [S4-CM-03]", () => {
    const ended = (work: Partial<MilestoneWork>): CampaignStep =>
      decideCampaign({ ...due, milestones: [{ ...milestone, left: 0, ...work }] }, minimum);

    expect(ended({ verified: 2 })).toEqual({ type: "finish-milestone", milestoneId: "ms-1" });
    expect(ended({ verified: 1, unproven: 1 })).toEqual({ type: "confirm-milestone", milestoneId: "ms-1" });
    expect(ended({ verified: 1, unproven: 1, asked: "answered" }).type).toBe("begin-day");
    expect(ended({ verified: 1, unfinished: 1 }).type).toBe("begin-day");
    expect(ended({ verified: 1, left: 1 }).type).toBe("begin-day");
    expect(ended({}).type).toBe("begin-day");
  });

  it("a milestone without goals is asked about once its day is over, and is neither done nor failed by itself", () => {
    const none = { ...milestone, left: 0, targetDay: 1 };
    const asks = { type: "confirm-milestone", milestoneId: "ms-1" };
    const on = (dayNumber: number, work: Partial<MilestoneWork> = {}): CampaignStep =>
      decideCampaign(
        { ...due, day: due.day === null ? null : { ...due.day, dayNumber }, milestones: [{ ...none, ...work }] },
        minimum,
      );
    const past = (work: Partial<MilestoneWork> = {}): CampaignStep =>
      decideCampaign({ ...due, day: null, milestones: [{ ...none, ...work }] }, minimum);

    expect([on(1).type, on(2), on(2, { asked: "answered" }).type]).toEqual(["begin-day", asks, "begin-day"]);
    expect([past(), past({ asked: "unanswered" }), past({ status: "pending", targetDay: 9 })]).toEqual([
      asks,
      asks,
      asks,
    ]);
    expect(past({ asked: "answered" })).toEqual({ type: "end", state: "failed" });
  });

  it("past the last day it is completed when every milestone is done, else failed [S4-CX-09]", () => {
    const past = (status: MilestoneWork["status"], confirming = false): CampaignStep =>
      decideCampaign(
        { ...due, day: null, confirming, milestones: [{ ...milestone, status, unfinished: 1, left: 0 }] },
        minimum,
      );

    expect(past("done")).toEqual({ type: "end", state: "completed" });
    expect(past("in_progress")).toEqual({ type: "end", state: "failed" });
    expect(past("in_progress", true)).toEqual({ type: "rest", reason: "waits for an answer" });
  });

  it("past the last day it asks once more what nobody answered, and ends where somebody did", () => {
    const past = (asked: MilestoneWork["asked"]): CampaignStep =>
      decideCampaign({ ...due, day: null, milestones: [{ ...milestone, unproven: 1, left: 0, asked }] }, minimum);
    const before = { ...due, milestones: [{ ...milestone, unproven: 1, left: 0, asked: "unanswered" as const }] };

    expect(past("unanswered")).toEqual({ type: "confirm-milestone", milestoneId: "ms-1" });
    expect(past("answered")).toEqual({ type: "end", state: "failed" });
    // While there are days, nobody is asked the same every day.
    expect(decideCampaign(before, minimum).type).toBe("begin-day");
  });
});

describe("a calendar day's money", () => {
  it.each([
    ["one campaign may have all of it", { ceiling: 30, committed: 0, promised: 0, toBegin: 1 }, 30],
    ["two that begin get half each", { ceiling: 20, committed: 0, promised: 0, toBegin: 2 }, 10],
    ["the second gets what the first was not promised", { ceiling: 20, committed: 0, promised: 10, toBegin: 1 }, 10],
    ["what was spent is gone", { ceiling: 20, committed: 8, promised: 2, toBegin: 1 }, 10],
    ["never less than nothing", { ceiling: 20, committed: 30, promised: 0, toBegin: 1 }, 0],
  ])("%s", (_what, day, share) => {
    const { ceiling, committed, promised, toBegin } = day;
    expect(
      fairShare({ ceilingMicroUsd: ceiling, committedMicroUsd: committed, promisedMicroUsd: promised, toBegin }),
    ).toBe(share);
  });
});
