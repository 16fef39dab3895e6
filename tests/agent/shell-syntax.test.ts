import { expect, it } from "vitest";
import { shellFault } from "../../src/agent/process/shell-syntax.ts";

it.each(["npm test", "if true; then echo a; fi", "cat <<END\na\nEND", "exit 3", "-n true", ""])(
  "what a shell can read is no fault, and nothing of it is run: %j",
  async (command) => {
    expect(await shellFault(command)).toBeNull();
  },
);

it("no program can be given a NUL", async () => {
  expect(await shellFault("printf a\0b")).toBe("it holds a NUL");
});

it.each(["if then", "npm test && (", "echo 'a"])("what it cannot read is told in its words: %j", async (command) => {
  expect(await shellFault(command)).toMatch(/^(?!\/bin\/sh).*(?:syntax error|unterminated|unexpected)/i);
});
