import { describe, expect, it } from "vitest";
import { terminalLines } from "../../../src/core/cards/terminal.ts";
import { phaseCard } from "../../../src/core/cards/worklog-cards.ts";
import type { Tier } from "../../../src/core/goals/goal.ts";
import type { WorklogEntry } from "../../../src/core/worklog/entry.ts";
import { finalSummary } from "../../../src/core/worklog/finish.ts";
import {
  asksForCorrection,
  type EndedPhase,
  hasSummary,
  lateDeviations,
  type PhaseEvent,
  phasesEnding,
  sinceLast,
  phaseSummary,
} from "../../../src/core/worklog/phases.ts";
import { type WorklogPhase, worklogPhases } from "../../../src/core/worklog/phase.ts";
import { verifyEntry } from "../../../src/core/worklog/checks.ts";

const at = new Date("2026-01-26T09:00:00Z");
const common = { timestamp: at.toISOString(), status: "completed", context: "x", tokens_consumed: 0 } as const;

function edit(...files: readonly string[]): WorklogEntry {
  return { ...common, action: "Edit", details: { files: [...files], change_summary: "x" } };
}

function todos(...changes: readonly (readonly [string, string, string])[]): WorklogEntry {
  const status_changes = changes.map(([id, from, to]) => ({ id, from, to }));
  return { ...common, action: "TodoWrite", details: { todos_affected: changes.length, status_changes } };
}

function test(exitCode: number): WorklogEntry {
  const status = exitCode === 0 ? "completed" : "failed";
  return { ...common, status, action: "Bash", details: { command_type: "test", exit_code: exitCode } };
}

function check(result: "pass" | "timeout" | "user_accepted"): WorklogEntry {
  return verifyEntry({ status: "completed", result, expected: [], actual: [], details: null, at });
}

const checkpoint: WorklogEntry = {
  ...common,
  action: "Checkpoint",
  details: { phase: "planning_complete", operations_count: 0, deviations: [] },
};
const plan = { planned: [], at };
const phasesOf = (endings: readonly EndedPhase[]): WorklogPhase[] => endings.map(({ phase }) => phase);
/** Of a phase of everything since the last summary. */
const summaryOf = (
  entries: readonly WorklogEntry[],
  phase: WorklogPhase,
  summing: Parameters<typeof phaseSummary>[2],
) => phaseSummary(entries, { phase, since: sinceLast(entries) }, summing);
const three = todos(["a", "none", "pending"], ["b", "none", "pending"], ["c", "none", "pending"]);

describe("which phases have a summary", () => {
  it("[S1-CP-01] are three of STRICT, one of STANDARD, none of the others", () => {
    const table = ["STRICT", "STANDARD", "LIGHT", "EXEMPT"].map((tier) =>
      worklogPhases.map((each) => hasSummary(tier, each)),
    );
    expect(table).toEqual([
      [true, true, true],
      [false, true, false],
      [false, false, false],
      [false, false, false],
    ]);
  });

  it("[S1-CP-02] are none of a tier that nobody knows", () => {
    expect(hasSummary("HEAVY", "execution_complete")).toBe(false);
    expect(hasSummary("toString", "execution_complete")).toBe(false);
  });
});

