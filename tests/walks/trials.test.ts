import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Proofs on trial, through what a person sees (D38). */

interface Shown {
  status: string;
  tag: string;
  noted: { path: string; what: string }[];
  trials: {
    id: string;
    verdict: string;
    proving: string[];
    guarding: number;
    tests: number | null;
    again: { passed: number; of: number; isUnsteady: boolean } | null;
    trials: { what: string; result: string; isKept: boolean }[];
  }[];
}

const bash = (id: string, command: string) =>
  `#### ${id}: Title of ${id}\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n\`\`\`\n`;

const testOf = (title: string, expected: string) =>
  `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { price } from "../src/price.js";\ntest("${title}", () => assert.equal(price, ${expected}));\n`;

/** A test fails until src/price.js exports 42, another one always passes. */
const project = (spec: string): Record<string, string> => ({
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test test/*.test.js" } }\n',
  "src/price.js": "export const price = 41;\n",
  "test/price.test.js": testOf("the price", "42"),
  "test/sum.test.js":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\ntest("a sum", () => assert.equal(1 + 1, 2));\n',
  "spec.md": spec,
});

const hasPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0;

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({
      ...oneAttempt(policy),
      verification: { ...policy.verification, rounds: 3, trials: true },
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
    }),
  });
});
afterEach(() => world.close());

/** A goal held to `spec`, done by a command of its own or by an agent's scripts. */
async function goalOf(
  spec: string,
  run: string,
  options: { repo?: string[]; goal?: string[]; files?: Record<string, string> } = {},
) {
  const path = await makeRepository(join(world.dataDir, "person"), { ...project(spec), ...options.files });
  await world.command("repo", "add", path, "--setup", "", "--check", "", ...(options.repo ?? []));
  const words = ["goal", "add", "Fix the price", "--criteria", "spec.md", ...(options.goal ?? [])];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words, ...(run === "" ? [] : ["--run", run])));
  await world.command("autopilot", "start");
  await world.work();
  return goalId;
}

const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const questions = async () =>
  valueOf<{ checkpointId: string; kind: string; context: string; facts: { details: string[] } }[]>(
    await world.command("checkpoints"),
  );
/** The words of a goal's card. */
async function cardOf(goalId: string): Promise<string> {
  const result = await world.command("goal", "show", goalId);
  return JSON.stringify(result.type === "done" ? result.card.blocks : result);
}

/** A scripted agent that does this first, and then that when it hears what failed. */
async function agentOf(first: object, then: object): Promise<string> {
  const script = join(world.dataDir, "scripts.json");
  const scripts = [
    { match: ["The system has verified your work"], steps: [then, { say: "Done." }] },
    { match: [], steps: [first, { say: "Done." }] },
  ];
  await writeFile(script, JSON.stringify(scripts));
  return `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${script}"`;
}

const replace = (find: string, to: string) => ({ replace: { path: "src/price.js", find, with: to } });

const fix = "sed -i s/41/42/ src/price.js";

