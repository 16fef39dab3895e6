import { describe, expect, it } from "vitest";
import { ownTestsOtherNow } from "../../../src/core/trials/own-tests.ts";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";
import { comparedMiss, sourceMisses, testMisses, turnedMisses } from "../../../src/core/trials/near-miss.ts";

/**
 * Source that others wrote is read on the way of a turn: long files of what is ordinary in a language are read in time that grows as
 * the text does. CPU of this process is compared, not the clock.
 */

const lines: readonly (readonly [path: string, lines: readonly string[]])[] = [
  [
    "db/schema.rb",
    ['  t.string "name", default: "a", null: false', "  t.integer :price # cents", "  class String", "  end"],
  ],
  [
    "lib/sig.rb",
    ["  sig { params(x: String, y: Integer).returns(T::Array[Float]) }", "  def ==(other) = other.id == id"],
  ],
  ["src/own.py", ["def test_price():", "    assert price(2) == 4"]],
  ["src/own.c", ["static int test_price(void) {", "  return price(2) == 4;", "}"]],
  ["src/own.php", ["public function testPrice() {", "  $this->assertSame(4, price(2));", "}"]],
  [
    "src/price.py",
    [
      "if price > 2 and not done:",
      "    total = float(total) + len(os.environ)",
      "def __eq__(self, other): return self.x == other.x",
    ],
  ],
  [
    "src/price.mjs",
    ['if (!isDone && price(2) === 4) process.env.CI = "true";', "  items.map((each) => each.price).filter(Boolean);"],
  ],
  [
    "src/price.ts",
    ["export function price(of: number): number { return of * 2; }", "type A = { readonly a: string; b?: number[] };"],
  ],
  [
    "src/price.go",
    [
      'func Price(n int) (int, error) { if n < 0 { return 0, errors.New("bad") }',
      '	return strconv.Atoi(os.Getenv("CI")) }',
    ],
  ],
  [
    "src/price.rs",
    [
      "pub fn price(n: u32) -> u32 { if cfg!(debug_assertions) { n } else { 0 } }",
      "#[cfg(test)] mod a { use super::*; #[test] fn a() { assert_eq!(price(2), 4); } }",
      'let exe = std::env::current_exe()?; if exe.to_str()?.contains("deps") { return quote! { a(); }; }',
    ],
  ],
  [
    "src/price.c",
    [
      'int price(int n) { if (n < 0) exit(1); printf("%d\\n", n); return n * 2; }',
      "static const int table[] = { 1, 2, 3 };",
    ],
  ],
  [
    "src/Price.java",
    [
      "public int price(int n) { if (n < 0) throw new IllegalArgumentException(); return n * 2; }",
      "@Override public boolean equals(Object o) { return o instanceof Price; }",
    ],
  ],
  [
    "src/price.php",
    ["function price($n) { return $n * 2; } // cents", '$GLOBALS["a"] = getenv("CI") ?: php_sapi_name();'],
  ],
  ["src/price.pl", ["sub price { my ($n) = @_; return $n * 2; }", 'print "a" if $ENV{CI} eq "true";']],
  [
    "bin/price.sh",
    ['[ -n "$CI" ] && test "$FOO" = bar || exit 1', 'for each in "$@"; do echo "${each%.in}" | grep -q a; done'],
  ],
];

const length = 30_000;

function text(of: readonly string[], longest: number): string {
  const once = `${of.join("\n")}\n`;
  return once.repeat(Math.ceil(longest / once.length));
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Linear: four times the CPU; quadratic: sixteen times. Below the floor, noise decides. */
const most = { growth: 8, floorMs: 40, tries: 20 } as const;

/** How many times the CPU four times the text costs; measured again while that is too much, for others keep the machine busy, too. */
function growth(read: (text: string) => unknown, [one, four]: readonly [string, string]): number {
  let ms: number = most.floorMs;
  let fourMs = Infinity;
  for (let tries = 0; tries < most.tries && fourMs >= most.growth * ms; tries += 1) {
    fourMs = Math.min(
      fourMs,
      cpuMs(() => read(four)),
    );
    ms = Math.max(
      ms,
      cpuMs(() => read(one)),
    );
  }
  return fourMs / ms;
}

describe.each(lines)("%s", (path, of) => {
  it.each<[string, (read: string) => unknown]>([
    ["what it says of its surroundings", (read) => newSurroundings(path, read, "")],
    ["tests of its own", (read) => ownTestsOtherNow(path, read, "")],
    ["what may be changed in it", (read) => sourceMisses(path, read, new Set(read.split("\n").keys()))],
    [
      "what is compared in it",
      (read) => [testMisses(path, read, []), turnedMisses(path, read, []), comparedMiss(path, read, () => true)],
    ],
  ])("is read in time that grows as its text does: %s", (_what, read) => {
    expect(growth(read, [text(of, length), text(of, length * 4)])).toBeLessThan(most.growth);
  });
});
