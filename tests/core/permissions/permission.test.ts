import { describe, expect, it } from "vitest";
import { isAllowedCommand } from "../../../src/core/permissions/permission.ts";

const checks = ["npm test", "./check.sh"];

describe("a command that an agent may run without a person [F-303]", () => {
  it.each([
    "npm test",
    "npm test -- --run",
    "npm test -- tests/sum.test.js",
    "npx vitest run --reporter=dot tests/a.test.ts",
    "node --test",
    "node --test test/*.test.js",
    "pytest -q tests/test_sum.py -k rounding",
    "cargo test --release sum",
    "git status --short",
    "git diff --stat main..HEAD -- src/sum.js",
    "git add -A",
    'git commit -m "fix: rounding of a/b"',
    "git log --oneline -5",
    "make test",
    "./check.sh",
  ])("%s", (line) => {
    expect(isAllowedCommand(line, checks)).toBe(true);
  });
});

describe("a command that is asked about, for a word of it leads elsewhere or is not understood [F-303]", () => {
  it.each([
    "node --test /elsewhere",
    "node --test ../elsewhere",
    "node --test --import ./load.js",
    "npm test --prefix /elsewhere",
    "npm test --prefix=../elsewhere",
    "npm test -- --config=/elsewhere/vitest.config.ts",
    "npx vitest --globalSetup load.ts",
    "npx jest --reporters ./reporter.js",
    "npx mocha -r ./load.js",
    "pytest -p plugin",
    "pytest --rootdir=/elsewhere",
    "pytest -c other.ini",
    "go test -exec ./run ./...",
    "cargo test --manifest-path ../x/Cargo.toml",
    "make test SHELL=/tmp/sh",
    "make test deploy",
    "make test -f other.mk",
    "mvn test deploy",
    "git commit -F /etc/passwd",
    "git commit --file=/etc/passwd",
    "git commit -m",
    "git add ../elsewhere",
    "git diff --no-index /etc/passwd a.txt",
    "git log --output=/tmp/x",
    "git status --git-dir=/elsewhere",
    "./check.sh --fix-everything",
    "npm test && rm -rf /",
    "npm test $(id)",
    "NODE_OPTIONS=--require=/x npm test",
  ])("%s", (line) => {
    expect(isAllowedCommand(line, checks)).toBe(false);
  });

  it("but exactly the line that a person wrote for the repository is no question", () => {
    expect(isAllowedCommand("make test SHELL=/bin/bash", ["make test SHELL=/bin/bash"])).toBe(true);
  });
});
