import { describe, expect, it } from "vitest";
import { decideVerified, type VerifiedFacts } from "../../../src/core/acceptance/after-verify.ts";
import {
  addedSettings,
  criterionCommands,
  isOnlyOfTests,
  proofFilesOf,
  touchedProof,
  unsureFiles,
} from "../../../src/core/acceptance/contract.ts";
import { commitSubject, idsInFeedback, judgePlan } from "../../../src/core/acceptance/plan.ts";
import type { CriterionResult } from "../../../src/core/acceptance/results.ts";
import { parseSpec } from "../../../src/core/acceptance/spec.ts";
import { decideStop } from "../../../src/core/acceptance/stop-gate.ts";
import { evidenceTag } from "../../../src/core/acceptance/tag.ts";
import { fileKinds } from "../../../src/core/files/kind.ts";
import { defaultPolicy } from "../../../src/core/policy.ts";

describe("an agent's plan", () => {
  const criteria = [
    { id: "AC-1", status: "fail" as const },
    { id: "AC-12", status: "pass" as const },
  ];

  it.each<[string, boolean, string]>([
    ["Verify AC-12: tests-pass", true, "planned"],
    ["Verify AC-1: error-handling", false, "planned"],
    ["Verify AC-1: error-handling", true, "claimed"],
    ["Write error handling code", true, "unplanned"],
    ["AC-123 and XAC-1", false, "unplanned"],
  ])("%j, done: %s, is %s [S2-EX-02, S2-EX-03]", (text, isDone, judgement) => {
    expect(judgePlan([{ text, isDone }], criteria)[0]?.judgement).toBe(judgement);
  });

  it("is no plan of steps: what does not name a criterion is shown as unplanned [S2-EX-01]", () => {
    const judged = judgePlan(
      [
        { text: "Chunk 1: refactor", isDone: false },
        { text: "Chunk 2", isDone: false },
      ],
      criteria,
    );
    expect(judged.map((entry) => entry.judgement)).toEqual(["unplanned", "unplanned"]);
  });
});

describe("a commit", () => {
  it("names the criteria it is for [S2-RJ-04]", () => {
    expect(commitSubject(["AC-2"], "Round up")).toBe("Round up (AC-2)");
    expect(commitSubject(["AC-1", "AC-2", "AC-3", "AC-4", "AC-5"], "Round up")).toBe(
      "Round up (AC-1, AC-2, AC-3 and 2 more)",
    );
    expect(commitSubject([], "Round up")).toBe("Round up");
    expect(idsInFeedback("AC-2 (tests-pass): npm test exited\n  AC-9 (x) inside\nAC-5 (more): y")).toEqual([
      "AC-2",
      "AC-5",
    ]);
  });
});

describe("proof files (D26)", () => {
  const parsed = parseSpec(
    '#### AC-1: One\n```yaml\nmethod: bash\ncommand: ./scripts/check.sh --file="data/prices.csv" && npm test\n```\n',
  );
  if (parsed.type === "invalid") throw new Error("spec");
  const files = [
    "src/a.ts",
    "src/a.test.ts",
    "test/b.js",
    "scripts/check.sh",
    "data/prices.csv",
    "package.json",
    ".github/workflows/ci.yml",
    "answers/x.txt",
    "README.md",
  ];
  const facts = {
    files,
    kindOf: fileKinds(defaultPolicy),
    commands: criterionCommands(parsed.spec.criteria),
    goal: "Round the prices up",
    isOfTool: () => false,
    onlyOfTests: [],
    proven: [],
    listed: [],
    allowed: [],
  };

  it("are tests, settings, CI, what a command names and what the repository lists", () => {
    expect(proofFilesOf(facts)).toEqual([
      "src/a.test.ts",
      "test/b.js",
      "scripts/check.sh",
      "data/prices.csv",
      "package.json",
      ".github/workflows/ci.yml",
    ]);
    expect(proofFilesOf({ ...facts, listed: ["answers/**"] })).toContain("answers/x.txt");
    expect(proofFilesOf({ ...facts, allowed: ["test/**"] })).not.toContain("test/b.js");
    expect(touchedProof(["test/b.js", "package.json"], ["src/a.ts", "test/b.js"])).toEqual(["test/b.js"]);
  });
});

