import { describe, expect, it } from "vitest";
import { commandSlips } from "../../../src/core/acceptance/command-slips.ts";
import { parsePassCondition } from "../../../src/core/acceptance/pass-condition.ts";

function slipsOf(command: string, text = "exit code 0"): string[] {
  const condition = parsePassCondition(text);
  if (typeof condition === "string") throw new Error(condition);
  return commandSlips(command, condition);
}

describe("a command of which something may fail unseen", () => {
  it.each([
    ["npm run lint\nnpm test\n", '"npm run lint"'],
    ["npm run lint; npm test", '"npm run lint"'],
    ["cd web # the pages\nnpm test", '"cd web"'],
    ["export A=1\nnpm ci && npm run lint\n\nnpm test", '"npm ci"'],
    ["npm test | tail -20", '"npm test"'],
    ["npm test 2>&1 | tee out.log", '"npm test 2>&1"'],
    ['node -e "a;\nb" | sort | head -1 && npm test', '"node -e \\"a;\\nb\\""'],
  ])("is told: %s", (command, first) => {
    expect(slipsOf(command)).toEqual([expect.stringContaining(`${first} may fail unseen`) as string]);
  });

  it.each([
    "npm run lint && npm test",
    "npm run lint &&\n  npm test",
    "npm run lint \\\n  --all",
    "set -eu\nnpm run lint\nnpm test",
    "set -o pipefail; npm test | tail",
    "npm test; test $? -eq 0",
    "cat a.txt; grep -q good a.txt",
    "npm start & npm test",
    "npm run lint || exit 1\nnpm test",
    "for f in *.sh; do sh -n $f; done",
    "if test -f a; then b; fi",
    "cat <<E | node\nx\nE",
    "cos list | grep -q shop",
    "echo 'a; b | tail'",
    "test $(npm ls | wc -l) -gt 3",
    "node -e 'a();\nb()'",
    "npm test > out.txt 2>&1",
    "npm test &> out.txt",
    "it's",
  ])("is not: %s", (command) => {
    expect(slipsOf(command)).toEqual([]);
  });

  it("is not where its output decides, or another exit code", () => {
    expect(slipsOf("npm test | tail", 'output contains "3 passed"')).toEqual([]);
    expect(slipsOf("npm run lint; npm test", "exit code 1")).toEqual([]);
  });
});