describe("the end of a phase", () => {
  function ending(entries: readonly WorklogEntry[], done: readonly string[] = []): string[] {
    const entry = entries.at(-1) ?? edit();
    return phasesOf(phasesEnding("STRICT", { type: "entry", entry }, { entries, done }));
  }

  it("[S0-CP-04] of planning is a first plan of three todos", () => {
    expect(ending([three])).toEqual(["planning_complete"]);
    expect(ending([todos(["a", "none", "pending"], ["b", "none", "pending"])])).toEqual([]);
    expect(ending([todos(["a", "none", "pending"]), three])).toEqual([]);
  });

  it("[S0-CP-05] of the execution is the first test run after a change, or the end of the agent, once", () => {
    expect(ending([edit("a.ts"), edit("b.ts")])).toEqual([]);
    expect(ending([test(0)])).toEqual([]);
    expect(ending([edit("a.ts"), test(0)])).toEqual(["execution_complete", "verification_complete"]);
    expect(phasesOf(phasesEnding("STANDARD", { type: "executed" }, { entries: [], done: [] }))).toEqual([
      "execution_complete",
    ]);
  });

  it("[S0-CP-06] [S0-CP-11] of the verification is a test run that passes or fails, and comes once", () => {
    expect(ending([edit("a.ts"), test(1)])).toContain("verification_complete");
    expect(ending([edit("a.ts"), test(0)])).toContain("verification_complete");
    expect(ending([edit("a.ts"), test(1), test(0)], ["execution_complete", "verification_complete"])).toEqual([]);
  });

  const summariesOf = (tier: Tier, event: PhaseEvent, entries: readonly WorklogEntry[]) =>
    phasesEnding(tier, event, { entries, done: [] }).map((each) => phaseSummary(entries, each, plan));
  const failed = { type: "test_failure", description: "x", severity: "high" };

  it.each<[string, (entry: WorklogEntry) => PhaseEvent]>([
    ["the agent's", (entry) => ({ type: "entry", entry })],
    ["the system's", () => ({ type: "verified" })],
  ])("[S0-CP-06] of both is one test run, which is in the summary of the verification: %s", (_, event) => {
    const entries = [checkpoint, edit("a.ts"), check("pass"), test(1)];
    expect(summariesOf("STRICT", event(test(1)), entries)).toMatchObject([
      {
        phase: "execution_complete",
        operations_since_last: 2,
        files_modified: ["a.ts"],
        deviations: [],
        verification_results: { passed: 1 },
      },
      {
        phase: "verification_complete",
        operations_since_last: 1,
        files_modified: [],
        deviations: [failed],
        verification_results: { passed: 0 },
      },
    ]);
  });

  it("of the execution alone keeps the test run that ended it", () => {
    const entries = [edit("a.ts"), test(1)];
    expect(summariesOf("STANDARD", { type: "entry", entry: test(1) }, entries)).toMatchObject([
      { phase: "execution_complete", operations_since_last: 2, deviations: [failed] },
    ]);
  });
});

describe("the summaries of a goal, from its first plan to its last check", () => {
  const entries = [three, edit("a.ts"), test(1), edit("b.ts"), test(0)];
  const summaries = (tier: Parameters<typeof phasesEnding>[0]): string[] => {
    const done: string[] = [];
    for (let index = 0; index < entries.length; index += 1) {
      const entry = entries[index] ?? edit();
      const so = { entries: entries.slice(0, index + 1), done };
      done.push(...phasesOf(phasesEnding(tier, { type: "entry", entry }, so)));
    }
    for (const type of ["executed", "verified"] as const)
      done.push(...phasesOf(phasesEnding(tier, { type }, { entries, done })));
    return done;
  };

  it("[S0-CP-01] are three of STRICT, in their order", () => {
    expect(summaries("STRICT")).toEqual(["planning_complete", "execution_complete", "verification_complete"]);
  });

  it("[S0-CP-02] are one of STANDARD", () => {
    expect(summaries("STANDARD")).toEqual(["execution_complete"]);
  });

  it("[S0-CP-03] are none of LIGHT and EXEMPT", () => {
    expect([summaries("LIGHT"), summaries("EXEMPT")]).toEqual([[], []]);
  });
});

