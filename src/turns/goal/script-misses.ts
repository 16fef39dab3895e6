import { programsIn } from "../../core/files/program-runs.ts";
import { isJudge } from "../../core/acceptance/proven-programs.ts";
import type { Criterion } from "../../core/acceptance/spec.ts";
import { wordFor } from "../../core/files/found.ts";
import { fileKinds, isProgram, isTestCode } from "../../core/files/kind.ts";
import { addedLines } from "../../core/trials/plan.ts";
import { scriptMisses } from "../../core/trials/script-misses.ts";
import { onlyFailing } from "../../core/trials/whole-script.ts";
import type { Deps } from "../../deps.ts";
import type { Work } from "./on-trial.ts";
import type { NearMissTrial, SeenTrials } from "./test-files.ts";

const mostScripts = 2;
const longestPatch = 300_000;
const longestScript = 99_000;

/** The result of changing the test scripts of a command that reports no tests. */
export type TriedScripts =
  /** A near miss in a script that the command runs, whether it failed or not. */
  | { readonly type: "tried"; readonly missed: NearMissTrial }
  /** For some script no value could be changed, or it is unknown whether it runs. */
  | { readonly type: "unknown" }
  /** The command runs no known script. */
  | { readonly type: "none" };

/**
 * Changes expected values in the test scripts of a command that reports no tests. A command that still passes, but fails when the script
 * always fails, runs the script and checks nothing in it: the script is ended or trapped early. A lint or a build notices neither change.
 */
export async function tryScripts(
  deps: Pick<Deps, "git" | "policy">,
  work: Work,
  criterion: Criterion,
  { tries, files }: Pick<SeenTrials, "tries"> & { readonly files: readonly string[] },
): Promise<TriedScripts> {
  const { verifying, commit } = work;
  let isUnknown = false;
  for (const path of await scriptsOf(deps, work, criterion, files)) {
    const text = await deps.git.textAt(verifying.mirror, commit, path);
    if (text === null || text.length >= longestScript) {
      isUnknown = true;
      continue;
    }
    const [first, ...more] = scriptMisses(path, text, await linesAdded(deps, work, path));
    const end = first === undefined ? null : await tries(first.what, [first]);
    if (first !== undefined && end?.result === "fail") return { type: "tried", missed: { what: first.what, end } };
    const only = onlyFailing(path, text);
    const alone = only === null ? null : (await tries(only.what, [only])).result;
    if (alone === "pass") continue;
    for (const each of more) {
      const other = await tries(each.what, [each]);
      if (other.result === "fail") return { type: "tried", missed: { what: each.what, end: other } };
    }
    const [all = first] = more;
    // Passing with another value is right if the script only says which value something must not have.
    if (all !== undefined && all.isAsserted !== false && end?.result === "pass" && alone === "fail")
      return { type: "tried", missed: { what: all.what, end } };
    isUnknown = true;
  }
  return { type: isUnknown ? "unknown" : "none" };
}

/** Scripts that the command names, then those that the work adds or changes, then those that name its source. */
async function scriptsOf(
  { git, policy }: Pick<Deps, "git" | "policy">,
  { verifying: { mirror }, commit, proof }: Work,
  { verification }: Criterion,
  files: readonly string[],
): Promise<readonly string[]> {
  const kindOf = fileKinds(policy);
  const known = new Set(files);
  const isScript = (path: string): boolean => known.has(path) && isTestCode(path, kindOf);
  const scripts: string[] = [];
  // A script that a command names, and that judges by its name or its text, counts wherever it is.
  for (const path of verification.method === "bash" ? programsIn(verification.command) : []) {
    if (!known.has(path) || !isProgram(path)) continue;
    if (isScript(path) || isJudge(path, (await git.textAt(mirror, commit, path)) ?? "")) scripts.push(path);
  }
  scripts.push(...proof.laid.filter(isScript));
  for (const path of proof.source.slice(0, 3))
    scripts.push(...(await git.filesNaming(mirror, commit, wordFor(path))).filter(isScript));
  return [...new Set(scripts)].slice(0, mostScripts);
}

/** The lines that the work adds to a proof file. Empty for an unchanged file. */
async function linesAdded(
  { git }: Pick<Deps, "git">,
  { verifying: { mirror }, baseCommit, commit, changed }: Work,
  path: string,
): Promise<ReadonlySet<number>> {
  if (!changed.some((each) => each.path === path)) return new Set();
  const shown = await git.diffText(mirror, baseCommit, commit, { maxBytes: longestPatch, secrets: [], paths: [path] });
  return addedLines(shown.text).get(path) ?? new Set();
}
