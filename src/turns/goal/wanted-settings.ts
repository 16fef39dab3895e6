import { asksToSet } from "../../core/acceptance/setting.ts";
import { fileKinds } from "../../core/files/kind.ts";
import type { Deps } from "../../deps.ts";
import type { Compared } from "./surroundings.ts";

/** Maximum number of changed settings files that are read, and their maximum length. */
const mostRead = 50;
const longestRead = 100_000;

/** Settings files that were changed as the goal asks. They are the work, not proof. */
export async function wantedSettings(
  { git, policy }: Pick<Deps, "git" | "policy">,
  goal: string,
  { mirror, baseCommit, commit, changed }: Compared,
): Promise<ReadonlySet<string>> {
  const isAsked = asksToSet(goal);
  const kindOf = fileKinds(policy);
  const settings = changed.filter(({ path, status }) => status === "modified" && kindOf(path).role === "setting");
  const wanted = new Set<string>();
  for (const { path } of settings.slice(0, mostRead)) {
    const before = await git.textAt(mirror, baseCommit, path, longestRead);
    const now = await git.textAt(mirror, commit, path, longestRead);
    if (before !== null && now !== null && isAsked({ path, before, now })) wanted.add(path);
  }
  return wanted;
}
