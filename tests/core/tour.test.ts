import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type TourGoal, tourOf } from "../../src/core/cards/tour-words.ts";

const sample = join(import.meta.dirname, "../../examples/sample-repo");

/** The goals of the sample's files, as they were added. */
const added = ["goals.yaml", "trouble.yaml"].flatMap((file) =>
  [...readFileSync(join(sample, file), "utf8").matchAll(/- text: "([^"]+)"/g)].map(
    ([, content = ""], index): TourGoal => {
      return { goalId: `goal-${file}-${index}`, content, status: "pending", checkpointId: null };
    },
  ),
);

function steps(goals: readonly TourGoal[]) {
  return tourOf(goals).map(({ to, isDone, line }) => ({ to, isDone, line }));
}

describe("the tour", () => {
  const [rounding, colours, table] = added.slice(0, 3);
  const first = [rounding, colours, table].flatMap((goal) => goal ?? []);

  it("names goals that the sample really has, and begins with the question that is open [F-501]", () => {
    const asked = first.map((goal) => ({ ...goal, checkpointId: goal === colours ? "cp-1" : null }));

    expect(steps(asked)).toEqual([
      { to: "#cp-1", isDone: false, line: null },
      { to: null, isDone: false, line: null },
      { to: null, isDone: false, line: null },
      { to: "/weekly", isDone: false, line: null },
    ]);
    expect(tourOf(added).every(({ to }) => to !== null)).toBe(true);
  });

  it("offers trouble once nothing of the sample is unfinished, and once", () => {
    const settled = first.map((goal) => ({ ...goal, status: "complete" as const }));

    expect(steps(settled).map(({ isDone, line }) => [isDone, line])).toEqual([
      [true, null],
      [false, "/sample --trouble"],
      [false, null],
      [false, null],
    ]);
    expect(steps(added).every(({ line }) => line === null)).toBe(true);
  });
});
