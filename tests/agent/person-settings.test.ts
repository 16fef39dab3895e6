import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openAtBase } from "../../src/agent/git/base.ts";
import { inspectRepository } from "../../src/agent/git/repository.ts";
import { git, makeRepository, temporaryFolder, writeFiles } from "./fixtures.ts";

/** Settings of the person's own git that keep out what they did not name or what is damaged. */

const home = process.env["HOME"] ?? "";
afterEach(() => {
  process.env["HOME"] = home;
});

/** A home with this configuration of git, in a folder of its own. */
function atHome(configuration: string): string {
  const folder = temporaryFolder();
  writeFiles(folder, { ".gitconfig": configuration });
  process.env["HOME"] = folder;
  return folder;
}

test("a bare repository that was named is read where git finds none by itself", async () => {
  const folder = atHome("[safe]\n\tbareRepository = explicit\n");
  const repository = makeRepository(folder);
  const bare = join(folder, "bare.git");
  git(folder, "clone", "--quiet", "--bare", repository, bare);

  expect(await inspectRepository(bare)).toMatchObject({ type: "ok", baseBranch: "main" });
  const opened = await openAtBase({ mirrorDir: join(folder, "mirror"), repositoryPath: bare, branch: "main" });
  expect(opened.commit).toBe(git(repository, "rev-parse", "main"));
});

test("what their repository holds is brought as it is, where git checks what it fetches", async () => {
  const folder = atHome("[transfer]\n\tfsckObjects = true\n");
  const repository = makeRepository(folder);
  const tree = git(repository, "rev-parse", "HEAD^{tree}");
  const old = "Old <old@example.org> 1112911993 +051800";
  writeFileSync(join(folder, "commit"), `tree ${tree}\nauthor ${old}\ncommitter ${old}\n\nOld\n`);
  const commit = git(repository, "hash-object", "-t", "commit", "-w", "--literally", join(folder, "commit"));
  git(repository, "reset", "--quiet", "--hard", commit);

  const opened = await openAtBase({ mirrorDir: join(folder, "mirror"), repositoryPath: repository, branch: "main" });

  expect(opened.commit).toBe(commit);
});
