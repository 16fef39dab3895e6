import { describe, expect, it } from "vitest";
import { runItems } from "../../src/core/cards/command-runs.ts";
import { fixedCommand, type Tried } from "../../src/core/recovery/tried.ts";

const failed: Tried = {
  ladder: 1,
  rung: 1,
  number: 1,
  approach: fixedCommand,
  source: null,
  end: "work",
  error: "exit code 3",
  fingerprint: "f",
  criteria: [],
  files: [],
  commit: null,
  exitCode: 3,
  output: null,
  costMicroUsd: 0,
  costIsEstimated: false,
  at: new Date("2026-01-26T09:00:00Z"),
};

describe("a run of a goal's own command, in a line", () => {
  it.each<[string, Partial<Tried>, string]>([
    ["that printed nothing says its end once", {}, ": exit code 3"],
    ["says what it printed", { output: "no such file\nand more" }, ": exit code 3; no such file"],
    ["without an exit says why once", { exitCode: null, error: "no end after 60 min" }, ": no end after 60 min"],
    [
      "that did not keep a criterion says so",
      { exitCode: 0, criteria: ["AC-1"], error: "AC-1: expected 2" },
      ": exit code 0, but AC-1 failed; AC-1: expected 2",
    ],
    ["that passed says no more", { end: "passed", exitCode: 0, error: "", output: "fine" }, ": exit code 0, passed"],
  ])("%s", (_name, changed, words) => {
    expect(runItems([{ ...failed, ...changed }])[0]?.at(-1)).toBe(words);
  });
});
