import { describe, expect, it } from "vitest";
import { tellingLines } from "../../../src/core/acceptance/telling-lines.ts";

const warnings = Array.from(
  { length: 9 },
  (_each, at) => `warning: unused variable: \`x${at}\`\n --> src/m${at}.rs:${at + 3}:9\n  |`,
).join("\n");
const stack = Array.from({ length: 9 }, (_each, at) => `      at Object.warn (src/log.ts:${at + 3}:11)`).join("\n");

describe("what an output says of a failure", () => {
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

  it("is the first errors of a compiler, and the last failures of a runner", () => {
    const errors = Array.from({ length: 20 }, (_each, at) => `src/a${at}.ts(3,4): error TS2322: no`);
    const failures = Array.from({ length: 20 }, (_each, at) => `--- FAIL: Test${at} (0.00s)`);

    expect(tellingLines(errors.join("\n"))).toEqual(errors.slice(0, 8));
    expect(tellingLines(failures.join("\n"))).toEqual(failures.slice(-8));
  });
});
