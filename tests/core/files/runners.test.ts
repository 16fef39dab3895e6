import { describe, expect, it } from "vitest";
import { isOnlyLookedAt, programsIn } from "../../../src/core/files/runners.ts";

describe("the files that a line runs", () => {
  it.each<[string, string[]]>([
    ["CI=1 timeout 60 node check.js && ./run.sh", ["check.js", "run.sh"]],
    ["bash -c 'cd app && node check.js'; sudo sh -c ./run.sh", ["cd", "check.js", "run.sh"]],
    ["for each in a b; do python3 check.py $each; done", ["check.py"]],
    [`docker run --rm node:20 sh -c "npm ci && node checks/run.mjs"`, ["npm", "checks/run.mjs"]],
    ["sh < run.sh > out.txt", ["run.sh"]],
    [`node -e "require('./tools.js')"`, ["tools.js"]],
    ["find cases -exec ./run.sh {} +", ["find", "run.sh"]],
    ["echo 'first; node check.js'", ["echo"]],
    ["cat > a.sh <<'END'\nnode check.js\nEND", ["cat"]],
    ["bash <<'END'\nnode check.js\nEND", ["check.js"]],
  ])("%j: %j", (line, programs) => {
    expect(programsIn(line)).toEqual(programs);
  });

  it("are read of a script that is longer than what a shell's line may be", () => {
    expect(programsIn(`${"# what is checked\n".repeat(2_000)}./run.sh`)).toEqual(["run.sh"]);
  });
});

describe("a file that lines name", () => {
  it.each<[string, boolean]>([
    ["test -x run && wc -l ./run", true],
    ["if grep -q x run; then echo yes; fi", true],
    ["test -x run && ./run", false],
    ["test -x run; cat > run <<'END'\nEND", false],
    ["test -x run; sh < run", false],
    ["echo 'run; test -x run'", false],
    ["ls", false],
  ])("is only looked at by %j: %s", (line, expected) => {
    expect(isOnlyLookedAt("run", [line])).toBe(expected);
  });
});
