import { missingSubmodules } from "../agent/git/submodules.ts";
import { filtersAt } from "../agent/git/repository.ts";
import { shellWord } from "../core/text/shell-word.ts";

/**
 * Returns lines about the parts of a repository that will be missing in its goals' worktrees, such as submodules. `dir`: the repository,
 * or our copy of a remote one. Reads only.
 */
export async function lackLines(dir: string, branch: string, isElsewhere: boolean): Promise<string[]> {
  return [...(await submoduleLines(dir, branch, isElsewhere)), ...(await filterLines(dir, branch))];
}

async function submoduleLines(dir: string, branch: string, isElsewhere: boolean): Promise<string[]> {
  const missing = await missingSubmodules(dir, branch);
  if (missing.length === 0) return [];
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  const folders = `Submodules are empty where goals are worked: ${missing.slice(0, 5).join(", ")}${more}.`;
  const next = isElsewhere
    ? "A setup can fill them."
    : `To have them there: git -C ${shellWord(dir)} submodule update --init --recursive`;
  return [`${folders} ${next}`];
}

async function filterLines(dir: string, branch: string): Promise<string[]> {
  const names = await filtersAt(dir, branch);
  const others = names.filter((name) => name !== "lfs");
  const lines = [];
  if (names.includes("lfs"))
    lines.push(
      "Files that Git LFS keeps lie as pointers where goals are worked, and such a file that a goal writes is kept in git itself. After the merge it is shown as changed; this brings it into LFS: git add --renormalize . && git commit",
    );
  if (others.length > 0)
    lines.push(
      `Filters of .gitattributes do not run where goals are worked (${others.slice(0, 5).join(", ")}): files lie there as git keeps them, and what a goal writes is committed as it is, so nothing in it is encrypted or taken out.`,
    );
  return lines;
}
