import type { NamedTest, TestReport } from "./report.ts";

/** Number of characters at the end of an output that are read. */
const longestOutput = 1_000_000;

/**
 * Reads the tests of `go test -v`, without their packages, since a package moves with its files. A subtest follows in brackets:
 * "TestPrice[two]". Null when the output names no test, for example when nothing could be built. Linear.
 */
export function readGoTests(output: string): TestReport | null {
  const tests: NamedTest[] = [];
  const times = new Map<string, number>();
  for (const line of output.slice(-longestOutput).split("\n")) {
    const [, end, whole] = /^ {0,40}--- (PASS|FAIL|SKIP): (\S{1,400}) \(\d/.exec(line.slice(0, 500)) ?? [];
    if (end === undefined || whole === undefined) continue;
    const part = whole.indexOf("/");
    const name = part === -1 ? whole : `${whole.slice(0, part)}[${whole.slice(part + 1)}]`;
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    const outcome = end === "PASS" ? "passed" : end === "FAIL" ? "failed" : "skipped";
    tests.push({ name: before === 0 ? name : `${name} #${before + 1}`, outcome });
  }
  return tests.length === 0 ? null : { type: "names", tests };
}
