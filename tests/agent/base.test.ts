import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openAtBase } from "../../src/agent/git/base.ts";
import { refresh } from "../../src/agent/git/remote.ts";
import { startGitServer } from "../fakes/git-server.ts";
import { git, makeRepository, temporaryFolder } from "./fixtures.ts";

afterEach(() => vi.unstubAllEnvs());

/** A repository in a folder whose name holds a line break, and where its mirror will be. */
function repositoryAt() {
  const folder = join(temporaryFolder(), "a\nb");
  mkdirSync(folder);
  const repositoryPath = makeRepository(folder, { "a.txt": "1\n" });
  return { mirrorDir: join(folder, "mirror"), repositoryPath, branch: "main" };
}

/** Runs `work`; the commands of git that it has started. */
async function commandsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const log = join(folder, "log");
  const path = process.env["PATH"] ?? "";
  const real = path.split(delimiter).find((each) => existsSync(join(each, "git")));
  writeFileSync(join(folder, "git"), `#!/bin/sh\necho "$@" >> '${log}'\nexec '${real}/git' "$@"\n`);
  chmodSync(join(folder, "git"), 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${path}`);
  await work();
  vi.unstubAllEnvs();
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

describe("the base branch in the mirror", () => {
  it("is looked for by one process of git, where it stands as it stood", async () => {
    const at = repositoryAt();
    const { commit } = await openAtBase(at);

    const commands = await commandsOf(async () => {
      expect((await openAtBase(at)).commit).toBe(commit);
    });

    expect(commit).toBe(git(at.repositoryPath, "rev-parse", "HEAD"));
    expect(commands).toHaveLength(1);
  });

  it("is what the repository has by now", async () => {
    const at = repositoryAt();
    await openAtBase(at);
    git(at.repositoryPath, "commit", "--quiet", "--allow-empty", "--message=Next");

    const { commit, mirror } = await openAtBase(at);

    expect(commit).toBe(git(at.repositoryPath, "rev-parse", "HEAD"));
    expect(git(mirror.dir, "rev-parse", "refs/remotes/origin/main")).toBe(commit);
  });

  it.each<[string, (ref: string, dir: string) => void]>([
    ["gone", (ref) => rmSync(ref)],
    ["another commit's", (ref, dir) => writeFileSync(ref, `${git(dir, "rev-parse", "main~1")}\n`)],
    [
      "a link",
      (ref, dir) => (writeFileSync(join(dir, "text"), readFileSync(ref)), rmSync(ref), symlinkSync("text", ref)),
    ],
    ["no commit's", (ref) => writeFileSync(ref, `${"0".repeat(39)}1\n`)],
  ])("is the repository's where the ref was made %s meanwhile", async (_, change) => {
    const at = repositoryAt();
    git(at.repositoryPath, "commit", "--quiet", "--allow-empty", "--message=Next");
    const { commit, mirror } = await openAtBase(at);
    change(join(mirror.dir, "refs/remotes/origin/main"), at.repositoryPath);

    expect((await openAtBase(at)).commit).toBe(commit);
    expect(git(mirror.dir, "rev-parse", "refs/remotes/origin/main")).toBe(commit);
  });

  it("is brought anew where the mirror was removed", async () => {
    const at = repositoryAt();
    const { commit, mirror } = await openAtBase(at);
    rmSync(mirror.dir, { recursive: true });

    expect((await openAtBase(at)).commit).toBe(commit);
    expect(git(mirror.dir, "cat-file", "-t", commit)).toBe("commit");
  });

  it("says which branch is missing", async () => {
    await expect(openAtBase({ ...repositoryAt(), branch: "nowhere" })).rejects.toThrow(/nowhere/);
  });

  it.each([
    ["dev", "dev/main"],
    ["release/1", "release"],
  ])("is brought when %s has become %s, which cannot be beside it", async (before, after) => {
    const { mirrorDir, repositoryPath } = repositoryAt();
    git(repositoryPath, "branch", "--move", before);
    await openAtBase({ mirrorDir, repositoryPath, branch: before });
    git(repositoryPath, "branch", "--move", "between");
    git(repositoryPath, "branch", "--move", after);

    const { commit } = await openAtBase({ mirrorDir, repositoryPath, branch: after });

    expect(commit).toBe(git(repositoryPath, "rev-parse", "HEAD"));
    expect(git(mirrorDir, "for-each-ref", "--format=%(refname)")).toBe(`refs/remotes/origin/${after}`);
  });

  it("of a repository by URL comes into our copy when its name lies above or below the earlier one", async () => {
    const folder = temporaryFolder();
    const there = join(folder, "served", "shop.git");
    git(folder, "clone", "--quiet", "--bare", makeRepository(folder), there);
    const { url } = await startGitServer(join(folder, "served"), null);
    const access = { host: "127.0.0.1", transport: "http", keyFile: null, agentSocket: null, name: "shop" } as const;
    const origin = { dir: join(folder, "copy.git"), remote: { url: `${url}/shop.git`, ...access } };

    for (const name of ["main", "main/next", "main"]) {
      git(there, "branch", "--move", "between");
      git(there, "branch", "--move", name);
      expect(await refresh(origin, name)).toEqual({ type: "fresh" });
      expect(git(origin.dir, "for-each-ref", "--format=%(refname)")).toBe(`refs/heads/${name}`);
    }
  });
});
