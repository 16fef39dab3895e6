import { expect, it } from "vitest";
import { endWords } from "../../src/agent/process/end-words.ts";
import { exitCodeWords } from "../../src/core/text/exit-code.ts";

it.each([
  [1, "1"],
  [126, "126 (the command may not be run)"],
  [127, "127 (no such command)"],
  [128, "128"],
  [137, "137 (SIGKILL: often because memory was short)"],
  [139, "139 (SIGSEGV)"],
  [255, "255"],
])("exit code %i, with what a shell says by it", (code, words) => {
  expect(exitCodeWords(code)).toBe(words);
});

it.each<[Parameters<typeof endWords>[0], string]>([
  [{ type: "exited", exitCode: 127 }, "exit code 127 (no such command)"],
  [{ type: "signalled", signal: "SIGSEGV" }, "ended by SIGSEGV"],
  [{ type: "timeout", afterMs: 600_000 }, "no end after 10 min"],
  [{ type: "inactive", afterMs: 60_000 }, "silent for 1 min"],
  [{ type: "cut" }, "cut short"],
  [{ type: "not-started", reason: "no such folder" }, "could not be started: no such folder"],
])("how a command ended: %j", (end, words) => {
  expect(endWords(end)).toBe(words);
});
