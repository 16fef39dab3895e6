import { Cron } from "croner";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  cronProblem,
  dueRuns,
  hasSeveralTimes,
  nextDates,
  nextRunOf,
  type Schedule,
} from "../../src/core/schedules/schedule.ts";

const schedule = (cron: string, more: Partial<Schedule> = {}): Schedule => ({
  name: "standup",
  cron,
  onMissing: "once",
  createdAt: new Date("2026-01-01T00:00:00Z"),
  ...more,
});
const graceMs = 60 * 60_000;
const due = (given: Schedule, lastFor: string | null, now: string, zone: string) =>
  dueRuns(given, lastFor, { now: new Date(now), zone, graceMs }).map((run) => [run.runFor, run.at.toISOString()]);

const nine = schedule("0 9 * * 1-5");
const night = schedule("30 2 * * *");

describe("what is due", () => {
  it.each<[string, Schedule, string | null, string, string, [string, string][]]>([
    ["not yet", nine, "2026-01-26", "2026-01-27T08:59:59Z", "UTC", []],
    ["on time", nine, "2026-01-26", "2026-01-27T09:00:00Z", "UTC", [["2026-01-27", "2026-01-27T09:00:00.000Z"]]],
    ["done already", nine, "2026-01-27", "2026-01-27T09:30:00Z", "UTC", []],
    [
      "in the zone of the reader",
      nine,
      null,
      "2026-01-27T08:00:00Z",
      "Europe/Berlin",
      [["2026-01-27", "2026-01-27T08:00:00.000Z"]],
    ],
    ["not on a Sunday", nine, "2026-01-30", "2026-02-01T12:00:00Z", "UTC", []],
    [
      "a machine asleep over two times makes up for the newest",
      nine,
      "2026-01-26",
      "2026-01-28T20:00:00Z",
      "UTC",
      [["2026-01-28", "2026-01-28T09:00:00.000Z"]],
    ],
    ["or skips what is too late", { ...nine, onMissing: "skip" }, "2026-01-26", "2026-01-28T20:00:00Z", "UTC", []],
    [
      "but not what is a little late",
      { ...nine, onMissing: "skip" },
      "2026-01-26",
      "2026-01-28T09:40:00Z",
      "UTC",
      [["2026-01-28", "2026-01-28T09:00:00.000Z"]],
    ],
    [
      "asleep over a weekend",
      nine,
      "2026-01-29",
      "2026-02-01T10:00:00Z",
      "UTC",
      [["2026-01-30", "2026-01-30T09:00:00.000Z"]],
    ],
    [
      "asleep for two months",
      nine,
      "2025-11-20",
      "2026-01-27T12:00:00Z",
      "UTC",
      [["2026-01-27", "2026-01-27T09:00:00.000Z"]],
    ],
    [
      "nothing from before it was made",
      schedule("0 9 * * *", { createdAt: new Date("2026-01-27T10:00:00Z") }),
      null,
      "2026-01-27T12:00:00Z",
      "UTC",
      [],
    ],
    [
      "the turn of the year",
      schedule("0 9 * * *"),
      "2025-12-31",
      "2026-01-01T09:00:00Z",
      "UTC",
      [["2026-01-01", "2026-01-01T09:00:00.000Z"]],
    ],
    [
      "a leap day",
      schedule("0 9 29 2 *"),
      null,
      "2028-02-29T09:30:00Z",
      "UTC",
      [["2028-02-29", "2028-02-29T09:00:00.000Z"]],
    ],
    ["no leap day this year", schedule("0 9 29 2 *"), null, "2026-03-01T12:00:00Z", "UTC", []],
    [
      "clocks go forward: nine is nine",
      nine,
      "2026-03-27",
      "2026-03-30T07:00:00Z",
      "Europe/Berlin",
      [["2026-03-30", "2026-03-30T07:00:00.000Z"]],
    ],
    [
      "clocks go back: nine is nine",
      nine,
      "2026-10-23",
      "2026-10-26T08:00:00Z",
      "Europe/Berlin",
      [["2026-10-26", "2026-10-26T08:00:00.000Z"]],
    ],
    [
      "a time that is skipped happens right after",
      night,
      "2026-03-28",
      "2026-03-29T02:00:00Z",
      "Europe/Berlin",
      [["2026-03-29", "2026-03-29T01:00:00.000Z"]],
    ],
    [
      "a time that comes twice happens once",
      night,
      "2026-10-24",
      "2026-10-25T03:00:00Z",
      "Europe/Berlin",
      [["2026-10-25", "2026-10-25T00:30:00.000Z"]],
    ],
    ["and not again an hour later", night, "2026-10-25", "2026-10-25T01:45:00Z", "Europe/Berlin", []],
    [
      "over there too",
      nine,
      "2026-03-06",
      "2026-03-09T13:00:00Z",
      "America/New_York",
      [["2026-03-09", "2026-03-09T13:00:00.000Z"]],
    ],
    [
      "a zone further west does not double the day",
      schedule("0 9 * * *"),
      "2026-01-27",
      "2026-01-27T14:00:00Z",
      "America/New_York",
      [],
    ],
    [
      "a zone further east goes on with the next day",
      schedule("0 9 * * *"),
      "2026-01-27",
      "2026-01-28T00:00:00Z",
      "Asia/Tokyo",
      [["2026-01-28", "2026-01-28T00:00:00.000Z"]],
    ],
    ["a clock that was put back", nine, "2026-01-28", "2026-01-27T09:00:00Z", "UTC", []],
  ])("%s", (_what, given, lastFor, now, zone, runs) => {
    expect(due(given, lastFor, now, zone)).toEqual(runs);
  });
});

