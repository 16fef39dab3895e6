import { describe, expect, it } from "vitest";
import { judgeTrials, type NearMiss, type TrialFacts, type TrialRun } from "../../../src/core/trials/judge.ts";
import { proofWords } from "../../../src/core/cards/proof-words.ts";
import { trialReasons, type TriedProof } from "../../../src/core/trials/tried.ts";

/** "a b -c ~d": a and b passed, c failed, d was skipped. */
function run(tests: string | null, result: TrialRun["result"] = "pass"): TrialRun {
  if (tests === null) return { result, report: null };
  const named = tests.split(" ").filter((word) => word !== "");
  return {
    result,
    report: {
      type: "names",
      tests: named.map((word) => ({
        name: word.replace(/^[-~]/, ""),
        outcome: word.startsWith("-") ? "failed" : word.startsWith("~") ? "skipped" : "passed",
      })),
    },
  };
}

const counted = (passed: number, failed: number, skipped = 0): TrialRun => ({
  result: failed > 0 ? "fail" : "pass",
  report: { type: "counts", passed, failed, skipped },
});
/** One of two failed; the output says, or not, that something is not there. */
const lacks = (is: boolean): TrialRun => ({
  result: "fail",
  report: { type: "counts", passed: 1, failed: 1, skipped: 0, lacks: is },
});
/** The first failed, since a function is not there. */
const lacking = (failed: string, passed: string): TrialRun => ({
  result: "fail",
  report: {
    type: "names",
    tests: [
      { name: failed, outcome: "failed", missing: "tax" },
      { name: passed, outcome: "passed" },
    ],
  },
});
const miss = (of: TrialRun, what = "42 became 43"): NearMiss => ({ ...of, what });
const seen = miss(run("-a b", "fail"));
const facts = (
  given: Partial<Omit<TrialFacts, "withoutSource">> & { without: TrialRun; times?: number },
): TrialFacts => ({
  work: run("a b"),
  base: null,
  withoutAdded: null,
  added: [],
  nature: "source",
  nearMisses: [seen],
  ...given,
  withoutSource: { ...given.without, times: given.times ?? 2 },
});

describe("the clock further on", () => {
  it.each([
    ["fails", "pass", "fail", ["not-later"]],
    ["passes", "pass", "pass", []],
    ["says nothing", "pass", "none", []],
    ["fails, and so does the work", "fail", "fail", []],
  ] as const)("asks where the work %s with it and passes today", (_what, today, later, asked) => {
    const given = {
      ...facts({ without: run("-a b", "fail"), work: run("a b", today) }),
      later: { result: later, days: 400 },
    };

    expect(judgeTrials(given).questions.map(({ type }) => type)).toEqual(asked);
  });
});

describe("another folder", () => {
  it.each([
    ["fails", "pass", "fail", ["not-elsewhere"]],
    ["passes", "pass", "pass", []],
    ["says nothing", "pass", "none", []],
    ["fails, and so does the work", "fail", "fail", []],
    ["is not looked at", "pass", null, []],
  ] as const)("asks where the work %s in it and passes where it is verified", (_what, here, elsewhere, asked) => {
    const given = { ...facts({ without: run("-a b", "fail"), work: run("a b", here) }), elsewhere };

    expect(judgeTrials(given).questions.map(({ type }) => type)).toEqual(asked);
  });
});

