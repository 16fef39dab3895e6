import { describe, expect, it } from "vitest";
import { programLacking, missingWords } from "../../../src/core/recovery/missing-program.ts";

const attempt = { end: "work", exitCode: null, error: "", output: null } as const;

describe("a program that a command could not run", () => {
  it.each([
    [127, "/bin/bash: line 1: pnpm: command not found", "pnpm is not installed where it was run"],
    [127, "sh: 1: vitest: not found", "vitest is not installed where it was run"],
    [127, "zsh: command not found: cargo-nextest", "cargo-nextest is not installed where it was run"],
    [127, "/usr/bin/env: ‘node’: No such file or directory", "node is not installed where it was run"],
    [127, "> shop@1.0.0 test\n> jest\n\nsh: 1: jest: not found\n", "jest is not installed where it was run"],
    [126, "/bin/bash: line 1: /opt/tool: Permission denied", "/opt/tool may not be run where it was tried"],
  ])("that ended with %i and said %j is named", (exitCode, output, words) => {
    const found = programLacking({ ...attempt, exitCode, output });

    expect(found === null ? null : missingWords(found)).toBe(words);
  });

  it("is named by what a criterion says of its end", () => {
    const error = "AC-1: pnpm test exited with code 127 (no such command); /bin/bash: line 1: pnpm: command not found";

    expect(programLacking({ ...attempt, error })).toEqual({ name: "pnpm", isThere: false });
  });

  it.each([
    ["one that ended otherwise", { exitCode: 1, output: "bash: line 1: pnpm: command not found" }],
    ["a file that the work should hold", { exitCode: 127, output: "bash: line 1: ./a.sh: No such file or directory" }],
    ["a file of the work that may not be run", { exitCode: 126, output: "bash: line 1: ./a.sh: Permission denied" }],
    ["what says nothing", { exitCode: 127 }],
    ["what passed", { end: "passed", exitCode: 127, output: "sh: 1: a: not found" } as const],
  ])("is not %s", (_what, found) => {
    expect(programLacking({ ...attempt, ...found })).toBeNull();
  });
});
