import { readFile } from "node:fs/promises";
import { personsConfigurations, tryGit } from "./git.ts";

/**
 * The ignore file that a person's git configuration names (`core.excludesFile`), or "". Git runs only when the configuration mentions
 * one, or includes other files: most do not, and this is called before each step.
 */
export async function ignoresNamed(repositoryPath: string): Promise<string> {
  const texts = await Promise.all(personsConfigurations().map((path) => readFile(path, "utf8").catch(unread)));
  if (!texts.some((text) => /excludesfile|include/i.test(text))) return "";
  const asked = ["config", "--global", "--includes", "--type=path", "--get", "core.excludesFile"];
  const named = await tryGit(asked, { cwd: repositoryPath, configuration: "person's" });
  return named.type === "ok" ? named.stdout.trim() : "";
}

/** A missing file says nothing. For an unreadable file, git is asked. */
function unread(error: NodeJS.ErrnoException): string {
  return error.code === "ENOENT" ? "" : "excludesfile";
}
