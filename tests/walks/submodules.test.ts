import { existsSync } from "node:fs";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** A repository with submodules: what the person's checkout has of them lies where goals are worked and verified. */

let world: TestWorld;
let path: string;
let library: string;
let inner: string;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
  inner = await makeRepository(join(world.dataDir, "inner"), { "deep.txt": "deep\n" });
  library = await makeRepository(join(world.dataDir, "library"), { "lib.txt": "one\n" });
  await addSubmodule(library, inner, "nested");
  path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n" });
  await addSubmodule(path, library, "vendor/lib", "the library");
  await gitIn(path, ...anyPath, "submodule", "--quiet", "update", "--init", "--recursive");
  await world.command("repo", "add", path, "--setup", "", "--check", "");
});
afterEach(() => world.close());

const anyPath = ["-c", "protocol.file.allow=always"];

async function addSubmodule(at: string, of: string, where: string, name = where): Promise<void> {
  await gitIn(at, ...anyPath, "submodule", "--quiet", "add", "--name", name, of, where);
  await gitIn(at, "commit", "--quiet", "--message", `Submodule ${where}`);
}

interface Shown {
  readonly goalId: string;
  readonly status: string;
  readonly outcome: string;
}

async function worked(run: string, done: string): Promise<Shown> {
  const { goalId } = valueOf<Shown>(await world.command("goal", "add", "Use it", "--run", run, "--done-when", done));
  await world.command("autopilot", "start");
  await world.work();
  return valueOf<Shown>(await world.command("goal", "show", goalId));
}

async function cardOf(goalId: string): Promise<string> {
  const shown = await world.command("goal", "show", goalId);
  return shown.type === "done" ? terminalLines(shown.card, "UTC").join("\n") : shown.reason;
}

const changedBy = async (goalId: string) => await gitIn(path, "diff", "--name-only", "main", `cos/${goalId}`);

describe("a submodule", () => {
  it("lies in the worktree and where the criterion runs, with those inside it, and is no part of the work", async () => {
    const use = "cat vendor/lib/lib.txt vendor/lib/nested/deep.txt";
    const goal = await worked(`${use} > out.txt`, `${use} | cmp - out.txt`);

    expect(goal).toMatchObject({ status: "complete" });
    expect(await gitIn(path, "show", `cos/${goal.goalId}:out.txt`)).toBe("one\ndeep");
    expect(await changedBy(goal.goalId)).toBe("out.txt");
    expect(await cardOf(goal.goalId)).not.toContain("Not in the commit");
    expect(await gitIn(path, "status", "--porcelain")).toBe("");
    expect(existsSync(join(path, ".git/modules/the library/index"))).toBe(true);
  });

  it("that the work changes is verified as it is recorded: without the change", async () => {
    const goal = await worked("echo two > vendor/lib/lib.txt; echo b > b.txt", "grep -q one vendor/lib/lib.txt");

    expect(goal).toMatchObject({ status: "complete" });
    expect(await changedBy(goal.goalId)).toBe("b.txt");
  });

  it("whose files the work changes, removes or makes has its card name them", async () => {
    const work = "echo two > vendor/lib/lib.txt; rm vendor/lib/nested/deep.txt; echo c > vendor/lib/new.txt";
    const { goalId } = valueOf<Shown>(
      await world.command("goal", "add", "Use it", "--run", work, "--done-when", "grep -q two vendor/lib/lib.txt"),
    );
    await world.command("autopilot", "start");
    await world.work();

    const files = "vendor/lib/lib.txt, vendor/lib/nested/deep.txt, vendor/lib/new.txt";
    expect(await cardOf(goalId)).toContain(`Not in the commit: ${files} (git could not read them`);
  });

  it("that the work leads to another commit is verified at that commit", async () => {
    await appendFile(join(library, "lib.txt"), "two\n");
    await gitIn(library, "commit", "--quiet", "--all", "--message", "Two");
    const next = await gitIn(library, "rev-parse", "HEAD");
    await gitIn(path, "-C", "vendor/lib", "fetch", "--quiet", library, "main");

    const goal = await worked(
      `git update-index --cacheinfo 160000,${next},vendor/lib && git commit -qm Newer`,
      "grep -q two vendor/lib/lib.txt",
    );

    expect(goal).toMatchObject({ status: "complete" });
    expect(await gitIn(path, "rev-parse", `cos/${goal.goalId}:vendor/lib`)).toBe(next);
    expect(await cardOf(goal.goalId)).not.toContain("Not in the commit");
  });

  it("that the person's repository does not have stays empty, which is said where the repository is made known", async () => {
    const clone = join(world.dataDir, "clone");
    await gitIn(world.dataDir, "clone", "--quiet", path, clone);
    const linesOf = async (at: string) => {
      const result = await world.command("repo", "add", at, "--name", "again", "--setup", "", "--check", "");
      return result.type === "done" ? terminalLines(result.card, "UTC").join(" ") : result.reason;
    };
    expect(await linesOf(clone)).toContain(
      `Submodules are empty where goals are worked: vendor/lib. To have them there: git -C ${clone} submodule update --init --recursive`,
    );
    await world.command("repo", "remove", "again");
    await gitIn(clone, ...anyPath, "submodule", "--quiet", "update", "--init", "--recursive");
    expect(await linesOf(clone)).not.toContain("Submodules");
    await world.command("repo", "remove", "again");

    await rm(join(path, ".git/modules"), { recursive: true });

    expect(
      await worked("ls -A vendor/lib | wc -l | tr -d ' ' > out.txt", "test ! -e vendor/lib/lib.txt"),
    ).toMatchObject({
      status: "complete",
    });
  });

  it("whose name would lead out of the folder of submodules stays empty", async () => {
    await gitIn(world.dataDir, "clone", "--quiet", "--bare", library, join(path, ".git", "outside"));
    const modules =
      '[submodule "../outside"]\n\tpath = vendor/lib\n\turl = x\n[submodule "the library"]\n\tpath = out\n\turl = x\n';
    await writeFile(join(path, ".gitmodules"), modules);
    await gitIn(path, "add", ".gitmodules");
    await gitIn(path, "commit", "--quiet", "--message", "Hostile");

    const goal = await worked("true", "test ! -e vendor/lib/lib.txt");

    expect(goal).toMatchObject({ status: "complete" });
  });

  it.each([
    [
      ".gitattributes",
      "*.bin filter=lfs diff=lfs merge=lfs -text",
      ["Files that Git LFS keeps lie as pointers", "git add --renormalize"],
    ],
    ["assets/deep/.gitattributes", "*.bin text\n*.png filter=lfs", ["Files that Git LFS keeps lie as pointers"]],
    [
      "keys/.gitattributes",
      "# filter=not\n* filter=git-crypt diff=git-crypt",
      ["(git-crypt)", "committed as it is, so nothing in it is encrypted"],
    ],
  ])(
    "filters that %s names are told of where the repository is made known, and what becomes of their files",
    async (file, attributes, words) => {
      const kept = await makeRepository(join(world.dataDir, "large"), {
        [file]: `${attributes}\n`,
        "a.txt": "filter=none\n",
      });
      const added = await world.command("repo", "add", kept, "--setup", "", "--check", "");
      const said = added.type === "done" ? terminalLines(added.card, "UTC").join(" ") : "";
      for (const each of words) expect(said).toContain(each);
      expect(said.includes("Filters of .gitattributes")).toBe(words[0] === "(git-crypt)");
    },
  );
});
