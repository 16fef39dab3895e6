import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAtBase } from "../../src/agent/git/base.ts";
import { rebaseCommits } from "../../src/agent/git/rebase.ts";
import { git, makeRepository, temporaryFolder, writeFiles } from "./fixtures.ts";

/** The work since a base, put on a tip, by real git. */

interface At {
  readonly path: string;
  readonly commit: (files: Readonly<Record<string, string>>, message: string) => string;
  readonly branch: (name: string, from: string) => void;
  readonly rebased: (base: string, head: string, tip: string) => Promise<string | readonly string[]>;
}

function repositoryAt(): At {
  const folder = temporaryFolder();
  const path = makeRepository(folder, { "a.txt": "one\n" });
  return {
    path,
    branch: (name, from) => git(path, "checkout", "--quiet", "-b", name, from),
    commit: (files, message) => {
      writeFiles(path, files);
      git(path, "add", "--all");
      git(path, "commit", "--quiet", `--message=${message}`);
      return git(path, "rev-parse", "HEAD");
    },
    rebased: async (base, head, tip) => {
      const { mirror } = await openAtBase({ mirrorDir: join(folder, "mirror"), repositoryPath: path, branch: "main" });
      git(mirror.dir, "fetch", "--quiet", path, base, head, tip);
      const result = await rebaseCommits({ mirror, base, head, tip });
      if (result.type === "conflict") return result.files;
      git(path, "fetch", "--quiet", mirror.dir, result.commit);
      return result.commit;
    },
  };
}

describe("work whose base is no part of the tip", () => {
  it("lands without what the base had, where the branch was rewritten", async () => {
    const at = repositoryAt();
    const start = git(at.path, "rev-parse", "main");
    at.branch("old", "main");
    const base = at.commit({ "leaked.txt": "key\n" }, "Leak");
    at.commit({ "b.txt": "1\n" }, "First");
    const head = at.commit({ "b.txt": "2\n", "c.txt": "3\n" }, "Second");
    at.branch("new", start);
    const tip = at.commit({ "theirs.txt": "x\n" }, "Theirs");

    const commit = await at.rebased(base, head, tip);

    expect(git(at.path, "log", "--format=%s", "--reverse", `${tip}..${String(commit)}`)).toBe("First\nSecond");
    expect(git(at.path, "diff", "--name-status", tip, String(commit))).toBe("A\tb.txt\nA\tc.txt");
  });

  it("conflicts with nothing that landed as one other commit", async () => {
    const at = repositoryAt();
    at.branch("below", "main");
    at.commit({ "a.txt": "two\n" }, "Below 1");
    const base = at.commit({ "a.txt": "three\n" }, "Below 2");
    const head = at.commit({ "a.txt": "four\n" }, "Above");
    at.branch("squashed", "main");
    const tip = at.commit({ "a.txt": "three\n" }, "Below, as one");

    const commit = String(await at.rebased(base, head, tip));

    expect(git(at.path, "show", `${commit}:a.txt`)).toBe("four");
    expect(git(at.path, "log", "--format=%s", `${tip}..${commit}`)).toBe("Above");
  });

  it("conflicts with what changed the same lines since, in its own files only", async () => {
    const at = repositoryAt();
    const start = git(at.path, "rev-parse", "main");
    at.branch("old", "main");
    const base = at.commit({ "leaked.txt": "key\n" }, "Leak");
    const head = at.commit({ "a.txt": "ours\n" }, "Ours");
    at.branch("new", start);
    const tip = at.commit({ "a.txt": "theirs\n" }, "Theirs");

    expect(await at.rebased(base, head, tip)).toEqual(["a.txt"]);
  });
});

describe("work whose base is part of the tip", () => {
  it("that was merged with an earlier tip meanwhile conflicts with nothing of that", async () => {
    const at = repositoryAt();
    const base = git(at.path, "rev-parse", "main");
    at.branch("theirs", "main");
    at.commit({ "a.txt": "theirs\n" }, "Theirs");
    at.branch("ours", base);
    at.commit({ "b.txt": "ours\n" }, "Ours");
    git(at.path, "merge", "--quiet", "--no-edit", "theirs");
    const head = at.commit({ "a.txt": "theirs and ours\n" }, "Both");
    git(at.path, "checkout", "--quiet", "theirs");
    const tip = at.commit({ "c.txt": "later\n" }, "Later");

    const commit = String(await at.rebased(base, head, tip));

    expect(git(at.path, "show", `${commit}:a.txt`)).toBe("theirs and ours");
    expect(git(at.path, "diff", "--name-only", tip, commit)).toBe("a.txt\nb.txt");
  });
});
