import type { NamedTest, TestReport } from "./report.ts";

/** How much of an output's end is read. */
const longestOutput = 1_000_000;

/**
 * The tests of `go test -v`, without their packages, which move with their files; a part of one in brackets behind it: "TestPrice[two]".
 * Null when it names none, as where nothing could be built. Linear.
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
