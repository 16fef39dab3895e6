import { describe, expect, it } from "vitest";
import { saysFailure, tellingLines } from "../../../src/core/acceptance/telling-lines.ts";

const warnings = Array.from(
  { length: 9 },
  (_each, at) => `warning: unused variable: \`x${at}\`\n --> src/m${at}.rs:${at + 3}:9\n  |`,
).join("\n");
const stack = Array.from({ length: 9 }, (_each, at) => `      at Object.warn (src/log.ts:${at + 3}:11)`).join("\n");

describe("what an output says of a failure", () => {
  it.each([
    [
      "unittest",
      'FAIL: test_up (test_a.T)\nTraceback (most recent call last):\n  File "/x/test_a.py", line 6, in test_up\n    self.assertEqual(1, 2)\nAssertionError: 1 != 2',
      ['File "/x/test_a.py", line 6, in test_up', "AssertionError: 1 != 2"],
    ],
    [
      "minitest",
      "  1) Failure:\nTestA#test_up [test/a_test.rb:6]:\nExpected: 2\n  Actual: 1",
      ["TestA#test_up [test/a_test.rb:6]:", "Expected: 2", "Actual: 1"],
    ],
    [
      "RSpec",
      "Failure/Error: expect(up(1)).to eq 2\n\n  expected: 2\n       got: 1\n\n# ./spec/a_spec.rb:5:in `block'",
      ["expected: 2", "got: 1", "# ./spec/a_spec.rb:5:in `block'"],
    ],
    ["Bats", "not ok 1 rounds up\n# (in test file a.bats, line 3)", ["# (in test file a.bats, line 3)"]],
    ["Deno", "error: AssertionError: no\n    at file:///x/a_test.ts:4:3", ["at file:///x/a_test.ts:4:3"]],
    [
      "ESLint",
      "/x/src/a.js\n  1:7  error  'x' is never used  no-unused-vars\n  9:1  error  no  semi\n\n/x/src/b.js\n  2:3  error  no  semi\n",
      [
        "/x/src/a.js:1:7  error  'x' is never used  no-unused-vars",
        "/x/src/a.js:9:1  error  no  semi",
        "/x/src/b.js:2:3  error  no  semi",
      ],
    ],
  ])("is where %s says that it is [S2-DN-09]", (_, output, told) => {
    expect(tellingLines(output)).toEqual(expect.arrayContaining(told));
  });

  it("say where something is wrong [S2-DN-09]", () => {
    const output =
      "> test\n\nnotification.test.ts:45 - expected 'queued' got 'sent'\nok 1\n  at src/bus.ts(12,3)\nTests: 1 failed\n";
    expect(tellingLines(output).slice(0, 2)).toEqual([
      "notification.test.ts:45 - expected 'queued' got 'sent'",
      "at src/bus.ts(12,3)",
    ]);
    expect(tellingLines("just\nwords")).toEqual(["just", "words"]);
  });

  it.each([
    [
      "cargo's, behind warnings",
      `${warnings}\ntest tests::a ... ok\ntest tests::rounds ... FAILED\n\n---- tests::rounds stdout ----\nthread 'tests::rounds' panicked at src/lib.rs:12:9:\nassertion \`left == right\` failed\n  left: 1\n right: 2\n\ntest result: FAILED. 1 passed; 1 failed`,
      [
        "test tests::rounds ... FAILED",
        "thread 'tests::rounds' panicked at src/lib.rs:12:9:",
        "assertion `left == right` failed",
        "left: 1",
        "right: 2",
        "test result: FAILED. 1 passed; 1 failed",
      ],
    ],
    [
      "jest's, behind what was logged",
      `  console.warn\n    deprecated\n\n${stack}\n\n  ● price › rounds\n\n    expect(received).toBe(expected)\n\n    Expected: 2\n    Received: 1\n\n      at Object.<anonymous> (test/price.test.ts:5:20)\n\nTests:       1 failed, 1 total`,
      [
        "● price › rounds",
        "expect(received).toBe(expected)",
        "Expected: 2",
        "Received: 1",
        "at Object.<anonymous> (test/price.test.ts:5:20)",
        "Tests:       1 failed, 1 total",
      ],
    ],
    [
      "vitest's, behind a compiler's warnings",
      `${Array.from({ length: 10 }, (_each, at) => `src/w${at}.ts(3,4): warning TS6133`).join("\n")}\n FAIL  test/price.test.ts > rounds\nAssertionError: expected 1 to be 2\n ❯ test/price.test.ts:5:20`,
      ["FAIL  test/price.test.ts > rounds", "AssertionError: expected 1 to be 2", "❯ test/price.test.ts:5:20"],
    ],
  ])("is %s", (_, output, told) => {
    const lines = tellingLines(output);

    expect(lines).toEqual(expect.arrayContaining(told));
    expect(lines.slice(-told.length)).toEqual(told);
  });

  it.each([
    [
      "Maven's tests",
      `[INFO] Running shop.PriceTest
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in shop.PriceTest
[ERROR] shop.PriceTest.tax -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <12> but was: <10>
\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
\tat java.base/java.lang.reflect.Method.invoke(Method.java:580)
\tat shop.PriceTest.tax(PriceTest.java:12)

[INFO] Results:
[INFO]
[ERROR] Failures: 
[ERROR]   PriceTest.tax:12 expected: <12> but was: <10>
[INFO]
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0
[INFO]
[INFO] ------------------------------------------------------------------------
[INFO] BUILD FAILURE
[INFO] ------------------------------------------------------------------------
[INFO] Total time:  2.113 s
[INFO] Finished at: 2026-11-28T21:10:00Z
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project shop: There are test failures.
[ERROR]
[ERROR] Please refer to /app/target/surefire-reports for the individual test results.
[ERROR] Please refer to dump files (if any exist) [date].dump, [date]-jvmRun[N].dump and [date].dumpstream.
[ERROR] -> [Help 1]
[ERROR]
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] Re-run Maven using the -X switch to enable full debug logging.
[ERROR]
[ERROR] For more information about the errors and possible solutions, please read the following articles:
[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/MojoFailureException
[ERROR]
[ERROR] After correcting the problems, you can resume the build with the command
[ERROR]   mvn <args> -rf :shop`,
      [
        "[ERROR] shop.PriceTest.tax -- Time elapsed: 0.01 s <<< FAILURE!",
        "org.opentest4j.AssertionFailedError: expected: <12> but was: <10>",
        "at shop.PriceTest.tax(PriceTest.java:12)",
        "[ERROR]   PriceTest.tax:12 expected: <12> but was: <10>",
      ],
      /Help|refer to|re-run|Re-run|mvn <|^\[ERROR\]$/,
    ],
    [
      "Maven's compiler",
      `[INFO] --- compiler:3.11.0:compile (default-compile) @ shop ---
[INFO] -------------------------------------------------------------
[ERROR] COMPILATION ERROR :
[INFO] -------------------------------------------------------------
[ERROR] /app/src/main/java/shop/Price.java:[12,9] cannot find symbol
  symbol:   variable rate
  location: class shop.Price
[ERROR] /app/src/main/java/shop/Cart.java:[3,19] package shop.tax does not exist
[INFO] 2 errors
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile (default-compile) on project shop: Compilation failure: Compilation failure:
[ERROR] /app/src/main/java/shop/Price.java:[12,9] cannot find symbol
[ERROR]   symbol:   variable rate
[ERROR]   location: class shop.Price
[ERROR] /app/src/main/java/shop/Cart.java:[3,19] package shop.tax does not exist
[ERROR] -> [Help 1]
[ERROR]
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] Re-run Maven using the -X switch to enable full debug logging.
[ERROR]
[ERROR] For more information about the errors and possible solutions, please read the following articles:
[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/MojoFailureException`,
      [
        "[ERROR] /app/src/main/java/shop/Price.java:[12,9] cannot find symbol",
        "[ERROR] /app/src/main/java/shop/Cart.java:[3,19] package shop.tax does not exist",
        "[ERROR]   symbol:   variable rate",
      ],
      /Help|re-run|Re-run|^\[ERROR\]$/,
    ],
    [
      "Gradle's tests",
      `${Array.from({ length: 6 }, (_each, at) => `PriceTest > case${at}() FAILED\n    org.opentest4j.AssertionFailedError at PriceTest.java:${at + 12}\n`).join("\n")}
12 tests completed, 6 failed

> Task :test FAILED

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':test'.
> There were failing tests. See the report at: file:///app/build/reports/tests/test/index.html

* Try:
> Run with --scan to get full insights.

BUILD FAILED in 3s`,
      [
        "PriceTest > case2() FAILED",
        "org.opentest4j.AssertionFailedError at PriceTest.java:14",
        "PriceTest > case5() FAILED",
        "org.opentest4j.AssertionFailedError at PriceTest.java:17",
      ],
      /BUILD FAILED|Execution failed|scan/,
    ],
    [
      "sbt's tests",
      `[info] PriceSpec:
[info] - rounds *** FAILED ***
[info]   1 did not equal 2 (PriceSpec.scala:12)
[info] Run completed in 150 milliseconds.
[info] Tests: succeeded 3, failed 1, canceled 0, ignored 0, pending 0
[info] *** 1 TEST FAILED ***
[error] Failed: Total 4, Failed 1, Errors 0, Passed 3
[error] Failed tests:
[error] \tshop.PriceSpec
[error] (Test / test) sbt.TestsFailedException: Tests unsuccessful
[error] Total time: 1 s, completed Nov 28, 2026, 9:10:00 PM`,
      ["[info] - rounds *** FAILED ***", "[info]   1 did not equal 2 (PriceSpec.scala:12)", "[error] \tshop.PriceSpec"],
      /Total time|Failed tests:$/,
    ],
    [
      "sbt's compiler",
      `${Array.from({ length: 9 }, (_each, at) => `[error] /app/src/main/scala/A${at}.scala:3:12: not found: value x\n[error]   val a = x\n[error]           ^\n`).join("")}[error] 9 errors found
[error] (Compile / compileIncremental) Compilation failed
[error] Total time: 1 s, completed Nov 28, 2026, 9:10:00 PM`,
      Array.from({ length: 8 }, (_each, at) => `[error] /app/src/main/scala/A${at}.scala:3:12: not found: value x`),
      /\^|Total time/,
    ],
    [
      "what lerna ran",
      `lerna ERR! npm run test exited 1 in '@shop/api'
lerna ERR! npm run test stdout:
  ● price › rounds

    Expected: 2
    Received: 1

      at Object.<anonymous> (test/price.test.ts:5:20)

lerna ERR! npm run test stderr:
npm ERR! Lifecycle script \`test\` failed with error:
npm ERR! Error: command failed
npm ERR!   in workspace: @shop/api
lerna ERR! npm run test exited 1 in '@shop/api'
lerna WARN complete Waiting for 2 children to exit. CTRL-C to exit immediately.`,
      ["● price › rounds", "Expected: 2", "Received: 1", "at Object.<anonymous> (test/price.test.ts:5:20)"],
      /std(?:out|err):|Waiting/,
    ],
    [
      "MSBuild's",
      `  Determining projects to restore...
/app/src/Price.cs(12,9): error CS0103: The name 'rate' does not exist in the current context [/app/src/Shop.csproj]

Build FAILED.

/app/src/Price.cs(12,9): error CS0103: The name 'rate' does not exist in the current context [/app/src/Shop.csproj]
    0 Warning(s)
    1 Error(s)

Time Elapsed 00:00:02.10`,
      [
        "/app/src/Price.cs(12,9): error CS0103: The name 'rate' does not exist in the current context [/app/src/Shop.csproj]",
      ],
      /Time Elapsed/,
    ],
    [
      ".NET's tests",
      `[xUnit.net 00:00:00.50]     Shop.Tests.PriceTests.Tax [FAIL]
  Failed Shop.Tests.PriceTests.Tax [12 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 12
Actual:   10
  Stack Trace:
     at Shop.Tests.PriceTests.Tax() in /app/tests/PriceTests.cs:line 12

Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4, Duration: 20 ms - Shop.Tests.dll (net8.0)`,
      [
        "Failed Shop.Tests.PriceTests.Tax [12 ms]",
        "Assert.Equal() Failure: Values differ",
        "Expected: 12",
        "Actual:   10",
        "at Shop.Tests.PriceTests.Tax() in /app/tests/PriceTests.cs:line 12",
      ],
      /Message:|Trace:/,
    ],
  ])("is %s, and not what closes every run of it", (_, output, told, untold) => {
    const lines = tellingLines(output);

    expect(lines).toEqual(expect.arrayContaining(told));
    expect(lines.filter((line) => untold.test(line))).toEqual([]);
  });

  it("is what a build tool says last where it says nothing of tests or places", () => {
    const wanted =
      "[ERROR] Failed to execute goal on project shop: Could not resolve dependencies for project shop:shop:jar:1: missing";

    expect(
      tellingLines(`[INFO] BUILD FAILURE\n${wanted} -> [Help 1]\n[ERROR]\n[ERROR] Re-run Maven using the -X switch`),
    ).toContain(`${wanted} -> [Help 1]`);
    expect(
      tellingLines("npm test\nmake[1]: *** [Makefile:3: test] Error 1\nmake: *** [Makefile:1: all] Error 2"),
    ).toHaveLength(2);
  });

  it.each([
    ["Python", "E   NameError: name 'dirty' is not defined"],
    ["Java", "java.lang.NullPointerException: no price"],
    ["C#", "System.InvalidOperationException : Sequence contains no elements"],
    ["Node", "TypeError: price is not a function"],
  ])("is the exception that %s names, below places and totals", (_, thrown) => {
    const places = Array.from({ length: 9 }, (_each, at) => `src/m${at}.py:${at + 1}: in f${at}`);

    expect(tellingLines([...places, thrown].join("\n"))).toContain(thrown);
    expect(saysFailure(`    ${thrown}`)).toBe(true);
  });

  it("is what pytest could not collect and why, and no heading of it", () => {
    const lines = tellingLines(
      `collected 0 items / 1 error

==================================== ERRORS ====================================
______________________ ERROR collecting tests/test_add.py ______________________
tests/test_add.py:1: in <module>
    from tool import add
tool/__init__.py:3: in <module>
    dirty
E   NameError: name 'dirty' is not defined
=========================== short test summary info ============================
ERROR tests/test_add.py - NameError: name 'dirty' is not defined
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
=============================== 1 error in 2.44s ===============================`,
    );

    expect(lines.slice(0, 4)).toEqual([
      "tests/test_add.py:1: in <module>",
      "tool/__init__.py:3: in <module>",
      "E   NameError: name 'dirty' is not defined",
      "ERROR tests/test_add.py - NameError: name 'dirty' is not defined",
    ]);
  });

  it("is the first errors of a compiler, and the last failures of a runner", () => {
    const errors = Array.from({ length: 20 }, (_each, at) => `src/a${at}.ts(3,4): error TS2322: no`);
    const failures = Array.from({ length: 20 }, (_each, at) => `--- FAIL: Test${at} (0.00s)`);

    expect(tellingLines(errors.join("\n"))).toEqual(errors.slice(0, 8));
    expect(tellingLines(failures.join("\n"))).toEqual(failures.slice(-8));
  });
});