describe("a summary", () => {
  it("[S0-CP-07] [S1-CP-03] [S1-CP-04] of nothing is whole", () => {
    const summary = summaryOf([], "execution_complete", plan);
    expect(summary).toEqual({
      phase: "execution_complete",
      timestamp: "2026-01-26T09:00:00.000Z",
      operations_since_last: 0,
      files_modified: [],
      todos_completed: 0,
      todos_remaining: 0,
      deviations: [],
      verification_results: { passed: 0, failed: 0, skipped: 0 },
    });
  });

  it("[S1-CP-05] [S1-CP-06] counts what came after the last one, each file once", () => {
    const entries = [edit("x"), edit("x"), edit("x"), edit("x"), checkpoint, edit("a"), edit("b"), edit("a")];
    expect(summaryOf(entries, "execution_complete", plan)).toMatchObject({
      operations_since_last: 3,
      files_modified: ["a", "b"],
    });
  });

  it("[S1-CP-07] counts todos over the whole", () => {
    const five = todos(...(["a", "b", "c", "d", "e"] as const).map((id) => [id, "none", "pending"] as const));
    const done = todos(["a", "pending", "completed"], ["b", "pending", "completed"]);
    expect(summaryOf([five, done, checkpoint], "execution_complete", plan)).toMatchObject({
      todos_completed: 2,
      todos_remaining: 3,
    });
  });

  it.each([
    [[], { todos_completed: 0, todos_remaining: 0 }, "no todos"],
    [["completed", "pending"], { todos_completed: 1, todos_remaining: 1 }, "1/2 todos done"],
    [
      ["untold", "untold", "untold"],
      { todos_completed: 0, todos_remaining: 0, todos_untold: 3 },
      "3 todos: the agent does not say whether they are done",
    ],
    [
      ["completed", "untold"],
      { todos_completed: 1, todos_remaining: 0, todos_untold: 1 },
      "1/1 todos done, 1 more todo: the agent does not say whether it is done",
    ],
  ])("says of todos %j what is known, and what is not", (statuses, counts, words) => {
    const told = todos(...statuses.map((status, index) => [`todo-${index}`, "none", status] as const));
    const summary = summaryOf([told], "execution_complete", plan);
    const end = finalSummary([told], { startedAt: at, endedAt: at, tokens: 0 });
    const { todos_remaining: _, ...atEnd } = counts;

    expect(summary).toMatchObject(counts);
    expect("todos_untold" in summary).toBe("todos_untold" in counts);
    expect(end).toMatchObject(atEnd);
    expect(terminalLines(phaseCard(summary, { goalId: "goal-1", content: "Do it" }), "UTC").join("\n")).toContain(
      `operation · no edits told · ${words}`,
    );
  });

  it("[S0-CP-08] [S1-CP-08] names a todo that is left, and how bad that is", () => {
    const one = [todos(["a", "none", "pending"])];
    const severity = (phase: (typeof worklogPhases)[number]) => summaryOf(one, phase, plan).deviations;
    expect(severity("planning_complete")).toEqual([]);
    expect(severity("execution_complete")).toEqual([
      { type: "todo_incomplete", description: "a is pending", severity: "low" },
    ]);
    expect(severity("verification_complete")).toEqual([
      { type: "todo_incomplete", description: "a is pending", severity: "medium" },
    ]);
  });

  it("[S1-CP-09] names a file outside of the plan, where there is one", () => {
    const entries = [edit("a.ts"), edit("z.ts")];
    expect(summaryOf(entries, "execution_complete", { planned: ["a.ts"], at }).deviations).toEqual([
      { type: "unplanned_file", description: "z.ts is not in the plan", severity: "medium" },
    ]);
    expect(summaryOf(entries, "execution_complete", plan).deviations).toEqual([]);
  });

  it("[S1-CP-10] names a failing test, which asks for a correction", () => {
    const failing = summaryOf([test(1)], "verification_complete", plan);
    expect(failing.deviations).toEqual([{ type: "test_failure", description: "x", severity: "high" }]);
    expect([failing, summaryOf([test(0)], "verification_complete", plan)].map(asksForCorrection)).toEqual([
      true,
      false,
    ]);
  });

  it("[S1-CP-10] knows a command again whose runs ended differently, as entries say it", () => {
    const ran = (exitCode: number): WorklogEntry => ({
      ...test(exitCode),
      context: `npm test (exit code ${exitCode})`,
    });
    const deviationsOf = (...codes: number[]) => summaryOf(codes.map(ran), "execution_complete", plan).deviations;

    expect(deviationsOf(1, 0)).toEqual([]);
    expect(deviationsOf(0, 1)).toEqual([
      { type: "test_failure", description: "npm test (exit code 1)", severity: "high" },
    ]);
  });

  it("[S1-CP-10] names no test whose same command passed later, and each other one that failed last, once", () => {
    const ran = (context: string, exitCode: number): WorklogEntry => ({ ...test(exitCode), context });
    const named = (...entries: WorklogEntry[]) =>
      summaryOf(entries, "verification_complete", plan).deviations.map(({ description }) => description);

    expect(named(ran("npm test", 1), edit("a.ts"), ran("npm test", 0))).toEqual([]);
    expect(named(ran("npm test", 0), ran("npm test", 1), ran("npm test", 1))).toEqual(["npm test"]);
    expect(named(ran("npm test", 1), ran("pytest", 0))).toEqual(["npm test"]);
  });

  it("[S1-CP-11] counts the checks since the last one", () => {
    const entries = [check("pass"), checkpoint, check("pass"), check("pass"), check("timeout")];
    expect(summaryOf(entries, "execution_complete", plan).verification_results).toEqual({
      passed: 2,
      failed: 0,
      skipped: 1,
    });
  });
});