describe("a proof on trial (D38)", () => {
  it.each<[string, TrialFacts, string, string[], string[]]>([
    ["a fix with existing tests proves", facts({ without: run("-a b", "fail") }), "proves", ["a"], []],
    [
      "a new test proves when it is not there without the work",
      facts({ without: run("b", "fail"), base: run("b") }),
      "proves",
      ["a"],
      [],
    ],
    [
      "a test that cannot be loaded without the source, and passed at the base, guards",
      facts({ without: run(null, "fail"), base: run("b") }),
      "proves",
      ["a"],
      [],
    ],
    [
      "and where there is no other, all guard",
      facts({ without: run(null, "fail"), base: run("a b") }),
      "guards",
      [],
      [],
    ],
    [
      "a test that passed at the base, and fails by what it compares now, proves",
      facts({ without: run("-a b", "fail"), base: run("a b") }),
      "proves",
      ["a"],
      [],
    ],
    [
      "one that names what is not there without the source guards",
      facts({ without: lacking("a", "b"), base: run("a b") }),
      "guards",
      [],
      [],
    ],
    [
      "so it is where only numbers are known: wrong",
      facts({ work: counted(2, 0), without: lacks(false), base: counted(2, 0), nearMisses: [miss(counted(1, 1))] }),
      "proves",
      [],
      [],
    ],
    [
      "and something is not there",
      facts({ work: counted(2, 0), without: lacks(true), base: counted(2, 0), nearMisses: [miss(counted(1, 1))] }),
      "guards",
      [],
      [],
    ],
    ["a refactoring guards", facts({ without: run("a b") }), "guards", [], []],
    ["what moved guards: the same names ran", facts({ without: run("b a"), base: run("b a") }), "guards", [], []],
    [
      "a failure that did not come again is untried",
      facts({ without: run("-a b", "fail"), times: 1 }),
      "untried",
      [],
      [],
    ],
    [
      "no near miss seen: no power",
      facts({ without: run("-a b", "fail"), nearMisses: [miss(run("a b"))] }),
      "no-power",
      [],
      ["no-power"],
    ],
    [
      "no near miss could be made: untried, and nobody is asked",
      facts({ without: run("-a b", "fail"), nearMisses: [] }),
      "untried",
      [],
      [],
    ],
    [
      "near misses that say nothing are none",
      facts({ without: run("a b"), nearMisses: [miss(run(null, "none"))] }),
      "untried",
      [],
      [],
    ],
    ["a trial that could not be run is no verdict", facts({ without: run(null, "none") }), "untried", [], []],
    [
      "a command without tests proves by failing without the source",
      facts({ work: run(null), without: run(null, "fail"), nearMisses: [miss(run(null, "fail"))] }),
      "proves",
      [],
      [],
    ],
    [
      "a lint that sees what is broken guards",
      facts({ work: run(null), without: run(null), nearMisses: [miss(run(null, "fail"))] }),
      "guards",
      [],
      [],
    ],
    [
      "`true` has no power",
      facts({ work: run(null), without: run(null), nearMisses: [miss(run(null))] }),
      "no-power",
      [],
      ["no-power"],
    ],
    [
      "changed tests alone made it pass",
      facts({ without: run("a b"), base: run("-a b", "fail") }),
      "guards",
      [],
      ["passed-by-proof"],
    ],
    [
      "what was added to the tests makes up for what was broken",
      facts({ without: run("a b"), base: run("a b"), withoutAdded: run("-a b", "fail"), added: ["tests/__init__.py"] }),
      "guards",
      [],
      ["passed-by-added"],
    ],
    [
      "what was added to the tests is not needed",
      facts({ without: run("b", "fail"), base: run("b"), withoutAdded: run("b"), added: ["tests/a.py"] }),
      "proves",
      ["a"],
      [],
    ],
    [
      "a test that ran at the base is gone",
      facts({ work: run("b"), without: run("b"), base: run("a b"), nearMisses: [miss(run("-b", "fail"))] }),
      "guards",
      [],
      ["tests-gone"],
    ],
    [
      "a test that only has another title is still there",
      {
        ...facts({ work: run("c b"), without: run("c b"), base: run("a b"), nearMisses: [miss(run("-b", "fail"))] }),
        retitled: [new Map([["a", "c"]])],
      },
      "guards",
      [],
      [],
    ],
    [
      "one that is skipped now is gone too",
      facts({ work: run("~a b"), without: run("-a b", "fail"), nearMisses: [miss(run("-b", "fail"))] }),
      "guards",
      [],
      ["tests-gone"],
    ],
    [
      "a process that ends itself reports no test any more",
      facts({ work: run("test/a.js"), without: run("-a b", "fail"), nearMisses: [miss(run("test/a.js"))] }),
      "no-power",
      [],
      ["tests-gone", "no-power"],
    ],
    [
      "fewer tests, where only numbers are known",
      facts({ work: counted(1, 0), without: counted(2, 1), nearMisses: [miss(counted(0, 1))] }),
      "proves",
      [],
      ["tests-gone"],
    ],
    [
      "fewer tests of the first runner, however many the second has, which did not come to run before",
      facts({
        work: { result: "pass", report: { type: "counts", passed: 4, failed: 0, skipped: 0, runs: [2, 2] } },
        without: counted(2, 1),
        nearMisses: [miss(counted(1, 1))],
      }),
      "proves",
      [],
      ["tests-gone"],
    ],
    [
      "as many tests, by number",
      facts({ work: counted(3, 0), without: counted(2, 1), nearMisses: [miss(counted(2, 1))] }),
      "proves",
      [],
      [],
    ],
    [
      "a file that cannot be loaded is no test that fails",
      facts({ without: run("a b"), nearMisses: [miss(run("-test/a.js b", "fail"))] }),
      "no-power",
      [],
      ["no-power"],
    ],
    [
      "a test whose name holds its values is the same",
      facts({
        work: run("add[1-2]"),
        without: run("add[1-2]"),
        nearMisses: [miss(run("-add[1-3]", "fail"))],
      }),
      "guards",
      [],
      [],
    ],
    [
      "as many by number as at the base, where the source is needed to load them: all guard",
      facts({
        work: counted(2, 0),
        without: run(null, "fail"),
        base: counted(2, 0),
        nearMisses: [miss(counted(1, 1))],
      }),
      "guards",
      [],
      [],
    ],
    [
      "one more by number: it proves",
      facts({
        work: counted(3, 0),
        without: run(null, "fail"),
        base: counted(2, 0),
        nearMisses: [miss(counted(2, 1))],
      }),
      "proves",
      [],
      [],
    ],
    [
      "a runner that fails before it runs a test has not seen a near miss",
      facts({ without: run("-a b", "fail"), nearMisses: [miss(run(null, "fail"))] }),
      "no-power",
      [],
      ["no-power"],
    ],
    [
      "a failing test that was added fails beside all that passed before: it was seen",
      facts({ without: run("a b"), nearMisses: [{ ...miss(run("a b -added", "fail")), addedTest: "added" }] }),
      "guards",
      [],
      [],
    ],
    [
      "the file to which it was added cannot be loaded: it was not seen",
      facts({ without: run("a b"), nearMisses: [{ ...miss(run("-test/a.js b", "fail")), addedTest: "added" }] }),
      "no-power",
      [],
      ["no-power"],
    ],
    [
      "beside it not all ran that passed before: it was not seen",
      facts({ without: run("a b"), nearMisses: [{ ...miss(run("b -added", "fail")), addedTest: "added" }] }),
      "no-power",
      [],
      ["no-power"],
    ],
  ])("%s [F-201, F-205]", (_what, given, verdict, proving, questions) => {
    const judged = judgeTrials(given);

    expect([judged.verdict, judged.proving, judged.questions.map(({ type }) => type)]).toEqual([
      verdict,
      proving,
      questions,
    ]);
  });

  it("names what it passed all the same, not what failed for a reason of its own", () => {
    const other = miss(run("a b -added", "fail"), "a failing test was added to a.test.js");
    const tried = (nearMisses: NearMiss[]): unknown =>
      judgeTrials(facts({ without: run("a b"), nearMisses })).questions.at(0);

    expect(tried([other, miss(run("a b"), "1 became 2")])).toEqual({ type: "no-power", tried: ["1 became 2"] });
    expect(tried([other])).toEqual({ type: "no-power", tried: [other.what], noneFailed: true });
  });

  it("asks nobody about tests that a person allowed to change", () => {
    const given = facts({
      work: run("b"),
      without: run("b"),
      base: run("-a b", "fail"),
      nearMisses: [miss(run("-b", "fail"))],
    });

    expect(judgeTrials(given, true).questions).toEqual([]);
  });
});

