import { describe, expect, it } from "vitest";
import { programsIn } from "../../../src/core/files/program-runs.ts";
import { isOnlyLookedAt } from "../../../src/core/files/runners.ts";

describe("the files that a line runs", () => {
  it.each<[string, string[]]>([
    ["CI=1 timeout 60 node check.js && ./run.sh", ["check.js", "run.sh"]],
    ["bash -c 'cd app && node check.js'; sudo sh -c ./run.sh", ["check.js", "app/check.js", "run.sh", "app/run.sh"]],
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

  it.each<[string, string[]]>([
    ["pytest qa/price_rules.py", ["qa/price_rules.py"]],
    ["python3 -m pytest qa/price_rules.py::test_three -q", ["qa/price_rules.py"]],
    ["npx vitest run qa/rules.mjs --config qa/vitest.config.mjs", ["qa/rules.mjs", "qa/vitest.config.mjs"]],
    ["npx mocha qa/rules.mjs", ["qa/rules.mjs"]],
    ["rspec qa/price.rb", ["qa/price.rb"]],
    ["jest --runTestsByPath qa/price.ts", ["qa/price.ts"]],
    ["node --test qa/a.mjs qa/b.mjs", ["qa/a.mjs", "qa/b.mjs"]],
    ["deno test verify/p.ts", ["verify/p.ts"]],
    ["bun test ./verify/p.ts", ["verify/p.ts"]],
    ["node -r ./boot.js verify/price.js", ["boot.js", "verify/price.js"]],
    ["node --import tsx verify/price.ts", ["verify/price.ts"]],
    ["node --env-file .env verify/price.js", ["verify/price.js"]],
    ["node --conditions dev --test-reporter spec verify/price.js", ["verify/price.js"]],
    ["npx tsx --tsconfig tsconfig.json verify/price.ts", ["verify/price.ts"]],
    ["ts-node -P tsconfig.json verify/price.ts", ["verify/price.ts"]],
    ["deno run --config deno.json verify/p.ts", ["verify/p.ts"]],
    ["lua -l x verify/p.lua", ["verify/p.lua"]],
    ["bash --rcfile a verify/p.sh", ["verify/p.sh"]],
  ])("of %j are among them %j", (line, files) => {
    expect(programsIn(line)).toEqual(expect.arrayContaining(files));
  });

  it.each<[string, string]>([
    ["jest --findRelatedTests price.js", "price.js"],
    ["pytest --cov price.py qa", "price.py"],
    ["vitest related price.ts", "price.ts"],
    ["diff cases/a.txt out.txt", "cases/a.txt"],
    ["eslint price.js", "price.js"],
    ["node --import tsx verify/price.ts", "tsx"],
  ])("of %j is not %s", (line, file) => {
    expect(programsIn(line)).not.toContain(file);
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
