import { describe, expect, it } from "vitest";
import { entryStatuses, WorklogEntry } from "../../../src/core/worklog/entry.ts";
import { type AgentOperation, type EntryContext, noteOf } from "../../../src/core/worklog/operations.ts";
import { modifiedFiles, phaseSummary } from "../../../src/core/worklog/phases.ts";

const common = { timestamp: "2026-01-26T14:32:15.000Z", status: "completed", context: "x", tokens_consumed: 0 };

describe("entries", () => {
  it.each([
    ["S0-SC-01", "TodoWrite", { todos_affected: 1, status_changes: [{ id: "a", from: "pending", to: "completed" }] }],
    ["S0-SC-02", "Write", { files: ["a.ts"], change_summary: "new" }],
    ["S0-SC-02", "MultiEdit", { files: ["a.ts", "b.ts"], change_summary: "new" }],
    ["S0-SC-03", "Bash", { command_type: "test", exit_code: 1 }],
    [
      "S0-SC-04",
      "Verify",
      { verification_result: "pass", expected_state: [], actual_state: [], mismatch_details: null },
    ],
    ["S0-SC-05", "Checkpoint", { phase: "execution_complete", operations_count: 8, deviations: [] }],
    ["S0-SC-06", "Task", { agent_type: "reviewer", purpose: "look", outcome: "completed" }],
  ])("[%s] %s has its details", (_row, action, details) => {
    expect(WorklogEntry.safeParse({ ...common, action, details }).success).toBe(true);
  });

  it("[S0-SC-04] a check has one of five results", () => {
    const isCheck = (result: string) => {
      const details = {
        verification_result: result,
        expected_state: [{ id: "a", status: "completed" }],
        actual_state: [{ id: "a", status: "pending" }],
        mismatch_details: "a: expected completed, found pending",
      };
      return WorklogEntry.safeParse({ ...common, action: "Verify", details }).success;
    };

    expect(["pass", "fail", "timeout", "user_accepted", "bypassed"].map(isCheck)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(["ok", "skipped", ""].map(isCheck)).toEqual([false, false, false]);
  });

  it("[S0-SC-06] [S0-SC-07] details that are missing, or another action's, are refused", () => {
    const task = { ...common, action: "Task", details: { agent_type: "reviewer", outcome: "completed" } };
    const bash = { ...common, action: "Bash", details: { todos_affected: 1, status_changes: [] } };

    expect(WorklogEntry.safeParse(task).success).toBe(false);
    expect(WorklogEntry.safeParse(bash).success).toBe(false);
  });

  it("[S0-OL-09] every part must be there", () => {
    const whole = { ...common, action: "Bash", details: { command_type: "test", exit_code: 0 } };

    expect(WorklogEntry.safeParse(whole).success).toBe(true);
    for (const part of ["timestamp", "status", "context", "details", "tokens_consumed", "action"])
      expect(WorklogEntry.safeParse({ ...whole, [part]: undefined }).success, part).toBe(false);
  });

  it("[S0-OL-10] [S0-OL-11] statuses and actions are those of the list", () => {
    const entry = { ...common, action: "Bash", details: { command_type: "test", exit_code: 0 } };

    expect(entryStatuses).toEqual(["initiated", "completed", "failed", "retried", "skipped", "timeout"]);
    expect(WorklogEntry.safeParse({ ...entry, status: "done" }).success).toBe(false);
    expect(WorklogEntry.safeParse({ ...entry, action: "Read" }).success).toBe(false);
  });
});

const noting: EntryContext = {
  worktree: "/data/worktrees/goal-1",
  todos: [],
  secrets: ["hunter2-hunter2"],
  isVerbose: false,
  at: new Date("2026-01-26T14:32:15Z"),
};

function tool(kind: string | null, title: string, more: Partial<Extract<AgentOperation, { type: "tool" }>> = {}) {
  const rest = { paths: [], isNew: false, input: {}, exitCode: null, output: null, hasFailed: false };
  return noteOf({ type: "tool", kind, title, ...rest, ...more }, noting)?.entry ?? null;
}

describe("what an agent tells, as entries", () => {
  it("[S0-SC-01] a plan is TodoWrite, with what became of each todo", () => {
    const first = noteOf({ type: "plan", lines: [{ content: "A", status: "pending" }] }, noting);
    const lines = [
      { content: "Before A", status: "in_progress" },
      { content: "A", status: "completed" },
    ];
    const second = noteOf({ type: "plan", lines }, { ...noting, todos: first?.todos ?? [] });

    expect(first?.entry.details).toEqual({
      todos_affected: 1,
      status_changes: [{ id: "todo-1", from: "none", to: "pending" }],
    });
    expect(second?.entry.details).toEqual({
      todos_affected: 2,
      status_changes: [
        { id: "todo-2", from: "none", to: "in_progress" },
        { id: "todo-1", from: "pending", to: "completed" },
      ],
    });
    expect(second?.entry.context).toBe("1/2 done; now: Before A");
  });

  it("a todo that is reworded in its place is the same one", () => {
    const first = noteOf({ type: "plan", lines: [{ content: "A", status: "pending" }] }, noting);
    const again = noteOf(
      { type: "plan", lines: [{ content: "A, better", status: "completed" }] },
      { ...noting, todos: first?.todos ?? [] },
    );

    expect(again?.todos?.[0]?.id).toBe("todo-1");
  });

  it.each([
    ["edit", "Edit a.ts", { paths: ["/data/worktrees/goal-1/a.ts"] }, "Edit", ["a.ts"]],
    ["edit", "Write a.ts", { paths: ["a.ts"] }, "Write", ["a.ts"]],
    ["edit", "New file", { paths: ["a.ts"], isNew: true }, "Write", ["a.ts"]],
    ["edit", "Edit", { paths: ["a.ts", "b.ts"] }, "MultiEdit", ["a.ts", "b.ts"]],
    ["edit", "Edit", { paths: ["a.ts"], input: { edits: [1, 2] } }, "MultiEdit", ["a.ts"]],
    ["delete", "Remove", { paths: ["a.ts"] }, "Edit", ["a.ts"]],
    ["move", "Move", { paths: ["a.ts", "b.ts"] }, "Edit", ["a.ts", "b.ts"]],
    ["edit", "Edit", { paths: ["/etc/passwd"] }, "Edit", ["…/passwd"]],
  ] as const)("[S0-SC-02] %s %j %j is %s of %j", (kind, title, more, action, files) => {
    expect(tool(kind, title, more)).toMatchObject({ action, details: { files } });
  });

  it.each([
    ["/data/worktrees/goal-1/./src//a.ts", "src/a.ts"],
    ["./src/a.ts", "src/a.ts"],
    ["src/../src/a.ts", "src/a.ts"],
    ["/data/worktrees/goal-1/src/a.ts", "src/a.ts"],
    ["../goal-1/src/a.ts", "src/a.ts"],
    ["src/Ärger mit Leer.ts", "src/Ärger mit Leer.ts"],
    ["/data/worktrees/goal-1", "."],
    ["../goal-2/src/a.ts", "…/a.ts"],
    ["/data/worktrees/goal-1/../goal-10/b.ts", "…/b.ts"],
    ["/data/worktrees/goal-10/b.ts", "…/b.ts"],
    ["../../../home/ana/.ssh/config", "…/config"],
  ])("[S0-SC-02] [S0-FN-06] [S1-CP-06] the file %j is %s, however it was written", (path, file) => {
    const edit = tool("edit", "Edit", { paths: [path] });
    const again = tool("edit", "Edit", { paths: [file.startsWith("…") ? path : file, " "] });
    const entries = [edit, again].flatMap((each) => (each === null ? [] : [each]));

    expect(entries.map(({ details }) => details)).toEqual(
      Array.from({ length: 2 }, () => expect.objectContaining({ files: [file] }) as object),
    );
    expect(modifiedFiles(entries)).toEqual([file]);
  });

  it("[S1-CP-10] commands that differ in a later line, or far behind, are others: what passes does not excuse what failed", () => {
    const failuresOf = (failing: string, passing: string): string[] => {
      const entries = [tool("execute", failing, { exitCode: 1 }), tool("execute", passing, { exitCode: 0 })].flatMap(
        (each) => (each === null ? [] : [each]),
      );
      const ended = { phase: "verification_complete", since: entries } as const;
      return phaseSummary(entries, ended, { planned: [], at: noting.at }).deviations.map(
        ({ description }) => description,
      );
    };
    const long = (name: string): string => `cd ${"packages/".repeat(30)} && npx vitest run ${name}.test.ts`;

    expect(failuresOf("set -e\nnpm test", "set -e\n\npytest")).toEqual(["set -e; npm test (exit code 1)"]);
    expect(failuresOf(long("prices"), long("basket"))).toEqual([
      `cd ${"packages/".repeat(11)}pack…s/packages/packages/ && npx vitest run prices.test.ts (exit code 1)`,
    ]);
    expect(failuresOf("set -e\nnpm test", "set -e\nnpm test")).toEqual([]);
    expect(tool("execute", `a${"𠮷".repeat(200)}`)?.context.isWellFormed()).toBe(true);
  });

  it("[S0-SC-03] [S0-OL-12] a command is Bash, with how it ended", () => {
    expect(tool("execute", "npm test", { hasFailed: true, exitCode: 1 })).toMatchObject({
      action: "Bash",
      status: "failed",
      details: { command_type: "test", exit_code: 1 },
    });
    expect(tool("execute", "Run tests", { input: { command: ["bash", "-lc", "pytest -q"] } })).toMatchObject({
      context: "pytest -q (completed)",
      details: { command_type: "test", exit_code: null },
    });
    expect(tool("execute", "npm test", { exitCode: 0 })).toMatchObject({
      context: "npm test (exit code 0)",
      details: { command_type: "test", exit_code: 0 },
    });
    expect(tool("execute", "npm test", { hasFailed: true })?.details).toEqual({
      command_type: "test",
      exit_code: null,
    });
    expect(tool("execute", "`npm test`", { exitCode: 0 })).toMatchObject({
      context: "npm test (exit code 0)",
      details: { command_type: "test" },
    });
    expect(tool("execute", "Run", { input: { command: "npm", args: ["test"] }, exitCode: 0 })).toMatchObject({
      context: "npm test (exit code 0)",
      details: { command_type: "test" },
    });
    expect(typeOf({ command: "git", args: ["commit", "-m", "fix && npm test"] })).toBe("script");
    expect(typeOf({ command: ["git", "commit", "-m", "it's fixed && npm test"] })).toBe("script");
    expect(typeOf({ command: "echo", args: ["a; npm test"] })).toBe("script");
    expect(typeOf({ command: ["bash", "release.sh", "npm test"] })).toBe("script");
    expect(typeOf({ command: "bash", args: ["-lc", "npm test"] })).toBe("test");
    expect(typeOf({ command: ["/bin/bash", "-l", "-c", "cd app && npm test", "name"] })).toBe("test");
    expect(typeOf({ command: ["docker", "exec", "app", "sh", "-c", "pytest -k 'a b'"] })).toBe("test");
    expect(typeOf({ command: "npm run", args: ["test"] })).toBe("test");
    // It says that it ended well, and shows that it did not.
    expect(tool("execute", "npm test", { exitCode: 2 })?.status).toBe("failed");
  });

  function typeOf(input: Record<string, unknown>) {
    const details = tool("execute", "Run", { input, exitCode: 0 })?.details;
    return details !== undefined && "command_type" in details ? details.command_type : null;
  }

  it("[S0-SC-06] a sub-agent is Task", () => {
    const input = { subagent_type: "reviewer", description: "Look at it", prompt: "Look" };
    expect(tool("think", "Task", { input })).toMatchObject({
      action: "Task",
      details: { agent_type: "reviewer", purpose: "Look at it", outcome: "completed" },
    });
  });

  it.each([
    ["read", "Read a.ts"],
    ["search", "grep x"],
    ["fetch", "Fetch"],
    ["think", "think_about_task_adherence"],
    [null, "Something"],
  ])("[S0-OL-07] %s %j is nothing", (kind, title) => {
    expect(tool(kind, title)).toBeNull();
  });

  it("[S0-FL-04] results are kept only when they are wanted, and nothing secret ever", () => {
    const operation = { ...base, output: "it printed hunter2-hunter2" };
    const quiet = noteOf(operation, noting);
    const verbose = noteOf(operation, { ...noting, isVerbose: true });

    expect(quiet?.entry.details).not.toHaveProperty("output");
    expect(verbose?.entry.details).toHaveProperty("output");
    expect(JSON.stringify(verbose)).toContain("it printed");
    expect(JSON.stringify([quiet?.entry, verbose?.entry])).not.toContain("hunter2");
  });

  const base = {
    type: "tool",
    kind: "execute",
    title: "npm test hunter2-hunter2",
    paths: [],
    isNew: false,
    input: {},
    exitCode: 0,
    hasFailed: false,
  } as const;

  it("of a plan nothing secret, no control character and no more words than are shown", () => {
    const content = `\u001b[31mA\u0000 hunter2-hunter2 ${"x".repeat(10_000)}`;
    const noted = noteOf({ type: "plan", lines: [{ content, status: `\u0000hunter2-hunter2${content}` }] }, noting);
    const [todo] = noted?.todos ?? [];

    expect(todo?.content.length).toBeLessThanOrEqual(160);
    expect(todo?.status.length).toBeLessThanOrEqual(40);
    expect(JSON.stringify(noted)).not.toMatch(/hunter2|\\u0000|\\u001b/);
  });

  it("a path is one line, and short", () => {
    const entry = tool("edit", "Edit", { paths: ["a\nb\u0000.ts", "y".repeat(10_000)] });

    expect(entry?.details).toMatchObject({ files: ["a b\uFFFD.ts", `${"y".repeat(299)}…`] });
  });

  it("todos of which only the number is told are not called open, and what is not told is said in one line", () => {
    const untold = Array.from({ length: 3 }, (_, index) => ({ content: `Todo ${index + 1} of 3`, status: "untold" }));
    const noted = noteOf({ type: "plan", lines: untold }, noting);
    const entries = noted === null ? [] : [noted.entry];
    const { deviations } = phaseSummary(
      entries,
      { phase: "execution_complete", since: entries },
      { planned: [], at: noting.at },
    );

    expect(noted?.entry.context).toBe("3 todos, and not which are done");
    expect(deviations).toEqual([
      {
        type: "todo_incomplete",
        description: "the agent does not tell whether its 3 todos are finished",
        severity: "low",
      },
    ]);
  });

  it("what is made is an entry that can be read back", () => {
    const entry = tool("edit", "x".repeat(10_000), { paths: ["y".repeat(10_000)] });

    expect(WorklogEntry.safeParse(entry).success).toBe(true);
  });
});
