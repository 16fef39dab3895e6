import type { Criterion } from "../../core/acceptance/spec.ts";
import { wordFor } from "../../core/files/found.ts";
import { fileKinds, isProgram } from "../../core/files/kind.ts";
import type { Edit } from "../../core/trials/near-miss.ts";
import { onlyFailing, onlyPassing } from "../../core/trials/whole-script.ts";
import type { Deps } from "../../deps.ts";
import type { Work } from "./on-trial.ts";
import type { NearMissTrial, SeenTrials } from "./test-files.ts";

/** Files that may name the scripts that a command runs. */
export const scriptMakers = ["package.json", "Makefile", "makefile", "GNUmakefile"];

/** Maximum number of scripts that are changed at once, and of changed sources by which scripts are searched. */
const mostScripts = 20;
const mostSources = 3;

/**
 * A trial for a command that reports no tests. Such a command decides by the scripts that it runs. A script that decides at the base also
 * has to decide on the work: if it is made to always fail and the command still passes, the work has bypassed it by some file that the
 * command reads or runs before. Null when no script of the base is known to decide.
 */
export async function takenFromScripts(
  deps: Pick<Deps, "git" | "policy">,
  work: Work,
  criterion: Criterion,
  { withoutSource, tries, triesBefore }: SeenTrials,
): Promise<NearMissTrial | null> {
  const scripts = await namedScripts(deps, work, criterion);
  const edits = (of: typeof onlyFailing): Edit[] => scripts.flatMap(({ path, text }) => of(path, text) ?? []);
  const failing = edits(onlyFailing);
  if (failing.length === 0) return null;
  const what = failing.map((each) => each.what).join(", ");
  const end = await tries(what, failing);
  if (end.result !== "pass") return null;
  const passing = edits(onlyPassing);
  const before =
    withoutSource.result === "pass"
      ? (await triesBefore(what, failing)).result === "fail"
      : (await triesBefore(passing.map((each) => each.what).join(", "), passing)).result === "pass";
  return before ? { what, end } : null;
}

/** Scripts that the work does not change, and that the command or its definition names, or that name the changed source. */
async function namedScripts(
  { git, policy }: Pick<Deps, "git" | "policy">,
  { verifying: { mirror }, baseCommit, changed, proof }: Work,
  { verification }: Criterion,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const texts = [verification.method === "bash" ? verification.command : ""];
  for (const path of scriptMakers) texts.push((await git.textAt(mirror, baseCommit, path)) ?? "");
  const kindOf = fileKinds(policy);
  const naming = new Set<string>();
  for (const path of proof.source.slice(0, mostSources))
    for (const each of await git.filesNaming(mirror, baseCommit, wordFor(path))) naming.add(each);
  const touched = new Set(changed.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const named = (await git.filesAt(mirror, baseCommit)).filter(
    (path) =>
      isProgram(path) &&
      ["test", "proof", "setting"].includes(kindOf(path).role) &&
      !touched.has(path) &&
      (naming.has(path) || texts.some((text) => text.includes(path))),
  );
  const scripts: { path: string; text: string }[] = [];
  for (const path of named.slice(0, mostScripts)) {
    const text = await git.textAt(mirror, baseCommit, path);
    if (text !== null) scripts.push({ path, text });
  }
  return scripts;
}