describe("what came after the last summary", () => {
  const said: WorklogEntry = {
    ...common,
    action: "Checkpoint",
    details: {
      phase: "verification_complete",
      operations_count: 1,
      deviations: [
        { type: "unplanned_file", description: "x.ts is not in the plan", severity: "medium" },
        { type: "todo_incomplete", description: "t1 is pending", severity: "medium" },
      ],
    },
  };
  const one = todos(["t1", "none", "pending"], ["t2", "none", "pending"]);
  const late = (...entries: WorklogEntry[]) =>
    lateDeviations(entries, { planned: ["a.ts"], todos: [{ id: "t2", content: "Write it", status: "pending" }] });

  it("is a file outside of the plan, a todo that nobody has named, and a test run that failed last", () => {
    expect(late(one, said, edit("x.ts", "y.ts"), test(0), test(1))).toEqual([
      { type: "test_failure", description: "x", severity: "high" },
      { type: "unplanned_file", description: "y.ts is not in the plan", severity: "medium" },
      { type: "todo_incomplete", description: "t2 is pending: Write it", severity: "medium" },
    ]);
  });

  it.each<[string, WorklogEntry[]]>([
    ["nothing came", [said]],
    ["it was said, whatever the todo is now", [todos(["t1", "none", "in_progress"]), said, edit("x.ts")]],
    ["a later test run passed", [said, test(1), test(0)]],
    ["the file is in the plan", [said, edit("a.ts")]],
    ["there are no summaries", [edit("y.ts"), test(1)]],
  ])("is nothing where %s", (_, entries) => {
    expect(late(...entries)).toEqual([]);
  });
});

describe("the end of a worklog", () => {
  it("[S0-FN-01] [S0-FN-04] [S0-FN-06] sums it up", () => {
    const edits = Array.from({ length: 22 }, () => edit("a.ts"));
    const entries = [
      ...edits,
      edit("b.ts"),
      three,
      test(0),
      checkpoint,
      check("pass"),
      check("pass"),
      check("user_accepted"),
    ];
    const endedAt = new Date(at.getTime() + 12_400);

    expect(finalSummary(entries, { startedAt: at, endedAt, tokens: 40 })).toEqual({
      total_operations: 25,
      files_modified: 2,
      todos_completed: 0,
      verification_results: { passed: 2, failed: 0, skipped: 0, user_accepted: 1 },
      checkpoints_generated: 1,
      total_tokens: 40,
      duration_seconds: 12,
    });
  });
});
