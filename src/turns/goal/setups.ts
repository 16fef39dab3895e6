import type { Mirror } from "../../agent/git/mirror.ts";
import { speaksOf, wordFor } from "../../core/files/found.ts";
import { type FileKind, isBelowSource, isProgram } from "../../core/files/kind.ts";
import { folderOf, lastPart } from "../../core/files/path.ts";
import { mayNameSetups, setupsIn } from "../../core/files/setups.ts";
import { filesLoadedBy } from "../../core/trials/loading-files.ts";
import type { Deps } from "../../deps.ts";

/** At most so many settings are read for what they load beside the tests. */
const mostSettings = 100;

/** Of so many files it is read whether they load one; where more name it, it is no matter of the tests alone. */
const mostNaming = 200;

interface About {
  readonly mirror: Mirror;
  readonly baseCommit: string;
  /** Those at the base. */
  readonly files: readonly string[];
  readonly changed: readonly string[];
  readonly kindOf: (path: string) => FileKind;
}

/**
 * Of the changed files, those that runners are told to load beside the tests and that nothing else loads, wherever they lie. What the
 * program loads, too, is what is tested.
 */
export async function changedSetups(deps: Pick<Deps, "git">, about: About): Promise<readonly string[]> {
  const { mirror, baseCommit, files, changed } = about;
  const setups = new Set<string>();
  for (const path of files.filter(mayNameSetups).slice(0, mostSettings))
    for (const file of setupsIn(path, (await deps.git.textAt(mirror, baseCommit, path)) ?? "", files)) setups.add(file);
  const only: string[] = [];
  for (const file of changed.filter((each) => setups.has(each)))
    if (!(await isUsed(deps, about, { file, setups }))) only.push(file);
  return only;
}

/** Whether code that is no setup itself loads a file; a test counts of what lies with the source. */
async function isUsed(
  { git }: Pick<Deps, "git">,
  { mirror, baseCommit, kindOf }: About,
  { file, setups }: { readonly file: string; readonly setups: ReadonlySet<string> },
): Promise<boolean> {
  const stem = wordFor(file);
  const word = stem === "index" ? lastPart(folderOf(file)) : stem;
  const isTest = (path: string): boolean => ["test", "proof"].includes(kindOf(path).role);
  const naming = (await git.filesNaming(mirror, baseCommit, word === "" ? stem : word)).filter(
    (path) =>
      path !== file &&
      !setups.has(path) &&
      !mayNameSetups(path) &&
      (isProgram(path) || /\.(?:html|vue|svelte|astro)$/i.test(path)) &&
      (!isTest(path) || isBelowSource(file)),
  );
  if (naming.length > mostNaming) return true;
  for (const path of naming) {
    const text = (await git.textAt(mirror, baseCommit, path)) ?? "";
    if (filesLoadedBy({ path, text })(file) || (!isTest(path) && speaksOf(text, file))) return true;
  }
  return false;
}
