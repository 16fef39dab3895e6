import { missingSubmodules } from "../agent/git/submodules.ts";
import { readCommitted } from "../agent/git/repository.ts";
import { shellWord } from "../core/text/shell-word.ts";

/** Longer attribute files are not looked through. */
const longestAttributes = 1_000_000;

/**
 * What of a repository will not lie where its goals are worked, as lines for whoever makes it known. `dir`: the repository, or our copy of it where it
 * is elsewhere. Reads only.
 */
export async function lackLines(dir: string, branch: string, isElsewhere: boolean): Promise<string[]> {
  return [...(await submoduleLines(dir, branch, isElsewhere)), ...(await lfsLines(dir, branch))];
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

async function lfsLines(dir: string, branch: string): Promise<string[]> {
  const attributes = await readCommitted(dir, branch, ".gitattributes", longestAttributes);
  if (attributes === null || !attributes.includes("filter=lfs")) return [];
  return [
    "Files that Git LFS keeps lie as pointers where goals are worked, and such a file that a goal writes is kept in git itself.",
  ];
}
