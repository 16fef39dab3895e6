import { expect, it } from "vitest";
import { endOfRun } from "../../src/core/cards/command-runs.ts";
import { criterionName, roundWords } from "../../src/core/cards/criterion-words.ts";

it("a repository's check is called one where people read, and a goal's criterion by its own id", () => {
  expect(criterionName("CHECK-2")).toBe("check 2 of the repository");
  expect(criterionName("AC-1")).toBe("AC-1");
  expect(criterionName("CHECK-API-1")).toBe("CHECK-API-1");
  expect(roundWords({ pass: ["AC-1"], fail: ["CHECK-1"], coverage: 0.5 })).toMatch(
    /^AC-1 pass, check 1 of the repository fail; 50.% of lines are covered$/,
  );
  expect(roundWords({ pass: [], fail: ["CHECK-1"] })).toBe("nothing passes, check 1 of the repository fail");
});

it("a run that a repository's check failed says so", () => {
  const run = { exitCode: 0, end: "criteria" as const, criteria: ["CHECK-1"], error: "" };

  expect(endOfRun(run)).toBe("exit code 0, but check 1 of the repository failed");
});
