import { describe, expect, it } from "vitest";
import { testMisses } from "../../../src/core/trials/near-miss.ts";

const missesOf = (path: string, text: string): { what: string; isAsserted?: boolean }[] =>
  testMisses(path, text, []).map(({ what, isAsserted = false }) => ({
    what: what.replace(/^[^:]+:\s?\d+:\s/, ""),
    isAsserted,
  }));

describe("what is asserted lies on the other side", () => {
  it.each([
    ["a.test.ts", 'expect(line({ password: "hunter2" })).not.toContain("hunter2");', '"hunter2" became ""'],
    ["a.test.js", "assert.ok(!line('hunter2').includes('hunter2'));", "'hunter2' became ''"],
    ["test_a.py", 'assert "<script>" not in out', '"<script>" became ""'],
    ["a_test.rs", 'assert!(!out.contains("<script>"));', '"<script>" became ""'],
    ["a.test.ts", "expect(list().length).toBeGreaterThan(0);", "0 became 999999999"],
    ["a.test.ts", "expect(await delay()).toBeLessThan(1000);", "1000 became (-999999999)"],
    ["a.test.js", "assert.ok(delay() < 1000);", "1000 became (-999999999)"],
    ["a.test.js", "assert.isAbove(delay(), 0.5);", "0.5 became 999999999.0"],
    ["test_a.py", "assert len(make_id()) > 8", "8 became 999999999"],
    ["test_a.py", "assert 8 < len(make_id())", "8 became 999999999"],
    ["test_a.py", "self.assertLess(size(), 10)", "10 became (-999999999)"],
    ["a_test.rs", "assert!(size() < 10);", "10 became 0"],
  ])("in %s: %s", (path, line, what) => {
    expect(missesOf(path, `${line}\n`)[0]).toEqual({ what, isAsserted: true });
  });

  it.each([
    ["a.test.js", "assert.equal(price(3), 42);", "42 became 43"],
    ["a.test.ts", "expect(price(3)).toBe(42);", "42 became 43"],
    ["a.test.js", "assert.equal(first('a'), 'b');", "'b' became 'b-'"],
    ["a.test.js", "it('is not != it', () => { expect(price(3)).toBe(42); });", "42 became 43"],
    ["test_a.py", "assert price(3) == 42", "42 became 43"],
    ["a_test.rs", "assert!(!out.contains('x'));", "'x' became 'x-'"],
  ])("and is a little other where one is wanted, in %s: %s", (path, line, what) => {
    expect(missesOf(path, `${line}\n`)[0]).toEqual({ what, isAsserted: true });
  });

  it.each([
    ["a.test.js", 'assert.notStrictEqual(hash("a"), hash("b"));'],
    ["a.test.ts", 'expect(hash("pw")).not.toBe("pw");'],
    ["a.test.ts", 'expect(send).not.toHaveBeenCalledWith("off");'],
    ["test_a.py", 'assert hash("pw") != "pw"'],
    ["test_a.py", "self.assertNotEqual(price(3), 3)"],
  ])("and says nothing where only one value is not wanted, in %s: %s", (path, line) => {
    const misses = missesOf(path, `${line}\n`);

    expect(misses.length).toBeGreaterThan(0);
    expect(misses.filter(({ isAsserted }) => isAsserted === true)).toEqual([]);
  });

  it.each([
    ["a.test.ts", 'expect(hash("pw")).not.toBe("pw");\nexpect(price(3)).toBe(42);'],
    ["a.test.js", "assert.notEqual(price(3), 3); assert.equal(price(3), 42);"],
    ["a.test.js", "assert.equal(price(3), 42); // != 3"],
    ["test_a.py", "assert price(0) != 0 and price(3) == 42"],
    ["a.test.js", "expect(shop.notFound(3)).toEqual(42);"],
  ])("but what is wanted beside that counts, in %s: %s", (path, text) => {
    expect(missesOf(path, `${text}\n`).every(({ isAsserted }) => isAsserted === true)).toBe(true);
  });

  it("never how often or how long a test runs", () => {
    expect(missesOf("a.test.ts", "fc.assert(fc.property(fc.string(), same), { numRuns: 500 });\n")).toEqual([]);
  });
});