describe("why a person is asked about what passed", () => {
  const proof = (given: Partial<TriedProof>): TriedProof => ({
    id: "AC-1",
    command: "npm test",
    verdict: "guards",
    proving: [],
    guarding: 2,
    tests: 2,
    questions: [],
    again: null,
    trials: [],
    ...given,
  });
  const asks = { aboutGuards: false, aboutUnsteady: true };

  it("names what has no power with what was tried, and tests that are gone by name", () => {
    const questions = [
      { type: "no-power", tried: ["test/a.js:4: 42 became 43"] },
      { type: "no-power", tried: ["src/a.js was broken"], noneFailed: true },
      { type: "tests-gone", number: 1, names: ["the price"] },
      { type: "passed-by-added", added: ["tests/__init__.py"] },
    ] as const;

    expect(trialReasons([proof({ questions })], asks)).toEqual([
      "AC-1 passes whatever is broken: it has no power (test/a.js:4: 42 became 43, and it passed all the same)",
      "AC-1 fails when broken, but none of its tests does: it has no power (src/a.js was broken)",
      "AC-1: 1 test that ran before does not run any more: the price",
      "AC-1 passed before, and fails on this work without what was added to the tests: tests/__init__.py",
    ]);
  });

  it("is source that names a runner, once, whatever proves it [F-201]", () => {
    const questions = [{ type: "names-runner", path: "src/price.js", names: ["vitest"] }] as const;

    expect(trialReasons([proof({ questions }), proof({ id: "AC-2", questions })], asks)).toEqual([
      "src/price.js names vitest, which no source did before: what is tested can tell that it is, change how, or read what is wanted of it",
    ]);
  });

  it("is source that changes what all code shares [F-201]", () => {
    const questions = [{ type: "changes-shared", path: "src/price.js", names: ["Object.is"] }] as const;

    expect(trialReasons([proof({ questions })], asks)).toEqual([
      "src/price.js changes Object.is, which all code shares: by that it can decide what its own tests compare",
    ]);
  });

  it.each([
    [["src/a.js"], "src/a.js is too much to be looked at"],
    [["src/a.js", "src/b.js", "src/c.js"], "src/a.js and 2 other files are too much to be looked at"],
  ])("is source that nobody has read: %j [F-201]", (paths, words) => {
    const questions = [{ type: "unread", paths }] as const;

    expect(trialReasons([proof({ questions })], asks)).toEqual([
      `${words}: whether what is tested can tell that it is was not seen`,
    ]);
  });

  it("counts the new tests that lie in the source, which were not tried without it", () => {
    const proof = judgeTrials(facts({ work: run("a b c"), without: run("a b") }));
    const tried = { ...proof, id: "AC-1", command: "cargo test", again: null, nature: "source", trials: [] } as const;

    expect(proof).toMatchObject({ verdict: "guards", inSource: 1 });
    expect(proofWords([tried])).toContain(
      "unchanged as far as 2 tests see, and 1 new test in the changed source could not be tried without it.",
    );
  });

  it("is that guards alone prove nothing, where that is asked", () => {
    expect(trialReasons([proof({})], asks)).toEqual([]);
    expect(trialReasons([proof({})], { ...asks, aboutGuards: true })).toEqual([
      "Guards only: nothing proves the change",
    ]);
    expect(trialReasons([proof({}), proof({ verdict: "proves" })], { ...asks, aboutGuards: true })).toEqual([]);
  });

  it("is what passed and failed on the same work, where that is asked [F-205]", () => {
    const again = { passed: 2, of: 5, isUnsteady: true };

    expect(trialReasons([proof({ again })], asks)).toEqual(["AC-1 passed 2 of 5 runs: it is not steady"]);
    expect(trialReasons([proof({ again })], { ...asks, aboutUnsteady: false })).toEqual([]);
    expect(trialReasons([proof({ again: { ...again, isUnsteady: false } })], asks)).toEqual([]);
  });
});
