import { describe, expect, it } from "vitest";
import { placeGoals, type ToPlace } from "../../../src/core/campaigns/place.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";
import { seeded } from "./plans.ts";

const of = (minutes: number | null = null, day: number | null = null, dueDay: number | null = null): ToPlace => ({
  minutes,
  day,
  dueDay,
});
const place = (goals: readonly ToPlace[], days: number | null = null): number[] =>
  placeGoals(goals, days, defaultPolicy);

describe("goals are laid on days", () => {
  it.each<[string, readonly ToPlace[], number | null, number[]]>([
    ["six hours a day fill one day", [of(), of(), of(), of(), of(), of()], null, [1, 1, 1, 1, 1, 1]],
    [
      "seven hours take two, the first the fuller one",
      [of(), of(), of(), of(), of(), of(), of()],
      null,
      [1, 1, 1, 1, 2, 2, 2],
    ],
    ["no day is overfull when another can be", [of(200), of(200), of(200)], null, [1, 2, 3]],
    [
      "no day is overfull, though days would be more even",
      [of(10), of(351), of(200), of(200), of(100)],
      4,
      [1, 2, 3, 4, 4],
    ],
    ["one long goal has a day for itself", [of(60), of(900), of(60)], null, [1, 2, 3]],
    ["given days are evened out", [of(), of(), of(), of(), of()], 2, [1, 1, 1, 2, 2]],
    ["by minutes, not by number", [of(120), of(30), of(30), of(30), of(30)], 2, [1, 2, 2, 2, 2]],
    ["fewer goals than days leave the last days free", [of(), of()], 5, [1, 2]],
    ["long goals leave no day empty", [of(1000), of(1), of(1)], 3, [1, 2, 3]],
    ["pinned days stay, and hold what lies between them", [of(), of(60, 2), of(), of(60, 4), of()], 5, [1, 2, 3, 4, 5]],
    ["what follows a pinned day is not before it", [of(), of(), of(60, 3), of(), of()], null, [1, 2, 3, 3, 3]],
    ["pins out of order hold nobody else", [of(60, 3), of(), of(60, 1), of()], 3, [3, 1, 1, 2]],
    ["a milestone's day bounds its goals", [of(60, null, 1), of(60, null, 1), of()], 3, [1, 1, 2]],
    ["and the goals of those before it", [of(), of(), of(60, null, 1), of()], 3, [1, 1, 1, 2]],
    ["a later day to be reached spreads them", [of(), of(), of(60, null, 3)], null, [1, 2, 3]],
    ["no goals", [], null, []],
  ])("%s", (_what, goals, days, placed) => {
    expect(place(goals, days)).toEqual(placed);
  });

  it("twenty a day at most, however short", () => {
    const placed = place(Array.from({ length: 30 }, () => of(1)));

    expect([1, 2].map((day) => placed.filter((each) => each === day).length)).toEqual([15, 15]);
  });

  it("a day that must hold more than twenty does", () => {
    expect(
      place(
        Array.from({ length: 21 }, () => of(1)),
        1,
      ),
    ).toEqual(Array.from({ length: 21 }, () => 1));
  });

  it("as many days as it takes when the longest plan is too short", () => {
    expect(place(Array.from({ length: 61 }, () => of(360))).at(-1)).toBe(61);
  });

  it("a thousand goals on sixty days", () => {
    const placed = place(
      Array.from({ length: 1200 }, (_, index) => of(((index * 37) % 90) + 1)),
      60,
    );

    expect(new Set(placed).size).toBe(60);
  });

  it("every goal once, in order, no day empty in the middle and none when there are enough goals", () => {
    const random = seeded(20260801);
    for (let round = 0; round < 500; round += 1) {
      const goals = Array.from({ length: 1 + Math.floor(random() * 40) }, () =>
        of(random() < 0.2 ? null : 1 + Math.floor(random() * 300)),
      );
      const days = random() < 0.5 ? null : 2 + Math.floor(random() * 14);
      const placed = place(goals, days);
      const last = Math.max(...placed);

      expect(placed).toHaveLength(goals.length);
      expect(placed.every((day, index) => day >= (placed[index - 1] ?? 1))).toBe(true);
      expect(new Set(placed).size).toBe(last);
      if (days !== null) expect(last).toBe(Math.min(days, goals.length));
      expect(place(goals, days)).toEqual(placed);
    }
  });

  it("whatever is pinned stays pinned, and what is due is on time", () => {
    const random = seeded(7);
    for (let round = 0; round < 500; round += 1) {
      let due = 1;
      const goals = Array.from({ length: 1 + Math.floor(random() * 25) }, () => {
        due = Math.min(10, due + Math.floor(random() * 2));
        return of(30, random() < 0.2 ? due : null, random() < 0.3 ? due : null);
      });
      const placed = place(goals, 10);

      expect(goals.every((goal, index) => goal.day === null || placed[index] === goal.day)).toBe(true);
      expect(goals.every((goal, index) => goal.dueDay === null || (placed[index] ?? 99) <= goal.dueDay)).toBe(true);
      expect(placed.every((day, index) => day >= (placed[index - 1] ?? 1))).toBe(true);
    }
  });

  it("as even as can be: no other way has less spread", () => {
    const random = seeded(42);
    for (let round = 0; round < 60; round += 1) {
      const minutes = Array.from({ length: 7 }, () => 10 + Math.floor(random() * 50));
      const squares = (days: readonly number[]): number =>
        [1, 2, 3].reduce((sum, day) => {
          const load = minutes.reduce((all, each, index) => all + (days[index] === day ? each : 0), 0);
          return sum + load * load;
        }, 0);
      const every: number[][] = [];
      for (let first = 1; first <= 5; first += 1) {
        for (let second = first + 1; second <= 6; second += 1) {
          every.push(minutes.map((_, index) => (index < first ? 1 : index < second ? 2 : 3)));
        }
      }

      expect(
        squares(
          place(
            minutes.map((each) => of(each)),
            3,
          ),
        ),
      ).toBe(Math.min(...every.map(squares)));
    }
  });
});
