import { nameNow } from "./retitled.ts";
import { namesOf, type TestReport } from "./report.ts";

/** Tests that ran at the base and do not run now; names where they are known. */
export interface TestsGone {
  readonly type: "tests-gone";
  readonly number: number;
  readonly names: readonly string[];
}

interface Compared {
  readonly before: TestReport | null;
  readonly now: TestReport | null;
  /** Tests that are called otherwise and are what they were, of the old titles the new ones. */
  readonly retitled?: ReadonlyMap<string, string> | undefined;
}

/** Tests that ran before and do not run now: by name, else by number. */
export function testsGone({ before, now, retitled = new Map() }: Compared): readonly TestsGone[] {
  if (before === null) return [];
  const ran = ranIn(before);
  if (now === null) {
    const tests = before.type === "names" ? before.tests.filter(({ outcome }) => outcome !== "skipped") : [];
    const names = tests.map(({ name }) => name).slice(0, 20);
    return ran === 0 ? [] : [{ type: "tests-gone", number: ran, names }];
  }
  if (before.type === "names" && now.type === "names") {
    const running = new Set(now.tests.flatMap(({ name, outcome }) => (outcome === "skipped" ? [] : [name])));
    const gone = before.tests.filter(
      ({ name, outcome }) => outcome !== "skipped" && !running.has(name) && !running.has(nameNow(name, retitled)),
    );
    const names = gone.map(({ name }) => name);
    return gone.length === 0 ? [] : [{ type: "tests-gone", number: gone.length, names: names.slice(0, 20) }];
  }
  const missing = ran - ranBeside(before, now);
  return missing > 0 ? [{ type: "tests-gone", number: missing, names: [] }] : [];
}

/** Of several runners, one after the other, the first that failed before was the last: what ran behind it makes up for nothing. */
function ranBeside(before: TestReport, now: TestReport): number {
  const runs = now.type === "counts" ? (now.runs ?? []) : [];
  const times = before.type === "counts" ? (before.runs?.length ?? 1) : 1;
  if (runs.length <= times) return ranIn(now);
  return runs.slice(0, times).reduce((sum, each) => sum + each, 0);
}

/** How many tests ran. */
export function ranIn(report: TestReport): number {
  if (report.type === "counts") return report.passed + report.failed;
  return report.tests.filter(({ outcome }) => outcome !== "skipped").length;
}

/** How many of them passed. */
export function passedIn(report: TestReport): number {
  return report.type === "counts" ? report.passed : namesOf(report, "passed").length;
}
