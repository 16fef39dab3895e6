import { shellWord } from "../../core/text/shell-word.ts";
import { tryGit } from "./git.ts";

/** Enough output to know that something is missing. */
const fewBytes = 1_000;

/**
 * Returns the command that fetches the missing history of a branch, when a person's repository is a partial clone: git does not fetch
 * it for a mirror. Null when nothing is missing, or git cannot say. Fetches nothing.
 */
export async function partialClone(path: string, branch: string): Promise<string | null> {
  const environment = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
  const person = { cwd: path, configuration: "person's", environment } as const;
  const asked = ["config", "--get-regexp", "^(remote\\..*\\.promisor|extensions\\.partialclone)$"];
  const promisors = await tryGit(asked, person);
  if (promisors.type === "failed") return null;
  const walk = ["rev-list", "--objects", "--quiet", "--missing=print", `refs/heads/${branch}`, "--"];
  const missing = await tryGit(walk, { ...person, maxBytes: fewBytes });
  if (missing.type === "failed" || missing.stdout === "") return null;
  const [, remote, older] = /^(?:remote\.(.+)\.promisor |extensions\.partialclone (.+)$)/m.exec(promisors.stdout) ?? [];
  return `git -C ${shellWord(path)} fetch --refetch --no-filter ${shellWord(remote ?? older ?? "origin")}`;
}
