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
    [127, "timeout: failed to run command ‘pnpm’: No such file or directory", "pnpm is not installed where it was run"],
    [127, "timeout: can't execute 'pnpm': No such file or directory", "pnpm is not installed where it was run"],
    [127, "nice: ‘pnpm’: No such file or directory", "pnpm is not installed where it was run"],
    [127, "nohup: pnpm: No such file or directory", "pnpm is not installed where it was run"],
    [127, "setsid: failed to execute pnpm: No such file or directory", "pnpm is not installed where it was run"],
    [
      2,
      "make: pnpm: No such file or directory\nmake: *** [Makefile:2: x] Error 127",
      "pnpm is not installed where it was run",
    ],
    [2, "/bin/sh: 1: pnpm: not found\nmake[1]: *** [x] Error 127", "pnpm is not installed where it was run"],
    [126, "/bin/bash: line 1: /opt/tool: Permission denied", "/opt/tool may not be run where it was tried"],
    [126, "timeout: failed to run command ‘/opt/a’: Permission denied", "/opt/a may not be run where it was tried"],
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
    [
      "a file of the work that another program starts",
      { exitCode: 127, output: "timeout: failed to run command ‘./a’: No such file or directory" },
    ],
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
    ["timeout 60 pytest -q", "timeout: failed to run command 'pytest': No such file or directory"],
    ["timeout -k 5 60 pytest -q", "bash: line 1: pytest: command not found"],
    ["nice -n 5 pytest -q", "nice: ‘pytest’: No such file or directory"],
    ["(pytest -q)", "bash: line 1: pytest: command not found"],
    ["time (cd app && pytest -q)", "bash: line 1: pytest: command not found"],
    ["if pytest -q; then echo ok; else exit 127; fi", "bash: line 1: pytest: command not found"],
    ["for f in a b; do (pytest $f) || exit; done", "bash: line 1: pytest: command not found"],
    ["grep -rq install . && pytest", "bash: line 1: pytest: command not found"],
    ["cd build && pytest", "bash: line 1: pytest: command not found"],
    ["node -e 'main(); a | b' && pytest", "bash: line 1: pytest: command not found"],
    ["cat > a <<'EOF'\na; b\nEOF\npytest", "bash: line 1: pytest: command not found"],
    ["case $CI in 1) pytest;; esac", "bash: line 1: pytest: command not found"],
    ["echo $(pytest)", "bash: line 1: pytest: command not found"],
    ["pytest && make install", "bash: line 1: pytest: command not found"],
  ])("is %s, which says %j", (command, output) => {
    expect(failed(command, output)).toEqual(["AC-1"]);
  });

  it.each([
    ["one that a script of the work asks for", "npm test", "sh: 1: jest: not found"],
    ["a word that is no program here", "npm run jest", "sh: 1: jest: not found"],
    ["a file of the work", "./check.sh", "bash: line 1: ./check.sh: No such file or directory"],
    ["one on a path that the command makes", 'PATH="$PWD/bin:$PATH" check', "bash: line 1: check: command not found"],
    ["one that it activates first", ". .venv/bin/activate && pytest", "bash: line 1: pytest: command not found"],
    ["one that it activates within", "(. .venv/bin/activate; pytest)", "bash: line 1: pytest: command not found"],
    ["a function of its own", "check() { tool; }; check", "bash: line 1: tool: command not found"],
    ["one in a text", "node -e 'a; tool && b'", "bash: line 1: tool: command not found"],
    ["what it feeds to another", "sh <<'EOF'\ntool\nEOF", "bash: line 1: tool: command not found"],
  ])("is not %s", (_what, command, output) => {
    expect(failed(command, output)).toEqual([]);
    expect(failed("pytest", "pytest: command not found", 1)).toEqual([]);
  });

  it.each([
    "pip install -e '.[dev]' && tool --version",
    "pip install -e . && tool",
    "go install ./... && tool",
    "npm link && tool",
    "npm i -g . && tool",
    "make install; tool --help",
    "make && tool",
    "cargo install --path crates/cli && tool",
    "python3 setup.py develop && tool",
    "npm run build:cli && tool",
    "./scripts/prepare && tool",
    "scripts/prepare && tool",
    "bash prepare.sh && tool",
    "bash -c 'go install .' && tool",
    "node scripts/prepare.mjs && tool",
    'ln -s "$PWD/bin/tool" /usr/local/bin/ && tool',
    "if pip install -e .; then tool; fi",
    "(cd cli && npm link) && CI=1 timeout 60 tool",
  ])("is not one that the command itself may bring: %s", (command) => {
    expect(failed(command, "bash: line 1: tool: command not found")).toEqual([]);
  });
});
