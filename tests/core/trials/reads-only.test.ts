import { describe, expect, it } from "vitest";
import { readsOnly } from "../../../src/core/trials/reads-only.ts";

describe("a command that only looks at files", () => {
  it.each([
    "grep -q 'at most 100 characters' index.js",
    'grep -rn "price" src/ | wc -l',
    "test -f docs/price.md && ! grep -q TODO docs/price.md",
    "[ -s README.md ] || test -d docs; cat a.txt",
    "jq -e .name package.json",
    "grep '$(not a command)' a.txt",
  ])("%s [F-201]", (command) => {
    expect(readsOnly(command)).toBe(true);
  });

  it.each([
    "npm test",
    "sh check.sh",
    "./grep -q price src/price.js",
    "grep -q price src/price.js && node check.js",
    "grep -q price src/price.js & ./check.sh",
    "PATH=./bin grep -q price src/price.js",
    'test "$(node print.js)" = 42',
    "test `node print.js` = 42",
    "test $PRICE = 42",
    "grep -q 42 <(node print.js)",
    "grep -q price a.txt\nsh check.sh",
    "grep() { true; }; grep price a.txt",
    "cat a.txt > b.txt",
    "! ! sh check.sh",
    "find . -exec ./check.sh ;",
    "awk 'BEGIN { system(1) }'",
    "grep 'open",
    "",
    " ; ",
  ])("not %j [F-201]", (command) => {
    expect(readsOnly(command)).toBe(false);
  });

  it("what is too long to be a line is not read", () => {
    expect(readsOnly(`grep ${"a".repeat(10_000)} b.txt`)).toBe(false);
  });
});
