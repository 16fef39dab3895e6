import { describe, expect, it } from "vitest";
import { testMisses } from "../../../src/core/trials/near-miss.ts";
import { scriptMisses } from "../../../src/core/trials/script-misses.ts";
import { onlyFailing } from "../../../src/core/trials/whole-script.ts";

/** The lines of a near miss that are others than they were. */
function changedLines(text: string, edited: string | undefined): string[] {
  const before = text.split("\n");
  return (edited ?? text).split("\n").flatMap((line, at) => (line === before[at] ? [] : [line.trim()]));
}

const php = `<?php
require __DIR__ . '/../src/Money.php';

$failed = 0;
function check(string $name, $got, $want): void
{
    global $failed;
    if ($got !== $want) {
        $failed++;
        echo "FAIL $name\\n";
    }
}

check('parse', Money::parse('12.50'), 1250);
exit($failed ? 1 : 0);
`;

const java = `package shop;

public final class PriceTest {
    static int failed = 0;

    static void eq(Object got, Object want, String name) {
        if (!got.equals(want)) {
            failed++;
            System.out.println("FAIL " + name);
        }
    }

    public static void main(String[] args) {
        eq(Price.discounted(1000, 10), 900L, "ten percent");
        System.exit(failed == 0 ? 0 : 1);
    }
}
`;

const c = `#include <assert.h>
#include "ring.h"

static void full(void)
{
    struct ring r = {0};
    assert(ring_put(&r, 9) == -1);
    assert(ring_sign(&r) == 'x');
}

int main(void)
{
    full();
    return 0;
}
`;

const perl = `use Test::More tests => 2;
use Text::Csv1 qw(split_line);

is_deeply([split_line('a,b')], ['a', 'b'], 'two fields');
is((split_line('"a,b",c'))[0], 'a,b', 'quoted');
`;

const js = `import {
  hash,
} from "./src/hash.js";

let failed = 0;
const check = (name, got, want) => {
  if (got !== want) failed += 1;
};

check("text", hash("x"), '"x"');
if (failed > 0) process.exitCode = 1;
process.exit(failed ? 1 : 0);
`;

const python = `import sys

failed = 0


def check(got, want):
    global failed
    if got != want:
        failed += 1


def main():
    check(price(3), 42)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
`;

const shell = `#!/bin/sh
set -e
javac -d "build" $(find src -name '*.java')
want="12.05"
test "$(java -cp build Shop 1205)" = "$want"
`;

const go = `package main

import "os"

func main() {
	failed := 0
	if Price(3) != 42 {
		failed++
	}
	if failed > 0 {
		os.Exit(1)
	}
}
`;

describe("near misses of a script that nobody names a test of", () => {
  it.each([
    ["tests/run.php", php, ["check('parse-', Money::parse('12.50-'), 1251);"]],
    ["src/test/java/PriceTest.java", java, ['eq(Price.discounted(1001, 11), (900L+1), "ten percent-");']],
    ["tests/test_ring.c", c, ["assert(ring_put(&r, 10) == -2);", "assert(ring_sign(&r) == 'a');"]],
    [
      "t/csv.t",
      perl,
      [
        "is_deeply([split_line('a,b-')], ['a-', 'b-'], 'two fields-');",
        `is((split_line('"a,b",c-'))[1], 'a,b-', 'quoted-');`,
      ],
    ],
    ["check.mjs", js, [`check("text-", hash("x-"), '"x"-');`]],
    ["tests/check.py", python, ["check(price(4), 43)"]],
    ["cmd/check/main.go", go, ["if Price(4) != 43 {"]],
    ["check.sh", shell, ['want="12.05-"', 'test "$(java -cp build Shop 1205)-" = "$want-"']],
  ])("leave what %s is made of: paths, counters of failures, and how it ends", (path, text, lines) => {
    expect(changedLines(text, testMisses(path, text, []).at(-1)?.text)).toEqual(lines);
  });

  it.each([
    ["t/csv.t", perl, 4, ["is((split_line('\"a,b\",c'))[0], 'a,b-', 'quoted');"]],
    ["tests/test_ring.c", c, 6, ["assert(ring_put(&r, 9) == -2);"]],
    ["tests/run.php", php, 13, ["check('parse', Money::parse('12.50'), 1251);"]],
  ])("begin with what the lines compare that a work added (%s)", (path, text, line, lines) => {
    const misses = scriptMisses(path, text, new Set([line]));

    expect(misses.map((each) => changedLines(text, each.text))).toEqual([lines]);
  });

  it("take the whole script where the added lines compare nothing, the values that are compared first", () => {
    const misses = scriptMisses("tests/run.php", php, new Set([2, 6]));

    expect(misses.map((each) => changedLines(php, each.text))).toEqual([
      ["check('parse', Money::parse('12.50'), 1251);"],
      ["check('parse-', Money::parse('12.50-'), 1251);"],
      ["check('parse-', Money::parse('12.50'), 1250);"],
    ]);
  });

  it.each([
    ["tests/a.js", "assert.equal(result.exitCode, 2);", "assert.equal(result.exitCode, 3);"],
    ["tests/a.py", "assert errors == 0", "assert errors == 1"],
    ["tests/a.py", "assert fetch(status=404) == 3", "assert fetch(status=405) == 4"],
    ["tests/a.js", 'expect(list).to.include("a");', 'expect(list).to.include("a-");'],
    ["tests/a.sh", 'test "$(./price 3 2>&1)" = "42" || exit 1', 'test "$(./price 3 2>&1)-" = "42-" || exit 1'],
    ["tests/a.js", "if (price !== 42) process.exit(1);", "if (price !== 43) process.exit(1);"],
  ])("change what is compared beside words of an end (%s: %s)", (path, line, to) => {
    expect(testMisses(path, line, []).at(-1)?.text).toBe(to);
  });

  it.each([
    ["tests/a.pl", "plan tests => 2;"],
    ["tests/a.rs", "fn f<'a>(x: &'a str, y: &'a str) {}"],
    ["tests/a.js", "expect.assertions(2);"],
  ])("are none of what a file is made of (%s: %s)", (path, line) => {
    expect(testMisses(path, line, [])).toEqual([]);
  });

  it("know how a program does nothing but fail that is built with others", () => {
    expect(onlyFailing("tests/test_ring.c", c)?.text).toContain("int main(void)\n{ return 97;\n    full();");
    expect(onlyFailing("PriceTest.java", java)?.text).toContain(
      'args) { if (true) throw new AssertionError("a trial");',
    );
    expect(onlyFailing("cmd/check/main.go", go)?.text).toContain('func main() { panic("a trial");');
    expect(onlyFailing("t/csv.t", perl)?.text).toBe('die "a trial";\n');
    expect(onlyFailing("tests/ring.c", "int twice(int n) { return 2 * n; }\n")).toBeNull();
  });
});