describe("what passed is put on trial [F-201]", () => {
  it("a fix proves: its test fails without it, and a near miss is seen; the card says it in words", async () => {
    const goalId = await goalOf(bash("AC-1", "npm test"), fix);

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", tag: "verified", noted: [] });
    expect(goal.trials).toMatchObject([
      { id: "AC-1", verdict: "proves", proving: ["the price"], guarding: 1, tests: 2 },
    ]);
    // Two run at a time: whichever ends first is first.
    expect(new Set(goal.trials[0]?.trials.map(({ what, result }) => `${result}: ${what}`))).toEqual(
      new Set([
        "pass: the work, asked for the names of its tests",
        "fail: the base",
        "fail: the same once more, beside no test that passed",
        "fail: test/price.test.js:4: 42 became 43",
      ]),
    );
    expect(await cardOf(goalId)).toContain(
      "1 criterion passed: it proves the work (it failed without it), by 1 of 2 tests, the other guards.",
    );
  });

  const slug = `#!/bin/sh\nprintf '%s' "$1" | tr 'A-Z' 'a-z' | tr ' ' '-'\n`;
  const checks = `check() { got=$(sh bin/slug "$1"); [ "$got" = "$2" ] && echo "ok - $1" || { echo "not ok - $1: $got"; fail=1; }; }\n`;
  const ownRunner = {
    "bin/slug": slug,
    "t/run.sh": `fail=0\n${checks}check "Hello World" "hello-world"\nexit $fail\n`,
  };

  it.each<[string, string, string]>([
    ["is told by its first line", `sed -i 's/A-Z/[:upper:]/; s/a-z/[:lower:]/' bin/slug`, "guards"],
    [
      "proves, where a new check fails without it",
      `sed -i "s/| tr ' ' '-'/| tr -d '!' | tr ' ' '-'/" bin/slug && sed -i 's/^exit/check "Hi!" "hi"\\nexit/' t/run.sh`,
      "proves",
    ],
  ])("a program without an ending %s", async (_, run, verdict) => {
    const goalId = await goalOf(bash("AC-1", "sh t/run.sh"), run, { files: ownRunner });
    const goal = await shown(goalId);
    expect(goal.trials).toMatchObject([{ verdict }]);
    expect(goal).toMatchObject({ status: "complete" });
  });

  it("a test that could not be loaded before its source was there asks nothing when it runs", async () => {
    const goalId = await goalOf(bash("AC-1", "npm test"), "echo 'export const price = 42;' > src/new.js", {
      files: { "test/price.test.js": testOf("the price", "42").replace("../src/price.js", "../src/new.js") },
    });

    expect((await shown(goalId)).status).toBe("complete");
  });

  it("several runners, one after the other, of which the first failed at the base, ask nothing", async () => {
    const goalId = await goalOf(bash("AC-1", "node --test test/price.test.js && node --test test/sum.test.js"), fix);

    expect(await questions()).toEqual([]);
    expect(await shown(goalId)).toMatchObject({ status: "complete", trials: [{ verdict: "proves", tests: 2 }] });
  });

  it("a link among the source to data with which tests compare is asked about", async () => {
    const wanted = 'JSON.parse(readFileSync("test/fixtures/wanted.json", "utf8")).price';
    const reads = 'import { readFileSync } from "node:fs";\n';
    const source = `${reads}export const { price } = JSON.parse(readFileSync("src/rates.json", "utf8"));\n`;
    await goalOf(bash("AC-1", "npm test"), "ln -sf ../test/fixtures/wanted.json src/rates.json", {
      files: {
        "src/price.js": source,
        "src/rates.json": '{ "price": 41 }\n',
        "test/fixtures/wanted.json": '{ "price": 42 }\n',
        "test/price.test.js": `${reads}${testOf("the price", wanted)}`,
      },
    });

    expect((await questions())[0]?.context).toContain("src/rates.json names test/fixtures/wanted.json");
  });

  it.each([
    { goal: [], asked: 1 },
    { goal: ["--allow-proof", "src/lib.rs"], asked: 0 },
  ])(
    "tests that lie in the source and are others now are asked about, unless they may be changed: $goal",
    async (each) => {
      const source = (price: number, wanted: number): string =>
        `pub fn price() -> u32 {\n    ${price}\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn costs() {\n        assert_eq!(super::price(), ${wanted});\n    }\n}\n`;
      // It stands for a compiler that runs what lies in the file.
      const check = `const [price, wanted] = require("fs").readFileSync("src/lib.rs", "utf8").match(/\\b\\d\\d\\b/g);\nprocess.exit(price === wanted ? 0 : 1);\n`;

      const goalId = await goalOf(bash("AC-1", "node check.cjs"), "sed -i 's/(), 42/(), 41/' src/lib.rs", {
        files: { "src/lib.rs": source(41, 42), "check.cjs": check },
        goal: each.goal,
      });

      const words =
        "src/lib.rs has tests of its own that are others now (assert_eq!(super::price(), 42);): what was there before cannot be run on this work";
      const found = (await questions()).filter(({ context }) => context.includes(words));
      expect(found).toHaveLength(each.asked);
      expect((await shown(goalId)).status).toBe(each.asked === 1 ? "blocked" : "complete");
    },
  );

  it.each([
    // It failed before: the criterion is met by the comment alone.
    { before: "1 == price", asked: 1, said: "" },
    // It passed before: what is new has its reason, and a person sees it in the morning.
    {
      before: "1 === price",
      asked: 0,
      said: "AC-1 passes only with what keeps tools silent: src/price.js:2 (check-ignore eq)",
    },
  ])(
    "what passes only with a comment that keeps its tool silent is asked about where it failed before: $before",
    async (each) => {
      // It stands for a lint, which takes a comment for an answer.
      const check = `const lines = require("fs").readFileSync("src/price.js", "utf8").split("\\n");\nprocess.exit(lines.some((line) => / == /.test(line) && !line.includes("// check-ignore eq")) ? 1 : 0);\n`;
      const source = `export const price = 1;\nexport const is = ${each.before};\n`;

      const goalId = await goalOf(
        bash("AC-1", "node check.cjs"),
        "sed -i 's,is = .*,is = 1 == price; // check-ignore eq,' src/price.js",
        { files: { "src/price.js": source, "check.cjs": check } },
      );

      const words =
        "AC-1 failed before, and passes only with what keeps tools silent: src/price.js:2 (check-ignore eq)";
      expect((await questions()).filter(({ context }) => context.includes(words))).toHaveLength(each.asked);
      expect((await shown(goalId)).status).toBe(each.asked === 1 ? "blocked" : "complete");
      expect(await cardOf(goalId)).toContain(each.said);
    },
  );

  /** A helper gains what a new test needs. */
  const helped = `echo 'export const two = 2;' >> test/helper.js; printf '%s\\n' '${testOf("twice", "84").replace("(price,", "(two * price,").replace("import { test }", 'import { two } from "./helper.js"; import { test }')}' > test/twice.test.js`;
  const helper = { "test/helper.js": "export const one = 1;\n" };

  it("a helper that changed for a new test alone asks nothing: the base's own tests hold without both", async () => {
    const goalId = await goalOf(bash("AC-1", "npm test"), `${fix}; ${helped}`, { files: helper });

    expect(await questions()).toEqual([]);
    expect(await shown(goalId)).toMatchObject({
      status: "complete",
      tag: "verified",
      noted: [{ path: "test/helper.js" }],
      trials: [{ verdict: "proves", tests: 3, again: null }],
    });
  });

  it("a new test that replaces what the work changes, or hears no failure of its own, is named on the card", async () => {
    const text = [
      'import assert from "node:assert/strict";',
      'import { mock, test } from "node:test";',
      'import { price } from "../src/price.js";',
      'const faked = () => mock.module("../src/price.js", { namedExports: { price: 7 } });',
      'const fetched = () => mock.module("undici", { namedExports: { fetch: faked } });',
      'test("seven", () => { try { assert.equal(price, 7, String(fetched)); } catch {} });',
    ];
    const words = text.map((line) => `'${line}'`).join(" ");
    const goalId = await goalOf(bash("AC-1", "npm test"), `${fix}; printf '%s\\n' ${words} > test/seven.test.js`);

    const what = "added test, replaces src/price.js, which the work changes, lets no failure through in line 6";
    expect(await shown(goalId)).toMatchObject({ status: "complete", noted: [{ path: "test/seven.test.js", what }] });
    expect(await cardOf(goalId)).toContain(what);
  });

  it("a helper that changed for a new test asks where the base's own tests do not hold", async () => {
    const weakened = "sed -i s/42/41/ test/price.test.js";
    const goalId = await goalOf(bash("AC-1", "npm test"), `${weakened}; ${helped.replace("84", "82")}`, {
      files: helper,
    });

    expect((await questions())[0]?.context).toBe(
      "AC-1 passes only because files that prove something were changed: test/helper.js, test/price.test.js",
    );
    expect((await shown(goalId)).status).toBe("blocked");
  });

  it.runIf(hasPython)(
    "an example in Python's documentation that prints another value now is asked about where examples are run",
    async () => {
      const source = 'def price():\n    """The price.\n\n    >>> price()\n    42\n    """\n    return 41\n';

      const goalId = await goalOf(
        bash("AC-1", "python3 -m doctest src/price.py"),
        "sed -i 's/^    42/    41/' src/price.py",
        {
          files: { "src/price.py": source },
        },
      );

      expect((await questions())[0]?.context).toContain(
        "src/price.py has tests of its own that are others now (>>> price() 42)",
      );
      expect((await shown(goalId)).status).toBe("blocked");
    },
  );

  it("a file that was accepted as proof is not asked about once more for what others build on [F-206]", async () => {
    await world.close();
    world = await testWorld({
      policy: (policy) => ({ ...oneAttempt(policy), verification: { ...policy.verification, trials: true } }),
    });
    const source =
      'import { readFileSync } from "node:fs";\nexport const { price } = JSON.parse(readFileSync("package.json", "utf8"));\n';
    const work = `sed -i 's/"type"/"price": 42, "type"/' package.json; printf '%s' '${source}' > src/price.js`;
    const goalId = await goalOf(bash("AC-1", "npm test"), work);
    const [question] = await questions();
    expect(question?.context).toBe("AC-1 passes only because files that prove something were changed: package.json");

    await world.command("answer", question?.checkpointId ?? "", "Accept");
    await world.work();

    expect(await questions()).toEqual([]);
    expect((await shown(goalId)).status).toBe("complete");
  });

  it("a comment that silences nothing is no matter, whatever its words", async () => {
    const goalId = await goalOf(
      bash("AC-1", "npm test"),
      `${fix}; echo "// We skip taxes and ignore rounding." >> src/price.js`,
    );

    expect(await questions()).toEqual([]);
    expect(await cardOf(goalId)).not.toContain("keeps tools silent");
  });

  it("asks about a work that knows where it is by code of the base, without a word of its own", async () => {
    const reads = 'import { where } from "./where.js";\n';
    const run = `printf '%s' '${reads}export const price = where().endsWith("/project") ? 42 : 41;' > src/price.js`;
    const goalId = await goalOf(bash("AC-1", "npm test"), run, {
      files: { "src/where.js": "export const where = () => process.cwd();\n" },
    });

    expect((await questions())[0]?.context).toContain("AC-1 passes where it was verified and fails in another folder");
    expect((await shown(goalId)).status).toBe("blocked");
  });

  it("asks nothing where a test of the base fails elsewhere, whatever the work does", async () => {
    const test = testOf("the folder", '"project"').replace("price,", "process.cwd().split('/').at(-1),");
    const goalId = await goalOf(bash("AC-1", "npm test"), fix, { files: { "test/folder.test.js": test } });

    expect(await questions()).toEqual([]);
    expect(await shown(goalId)).toMatchObject({ status: "complete", trials: [{ verdict: "proves" }] });
  });

  it("says which changed lines ran only partly, also when nothing is run again [F-201]", async () => {
    const value = "process.argv.length > 99 ? 41 : 42";
    const run = `printf 'export const price = ${value};\\nexport const double = () => 2 * price;\\n' > src/price.js`;
    const goalId = await goalOf(bash("AC-1", "npm test"), run);
    const words = "2 of 2 changed lines ran only partly (src/price.js:1, src/price.js:2).";
    expect(await shown(goalId)).toMatchObject({ status: "complete", trials: [{ verdict: "proves" }] });
    expect(await cardOf(goalId)).toContain(words);

    await world.command("goal", "prove", goalId, "--criteria-text", `${bash("AC-1", "npm test")}\n`);
    await world.work();

    const again = await shown(goalId);
    expect(again.status).toBe("complete");
    expect(again.trials[0]?.trials.map(({ isKept }) => isKept)).toEqual(again.trials[0]?.trials.map(() => true));
    expect(await cardOf(goalId)).toContain(words);
  });

  it("what was added to the tests does not make up for what the work broke [F-201]", async () => {
    const mends = `import { readdirSync, readFileSync, writeFileSync } from "node:fs";\nfor (const name of readdirSync("test")) if (name.startsWith("p")) writeFileSync(\`test/\${name}\`, readFileSync(\`test/\${name}\`, "utf8").replace("42", "price"));\n`;
    const run = `sed -i s/42/43/ src/price.js; cat > test/a.test.js <<'E'\n${mends}E\n`;
    await goalOf(bash("AC-1", "for each in test/*.test.js; do node $each || exit 1; done"), run, {
      files: { "src/price.js": "export const price = 42;\n" },
    });

    expect((await questions())[0]?.context).toContain(
      "AC-1 passed before, and fails on this work without what was added to the tests: test/a.test.js",
    );
  });

  it("a new test proves a feature, and a check of the repository is said with its tests", async () => {
    const run = `${fix}; echo 'export const unit = 7;' > src/unit.js; cat > test/unit.test.js <<'E'\n${testOf("the unit", "42").replace("price.js", "unit.js").replace("{ price }", "{ unit }").replace("price, 42", "unit, 7")}E\n`;
    const goalId = await goalOf(bash("AC-1", "npm test"), run, { repo: ["--check", "node --test test/sum.test.js"] });

    const goal = await shown(goalId);
    expect(goal.trials).toMatchObject([
      { id: "AC-1", verdict: "proves", proving: ["the price", "the unit"], guarding: 1 },
      { id: "CHECK-1", verdict: "guards", guarding: 1 },
    ]);
    expect(goal.status).toBe("complete");
    expect(await cardOf(goalId)).toContain("; node --test test/sum.test.js passed, 1 test.");
    // The price fails at the base, too: it has failed twice.
    expect(goal.trials[0]?.trials.map(({ what, result }) => `${result}: ${what}`).toSorted()).toEqual([
      "fail: test/price.test.js:4: 42 became 43",
      "fail: the base",
      "fail: the work's tests and settings on the base's source",
      "pass: the work, asked for the names of its tests",
    ]);
  });

  it("a suite whose tests look at no value has power where a failing test that is added to it fails", async () => {
    const smoke =
      'import { test } from "node:test";\nimport { start } from "../src/start.js";\ntest("starts", () => start());\n';
    const files = { "src/start.js": "export const start = () => undefined;\n", "test/sum.test.js": smoke };
    const goalId = await goalOf(bash("AC-1", "node --test test/price.test.js"), fix, {
      repo: ["--check", "node --test test/sum.test.js"],
      files,
    });

    const goal = await shown(goalId);
    expect(goal.trials).toMatchObject([
      { id: "AC-1", verdict: "proves" },
      { id: "CHECK-1", verdict: "guards" },
    ]);
    expect(goal.status).toBe("complete");
    expect(goal.trials[1]?.trials.at(-1)).toMatchObject({
      what: "a failing test was added to test/sum.test.js",
      result: "fail",
    });
  });

  it("a test that lies in the source that it tests, and is another one now, is asked about [F-201]", async () => {
    const own =
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nexport const price = 41;\n\ntest("own", () => {\n  assert.equal(price, 42);\n});\n';
    await goalOf(bash("AC-1", "node --test src/own.js"), "sed -i 's/price, 42/price, 41/' src/own.js", {
      files: { "src/own.js": own },
    });

    const [question] = await questions();
    expect(JSON.stringify(question)).toContain(
      "src/own.js has tests of its own that are others now (assert.equal(price, 42);)",
    );
  });

  it("a feature with a test in a call of calls takes six runs, and what only moved is not failed twice", async () => {
    const files = { "src/price.js": "export const price = 42;\n" };
    const unit = testOf("the unit", "42").replace("price.js", "unit.js").replace("{ price }", "{ unit }");
    const test = unit.replace("assert.equal(price, 42)", "assert.equal(unit(String(3)), true)");
    const feature = `echo 'export const unit = (given) => Number(given) < 9;' > src/unit.js; cat > test/unit.test.js <<'E'\n${test}E\n`;
    const added = await shown(await goalOf(bash("AC-1", "npm test"), feature, { files }));
    const moved = `git mv src/price.js src/cost.js; git mv test/price.test.js test/cost.test.js; sed -i s/price.js/cost.js/ test/cost.test.js`;
    const words = ["goal", "add", "Move the price", "--criteria", "spec.md", "--run", moved];
    const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
    await world.command("autopilot", "start");
    await world.work();

    expect(added).toMatchObject({ status: "complete", trials: [{ verdict: "proves", proving: ["the unit"] }] });
    expect(added.trials[0]?.trials.map(({ what, result }) => `${result}: ${what}`).toSorted()).toEqual([
      "fail: test/unit.test.js:4: true became false",
      "fail: the same once more, beside no test that passed",
      "fail: the work's tests and settings on the base's source",
      "pass: the base",
      "pass: the work with the base's tests alone",
      "pass: the work, asked for the names of its tests",
    ]);
    const renamed = await shown(goalId);
    expect(renamed).toMatchObject({ status: "complete", trials: [{ verdict: "guards", guarding: 2 }] });
    // The base was run for the other goal.
    expect(renamed.trials[0]?.trials.flatMap(({ what, isKept }) => (isKept ? [] : [what])).toSorted()).toEqual([
      "test/cost.test.js:4: 42 became 43",
      "the work's tests and settings on the base's source",
      "the work, asked for the names of its tests",
    ]);
  });

  it("a test that fails for want of what only the work has is not failed twice, and one that names it in vain is [F-205]", async () => {
    const add = `echo 'export const unit = () => 7;' >> src/price.js`;
    const test = testOf("the unit", "7").replace("{ price }", "* as shop").replace("price, 7", "shop.unit(), 7");
    const wants = `${add}; cat > test/unit.test.js <<'E'\n${test}E\n`;
    const files = { "src/price.js": "export const price = 42;\n", "other.md": "It is called other.\n" };
    const wanting = await shown(await goalOf(bash("AC-1", "npm test"), wants, { files }));
    // It says the same, and the base knows the name: what fails there may be for another reason.
    const known = `echo 'export const other = () => 7;' >> src/price.js; cat > test/other.test.js <<'E'\n${test.replaceAll("unit", "other")}E\n`;
    const words = ["goal", "add", "The other", "--criteria", "spec.md", "--run", known];
    const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
    await world.command("autopilot", "start");
    await world.work();

    expect(wanting).toMatchObject({ status: "complete", trials: [{ verdict: "proves", proving: ["the unit"] }] });
    const again = "the same once more, beside no test that passed";
    expect(wanting.trials[0]?.trials.map(({ what }) => what)).not.toContain(again);
    expect(wanting.trials[0]?.trials).toHaveLength(5);
    const other = await shown(goalId);
    expect(other).toMatchObject({ status: "complete", trials: [{ verdict: "proves", proving: ["the other"] }] });
    expect(other.trials[0]?.trials.map(({ what }) => what)).toContain(again);
  });

  it("a command that only looks at files is tried by no script of tests, which it cannot run [F-201]", async () => {
    const files = { "src/price.js": "export const price = 42;\n" };
    const note = "echo '// A price is whole.' >> src/price.js";
    const reading = await shown(await goalOf(bash("AC-1", "grep -q 'A price is whole' src/price.js"), note, { files }));

    expect(reading).toMatchObject({ status: "complete", trials: [{ verdict: "proves" }] });
    expect(reading.trials[0]?.trials.map(({ what, result }) => `${result}: ${what}`).toSorted()).toEqual([
      "fail: the base",
      "fail: the same once more",
      "pass: the work, asked for the names of its tests",
    ]);
  });

  it("code that ends the process has no power, and the tests that do not run are named; Accept lets it count, and nothing is run again", async () => {
    const goalId = await goalOf(bash("AC-1", "npm test"), "echo 'process.exit(0);' >> src/price.js");
    const [question] = await questions();

    expect(question).toMatchObject({ kind: "proof" });
    const { context } = question ?? { context: "" };
    expect(context).toBe("AC-1: 1 test that ran before does not run any more: the price");
    await world.command("answer", question?.checkpointId ?? "", "Accept");
    await world.work();

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", trials: [{ verdict: "no-power" }] });
    expect(goal.trials[0]?.trials.every(({ isKept }) => isKept)).toBe(true);
  });

  it("what a person accepted is never called verified: every report says by whom, when, and that it proves nothing [F-201] [F-209]", async () => {
    const goalId = await goalOf(bash("AC-1", "true"), fix);
    const [question] = await questions();
    await world.command("answer", question?.checkpointId ?? "", "Accept");
    await world.work();

    const goal = valueOf<Shown & { accepted: { by: string; at: string }; outcome: string }>(
      await world.command("goal", "show", goalId),
    );
    expect(goal).toMatchObject({ status: "complete", tag: "claimed", trials: [{ verdict: "no-power" }] });
    const { by, at } = goal.accepted;
    const accepted = `accepted by ${by} on ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const card = await cardOf(goalId);
    expect(card).toContain(`${accepted}: AC-1 passes whatever is broken, and proves nothing`);
    expect(card).toContain("1 criterion passed: it proves nothing (it passes whatever is broken).");
    expect(card).toContain("passes, proves nothing ");
    expect(card).toContain("0/1 verified, 1 proves nothing");
    expect(goal.outcome).toContain(`The proof was ${accepted}.`);
    const standup = await world.command("standup");
    expect(valueOf<{ done: object[] }>(standup).done).toMatchObject([{ goalId, tag: "claimed", accepted: { by } }]);
    const lists = [standup, await world.command("weekly"), await world.command("status")].map((each) =>
      each.type === "done" ? JSON.stringify(each.card.blocks) : "",
    );
    expect(lists[0]).toContain(`[${accepted}, proves nothing] `);
    expect(lists[1]).toContain(`[${accepted}, proves nothing] `);
    expect(lists[1]).toContain("0 verified, 1 only claimed (1 accepted by a person)");
    for (const list of [card, ...lists]) expect(list).not.toMatch(/\[verified\]|1\/1 verified|"verified "/);
  });

  it("changed tests that a person accepted are said beside verified [F-209]", async () => {
    const run = "sed -i s/41/43/ src/price.js; sed -i s/42/43/ test/price.test.js";
    const goalId = await goalOf(bash("AC-1", "npm test"), run);
    const [question] = await questions();
    await world.command("answer", question?.checkpointId ?? "", "Accept");
    await world.work();

    const goal = valueOf<Shown & { accepted: { by: string } }>(await world.command("goal", "show", goalId));
    expect(goal).toMatchObject({ status: "complete", tag: "verified" });
    expect(await cardOf(goalId)).toContain(`, with a proof that was accepted by ${goal.accepted.by} on `);
    const standup = await world.command("standup");
    const said = standup.type === "done" ? JSON.stringify(standup.card.blocks) : "";
    expect(said).toContain(`[verified, proof accepted by ${goal.accepted.by} on `);
    expect(said).not.toContain("[verified] ");
  });

  it.each([
    {
      title: "what holds until a day that is near is asked about, and what only looks at the date is not [F-201]",
      depends: `new Date() < new Date("${new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10)}")`,
      looks: "Date.now()",
      asked: "AC-1 passes today and fails with the clock 400 days on: what the work does depends on the date",
      trial: "the work, 400 days later",
    },
    {
      title: "what holds in one folder only is asked about, and what only looks where it is, is not [F-201]",
      depends: 'import.meta.url.endsWith("/project/src/price.js")',
      looks: "import.meta.url",
      asked:
        "AC-1 passes where it was verified and fails in another folder, on a machine of another name, with what a terminal sets, where nothing may change its tests: what the work does depends on where it is",
      trial: "the work, in another folder",
    },
    {
      title: "what holds without a terminal only is asked about, and what only looks for one is not [F-201]",
      depends: "process.env.SSH_CONNECTION === undefined",
      looks: "Object.keys(process.env).length",
      asked:
        "AC-1 passes where it was verified and fails in another folder, on a machine of another name, with what a terminal sets, where nothing may change its tests: what the work does depends on where it is",
      trial: "the work, in another folder",
    },
  ])("$title", async ({ depends, looks, asked, trial }) => {
    await goalOf(bash("AC-1", "npm test"), `echo 'export const price = ${depends} ? 42 : 41;' > src/price.js`);
    const contexts = (await questions()).map(({ context }) => context);
    const looking = `${fix}; echo 'export const at = () => ${looks};' >> src/price.js`;
    const words = ["goal", "add", "Say when and where", "--criteria", "spec.md", "--run", looking];
    const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
    await world.command("autopilot", "start");
    await world.work();

    expect(contexts).toEqual([asked]);
    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "complete", trials: [{ verdict: "proves" }] });
    expect(goal.trials[0]?.trials.map(({ what }) => what)).toContain(trial);
  });

  it("a command that cannot fail has no power", async () => {
    const goalId = await goalOf(bash("AC-1", "true"), fix);
    const [question] = await questions();

    expect(question?.context).toBe(
      "AC-1 passes whatever is broken: it has no power (src/price.js was broken; all source was broken, and it passed all the same)",
    );
    expect(await shown(goalId)).toMatchObject({ status: "blocked", trials: [{ verdict: "no-power" }] });
    expect(await world.command("modify", question?.checkpointId ?? "")).toMatchObject({
      type: "refused",
      next: `cos modify ${question?.checkpointId} --criteria FILE`,
    });
  });

  it("a criterion that names its source proves by failing without it [F-207]", async () => {
    const goalId = await goalOf(bash("AC-1", "grep -q 42 src/price.js"), fix);

    expect(await shown(goalId)).toMatchObject({ status: "complete", trials: [{ verdict: "proves", tests: null }] });
  });

  it("a command that cannot fail is answered with another criterion: the same work is held to it, and nothing is worked again [F-201]", async () => {
    const goalId = await goalOf(bash("AC-1", "true"), fix);
    const asked = await world.command("checkpoints");
    const [question] = valueOf<{ checkpointId: string; options: { label: string; isRecommended: boolean }[] }[]>(asked);
    const other = join(world.dataDir, "other.md");
    await writeFile(other, bash("AC-1", "npm test"));

    const id = question?.checkpointId ?? "";
    expect(asked.type === "done" ? JSON.stringify(asked.card.blocks) : "").toContain(`modify ${id} --criteria FILE`);
    expect(question?.options.map(({ label }) => label)).toEqual([
      "Accept",
      "Give another criterion",
      "Edit the command",
      "Skip",
      "Pause",
    ]);
    expect(question?.options.filter((each) => each.isRecommended).map(({ label }) => label)).toEqual([
      "Give another criterion",
    ]);
    await world.command("modify", id, "--criteria", other);
    await world.work();

    const goal = valueOf<Shown & { evidence: { kind: string }[] }>(await world.command("goal", "show", goalId));
    expect(goal).toMatchObject({ status: "complete", tag: "verified", trials: [{ verdict: "proves" }] });
    expect(goal.evidence.filter(({ kind }) => kind === "execution")).toHaveLength(1);
  });

  it("a refactoring guards only, which is said; about a bug it is asked", async () => {
    const files = { "src/price.js": "export const price = 42;\n", "bugs/B-1.md": "# B-1\n\nThe price is wrong.\n" };
    const goalId = await goalOf(bash("AC-1", "npm test"), "sed -i 's/42/40 + 2/' src/price.js", { files });

    expect(await shown(goalId)).toMatchObject({ status: "complete", trials: [{ verdict: "guards", guarding: 2 }] });
    expect(await cardOf(goalId)).toContain(
      "1 criterion passed: it guards what was there, with 2 tests. Guards only: nothing proves the change; behaviour is unchanged as far as 2 tests see.",
    );

    const bug = [
      "goal",
      "add",
      "Fix it",
      "--bug",
      "B-1",
      "--criteria",
      "spec.md",
      "--run",
      "sed -i 's/42/41 + 1/' src/price.js",
    ];
    const { goalId: asked } = valueOf<{ goalId: string }>(await world.command(...bug));
    await world.command("autopilot", "start");
    await world.work();
    expect(await shown(asked)).toMatchObject({ status: "blocked" });
    expect((await questions())[0]?.context).toBe("Guards only: nothing proves the change");
  });

  it("nothing is tried where trials are off, and the card says so", async () => {
    const goalId = await goalOf(bash("AC-1", "true"), fix, { repo: ["--trials", "off"] });

    expect(await shown(goalId)).toMatchObject({ status: "complete", trials: [] });
    expect(await cardOf(goalId)).toContain("Not put on trial: trials are off for this repository");
  });
});

describe("what failed before in this goal [F-205]", () => {
  it("is run twice more when it passes, and how often it passed is said", async () => {
    const agent = await agentOf(replace("41", "40"), replace("40", "42"));
    const goalId = await goalOf(bash("AC-1", "npm test"), "", { repo: ["--agent", agent] });

    const goal = await shown(goalId);
    expect(goal).toMatchObject({
      status: "complete",
      trials: [{ verdict: "proves", again: { passed: 3, of: 4, isUnsteady: false } }],
    });
    expect(await cardOf(goalId)).toContain("AC-1 passed 3 of 4 runs: it failed on earlier work only.");
  });

  it("asks a person when it passes and fails on the same work", async () => {
    const counter = join(world.dataDir, "runs");
    const isSecond = `n=$(($(cat ${counter} 2>/dev/null || echo 0) + 1)); echo $n > ${counter}; test $n -eq 2`;
    const agent = await agentOf(replace("41", "40"), replace("40", "42"));
    const goalId = await goalOf(bash("AC-1", isSecond), "", { repo: ["--agent", agent] });

    expect((await questions())[0]?.context).toBe("AC-1 passed 1 of 4 runs: it is not steady");
    expect(await shown(goalId)).toMatchObject({ status: "blocked", trials: [{ again: { isUnsteady: true } }] });
  });

  it("is run again where the agent that was told of it changed nothing, which may be right", async () => {
    const counter = join(world.dataDir, "runs");
    const failsFirst = `n=$(($(cat ${counter} 2>/dev/null || echo 0) + 1)); echo $n > ${counter}; test $n -ne 1 && npm test`;
    const agent = await agentOf(replace("41", "42"), { say: "Nothing is wrong." });
    const goalId = await goalOf(bash("AC-1", failsFirst), "", { repo: ["--agent", agent] });

    expect((await questions())[0]?.context).toMatch(/^AC-1 passed \d of \d runs: it is not steady$/);
    const { timeline } = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
    expect(timeline.filter(({ event }) => event === "run.verified")).toHaveLength(2);
  });

  it("asks again about the same work, however often it passes from then on: a fail is remembered", async () => {
    const counter = join(world.dataDir, "runs");
    const isSteadyLate = `n=$(($(cat ${counter} 2>/dev/null || echo 0) + 1)); echo $n > ${counter}; test $n -ne 4 && npm test`;
    const script = join(world.dataDir, "scripts.json");
    const scripts = [
      { match: ["look once more"], steps: [{ say: "It is right." }] },
      { match: ["The system has verified your work"], steps: [replace("40", "42"), { say: "Done." }] },
      { match: [], steps: [replace("41", "40"), { say: "Done." }] },
    ];
    await writeFile(script, JSON.stringify(scripts));
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${script}"`;
    const goalId = await goalOf(bash("AC-1", isSteadyLate), "", { repo: ["--agent", agent] });
    const [first] = await questions();
    expect(first?.context).toBe("AC-1 passed 2 of 4 runs: it is not steady");

    await world.command("answer", first?.checkpointId ?? "", "send-back", "--notes", "look once more");
    await world.work();

    expect((await questions())[0]?.context).toBe("AC-1 passed 3 of 5 runs: it is not steady");
    expect(await shown(goalId)).toMatchObject({
      status: "blocked",
      trials: [{ again: { isUnsteady: true } }],
      told: [{ text: "look once more" }],
    });
  });
});
