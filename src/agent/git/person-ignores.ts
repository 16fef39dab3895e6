import { readFile } from "node:fs/promises";
import { personsConfigurations, tryGit } from "./git.ts";

/**
 * The file of ignored names that a person's own configuration of git names (`core.excludesFile`), or "". Git is asked only
 * where the configuration says something of it, or includes what may: most do not, and it is looked at before each step.
 */
export async function ignoresNamed(repositoryPath: string): Promise<string> {
  const texts = await Promise.all(personsConfigurations().map((path) => readFile(path, "utf8").catch(unread)));
  if (!texts.some((text) => /excludesfile|include/i.test(text))) return "";
  const asked = ["config", "--global", "--includes", "--type=path", "--get", "core.excludesFile"];
  const named = await tryGit(asked, { cwd: repositoryPath, configuration: "person's" });
  return named.type === "ok" ? named.stdout.trim() : "";
}

/** A file that is not there says nothing; of one that cannot be read git knows what to say. */
function unread(error: NodeJS.ErrnoException): string {
  return error.code === "ENOENT" ? "" : "excludesfile";
}