it.each([
  ["0 9 * * 1-5", null],
  ["0 9 * *", "expected five fields: minute, hour, day, month, weekday"],
  ["0 9 31 2 *", "it never happens"],
])("%j: %s", (cron, problem) => {
  expect(cronProblem(cron)).toBe(problem);
});

it("a cron text that is none says what is wrong", () => {
  expect(cronProblem("61 9 * * *")).toContain("61");
});

it("knows when it happens next", () => {
  expect(nextRunOf(nine, new Date("2026-01-30T09:00:00Z"), "UTC")?.toISOString()).toBe("2026-02-02T09:00:00.000Z");
});

it("says no time of a date for which it has run already", () => {
  const at = (cron: string, now: string, lastFor: string | null) =>
    nextRunOf(schedule(cron), new Date(now), "Europe/Berlin", lastFor)?.toISOString();

  expect(at("0 16 * * *", "2026-01-29T11:00:00Z", "2026-01-29")).toBe("2026-01-30T15:00:00.000Z");
  expect(at("0 9,16 * * 1-5", "2026-01-30T11:00:00Z", "2026-01-30")).toBe("2026-02-02T08:00:00.000Z");
  expect(at("* * * * *", "2026-01-30T11:00:00Z", "2026-01-30")).toBe("2026-01-30T23:00:00.000Z");
  expect(at("0 16 * * *", "2026-01-29T11:00:00Z", "2026-01-28")).toBe("2026-01-29T15:00:00.000Z");
  expect(["0 9 * * 1-5", "0 9,16 * * 1", "*/5 9 1 * *", "0 0 29 2 *"].map(hasSeveralTimes)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it.each(["* * * * *", "*/5 * * * *", "0 * * * *"])(
  "what %s makes due is found in a few steps, however old it is",
  (cron) => {
    const step = vi.spyOn(Cron.prototype, "nextRun");
    onTestFinished(() => step.mockRestore());
    const old = schedule(cron, { createdAt: new Date("2026-01-01T00:00:00Z") });

    dueRuns(old, "2026-03-01", { now: new Date("2026-03-01T12:00:30Z"), zone: "Europe/Berlin", graceMs });

    expect(step.mock.calls.length).toBeLessThan(20);
  },
);

describe("a time at which clocks go on to the next date", () => {
  // America/Nuuk goes from 22:59 on Saturday, 28 March 2026, to 0:00 on Sunday.
  const saturdays = schedule("0 23 * * 6");
  const daily = schedule("30 23 * * *");

  it("comes when that date is over, for that date, once", () => {
    const over = "2026-03-29T01:00:00.000Z";
    for (const each of [saturdays, daily]) {
      expect(due(each, "2026-03-27", "2026-03-29T00:59:00Z", "America/Nuuk")).toEqual([]);
      expect(due(each, "2026-03-27", "2026-03-29T01:00:00Z", "America/Nuuk")).toEqual([["2026-03-28", over]]);
      expect(due(each, "2026-03-28", "2026-03-29T01:10:00Z", "America/Nuuk")).toEqual([]);
    }
    expect(due(daily, "2026-03-28", "2026-03-30T00:30:00Z", "America/Nuuk")).toEqual([
      ["2026-03-29", "2026-03-30T00:30:00.000Z"],
    ]);
    expect(nextRunOf(saturdays, new Date("2026-03-28T12:00:00Z"), "America/Nuuk")?.toISOString()).toBe(over);
    expect(nextDates(daily, new Date("2026-03-27T12:00:00Z"), "America/Nuuk", 3)).toEqual([
      "2026-03-27",
      "2026-03-28",
      "2026-03-29",
    ]);
  });

  it("is made up for by a machine that slept over it", () => {
    expect(due(saturdays, "2026-03-21", "2026-03-31T12:00:00Z", "America/Nuuk")).toEqual([
      ["2026-03-28", "2026-03-29T01:00:00.000Z"],
    ]);
  });

  it.each(["America/Nuuk", "Australia/Lord_Howe", "Africa/Casablanca", "America/Santiago", "Africa/Cairo"])(
    "every time of day comes once for every date of a year in %s",
    (zone) => {
      const year = [Date.parse("2026-01-01T12:00:00Z"), Date.parse("2027-01-01T12:00:00Z")] as const;
      for (const time of ["0 0", "30 0", "0 1", "30 1", "0 2", "30 2", "0 3", "0 22", "0 23", "30 23"]) {
        const dates = nextDates(schedule(`${time} * * *`), new Date(year[0]), zone, 365);
        expect([time, new Set(dates).size, dates.length]).toEqual([time, 365, 365]);
        const days = (Date.parse(dates.at(-1) ?? "") - Date.parse(dates[0] ?? "")) / 86_400_000;
        expect([time, days]).toEqual([time, 364]);
      }
    },
  );
});

describe("with several times a day", () => {
  const now = new Date("2026-01-26T10:00:00Z");
  const coming = ["2026-01-26", "2026-01-27", "2026-01-28", "2026-01-29"];

  it.each(["0 9,14 * * *", "*/15 * * * *", "* * * * *", "0 9-17 * * 1-5"])("each date comes once: %s", (cron) => {
    expect(nextDates(schedule(cron), now, "UTC", 4)).toEqual(coming);
  });

  it("a date comes where none of its times is left, from the next one on", () => {
    expect(nextDates(schedule("0 8,9 * * 1-5"), new Date("2026-01-30T10:00:00Z"), "UTC", 2)).toEqual([
      "2026-02-02",
      "2026-02-03",
    ]);
    expect(nextDates(schedule("0 9 30 2 *"), now, "UTC", 2)).toEqual([]);
  });
});

it("is not held until the day on which a clock that was ahead set it", () => {
  const ahead = schedule("0 9 * * *", { createdAt: new Date("2026-06-01T00:00:00Z") });

  expect(due(ahead, null, "2026-01-27T09:00:10Z", "UTC")).toEqual([["2026-01-27", "2026-01-27T09:00:00.000Z"]]);
  expect(due(ahead, null, "2026-01-27T11:00:00Z", "UTC")).toEqual([]);
});

it("finds the newest of many times, and one that is weeks ago", () => {
  expect(due(schedule("*/7 * * * *"), null, "2026-03-01T12:27:59Z", "UTC")).toEqual([
    ["2026-03-01", "2026-03-01T12:21:00.000Z"],
  ]);
  expect(due(schedule("15 4 1 * *"), null, "2026-02-28T12:00:00Z", "UTC")).toEqual([
    ["2026-02-01", "2026-02-01T04:15:00.000Z"],
  ]);
});
