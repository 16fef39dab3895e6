import { describe, expect, it } from "vitest";
import type { AgentOperation } from "../../../src/core/worklog/operations.ts";
import { leftOutEventWords, readPart, waitingBytes, withLeftOut } from "../../../src/core/worklog/waiting.ts";

const tool = {
  type: "tool",
  kind: "edit",
  title: "Edit",
  hasFailed: false,
  paths: ["a.ts"],
  isNew: false,
  input: {},
  exitCode: null,
  output: null,
} as const satisfies AgentOperation;
const long = "x".repeat(20_000);

describe("what waits to be noted", () => {
  it.each<[string, AgentOperation, number]>([
    ["a small tool", tool, 60],
    ["paths", { ...tool, paths: Array.from({ length: 100 }, () => "p".repeat(4_096)) }, 819_200],
    ["an output", { ...tool, output: long }, 40_000],
    ["a command of words", { ...tool, input: { command: ["pytest", long] } }, 40_000],
    ["a plan", { type: "plan", lines: [{ content: long, status: "pending" }] }, 40_000],
  ])("%s takes about what its texts take", (_, operation, bytes) => {
    expect(waitingBytes(operation)).toBeGreaterThanOrEqual(Math.min(bytes, 20));
    expect(waitingBytes(operation)).toBeGreaterThan(bytes * 0.3);
    expect(waitingBytes(operation)).toBeLessThan(bytes * 1.1);
  });

  it("holds what a tool printed only where results are kept", () => {
    const printed = { ...tool, output: "printed" };
    const outputOf = (keepsOutput: boolean) => {
      const read = readPart(printed, { secrets: [], keepsOutput });
      return read.type === "tool" ? read.output : "";
    };
    expect([outputOf(true), outputOf(false)]).toEqual(["printed", null]);
  });

  it("says what it had no room for", () => {
    const leftOut = ["Edit", "Bash", "Edit"].reduce(withLeftOut, {});
    expect(leftOutEventWords(leftOut)).toBe("the agent reported more than can be stored; left out: 2 Edit, 1 Bash");
    expect(leftOutEventWords({})).toBe("");
  });
});
