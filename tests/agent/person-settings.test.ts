import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { fetchBase, openAtBase } from "../../src/agent/git/base.ts";
import { commitWork } from "../../src/agent/git/commit.ts";
import { moveBranch } from "../../src/agent/git/merge.ts";
import { publishBranch } from "../../src/agent/git/publish.ts";
import { inspectRepository } from "../../src/agent/git/repository.ts";
import { git, makeRepository, makeWorktree, temporaryFolder, writeFiles } from "./fixtures.ts";

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

test.each([
  ["insteadOf", "its path", (repository: string) => repository],
  ["pushInsteadOf", "its path", (repository: string) => repository],
  ["insteadOf", "what its path begins with", (repository: string) => repository.slice(0, -"repository".length)],
  ["insteadOf", "what a name of ours begins with", () => "cos-"],
  ["pushInsteadOf", "what a name of ours begins with", () => "cos-"],
])("url.….%s for %s leads no fetch and no push of a folder elsewhere [F-203]", async (key, _what, replaced) => {
  const setting = await makeWorktree();
  const { repository, mirror, worktree, branch, base } = setting;
  const elsewhere = makeRepository(join(setting.folder, "elsewhere"), { "a.txt": "planted\n" });
  const before = git(elsewhere, "for-each-ref");
  git(repository, "commit", "--quiet", "--allow-empty", "--message=Next");
  const tip = git(repository, "rev-parse", "main");
  const url = replaced(repository).endsWith("/") ? `${join(setting.folder, "elsewhere")}/` : elsewhere;
  atHome(`[url "${url}"]\n\t${key} = ${replaced(repository)}\n`);

  const fetched = await fetchBase(mirror, "main");

  writeFiles(worktree, { "work.txt": "1\n" });
  const author = { name: "Cos", email: "cos@example.org" };
  const how = { message: "Work", trailers: { goal: "g1", run: "r1" }, author };
  const result = await commitWork({ mirror, worktree, branch, parent: base, ...how });
  const commit = result.type === "committed" ? result.commit : "";
  const origin = { dir: repository, remote: null };
  const pushing = { goalId: "g1", baseBranch: "main", recorded: [], replaced: [] };
  const published = await publishBranch({ mirror, origin, pushing, branch, commit });
  git(repository, "branch", "other", base);
  const moved = await moveBranch({
    mirror,
    origin,
    branch: "other",
    from: base,
    to: commit,
    carrier: "refs/cos/carrier",
  });

  expect(fetched).toBe(tip);
  expect([published.type, moved.type]).toEqual(["published", "moved"]);
  expect(git(repository, "rev-parse", branch, "other")).toBe(`${commit}\n${commit}`);
  expect(git(elsewhere, "for-each-ref")).toBe(before);
});
