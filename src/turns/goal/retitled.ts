import { fileKinds, isTestCode } from "../../core/files/kind.ts";
import { retitledIn } from "../../core/trials/retitled.ts";
import type { Deps } from "../../deps.ts";
import type { Compared } from "./surroundings.ts";

/** Maximum number of changed tests that are read, and their maximum length. */
const mostRead = 200;
const longestRead = 500_000;

/** Tests that only got another title: for each file, the new titles by the old ones. */
export async function retitledBy(
  { git, policy }: Pick<Deps, "git" | "policy">,
  { mirror, baseCommit, commit, changed }: Compared,
): Promise<readonly ReadonlyMap<string, string>[]> {
  const kindOf = fileKinds(policy);
  const tests = changed.filter(
    ({ path, status }) => (status === "modified" || status === "renamed") && isTestCode(path, kindOf),
  );
  const retitled: ReadonlyMap<string, string>[] = [];
  for (const { path, oldPath } of tests.slice(0, mostRead)) {
    const before = await git.textAt(mirror, baseCommit, oldPath ?? path, longestRead);
    const now = await git.textAt(mirror, commit, path, longestRead);
    const titles = retitledIn(path, before ?? "", now ?? "");
    if (titles.size > 0) retitled.push(titles);
  }
  return retitled;
}
