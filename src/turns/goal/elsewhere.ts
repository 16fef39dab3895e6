import { fileKinds, isTestCode } from "../../core/files/kind.ts";
import { endsAlike, failedIn } from "../../core/trials/comes-again.ts";
import { namesOf, type TestReport, titleOf } from "../../core/trials/report.ts";
import type { Deps } from "../../deps.ts";
import type { Work } from "./on-trial.ts";
import type { TrialOptions, RunTrial, TrialEnd } from "./trial.ts";

/** A run with the names of its tests. `failedElsewhere`: it fails in another folder, whatever its source checks. */
type Named = TrialEnd & { readonly failedElsewhere: boolean };

const named = "the work, asked for the names of its tests";

/** A run in another folder, with those variables set that the work's source newly checks. */
export function howElsewhere({ switches }: Work): TrialOptions {
  return { isElsewhere: true, ...(isSwitched(switches) ? { given: switches } : {}) };
}

/** True when any variable is set there. */
export function isSwitched(switches: Work["switches"]): boolean {
  return Object.keys(switches).length > 0;
}

/**
 * Runs the work for the names of its tests in another folder, which shows without an additional run whether it depends on where it is. If it
 * does not pass there, it runs in the usual place. Source that names its place, and no variable, has a separate run in another folder,
 * without a probe.
 */
export async function runNamed(work: Work, run: RunTrial): Promise<Named> {
  const { watched, isPlaced, switches } = work;
  const isRun = !isPlaced || isSwitched(switches);
  const end = isRun ? await run(named, {}, 1, { watched, ...howElsewhere(work) }) : null;
  if (end?.result === "pass") return { ...end, failedElsewhere: false };
  return { ...(await run(named, {}, 1, { watched })), failedElsewhere: end?.result === "fail" };
}

/**
 * Runs a work that fails in another folder once more, and the base there. Null when the base also fails only there, which says nothing about
 * the work; when that is not known; or when the work's own tests cover the difference.
 */
export async function runUnseen(deps: Deps, work: Work, base: TrialEnd, run: RunTrial): Promise<"fail" | null> {
  const how = howElsewhere(work);
  const end = await run(`${named}, in another folder`, {}, 2, how);
  if (end.result !== "fail" || (await isToldByTests(deps, work, end.report, base))) return null;
  const there = await run("the base, in another folder", { commit: work.baseCommit }, 1, how);
  return endsAlike(base, there) ? "fail" : null;
}

/** Maximum number of failed tests that are searched. */
const mostTold = 20;

/**
 * True when tests cover all failures: each failed test is missing at the base (such as a test of the behaviour without the variable), or its
 * own file names a variable that was set, or it passed before and another test names one.
 */
async function isToldByTests(
  deps: Pick<Deps, "git" | "policy">,
  { verifying: { mirror }, baseCommit, commit, switches }: Work,
  report: TestReport | null,
  base: TrialEnd,
): Promise<boolean> {
  if (!isSwitched(switches)) return false;
  const kindOf = fileKinds(deps.policy);
  const isTest = (path: string): boolean => isTestCode(path, kindOf);
  const testsNaming = async (at: string, word: string): Promise<readonly string[]> =>
    [word, ...(await deps.git.filesNaming(mirror, at, word))].filter(isTest);
  const telling = new Set<string>();
  for (const name of Object.keys(switches)) for (const path of await testsNaming(commit, name)) telling.add(path);
  const held = new Set(namesOf(base.report, "passed").map((name) => titleOf(name)));
  const isHeld = (title: string): boolean =>
    telling.size > 0 && (held.has(title) || (base.report?.type === "counts" && base.result === "pass"));
  const titles = [...new Set(failedIn(report).map((name) => titleOf(name).trim()))];
  const others = titles.filter((title) => !isHeld(title));
  for (const title of others.slice(0, mostTold)) {
    const isOwn = (await testsNaming(baseCommit, title)).length === 0;
    if (!isOwn && !(await testsNaming(commit, title)).some((path) => telling.has(path))) return false;
  }
  return titles.length > 0 && others.length <= mostTold;
}
