import { execFileSync } from "node:child_process";
import { existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitWork } from "../../src/agent/git/commit.ts";
import { prepareWorktree } from "../../src/agent/git/worktree.ts";
import { git, makeWorktree, personalEnvironment, type Setting, writeFiles } from "./fixtures.ts";

/** Repositories that an agent lays into its worktree: their own configuration starts nothing outside of its room. */

/** One whose files go through a program of its own whenever git asks what has changed in it. */
function layRepository(worktree: string, ran: string): string {
  const dir = join(worktree, "inner");
  writeFiles(dir, { "x.txt": "1\n" });
  git(dir, "init", "--quiet");
  git(dir, "add", "--all");
  git(dir, "commit", "--quiet", "--message=Inner");
  writeFiles(dir, { ".gitattributes": "* filter=evil\n" });
  git(dir, "config", "core.fsmonitor", `touch ${ran}; false`);
  git(dir, "config", "filter.evil.process", `touch ${ran}; false`);
  return git(dir, "rev-parse", "HEAD");
}

async function recorded({ mirror, worktree, branch, folder }: Setting, parent: string): Promise<string> {
  const ran = join(folder, "ran");
  writeFileSync(join(worktree, "inner/x.txt"), "2\n");
  utimesSync(join(worktree, "inner/x.txt"), 1e9, 1e9);
  rmSync(ran, { force: true });
  const trailers = { goal: "g1", run: "r1" };
  const author = { name: "Chief of Staff", email: "cos@example.org" };
  const result = await commitWork({ mirror, worktree, branch, parent, message: "Work", trailers, author });

  expect(existsSync(ran)).toBe(false);
  return result.type === "committed" ? result.commit : parent;
}

test.each(["as it lies", "added", "committed"])(
  "a repository inside, %s, starts no program and is recorded as files",
  async (how) => {
    const setting = await makeWorktree();
    const { worktree, mirror, folder, base } = setting;
    layRepository(worktree, join(folder, "ran"));
    if (how !== "as it lies") git(worktree, "add", "inner");
    if (how === "committed") git(worktree, "commit", "--quiet", "--message=Link");

    const commit = await recorded(setting, base);

    expect(git(mirror.dir, "show", `${commit}:inner/x.txt`)).toBe("2");
  },
);

test("one in the place of a submodule starts no program, and the commit that it is moved to is recorded", async () => {
  const setting = await makeWorktree();
  const { worktree, mirror, folder } = setting;
  const inner = layRepository(worktree, join(folder, "ran"));
  git(worktree, "update-index", "--add", "--cacheinfo", `160000,${inner},inner`);
  git(worktree, "commit", "--quiet", "--message=Submodule");
  const base = git(worktree, "rev-parse", "HEAD");

  expect(await recorded(setting, base)).toBe(base);
  const next = git(join(worktree, "inner"), "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "Moved");
  git(join(worktree, "inner"), "update-ref", "HEAD", next);
  const moved = await recorded(setting, base);
  expect(git(mirror.dir, "rev-parse", `${moved}:inner`)).toBe(next);

  rmSync(join(worktree, "inner/.git"), { recursive: true });
  expect(await recorded(setting, base)).toBe(base);
});

/** As an agent does it in a shell: no name that is not text can be given to a program from here. */
function inShell(cwd: string, script: string): void {
  execFileSync("bash", ["-euc", script], {
    cwd,
    env: { ...personalEnvironment, RAN: join(cwd, "../../ran") },
    stdio: "pipe",
  });
}

const noText = "$'inn\\xffer'";

/** `lay NAME` lays a repository whose own programs write `$RAN`; with a commit unless its second word is "empty". */
const laying = `lay() {
  mkdir -p "$1"; pushd "$1" > /dev/null
  git init --quiet; echo 1 > x.txt
  if [ "\${2-}" != empty ]; then git add --all; git commit --quiet --message=Inner; fi
  echo '* filter=evil' > .gitattributes
  git config core.fsmonitor "touch $RAN; false"; git config filter.evil.process "touch $RAN; false"
  echo 2 > x.txt; touch -d 2001-09-09 x.txt; popd > /dev/null
}
`;

const laid: readonly (readonly [string, string])[] = [
  ["as it lies", `lay ${noText}`],
  ["added", `lay ${noText}; git add --all`],
  ["committed", `lay ${noText}; git add --all; git commit --quiet --message=Link`],
  ["in what the work began with", `lay ${noText}; git add --all; git commit --quiet --message=Link`],
  ["without a commit", `lay ${noText} empty`],
  ["in a folder below", `lay ${noText}/deep/inner; git add --all`],
  ["without a commit in a folder below", `lay ${noText}/deep/inner empty`],
  [
    "with a file for its folder",
    `lay ${noText}; mv ${noText}/.git .away; echo "gitdir: ../.away" > ${noText}/.git; git add ${noText}`,
  ],
  ["behind a link", `lay ${noText}; git add --all; mv ${noText} .away; ln -s .away ${noText}`],
  ["behind a link in a folder", `lay ${noText}/inner; git add --all; mv ${noText} .away; ln -s .away ${noText}`],
  ["many times", `for i in {1..12}; do lay $'r\\xff'$i; done; git add --all`],
  ["beside one with a name", `lay ${noText}; lay inner; git add --all`],
];

test.each(laid)(
  "a repository in a folder whose name is no text, %s, starts no program, and the work beside it is recorded",
  async (how, script) => {
    const { mirror, worktree, branch, base, folder } = await makeWorktree();
    inShell(worktree, laying + script);
    const parent = how === "in what the work began with" ? git(worktree, "rev-parse", "HEAD") : base;
    writeFiles(worktree, { "work.txt": "work\n" });
    rmSync(join(folder, "ran"), { force: true });
    const work = {
      mirror,
      worktree,
      branch,
      parent,
      message: "Work",
      author: { name: "Cos", email: "cos@example.org" },
    };

    const done = await commitWork({ ...work, trailers: { goal: "g1", run: "r1" } });

    expect(existsSync(join(folder, "ran"))).toBe(false);
    expect(done.type === "committed" ? git(mirror.dir, "show", `${done.commit}:work.txt`) : done).toBe("work");
    await commitWork({ ...work, trailers: { goal: "g1", run: "r2" } });
    await prepareWorktree({ mirror, worktreeDir: worktree, branch, startCommit: parent });
    expect(existsSync(join(folder, "ran"))).toBe(false);
  },
);
