import { expect, it } from "vitest";
import { meantAgent } from "../../../src/core/agents/agent-lines.ts";

it.each([
  ["opencode", "acp:opencode acp"],
  ["opencod", "acp:opencode acp"],
  ["claude", "acp:claude-agent-acp"],
  ["qwen --acp", "acp:qwen --acp"],
  ["apc:qwen --acp", "acp:qwen --acp"],
  ["comand: ./agent.sh", "command:./agent.sh"],
  ["something", null],
  ["constructor", null],
  ["toString", null],
  ["https://example.org", null],
])("%j is meant as %j", (typed, meant) => {
  expect(meantAgent(typed)).toBe(meant);
});
