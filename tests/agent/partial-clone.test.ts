import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAtBase } from "../../src/agent/git/base.ts";
import { inspectRepository } from "../../src/agent/git/repository.ts";
import { git, makeRepository, personalEnvironment, temporaryFolder, writeFiles } from "./fixtures.ts";

/** Clones that fetch objects only when somebody asks for them: a mirror asks for all. */

test.each([
  ["blob:none", "blobless"],
  ["tree:0", "treeless"],
  ["blob:none", "blobless, as older gits made it,"],
])("a clone with --filter=%s (%s) is refused with what makes it whole, and is taken then", async (filter, called) => {
  const folder = temporaryFolder();
  const there = makeRepository(folder);
  writeFiles(there, { "a.txt": "A\n" });
  git(there, "commit", "--quiet", "--all", "--message=Next");
  git(there, "config", "uploadpack.allowFilter", "true");
  git(there, "config", "uploadpack.allowAnySHA1InWant", "true");
  const root = join(folder, "clone");
  git(folder, "clone", "--quiet", `--filter=${filter}`, `file://${there}`, root);
  if (called.includes("older")) {
    git(root, "config", "--unset", "remote.origin.promisor");
    git(root, "config", "core.repositoryFormatVersion", "1");
    git(root, "config", "extensions.partialClone", "origin");
  }

  const next = `git -C ${root} fetch --refetch --no-filter origin`;
  const reason = `${root} is a partial clone: it lacks objects of main, which work needs here`;
  expect(await inspectRepository(root)).toEqual({ type: "refused", reason, next });

  execFileSync("sh", ["-c", next], { env: personalEnvironment, stdio: "pipe" });
  expect(await inspectRepository(root)).toMatchObject({ type: "ok", root, baseBranch: "main" });
  const opened = await openAtBase({ mirrorDir: join(folder, "mirror"), repositoryPath: root, branch: "main" });
  expect(git(opened.mirror.dir, "show", `${opened.commit}~1:a.txt`)).toBe("a");
});

test("a whole repository beside a remote that promises objects is taken", async () => {
  const repository = makeRepository(temporaryFolder());
  git(repository, "config", "remote.origin.promisor", "true");
  expect(await inspectRepository(repository)).toMatchObject({ type: "ok" });
});
