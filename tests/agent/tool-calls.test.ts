import { expect, it } from "vitest";
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
