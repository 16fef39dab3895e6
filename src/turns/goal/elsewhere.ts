import { fileKinds, isTestCode } from "../../core/files/kind.ts";
import { endsAlike, failedIn } from "../../core/trials/comes-again.ts";
import { namesOf, type TestReport, titleOf } from "../../core/trials/report.ts";
import type { Deps } from "../../deps.ts";
import type { Work } from "./on-trial.ts";
import type { TrialOptions, RunTrial, TrialEnd } from "./trial.ts";

/** As it is, with names; `failedElsewhere`: elsewhere it fails, whatever its source looks at. */
type Named = TrialEnd & { readonly failedElsewhere: boolean };

const named = "the work, asked for the names of its tests";

/** Elsewhere, with the variables set by which the work's source begins to decide what it does. */
export function howElsewhere({ switches }: Work): TrialOptions {
  return { isElsewhere: true, ...(isSwitched(switches) ? { given: switches } : {}) };
}

/** Whether any variable is set there. */
export function isSwitched(switches: Work["switches"]): boolean {
  return Object.keys(switches).length > 0;
}

/**
 * The work, asked for names, elsewhere: what it looks at there in whatever words is seen by that, for no run more. Where it does not
 * pass there it is run where everything is verified. Source that names where it is, and no variable, has a run of its own there, without a probe.
 */
export async function runNamed(work: Work, run: RunTrial): Promise<Named> {
  const { watched, isPlaced, switches } = work;
  const isRun = !isPlaced || isSwitched(switches);
  const end = isRun ? await run(named, {}, 1, { watched, ...howElsewhere(work) }) : null;
  if (end?.result === "pass") return { ...end, failedElsewhere: false };
  return { ...(await run(named, {}, 1, { watched })), failedElsewhere: end?.result === "fail" };
}

/**
 * A work that fails elsewhere again, beside the base there: what fails at the base only elsewhere would fail without the work, too,
 * and tells nothing of it. Null where that is so, or is not known, and where tests of the work say themselves what becomes of it.
 */
export async function runUnseen(deps: Deps, work: Work, base: TrialEnd, run: RunTrial): Promise<"fail" | null> {
  const how = howElsewhere(work);
  const end = await run(`${named}, in another folder`, {}, 2, how);
  if (end.result !== "fail" || (await isToldByTests(deps, work, end.report, base))) return null;
  const there = await run("the base, in another folder", { commit: work.baseCommit }, 1, how);
  return endsAlike(base, there) ? "fail" : null;
}

/** More tests than that are not looked for. */
const mostTold = 20;

/**
 * Whether all that failed is what tests speak of: a failed test is one that the base does not have, as of what is done where nothing is
 * set, or its own file names a variable that was set, or it held before, and another test names one.
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
