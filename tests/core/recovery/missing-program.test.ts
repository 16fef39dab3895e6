import { describe, expect, it } from "vitest";
import { lackingPrograms, missingWords, programLacking } from "../../../src/core/recovery/missing-program.ts";

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

describe("a criterion whose program no work can bring", () => {
  const failed = (command: string, output: string, exitCode = 127) => {
    const verification = { method: "bash", command, timeoutSeconds: 60, condition: { type: "exit-code", code: 0 } };
    const criterion = { id: "AC-1", slug: "a", title: "a", description: "", verification };
    const details = [`${command} exited with code ${exitCode}`, output];
    return lackingPrograms([criterion as never], [{ id: "AC-1", status: "fail", exitCode, details }]);
  };

  it.each([
    ["pytest -q", "/bin/bash: line 1: pytest: command not found"],
    ["cd app && CI=1 pytest -q", "bash: line 1: pytest: command not found"],
    ["env CI=1 pytest -q", "env: 'pytest': No such file or directory"],
  ])("is %s, which says %j", (command, output) => {
    expect(failed(command, output)).toEqual(["AC-1"]);
  });

  it.each([
    ["one that a script of the work asks for", "npm test", "sh: 1: jest: not found"],
    ["a word that is no program here", "npm run jest", "sh: 1: jest: not found"],
    ["a file of the work", "./check.sh", "bash: line 1: ./check.sh: No such file or directory"],
    ["one on a path that the command makes", 'PATH="$PWD/bin:$PATH" check', "bash: line 1: check: command not found"],
    ["one that it activates first", ". .venv/bin/activate && pytest", "bash: line 1: pytest: command not found"],
  ])("is not %s", (_what, command, output) => {
    expect(failed(command, output)).toEqual([]);
    expect(failed("pytest", "pytest: command not found", 1)).toEqual([]);
  });
});
