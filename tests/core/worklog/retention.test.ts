import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { firstKeptDay, isNearLimit, type AgedWorklog, retentionSteps } from "../../../src/core/worklog/retention.ts";

const policy = defaultPolicy.worklog.retention;
const now = new Date("2026-01-26T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

function kept(
  sessionId: string,
  outcome: AgedWorklog["outcome"],
  hours: number,
  more: Partial<AgedWorklog> = {},
): AgedWorklog {
  const at = hoursAgo(hours);
  const settledAt = outcome === "in_progress" ? null : at;
  return {
    sessionId,
    outcome,
    lastModified: at,
    settledAt,
    isAlive: false,
    isReleased: false,
    isOutside: false,
    ...more,
  };
}

const steps = (rows: readonly AgedWorklog[]) =>
  retentionSteps(rows, now, policy).map((step) => `${step.type} ${step.sessionId}`);

describe("what is forgotten", () => {
  it("[S1-RT-01] has these numbers", () => {
    const day = 86_400_000;
    expect(policy).toEqual({ rawMs: day, summariesMs: 30 * day, mostActive: 50, warnAt: 40, sessionBytes: 51_200 });
  });

  it("[S0-RT-01] [S1-RT-07] work that has been in progress for more than a day is abandoned", () => {
    expect(steps([kept("a", "in_progress", 25), kept("b", "in_progress", 23), kept("c", "in_progress", 24)])).toEqual([
      "abandon a",
    ]);
  });

  it("[S0-RT-01] not while somebody works it", () => {
    expect(steps([kept("a", "in_progress", 200, { isAlive: true })])).toEqual([]);
  });

  it("[S0-RT-02] [S1-RT-03] what was abandoned is summed up and deleted a day later, each in that order (C-02)", () => {
    expect(steps([kept("a", "abandoned", 25), kept("b", "abandoned", 23), kept("c", "abandoned", 30)])).toEqual([
      "summarise a",
      "delete-raw a",
      "summarise c",
      "delete-raw c",
    ]);
  });

  it("[S0-RT-02] at once when it was taken up again, or dismissed", () => {
    expect(steps([kept("a", "abandoned", 1, { isReleased: true })])).toEqual(["summarise a", "delete-raw a"]);
  });

  it("[S0-RT-07] of what is finished only the numbers stay", () => {
    expect(steps([kept("a", "success", 25), kept("b", "failure", 2)])).toEqual(["summarise a", "delete-raw a"]);
  });

  it.each([
    [55, 5],
    [51, 1],
    [50, 0],
  ])("[S0-RT-03] [S1-RT-04] of %d, the %d that changed least recently go", (number, gone) => {
    const rows = Array.from({ length: number }, (_, index) => kept(`s${index}`, "success", 20 - index / 10));
    expect(steps(rows).filter((each) => each.startsWith("delete-raw"))).toEqual(
      Array.from({ length: gone }, (_, index) => `delete-raw s${index}`),
    );
  });

  it("[S0-RT-03] finished before abandoned before the rest, and never what lives (C-30)", () => {
    const many = Array.from({ length: 50 }, (_, index) => kept(`alive${index}`, "in_progress", 30, { isAlive: true }));
    const rows = [...many, kept("running", "in_progress", 2), kept("left", "abandoned", 3), kept("done", "success", 1)];
    expect(steps(rows).filter((each) => each.startsWith("delete-raw"))).toEqual([
      "delete-raw done",
      "delete-raw left",
      "delete-raw running",
    ]);
    expect(steps(many.concat(kept("alive", "in_progress", 30, { isAlive: true })))).toEqual([]);
  });

  it("[S0-RT-03] of what is finished, a person's own sessions go before goals, however new they are", () => {
    const prompts = Array.from({ length: 49 }, (_, index) => kept(`own${index}`, "success", 1, { isOutside: true }));
    const goals = [kept("goal1", "failure", 6), kept("goal2", "success", 5), kept("left", "abandoned", 4)];
    expect(steps([...goals, ...prompts]).filter((each) => each.startsWith("delete-raw"))).toEqual([
      "delete-raw own0",
      "delete-raw own1",
    ]);
  });

  it("[S0-RT-03] what is in progress is abandoned before it goes, so that its goal goes on in another one", () => {
    const many = Array.from({ length: 50 }, (_, index) => kept(`alive${index}`, "in_progress", 30, { isAlive: true }));
    expect(steps([...many, kept("waits", "in_progress", 2)])).toEqual([
      "abandon waits",
      "summarise waits",
      "delete-raw waits",
    ]);
  });

  it("[S0-RT-04] [S1-RT-05] forty are near the limit", () => {
    expect([39, 40].map((number) => isNearLimit(number, policy))).toEqual([false, true]);
  });

  it("[S0-RT-05] [S1-RT-06] days are kept for thirty days", () => {
    expect(firstKeptDay(now, policy)).toBe("2025-12-27");
  });
});
