import type { Criterion } from "../../core/acceptance/spec.ts";
import { wordFor } from "../../core/files/found.ts";
import { fileKinds, isProgram } from "../../core/files/kind.ts";
import type { Edit } from "../../core/trials/near-miss.ts";
import { onlyFailing, onlyPassing } from "../../core/trials/whole-script.ts";
import type { Deps } from "../../deps.ts";
import type { Work } from "./on-trial.ts";
import type { NearMissTrial, SeenTrials } from "./test-files.ts";

/** What may be named in them is what a command runs. */
export const scriptMakers = ["package.json", "Makefile", "makefile", "GNUmakefile"];

/** At most so many scripts are changed at once, and looked for by so many changed sources. */
const mostScripts = 20;
const mostSources = 3;

/**
 * A command that reports no tests decides by the scripts that it runs. What such a script decides at the base it decides on the work, too:
 * where it may do nothing but fail there and the command passes all the same, the work took it away, by whatever file the command reads or
 * runs before it. Null where no script of the base is known to decide.
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

/** Scripts that the work leaves as they are, and that the command names, or what it is made of, or that name the changed source. */
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
