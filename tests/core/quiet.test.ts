import { describe, expect, it } from "vitest";
import {
  awakeAfter,
  awakeBetween,
  awakeSince,
  isQuiet,
  nextAwake,
  parseQuietHours,
} from "../../src/core/checkpoints/quiet.ts";
import { parseWorkingDays } from "../../src/core/working-days.ts";

const night = parseQuietHours("22:00-07:00");
const noon = parseQuietHours("12:00-13:00");
const at = (iso: string): Date => new Date(iso);

it.each([
  ["22:00-07:00", { from: 1320, to: 420 }],
  ["9:30 - 10:00", { from: 570, to: 600 }],
  ["22:00-22:00", null],
  ["22-7", null],
  ["24:00-07:00", null],
  ["night", null],
  ["", null],
] as const)("%j as quiet hours", (text, read) => {
  expect(parseQuietHours(text)).toEqual(read);
});

describe("quiet hours", () => {
  it.each([
    ["2026-01-26T21:59:00Z", "UTC", false],
    ["2026-01-26T22:00:00Z", "UTC", true],
    ["2026-01-27T06:59:59Z", "UTC", true],
    ["2026-01-27T07:00:00Z", "UTC", false],
    ["2026-01-26T21:30:00Z", "Europe/Berlin", true],
    ["2026-01-26T22:30:00Z", "America/New_York", false],
  ])("%s in %s: %s", (iso, zone, quiet) => {
    expect(isQuiet(at(iso), night, zone)).toBe(quiet);
  });

  it.each([
    ["none", "2026-01-26T23:00:00Z", null, "UTC", "2026-01-26T23:30:00.000Z"],
    ["by day", "2026-01-26T10:00:00Z", night, "UTC", "2026-01-26T10:30:00.000Z"],
    ["asked in the night", "2026-01-26T23:10:20Z", night, "UTC", "2026-01-27T07:30:00.000Z"],
    ["asked just before it", "2026-01-26T21:50:00Z", night, "UTC", "2026-01-27T07:20:00.000Z"],
    ["over lunch", "2026-01-26T11:45:30Z", noon, "UTC", "2026-01-26T13:15:30.000Z"],
    ["clocks go forward", "2026-03-28T22:00:00Z", night, "Europe/Berlin", "2026-03-29T05:30:00.000Z"],
    ["clocks go back", "2026-10-24T22:00:00Z", night, "Europe/Berlin", "2026-10-25T06:30:00.000Z"],
    ["clocks go forward over there", "2026-03-08T04:00:00Z", night, "America/New_York", "2026-03-08T11:30:00.000Z"],
  ] as const)("half an hour, %s", (_what, from, quiet, zone, until) => {
    expect(awakeAfter(at(from), 30 * 60_000, quiet, zone).toISOString()).toBe(until);
  });

  it("end at the next awake minute", () => {
    expect(nextAwake(at("2026-01-26T23:10:20Z"), night, "UTC").toISOString()).toBe("2026-01-27T07:00:00.000Z");
    expect(nextAwake(at("2026-01-26T12:00:00Z"), night, "UTC").toISOString()).toBe("2026-01-26T12:00:00.000Z");
  });
});

describe("since when it has not been quiet", () => {
  it.each([
    ["2026-01-27T07:00:20Z", "2026-01-27T07:00:00.000Z"],
    ["2026-01-27T21:59:59Z", "2026-01-27T07:00:00.000Z"],
    ["2026-01-27T22:00:00Z", undefined],
    ["2026-01-27T06:59:59Z", undefined],
  ])("%s", (now, since) => {
    expect(awakeSince(at(now), night, "UTC")?.toISOString()).toBe(since);
  });
});

// Quiet from 22:00 to 01:00; the clocks are changed later in that night.
it.each([
  ["put forward, in Berlin", "Europe/Berlin", "2026-03-29T07:00:00Z", "2026-03-29T00:00:00.000Z"],
  ["put back, in Berlin", "Europe/Berlin", "2026-10-25T07:00:00Z", "2026-10-24T23:00:00.000Z"],
  ["in the doubled hour of New York", "America/New_York", "2026-11-01T06:30:00Z", "2026-11-01T05:00:00.000Z"],
  ["by half an hour, on Lord Howe", "Australia/Lord_Howe", "2026-04-04T21:00:00Z", "2026-04-04T14:00:00.000Z"],
])("since when it has not been quiet where the clocks were changed since: %s", (_name, zone, now, since) => {
  expect(awakeSince(at(now), { from: 22 * 60, to: 60 }, zone)?.toISOString()).toBe(since);
});

it("where no hours are quiet it has never been quiet", () => {
  expect(awakeSince(at("2026-01-27T07:00:20Z"), null, "UTC")?.getTime()).toBe(0);
});

describe("the time between two moments that was not quiet", () => {
  it.each([
    ["no quiet hours", "2026-01-26T20:00:00Z", "2026-01-27T08:00:00Z", null, "UTC", 12 * 60],
    ["a whole night", "2026-01-26T20:00:00Z", "2026-01-27T08:00:00Z", night, "UTC", 3 * 60],
    ["within it", "2026-01-26T23:00:00Z", "2026-01-27T01:00:00Z", night, "UTC", 0],
    ["three days", "2026-01-26T12:00:00Z", "2026-01-29T12:00:00Z", night, "UTC", 45 * 60],
    ["over lunch, seconds included", "2026-01-26T11:59:30Z", "2026-01-26T13:00:30Z", noon, "UTC", 1],
    ["another zone", "2026-01-26T20:30:00Z", "2026-01-26T21:30:00Z", night, "Europe/Berlin", 30],
    ["a zone at half an hour", "2026-01-26T16:00:00Z", "2026-01-26T17:00:00Z", night, "Asia/Kolkata", 30],
    ["clocks go forward", "2026-03-28T20:00:00Z", "2026-03-29T06:00:00Z", night, "Europe/Berlin", 2 * 60],
    ["clocks go back", "2026-10-24T20:00:00Z", "2026-10-25T07:00:00Z", night, "Europe/Berlin", 60],
    ["backwards", "2026-01-27T20:00:00Z", "2026-01-26T20:00:00Z", night, "UTC", 0],
  ] as const)("%s", (_what, from, to, quiet, zone, minutes) => {
    expect(awakeBetween(at(from), at(to), quiet, zone)).toBe(minutes * 60_000);
  });
});

describe("working days", () => {
  it.each([
    ["Mon-Fri", [1, 2, 3, 4, 5]],
    ["mon,wed,fri", [1, 3, 5]],
    ["Sun-Thu", [1, 2, 3, 4, 7]],
    ["Sat", [6]],
    ["Mon-", null],
    ["Monday", null],
    ["Mon-Tue-Wed", null],
  ] as const)("%j", (text, days) => {
    expect(parseWorkingDays(text)).toEqual(days);
  });
});
