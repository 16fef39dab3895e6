import { expect, it } from "vitest";
import { readUpdates } from "../../src/agent/acp/updates.ts";
import type { AgentOperation } from "../../src/core/worklog/operations.ts";
import { openToolCalls, type ToolOperation } from "../../src/agent/acp/tool-calls.ts";

/** How a command ended, as agents tell it. */
it.each<[string, unknown, number | null]>([
  ["exit_code", { exit_code: 3 }, 3],
  ["exitCode beside its output", { exitCode: 4, output: "x" }, 4],
  ["code", { code: 5 }, 5],
  ["opencode, in its metadata", { output: "x", metadata: { output: "x", exit: 254, truncated: false } }, 254],
  ["another agent, in its metadata", { metadata: { exit_code: 0 } }, 0],
  ["words where a number stands elsewhere", { code: "ENOENT", metadata: { exit: 1 } }, 1],
  ["null", { metadata: { exit: null } }, null],
  ["no number", { code: "1", exit: 1.5 }, null],
  ["nothing that we know", ["1"], null],
  ["words", "exit code 1", null],
])("the exit code is read: %s", (_, rawOutput, exitCode) => {
  const over: ToolOperation[] = [];
  const calls = openToolCalls((operation) => over.push(operation));
  calls.take({ toolCallId: "1", title: "npm test", kind: "execute", status: "in_progress" });
  calls.take({ toolCallId: "1", status: "completed", rawOutput });

  expect(over.map((each) => each.exitCode)).toEqual([exitCode]);
});

it("of a key too long to be kept it is said that something is left out: a path may lead elsewhere behind its beginning [F-303]", () => {
  const inputOf = (key: string): unknown => {
    const over: ToolOperation[] = [];
    const calls = openToolCalls((operation) => over.push(operation));
    calls.take({ toolCallId: "1", kind: "edit", status: "completed", rawInput: { changes: { [key]: {} } } });
    return over[0]?.input;
  };
  const inside = `${"a/".repeat(100)}b.txt`;

  expect(inputOf(inside.slice(0, 200))).toEqual({ changes: { [inside.slice(0, 200)]: {} } });
  expect(inputOf(`${"a/".repeat(100)}${"../".repeat(101)}etc/hosts`)).toMatchObject({ "left out": "/" });
});

it.each([
  [
    "after what the command printed",
    "Output: Exit Code: 0\nExit Code: 3\nError: (none)\nExit Code: 1\nSignal: (none)",
    1,
  ],
  ["not when a signal ended it", "Output: x\nExit Code: (none)\nSignal: 9", null],
  ["not in the middle of a line", "it said Exit Code: 1", null],
])("the exit code is read in words, as qwen-code tells it: %s", (_, text, exitCode) => {
  const over: ToolOperation[] = [];
  const calls = openToolCalls((operation) => over.push(operation));
  const content = [{ type: "content", content: { type: "text", text } }];
  calls.take({ toolCallId: "1", title: "npm test", kind: "execute", status: "completed", content });

  expect(over.map((each) => each.exitCode)).toEqual([exitCode]);
});

it.each([
  ["Codex, in pieces", "terminal_output_delta", { exit_code: 254, signal: null, terminal_id: "1" }, 254],
  ["another agent, in its own words", "terminal_output", { exit_code: 0, terminal_id: "1" }, 0],
  ["ended by a signal", "terminal_output", { exit_code: null, signal: "SIGKILL" }, null],
  ["in no shape that we know", "terminal_output", "254", null],
])("how a command ended and what it printed is read beside the call: %s", (_, name, terminalExit, exitCode) => {
  const over: ToolOperation[] = [];
  const calls = openToolCalls((operation) => over.push(operation));
  const take = (more: object) => calls.take({ toolCallId: "1", ...more });
  take({ title: "npm test", kind: "execute", status: "in_progress", _meta: { terminal_info: { cwd: "/x" } } });
  take({ _meta: { [name]: { data: "not ok 1\n", terminal_id: "1" } } });
  take({ _meta: { [name]: { data: 7 } } });
  take({ _meta: { [name]: { data: "not ok 2\n" } } });
  take({ status: "failed", _meta: { terminal_exit: terminalExit } });

  expect(over).toMatchObject([{ exitCode, output: "not ok 1\nnot ok 2\n", hasFailed: true }]);
});

it("what a permission is asked for is part of its call, where the agent tells it nowhere else", async () => {
  const told: AgentOperation[] = [];
  const updates = readUpdates({
    keeper: { take: () => undefined, finish: () => null, broken: () => null },
    activity: { say: () => undefined, flush: () => undefined },
    observer: { onSpend: () => Promise.resolve(), onOperation: (operation) => told.push(operation) },
    onSign: () => undefined,
    onDone: () => undefined,
  });
  const update = (more: object) => updates.take({ sessionId: "s", update: { toolCallId: "1", ...more } });
  update({ sessionUpdate: "tool_call", title: "Shell", kind: "execute", status: "pending", rawInput: {} });
  void updates.asked({ toolCallId: "1", title: "npm test", rawInput: { command: "npm test" } });
  update({ sessionUpdate: "tool_call_update", status: "failed" });
  await updates.settled();

  expect(told).toMatchObject([{ title: "npm test", input: { command: "npm test" }, hasFailed: true }]);
  expect(updates.said([]).ran).toEqual(["npm test"]);
});

it("a call that is not over when the agent ends its turn is named in the kept output and to whoever records the turn", async () => {
  let kept = "";
  const updates = readUpdates({
    keeper: { take: (chunk) => void (kept += chunk.toString()), broken: () => null, finish: () => null },
    activity: { say: () => undefined, flush: () => undefined },
    observer: { onSpend: async () => undefined },
    onSign: () => undefined,
    onDone: () => undefined,
  });
  const tell = (update: object) => updates.take({ sessionId: "s", update });
  tell({ sessionUpdate: "tool_call", toolCallId: "1", title: "npm ci", kind: "execute", status: "in_progress" });
  // A call without a status is pending.
  tell({ sessionUpdate: "tool_call", toolCallId: "2", title: "npm test -- s3cret", kind: "execute" });
  tell({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "failed" });
  // What is told of it after that begins it no more.
  tell({ sessionUpdate: "tool_call_update", toolCallId: "1", title: "npm ci", rawOutput: "late" });
  await updates.settled();
  expect(kept).not.toContain("tool not over");

  updates.ended({ stopReason: "end_turn" });

  expect(kept).toContain("tool not over: npm test -- s3cret\n");
  expect(updates.said(["s3cret"]).open).toEqual(["npm test -- [masked]"]);
});
