import { describe, expect, it } from "vitest";
import { namesOf, readJunit, readSummary } from "../../../src/core/trials/report.ts";

/** As `node --test` of Node 20 writes it. */
const node = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testcase name="the price" time="0.001871" classname="test" failure="1 !== 42">
		<failure type="testCodeFailure" message="Expected values > to be equal: 1 !== 42">
    at TestContext.&lt;anonymous> (file:///place/test/a.test.mjs:2:32) { code: 'ERR_ASSERTION' }
		</failure>
	</testcase>
	<testcase name="ok &amp;quot;quoted&amp;quot; &amp; &lt;x>" time="0.000135" classname="test"/>
	<testsuite name="group" time="0.006232" tests="2" failures="0" skipped="1">
		<testcase name="inner" time="0.000157" classname="test"/>
		<testcase name="left out" time="0.000083" classname="test">
			<skipped type="skipped" message="true"/>
		</testcase>
	</testsuite>
	<testcase name="/place/test/exit.test.mjs" time="0.12" classname="test"/>
	<!-- tests 6 <testcase name="no"/> -->
</testsuites>`;

/** As pytest 9 writes it. */
const pytest = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" tests="4"><testcase classname="test_a" name="test_one" time="0.001"><failure message="assert 1 == 2">&gt; def test_one(): assert 1 == 2</failure></testcase><testcase classname="tests.test_a.TestX" name="test_two" time="0.000" /><testcase classname="test_a" name="test_three"><skipped type="pytest.skip" message="x">y</skipped></testcase><testcase classname="test_b" name="test_two"><error message="collection failure">x</error></testcase></testsuite></testsuites>`;

describe("what a runner says of its tests", () => {
  it("is read by name of node's JUnit file, with its suites and without its place", () => {
    expect(readJunit(node, "/place")).toEqual({
      type: "names",
      tests: [
        { name: "the price", outcome: "failed" },
        { name: 'ok "quoted" & <x>', outcome: "passed" },
        { name: "group > inner", outcome: "passed" },
        { name: "group > left out", outcome: "skipped" },
        { name: "test/exit.test.mjs", outcome: "passed" },
      ],
    });
  });

  it.each([
    [
      "node's",
      '<testcase name="/place/test/a.test.js" classname="test" failure="test failed"><failure message="no"/></testcase>',
    ],
    [
      "vitest's",
      '<testsuite name="test/a.test.ts"><testcase classname="test/a.test.ts" name="test/a.test.ts"><failure message="no"/></testcase></testsuite>',
    ],
  ])("knows by its name a file that could not be loaded in a report of %s", (_, text) => {
    expect(readJunit(`<testsuites>${text}</testsuites>`, "/place")).toMatchObject({ tests: [{ isUnloaded: true }] });
    const passed = text.replace(/<failure[^>]*>/, "");
    expect(readJunit(`<testsuites>${passed}</testsuites>`, "/place")).not.toMatchObject({
      tests: [{ isUnloaded: true }],
    });
    const named = text.replaceAll(/name="[^"]*a.test.[jt]s"/g, 'name="reads a.test.js"');
    expect(readJunit(`<testsuites>${named}</testsuites>`, "/place")).not.toMatchObject({
      tests: [{ isUnloaded: true }],
    });
  });

  it("names at most twenty suites within each other and a thousand characters, so that what it costs grows as its text does [F-109]", () => {
    const suites = Array.from({ length: 22 }, (_, index) => `<testsuite name="s${index + 1}">`).join("");
    const nested = `${suites}<testcase name="deep"/>${"</testsuite>".repeat(3)}<testcase name="nineteen"/>${"</testsuite>".repeat(19)}<testcase name="top"/>`;
    const named = (text: string): string[] => namesOf(readJunit(text, "/place"), "passed");

    expect(named(nested)).toEqual([
      "s1 > s2 > s3 > s4 > s5 > s6 > s7 > s8 > s9 > s10 > s11 > s12 > s13 > s14 > s15 > s16 > s17 > s18 > s19 > s20 > deep",
      "s1 > s2 > s3 > s4 > s5 > s6 > s7 > s8 > s9 > s10 > s11 > s12 > s13 > s14 > s15 > s16 > s17 > s18 > s19 > nineteen",
      "top",
    ]);
    expect(named(`<testsuite name="a"><testcase name="${"b".repeat(2_000)}"/>`)).toEqual([`a > ${"b".repeat(996)}`]);
  });

  it("is read by name of pytest's, where a class is part of the name and a module is not", () => {
    expect(readJunit(pytest, "/place")).toEqual({
      type: "names",
      tests: [
        { name: "test_one", outcome: "failed" },
        { name: "TestX > test_two", outcome: "passed" },
        { name: "test_three", outcome: "skipped" },
        { name: "test_two", outcome: "failed", isUnloaded: true },
      ],
    });
  });

  it.each<[string, string, [number, number, number] | null]>([
    [
      "vitest",
      " Test Files  1 failed (1)\n      Tests  1 failed | 2 passed | 1 skipped (4)\n   Start at  10:00:00\n",
      [2, 1, 1],
    ],
    ["PHPUnit", "Time: 00:00.004, Memory: 8.00 MB\n\nOK (5 tests, 6 assertions)\n", [5, 0, 0]],
    [
      "PHPUnit, with a skipped test",
      "OK, but some tests were skipped!\nTests: 5, Assertions: 4, Skipped: 1.\n",
      [4, 0, 1],
    ],
    ["PHPUnit, with issues", "OK, but there were issues!\nTests: 5, Assertions: 5, Deprecations: 2.\n", [5, 0, 0]],
    [
      "PHPUnit that fails",
      "ERRORS!\nTests: 9, Assertions: 5, Errors: 1, Failures: 2, Skipped: 1, Incomplete: 1, Risky: 1.\n",
      [4, 3, 2],
    ],
    ["jest", "Test Suites: 1 passed, 1 total\nTests:       1 failed, 2 passed, 3 total\nTime: 1 s\n", [2, 1, 0]],
    ["mocha", "\n  3 passing (12ms)\n  1 pending\n  2 failing\n\n  1) it\n", [3, 2, 1]],
    ["pytest", "....\n=== 1 failed, 3 passed, 2 skipped in 0.12s ===\n", [3, 1, 2]],
    ["unittest", "...\n----\nRan 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n", [2, 2, 1]],
    ["node", "ℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\n", [2, 1, 0]],
    ["node, as TAP", "# tests 3\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0\n", [3, 0, 0]],
    ["tape", "ok 4 is 42\n\n1..4\n# tests 4\n# pass  3\n# skip  1\n\n# ok\n", [3, 0, 1]],
    [
      "cargo, which runs several programs of tests",
      "running 2 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
      [2, 0, 1],
    ],
    [
      "two runners, one after the other",
      "ℹ pass 3\nℹ fail 0\nℹ skipped 0\n\n\n\n\n\n\n\n=== 1 passed in 0.12s ===\n",
      [4, 0, 0],
    ],
    [
      "minitest",
      "F..\n\nFinished in 0.001s, 3172.67 runs/s.\n\n5 runs, 6 assertions, 1 failures, 1 errors, 1 skips\n",
      [2, 2, 1],
    ],
    ["test-unit", "3 tests, 3 assertions, 1 failures, 0 errors, 1 pendings, 0 omissions, 0 notifications\n", [1, 1, 1]],
    ["RSpec", "Finished in 0.01 seconds\n3 examples, 1 failure, 1 pending\n", [1, 1, 1]],
    ["RSpec that passes", "1 example, 0 failures\n", [1, 0, 0]],
    ["ExUnit", "Finished in 0.03 seconds\n1 doctest, 3 tests, 1 failure, 1 excluded\n", [1, 1, 1]],
    ["bats", "2 tests, 0 failures\n", [2, 0, 0]],
    ["a linter", "checked 12 files, no problems\n", null],
    ["nothing", "", null],
  ])("is read from the summaries of %s", (_runner, output, expected) => {
    const found = readSummary(output);

    expect(found?.type === "counts" ? [found.passed, found.failed, found.skipped] : found).toEqual(expected);
  });

  it.each<[string, string, string[] | undefined]>([
    [
      "vitest",
      " FAIL  test/price.test.js > shop > the price\n FAIL  |walks| test/new.test.js [ test/new.test.js ]\n Tests  1 failed | 2 passed (3)\n",
      ["shop > the price", "test/new.test.js"],
    ],
    ["jest", "  ● shop › the price\n\n    expect(1)\n\nTests:       1 failed, 1 total\n", ["shop > the price"]],
    ["mocha", "    ✔ a sum\n    1) the price\n\n  1 passing (12ms)\n  1 failing\n", ["the price"]],
    [
      "cargo",
      "test tests::one ... FAILED\ntest result: FAILED. 1 passed; 1 failed; finished in 0.00s\n",
      ["tests::one"],
    ],
    [
      "minitest",
      "  1) Failure:\nRosterTest#test_wraps [test/roster_test.rb:12]:\nExpected: 1\n  2) Error:\nRosterTest#test_name:\nNoMethodError: no\n\n2 runs, 1 assertions, 1 failures, 1 errors, 0 skips\n",
      ["RosterTest#test_wraps", "RosterTest#test_name"],
    ],
    [
      "test-unit",
      "Failure: test_wraps(RosterTest)\n1 tests, 1 assertions, 1 failures, 0 errors, 0 pendings\n",
      ["test_wraps(RosterTest)"],
    ],
    ["RSpec", "  1) Roster wraps\n     Failure/Error: expect(1)\n\n1 example, 1 failure\n", ["Roster wraps"]],
    ["vitest that passes", "stdout: FAIL\n Tests  2 passed (2)\n", undefined],
  ])("names what failed where only numbers are known: %s", (_runner, output, failing) => {
    const found = readSummary(output);

    expect(found?.type === "counts" ? found.failing : null).toEqual(failing);
  });

  it.each<[string, string, string[] | undefined]>([
    [
      "tape",
      "# the price\nok 1 should be equal\nnot ok 2 should be strictly equal\n  ---\n    operator: equal\n# a sum\nnot ok 3 should be equal # TODO later\n# tests 3\n# pass  2\n# fail  1\n",
      ["the price"],
    ],
    [
      "node, as TAP",
      "# Subtest: shop\n    # Subtest: the price\n    not ok 1 - the price # time=3ms\n    1..1\nnot ok 1 - shop\n# tests 2\n# pass 0\n# fail 2\n",
      ["the price", "shop"],
    ],
    ["tape that passes", "# the price\nok 1 should be equal\n# tests 1\n# pass  1\n", undefined],
  ])("names what TAP says failed, apart from titles: %s [F-205]", (_runner, output, notOk) => {
    const found = readSummary(output);

    expect(found).toMatchObject({ type: "counts" });
    expect(found?.type === "counts" ? [found.notOk, found.failing] : null).toEqual([notOk, undefined]);
  });

  it("is nothing where a file is cut or holds no test", () => {
    expect(readJunit("", "/place")).toBeNull();
    expect(readJunit('<testsuites><testcase name="a', "/place")).toBeNull();
    expect(readJunit("<testsuites></testsuites>", "/place")).toBeNull();
  });
});
