import type { Mirror } from "../../agent/git/mirror.ts";
import { comparesForOthers } from "../../core/acceptance/proven-programs.ts";
import { wordFor } from "../../core/files/found.ts";
import { type FileKind, isProgram } from "../../core/files/kind.ts";
import { filesLoadedBy } from "../../core/trials/loading-files.ts";
import type { Deps } from "../../deps.ts";

/** Maximum number of changed files that are read. */
const mostRead = 200;

/**
 * Changed files with which checks compare, wherever they are: the `lib/assert.mjs` that only `check.mjs` loads. `checks` are the programs
 * that the commands run, without those that are the work.
 */
export async function partsOfChecks(
  { git }: Pick<Deps, "git">,
  { mirror, baseCommit }: { readonly mirror: Mirror; readonly baseCommit: string },
  about: {
    /** All files at the base. */
    readonly files: readonly string[];
    readonly changed: readonly string[];
    readonly kindOf: (path: string) => FileKind;
    readonly checks: ReadonlySet<string>;
  },
): Promise<readonly string[]> {
  const { files, changed, kindOf, checks } = about;
  const known = new Set(files);
  if (!files.some((path) => checks.has(path))) return [];
  const textOf = async (path: string): Promise<string> => (await git.textAt(mirror, baseCommit, path)) ?? "";
  const isCode = (path: string): boolean => ["source", "unsure"].includes(kindOf(path).role);
  const candidates = changed.filter((path) => known.has(path) && !checks.has(path) && isCode(path));
  const parts: string[] = [];
  for (const path of candidates.slice(0, mostRead)) {
    if (!comparesForOthers(path, await textOf(path))) continue;
    const loading: string[] = [];
    for (const each of await git.filesNaming(mirror, baseCommit, wordFor(path)))
      if (each !== path && isProgram(each) && filesLoadedBy({ path: each, text: await textOf(each) })(path))
        loading.push(each);
    const isOfChecks = loading.every((each) => checks.has(each) || kindOf(each).role === "test");
    if (isOfChecks && loading.some((each) => checks.has(each))) parts.push(path);
  }
  return parts;
}
