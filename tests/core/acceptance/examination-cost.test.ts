import { describe, expect, it } from "vitest";
import { examinationCost } from "../../../src/core/acceptance/examination-cost.ts";

const rate = 50_000;
const cap = 1_000_000;

describe("what examinations cost", () => {
  it.each([
    ["what was told, however long they took", { toldMicroUsd: 250_000, workedMs: 600_000 }, 250_000, false],
    ["the assumed rate for the time that they took", { toldMicroUsd: null, workedMs: 60_000 }, 50_000, true],
    ["no more than was reserved", { toldMicroUsd: null, workedMs: 3_600_000 }, 1_000_000, true],
    ["nothing where none began", { toldMicroUsd: null, workedMs: 0 }, 0, false],
  ])("is %s", (_, examined, amountMicroUsd, isEstimated) => {
    expect(examinationCost(examined, rate, cap)).toEqual({ amountMicroUsd, isEstimated });
  });
});
