import { describe, expect, it } from "vitest";
import { type BaseResult, baseResultOf, judgeBase } from "../../../src/core/acceptance/base-results.ts";
import type { CriterionResult } from "../../../src/core/acceptance/results.ts";
import { programsOf, pythonModulesOf, toolsIn } from "../../../src/core/acceptance/tools.ts";

const pass: BaseResult = { result: "pass", fingerprint: "" };
const fail = (fingerprint: string): BaseResult => ({ result: "fail", fingerprint });

it.each<[string, readonly BaseResult[], ReturnType<typeof judgeBase>]>([
  ["nothing", [], "unknown"],
  ["a pass", [pass], "passes"],
  ["one failure", [fail("a")], "unknown"],
  ["the same failure twice", [fail("a"), fail("a")], "fails"],
  ["two failures", [fail("a"), fail("b")], "unknown"],
  ["the first of them again", [fail("a"), fail("b"), fail("a")], "fails"],
  ["three failures", [fail("a"), fail("b"), fail("c")], "unsteady"],
  ["a failure and a pass", [fail("a"), pass], "passes"],
])("%s at the base [F-119]", (_what, kept, verdict) => {
  expect(judgeBase(kept)).toBe(verdict);
});

describe("a result at the base", () => {
  const output = { file: "x", sha256: "", bytes: 1 };
  const result: CriterionResult = {
    id: "CHECK-1",
    slug: "repository-check",
    status: "fail",
    method: "bash",
    by: "npm test",
    details: ["npm test exited with code 1", "/data/one/src/a.ts:3 - expected 4", "duration_ms 12.3456"],
    durationMs: 1,
    output,
  };

  it("is the same failure wherever and however long it ran, and another one with other words [F-119]", () => {
    const details = ["npm test exited with code 1", "/data/two/src/a.ts:3 - expected 4", "duration_ms 9.1"];
    const one = baseResultOf(result, "/data/one");

    expect(baseResultOf({ ...result, details }, "/data/two")).toEqual(one);
    expect(baseResultOf({ ...result, details: ["npm test exited with code 2"] }, "/data/one")).not.toEqual(one);
  });

  it("that was never started, or not checked, says nothing", () => {
    expect(baseResultOf({ ...result, output: null }, "/data/one")).toBeNull();
    expect(baseResultOf({ ...result, status: "not-checked" }, "/data/one")).toBeNull();
  });
});

it.each<[readonly string[], readonly string[]]>([
  [[""], ["node", "npm"]],
  [
    ["npm ci", "npm test"],
    ["node", "npm"],
  ],
  [["pnpm install && pnpm test"], ["node", "npm", "pnpm"]],
  [
    ["uv sync", "uv run pytest -q"],
    ["node", "npm", "python3", "uv"],
  ],
  [["cargo test --locked"], ["cargo", "node", "npm", "rustc"]],
  [["echo constructor toString; ./go.sh"], ["node", "npm"]],
  [["git commit -m 'for pytest'; cat > a.sh <<'END'\nmake\nEND"], ["node", "npm"]],
  [["bash -c 'cd app && pnpm test'"], ["node", "npm", "pnpm"]],
])("the tools of %j are %j", (commands, names) => {
  expect(toolsIn(commands).map((tool) => tool.name)).toEqual(names);
});

it.each<[string, readonly string[]]>([
  ["cd app && npm ci\nuv sync | tee log", ["npm", "uv"]],
  ["for each in a b; do (cd $each && npm ci); done", ["npm"]],
  ["if command -v pnpm; then pnpm i; else npm ci; fi", []],
  ["if command -v pnpm; then pnpm i; fi; if [ -d a ]; then uv sync; else npm ci; fi", []],
  ["if [ -d app ]; then\n  cd app && pnpm test\nfi", ["pnpm"]],
  ["python3 -m pytest || python -m pytest && npm test", ["python3", "npm"]],
  ["bash -c 'cd app && pnpm test'; sh <<'END'\nuv sync\nEND", ["pnpm", "uv"]],
  ["PATH=bin npm ci; bin/npm ci; $run npm ci", []],
  ["echo 'first; npm ci'; cat > a.sh <<'END'\nnpm ci\nEND", []],
])("the programs with which the commands of %j begin are %j", (command, programs) => {
  expect(programsOf([command])).toEqual(programs);
});

it.each<[string, readonly string[]]>([
  ["cd app && python3 -m pytest -q", ["pytest"]],
  ["sh -c 'cd app && python3 -m pytest -q'", ["pytest"]],
  ["echo 'first; python3 -m pytest'", []],
])("the modules that %j has Python run are %j", (command, modules) => {
  expect(pythonModulesOf(null, [command]).map(({ name }) => name)).toEqual(modules);
});
