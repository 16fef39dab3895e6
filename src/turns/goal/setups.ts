import type { Mirror } from "../../agent/git/mirror.ts";
import { speaksOf, wordFor } from "../../core/files/found.ts";
import { type FileKind, isBelowSource, isProgram } from "../../core/files/kind.ts";
import { folderOf, lastPart } from "../../core/files/path.ts";
import { mayNameSetups, setupsIn } from "../../core/files/setups.ts";
import { filesLoadedBy } from "../../core/trials/loading-files.ts";
import type { Deps } from "../../deps.ts";

/** Maximum number of settings files that are read. */
const mostSettings = 100;

/** Maximum number of files that name a setup file and are read. If more name it, it does not serve tests only. */
const mostNaming = 200;

interface About {
  readonly mirror: Mirror;
  readonly baseCommit: string;
  /** All files at the base. */
  readonly files: readonly string[];
  readonly changed: readonly string[];
  readonly kindOf: (path: string) => FileKind;
}

/**
 * Changed files that test runners load besides the tests and that nothing else loads, wherever they are. A file that the program loads too
 * is part of the work under test.
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

/** True when code that is not a setup file loads the file. For a file below source, tests count too. */
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
