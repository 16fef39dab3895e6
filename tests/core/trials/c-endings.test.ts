import { expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const before = "int price(int n) { return n + 1; }\n";

it.each<[string, string[]]>([
  ["__attribute__((constructor)) static void ready(void) { _exit(0); }\n", ["__attribute__((constructor))", "_exit"]],
  ["[[gnu::constructor]] void ready() { quick_exit(0); }\n", ["__attribute__((constructor))", "quick_exit"]],
  ["void ready(void) { atexit(done); }\n", ["atexit"]],
  ["int main(void) { exit(0); }\nstruct constructor { int a; };\n", []],
])("source of C that ends the process beside its tests is told: %s [F-201]", (added, changes) => {
  expect(newSurroundings("src/price.cc", before + added, before).changes).toEqual(changes);
  expect(newSurroundings("src/price.cc", before + added, before + added).changes).toEqual([]);
});
