import { moreOf } from "./more-of.ts";
import { namesNow } from "./retitled.ts";
import type { RemovedTests } from "./removed-tests.ts";
import { namesOf, type TestReport, titleOf } from "./report.ts";

/** Tests that ran at the base and do not run now; names where they are known. */
export interface TestsGone {
  readonly type: "tests-gone";
  readonly number: number;
  readonly names: readonly string[];
}

/** Tests that are called otherwise and are what they were, of each file the new titles by the old ones. */
type Retitled = readonly ReadonlyMap<string, string>[];

interface Compared {
  readonly before: TestReport | null;
  readonly now: TestReport | null;
  readonly retitled?: Retitled | undefined;
  /** Tests that are gone with what the goal asks to remove. */
  readonly removed?: readonly RemovedTests[] | undefined;
}

type NamedReport = Extract<TestReport, { readonly type: "names" }>;

/** Tests that ran before and do not run now: by name, else by number. */
export function testsGone({ before, now, retitled = [], removed = [] }: Compared): readonly TestsGone[] {
  if (before === null) return [];
  const ran = ranIn(before);
  if (now === null) {
    return ran === 0 ? [] : [{ type: "tests-gone", number: ran, names: namesOfRan(before).slice(0, 20) }];
  }
  if (before.type === "names" && now.type === "names") {
    const gone = goneNames(namesOfRan(before), namesOfRan(now), retitled);
    const asked = removed.flatMap(({ titles }) => titles);
    // Each was removed once: another test of the same title is missing.
    const names = withoutLoaded(moreOf(gone, asked, titleOf), gone.length, before, now);
    return names.length === 0 ? [] : [{ type: "tests-gone", number: names.length, names: names.slice(0, 20) }];
  }
  const missing = ran - ranBeside(before, now);
  // When fewer are missing, it is not known which ones.
  if (missing === removed.reduce((sum, { number }) => sum + number, 0)) return [];
  return missing > 0 ? [{ type: "tests-gone", number: missing, names: [] }] : [];
}

/**
 * The names without those of files that could not be loaded before and that tests now stand for, which did not run before. A file without
 * such tests is gone. `gone`: the number of all names that do not run now.
 */
function withoutLoaded(
  names: readonly string[],
  gone: number,
  before: NamedReport,
  now: NamedReport,
): readonly string[] {
  const unloaded = new Set(before.tests.flatMap(({ name, isUnloaded }) => (isUnloaded === true ? [name] : [])));
  let fresh = namesOfRan(now).length - namesOfRan(before).length + gone;
  return names.filter((name) => {
    if (!unloaded.has(name) || fresh <= 0) return true;
    fresh -= 1;
    return false;
  });
}

/** Names that ran before and do not run now. Where renamed tests may have taken their names, as many count as gone as there are fewer. */
function goneNames(before: readonly string[], now: readonly string[], retitled: Retitled): string[] {
  const running = new Set(now);
  const kinOf = kinshipOf(before, retitled);
  const fewer = new Map<string, number>();
  const count = (names: readonly string[], step: number): void => {
    for (const kin of names.flatMap((name) => kinOf(name) ?? [])) fewer.set(kin, (fewer.get(kin) ?? 0) + step);
  };
  count(before, 1);
  count(now, -1);
  return before.filter((name) => {
    if (running.has(name)) return false;
    const kin = kinOf(name);
    if (kin === null) return true;
    const left = fewer.get(kin) ?? 0;
    fewer.set(kin, left - 1);
    return left > 0;
  });
}

/**
 * Which names may stand for one another: one that all of them share; null of a name that stands for itself. A report tells tests of the
 * same name apart by numbers (`works #2`), which are others once one of them is called otherwise.
 */
function kinshipOf(names: readonly string[], retitled: Retitled): (name: string) => string | null {
  const kin = new Map<string, string>();
  const first = (name: string): string => {
    let at = name;
    for (let next = kin.get(at); next !== undefined && next !== at; next = kin.get(at)) at = next;
    return at;
  };
  for (const name of new Set(names.map(withoutNumber)))
    for (const other of namesNow(name, retitled)) {
      const [one, next] = [first(name), first(other)];
      kin.set(one, one);
      kin.set(next, one);
    }
  return (name) => (kin.has(withoutNumber(name)) ? first(withoutNumber(name)) : null);
}

function withoutNumber(name: string): string {
  return name.replace(/ #\d{1,9}$/, "");
}

/** Of the tests that ran the names; of a report without names none. */
function namesOfRan(report: TestReport): string[] {
  return report.type === "names"
    ? report.tests.flatMap(({ name, outcome }) => (outcome === "skipped" ? [] : [name]))
    : [];
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
