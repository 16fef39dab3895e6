import { expect, test } from "vitest";
import { fileRunBy } from "../../../src/core/files/interpreters.ts";
import { isShell } from "../../../src/core/shell/words.ts";

test.each(["sh", "/bin/bash", "bash.exe", "zsh", "dash", "ksh", "/usr/bin/fish"])("%s is a shell", (program) => {
  expect(isShell(program)).toBe(true);
  expect(fileRunBy([program, "-c", "npm test"]), "a text, and no file").toBe(null);
});

test.each(["ssh", "push", "node", "", "sh/run", "bashful"])("%j is none", (program) => {
  expect(isShell(program)).toBe(false);
});
