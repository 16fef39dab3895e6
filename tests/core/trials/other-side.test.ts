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
    ["a.test.js", 'assert.notInclude(line(), "hunter2");', '"hunter2" became ""'],
    ["a.test.js", 'assert.doesNotMatch(line(), "hunter2");', '"hunter2" became ""'],
    ["test_a.py", 'self.assertNotIn("hunter2", line())', '"hunter2" became ""'],
    ["a_test.php", '$this->assertStringNotContainsString("hunter2", $html);', '"hunter2" became ""'],
    ["a_test.rb", 'assert_not_includes line, "hunter2"', '"hunter2" became ""'],
    ["a_spec.rb", 'expect(line).not_to include("hunter2")', '"hunter2" became ""'],
    ["ATest.java", 'assertThat(html, not(containsString("hunter2")));', '"hunter2" became ""'],
    ["ATest.java", 'assertThat(html).doesNotContain("hunter2");', '"hunter2" became ""'],
    ["a.test.ts", "expect(list().length).toBeGreaterThan(0);", "0 became 999999999"],
    ["a.test.ts", "expect(await delay()).toBeLessThan(1000);", "1000 became (-999999999)"],
    ["a.test.js", "assert.ok(delay() < 1000);", "1000 became (-999999999)"],
    ["a.test.ts", "expect(await delay()).not.toBeGreaterThan(1000);", "1000 became (-999999999)"],
    ["a.test.ts", "expect(delay()).to.not.be.below(1000);", "1000 became 999999999"],
    ["a.test.js", "assert.ok(!prices().some((each) => each > 1000));", "1000 became (-999999999)"],
    ["a.test.js", "assert.ok(prices().some((each) => each > 1000));", "1000 became 999999999"],
    ["test_a.py", "assert not any(each > 1000 for each in prices())", "1000 became (-999999999)"],
    ["test_a.py", "assert not errors() and len(prices()) > 8", "8 became 999999999"],
    ["ATest.java", "assertFalse(price() > 1000);", "1000 became 0"],
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
    ["a_test.rs", "assert!(!out.contains('x'));", "'x' became 'a'"],
    [
      "a.test.ts",
      'expect(render("/x")).toContain("This is not here");',
      '"This is not here" became "This is not here-"',
    ],
    [
      "a.test.ts",
      'expect(render("/x")).toMatch("is \\"not\\" a number");',
      '"is \\"not\\" a number" became "is \\"not\\" a number-"',
    ],
    [
      "a.test.ts",
      'expect(() => parse("abc")).toThrow("input is not valid");',
      '"input is not valid" became "input is not valid-"',
    ],
    ["test_a.py", 'assert "not in stock" in msg("a")', '"not in stock" became "not in stock-"'],
    [
      "test_a.py",
      'with raises(ValueError, match="price is not valid"):',
      '"price is not valid" became "price is not valid-"',
    ],
    ["test_a.py", 'self.assertIn("is not found", text)  # not in', '"is not found" became "is not found-"'],
    ["test_a.py", 'assert re.search("price", text()) is not None', '"price" became "price-"'],
    [
      "a_test.php",
      '$this->assertStringContainsString("is not valid", $html);',
      '"is not valid" became "is not valid-"',
    ],
    ["ATest.java", 'assertTrue(html.contains("is not valid"));', '"is not valid" became "is not valid-"'],
    ["a.test.ts", 'expect(renderNotFound("/x")).toContain("Sorry");', '"Sorry" became "Sorry-"'],
    ["a.test.ts", 'expect(notFound("/x")).toContain("Sorry");', '"Sorry" became "Sorry-"'],
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
    ["test_a.py", 'assert "Sorry" in render_not_found("/x")'],
  ])("but what is wanted beside that counts, in %s: %s", (path, text) => {
    expect(missesOf(path, `${text}\n`).every(({ isAsserted }) => isAsserted === true)).toBe(true);
  });

  it.each([
    'expect(rows.filter((x) => x !== null).join()).toContain("abc");',
    'assert.ok(line().indexOf("abc") !== -1);',
  ])("and no part of every text where a part is looked for: %s", (line) => {
    expect(missesOf("a.test.ts", `${line}\n`).map(({ what }) => what)).toContain('"abc" became "abc-"');
  });

  it("never how often or how long a test runs", () => {
    expect(missesOf("a.test.ts", "fc.assert(fc.property(fc.string(), same), { numRuns: 500 });\n")).toEqual([]);
  });
});