describe("a file that a command names (F-207)", () => {
  const files = [
    "src/price.js",
    "price.js",
    "check.js",
    "tools.js",
    "data/expected.json",
    "docs/use.md",
    "test/price.test.js",
  ];
  const proven = (command: string, goal = "Round the prices up") =>
    proofFilesOf({
      files,
      kindOf: fileKinds(defaultPolicy),
      commands: [command],
      goal,
      isOfTool: () => false,
      onlyOfTests: [],
      proven: [],
      listed: [],
      allowed: [],
    }).filter((file) => file !== "test/price.test.js");

  it.each<[string, string[]]>([
    ["grep -q 42 src/price.js", []],
    ["node --check price.js", []],
    ["grep -q 42 price.js && node price.js", ["price.js"]],
    ["node src/price.js --all", []],
    ["node check.js", ["check.js"]],
    ["LANG=C node --no-warnings ./check.js --of price.js", ["check.js"]],
    ["npm test && ./tools.js", ["tools.js"]],
    ["diff data/expected.json out.json", ["data/expected.json"]],
    ["grep -q Rounding docs/use.md", []],
    ["node -e 'require(`./tools.js`)'", ["tools.js"]],
  ])("%s freezes %j [F-207]", (command, expected) => {
    expect(proven(command)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ["sh -n greet.sh", []],
    ["timeout 5 bash -n ./greet.sh", []],
    ["bash -o noexec greet.sh", []],
    ["bash -n greet", []],
    ["/usr/bin/php -l greet.php", []],
    ["perl -wc greet.pl", []],
    ["perl -I lib -c greet.pl", []],
    ["ruby -wc greet.rb", []],
    ["node -c greet.js", []],
    ["python3 -m py_compile greet.py", []],
    ["sh -n greet.sh && sh ./greet.sh", ["greet.sh"]],
    ["bash -n greet && bash greet", ["greet"]],
    // A letter is another option to another program.
    ["sh -e greet.sh", ["greet.sh"]],
    ["bash -euo pipefail greet.sh", ["greet.sh"]],
    ["perl -Mstrict -I lib greet.pl", ["greet.pl"]],
    ["ruby -n greet.rb < names", ["greet.rb"]],
    ["php -d memory_limit=1G greet.php", ["greet.php"]],
    ["python3 -W error greet.py", ["greet.py"]],
  ])("is run, or only read for its syntax: %s freezes %j [F-207]", (command, expected) => {
    const there = ["greet", ...["sh", "php", "pl", "rb", "js", "py"].map((ending) => `greet.${ending}`)];
    const isOfTool = (): boolean => false;
    const all = { kindOf: fileKinds(defaultPolicy), isOfTool, onlyOfTests: [], proven: [], listed: [], allowed: [] };
    expect(proofFilesOf({ ...all, files: there, commands: [command], goal: "Greet politely" })).toEqual(expected);
  });

  it("is no proof where the goal is about it, and a test is proof all the same [F-207]", () => {
    expect(proven("node check.js", "Make check.js print the total")).toEqual([]);
    expect(proven("diff data/expected.json out.json", "Correct data/expected.json.")).toEqual([]);
    const isOfTool = (): boolean => false;
    const all = { kindOf: fileKinds(defaultPolicy), isOfTool, onlyOfTests: [], proven: [], listed: [], allowed: [] };
    const about = { ...all, files, commands: ["node --test"], goal: "Make test/price.test.js pass" };
    expect(proofFilesOf(about)).toEqual(["test/price.test.js"]);
  });

  it("and code that nothing but tests names is proof too, where source has its folders [F-201]", () => {
    const kindOf = fileKinds(defaultPolicy);

    expect(unsureFiles(["support/compare.js", "src/price.js"], ["support/compare.js", "src/price.js"], kindOf)).toEqual(
      ["support/compare.js"],
    );
    expect(unsureFiles(["price.js"], ["price.js", "test/price.test.js"], kindOf)).toEqual([]);
    expect(isOnlyOfTests(["test/price.test.js", "README.md"], kindOf)).toBe(true);
    expect(isOnlyOfTests(["test/price.test.js", "src/price.js"], kindOf)).toBe(false);
    expect(isOnlyOfTests([], kindOf)).toBe(false);
  });
});

describe("text and pictures that a program's output is compared with", () => {
  const kindOf = fileKinds(defaultPolicy);
  const files = [
    "examples/printed.txt",
    "examples/basic.out",
    "screens/home.png",
    "src/mail.txt",
    "docs/usage.md",
    "README.txt",
    "data/rates.csv",
  ];
  const proven = (command: string, goal = "Round the prices up", onlyOfTests: readonly string[] = []): string[] =>
    proofFilesOf({
      files,
      kindOf,
      commands: [command],
      isOfTool: () => false,
      goal,
      onlyOfTests,
      proven: [],
      listed: [],
      allowed: [],
    });

  it("may be proof where they were at the base; documents and what lies with the source are none [F-201]", () => {
    expect(unsureFiles([...files, "examples/new.txt"], files, kindOf)).toEqual([
      "data/rates.csv",
      "examples/printed.txt",
      "examples/basic.out",
      "screens/home.png",
    ]);
  });

  it("are proof where a test names them and no source does, unless the goal is about them [F-201]", () => {
    expect(isOnlyOfTests(["test/cli.test.js", "README.md"], kindOf, "other")).toBe(true);
    expect(isOnlyOfTests(["test/cli.test.js", "src/cli.js"], kindOf, "other")).toBe(false);
    expect(isOnlyOfTests(["package.json"], kindOf, "other")).toBe(false);
    expect(proven("npm test", "Round", ["examples/printed.txt"])).toEqual(["examples/printed.txt"]);
    expect(proven("npm test", "Correct examples/printed.txt.", ["examples/printed.txt"])).toEqual([]);
  });

  it.each<[string, string[]]>([
    ["node cli.js | diff examples/printed.txt -", ["examples/printed.txt"]],
    ["node cli.js > out && cmp out examples/basic.out", ["examples/basic.out"]],
    ["grep -q Rounding examples/printed.txt", []],
    ["diff docs/usage.md out.md", []],
  ])("%s freezes %j", (command, expected) => {
    expect(proven(command)).toEqual(expected);
  });
});

describe("added settings (D26)", () => {
  it("are not there while the work is verified; new tests are", () => {
    const changed = [
      "vitest.config.ts",
      "node_modules/.bin/vitest",
      "test/new.test.ts",
      "src/a.ts",
      "package.json",
      ".npmrc",
    ];
    const kindOf = fileKinds(defaultPolicy);
    const none = { isOfTool: () => false, goal: "" };
    const added = (allowed: string[]) =>
      addedSettings({ ...none, changed, files: ["package.json"], kindOf, commands: ["npm test"], allowed });
    expect(added([])).toEqual(["vitest.config.ts", "node_modules/.bin/vitest", ".npmrc"]);
    const script = { ...none, changed: ["scripts/total.sh"], files: [], kindOf, allowed: [] };
    expect(addedSettings({ ...script, commands: ["npm test"] })).toEqual(["scripts/total.sh"]);
    expect(addedSettings({ ...script, commands: ["sh scripts/total.sh"] })).toEqual([]);
    expect(added(["vitest.config.ts"])).toEqual(["node_modules/.bin/vitest", ".npmrc"]);
  });
});

describe("what follows a verification round", () => {
  const result = (id: string, status: CriterionResult["status"]): CriterionResult => ({
    id,
    slug: id,
    status,
    method: "bash",
    by: "x",
    details: [],
    durationMs: 0,
    output: null,
  });
  const facts: VerifiedFacts = {
    results: [result("AC-1", "pass")],
    passAsCommitted: [],
    touchedProof: [],
    trialReasons: [],
    proofIsAccepted: false,
    stopRequested: null,
    round: 1,
    rounds: 5,
    isToldInVain: false,
    lackProgram: [],
    isOwnCommand: false,
  };
  const failing = { ...facts, results: [result("AC-1", "pass"), result("AC-2", "fail")] };
  const byProof = { ...failing, passAsCommitted: ["AC-2"], touchedProof: ["test/b.js"] };

  it.each<[string, VerifiedFacts, object]>([
    ["all pass", facts, { type: "passed" }],
    ["a failure goes back", failing, { type: "again", failing: ["AC-2"] }],
    ["the last round fails", { ...failing, round: 5 }, { type: "fail", failing: ["AC-2"], isUnexaminable: false }],
    [
      "whoever was told exactly this in vain is not told it again",
      { ...failing, isToldInVain: true },
      { type: "fail", failing: ["AC-2"], isUnexaminable: false },
    ],
    ["what passes now was not told in vain", { ...facts, isToldInVain: true }, { type: "passed" }],
    [
      "an own command fails at once",
      { ...failing, isOwnCommand: true },
      { type: "fail", failing: ["AC-2"], isUnexaminable: false },
    ],
    ["changed proof is a question", byProof, { type: "ask-about-proof", files: ["test/b.js"], criteria: ["AC-2"] }],
    ["accepted proof counts", { ...byProof, proofIsAccepted: true }, { type: "passed" }],
    [
      "accepted proof excuses nothing else",
      { ...byProof, proofIsAccepted: true, passAsCommitted: [] },
      { type: "again", failing: ["AC-2"] },
    ],
    [
      "a failure that changed proof does not explain goes back",
      { ...byProof, passAsCommitted: [] },
      { type: "again", failing: ["AC-2"] },
    ],
    [
      "what nobody checked does not hold",
      { ...facts, results: [result("AC-1", "not-checked")] },
      { type: "fail", failing: ["AC-1"], isUnexaminable: true },
    ],
    [
      "what lacks a program that no work can bring is no more work for it",
      { ...failing, lackProgram: ["AC-2"] },
      { type: "fail", failing: ["AC-2"], isUnexaminable: true },
    ],
    [
      "beside what lacks a program, what fails by itself goes back",
      { ...failing, results: [result("AC-1", "fail"), result("AC-2", "fail")], lackProgram: ["AC-2"] },
      { type: "again", failing: ["AC-1", "AC-2"] },
    ],
    [
      "a check that is not blamed is no obstacle",
      { ...facts, results: [result("CHECK-1", "not-checked")] },
      { type: "passed" },
    ],
    ["skip", { ...facts, stopRequested: "skip" }, { type: "stopped", why: "skip" }],
    ["finished work is kept when a person pauses meanwhile", { ...facts, stopRequested: "pause" }, { type: "passed" }],
  ])("%s", (_title, given, decision) => {
    expect(decideVerified(given)).toEqual(decision);
  });
});

describe("the tag of a line (D27)", () => {
  it.each([
    [[], true, "claimed"],
    [[], false, "not checked"],
    [[["bash", "pass"]], true, "verified"],
    [
      [
        ["bash", "pass"],
        ["manual", "requires-human"],
      ],
      true,
      "verified",
    ],
    [[["manual", "requires-human"]], true, "claimed"],
    [
      [
        ["bash", "pass"],
        ["subagent", "not-checked"],
      ],
      true,
      "claimed",
    ],
    [[["bash", "fail"]], true, "claimed"],
  ] as const)("of %j, whose executor says that it is done: %s, is %s", (criteria, saysDone, tag) => {
    expect(evidenceTag({ criteria: criteria.map(([method, status]) => ({ method, status })), saysDone })).toBe(tag);
  });
});

describe("markers in a transcript", () => {
  it("count nothing: the gate counts its own refusals [S2-SH-11]", () => {
    const criteria = ["HOLD: Cannot stop", "HOLD: Cannot stop", "HOLD: Cannot stop"];
    const decision = decideStop({
      type: "inside",
      session: "in_progress",
      criteria,
      run: null,
      revision: null,
      blocks: 0,
      maxBlocks: 3,
    });
    expect(decision.type).toBe("block");
  });
});

describe("settings of tools (D26)", () => {
  const kindOf = fileKinds(defaultPolicy);
  const about = { kindOf, commands: ["yamllint ."], isOfTool: (path: string) => path === ".yamllint", allowed: [] };
  const changed = [".yamllint", "config.yaml"];
  const before = { ...about, files: changed, listed: [], onlyOfTests: [], proven: [] };

  it("are as at the base, and not there where they are added", () => {
    expect(proofFilesOf({ ...before, goal: "Round" })).toEqual([".yamllint"]);
    expect(addedSettings({ ...about, changed, files: [], goal: "Round" })).toEqual([".yamllint"]);
  });

  it("are free where the goal names them, or a person expects them", () => {
    expect(proofFilesOf({ ...before, goal: "Relax .yamllint." })).toEqual([]);
    expect(addedSettings({ ...about, changed, files: [], goal: "Add a .yamllint" })).toEqual([]);
    expect(addedSettings({ ...about, changed, files: [], goal: "", allowed: [".yamllint"] })).toEqual([]);
  });
});
