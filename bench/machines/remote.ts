import { execFile } from "node:child_process";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { Server } from "../soak/server.ts";
import { nameOf } from "../soak/work.ts";

/** The repositories elsewhere: bare ones, which are reached over smart HTTP alone. */

const call = promisify(execFile);

/** Serves a copy of each repository; their names there. */
export async function serveCopies(folder: string, repositories: readonly string[]): Promise<string[]> {
  const names = repositories.map((path) => `${basename(path)}.git`);
  for (const [index, path] of repositories.entries())
    await call("git", ["clone", "--quiet", "--bare", path, join(folder, names[index] ?? "")]);
  return names;
}

/** What git itself says of the repositories, held against the rows: each goal's work is there once, and nothing beside it. */
export async function examineRemote(server: Server, folder: string, names: readonly string[]): Promise<string[]> {
  const rows = await server.rows<{ path: string; branch: string; head_commit: string; content: string }>(
    `select r.path, g.branch, u.head_commit, g.content from cos.goals g
     join cos.repositories r using (repository_id) join cos.runs u on u.run_id = g.run_id where g.status = 'complete'`,
  );
  const wrong: string[] = [];
  for (const name of names) {
    const at = join(folder, name);
    const git = async (...args: string[]): Promise<string> =>
      (await call("git", ["-C", at, ...args], { maxBuffer: 1 << 28 })).stdout.trim();
    const mine = rows.filter((row) => row.path.endsWith(`/${name}`));
    const heads = new Map(
      (await git("for-each-ref", "--format=%(refname:short) %(objectname)"))
        .split("\n")
        .map((line): [string, string] => [line.split(" ")[0] ?? "", line.split(" ")[1] ?? ""]),
    );
    heads.delete("main");
    const written = filesOf(await git("log", "--all", "--format=commit %H", "--name-only", "--diff-filter=A"));
    for (const { branch, head_commit, content } of mine) {
      if (heads.get(branch) !== head_commit)
        wrong.push(`${branch} stands at ${heads.get(branch) ?? "nothing"}, its row says ${head_commit}`);
      heads.delete(branch);
      const commits = written.get(`${nameOf(content)}.txt`) ?? [];
      if (commits.length !== 1 || commits[0] !== head_commit)
        wrong.push(`${content} is in the commits ${commits.join(" ") || "none"}, its row says ${head_commit}`);
    }
    wrong.push(...[...heads.keys()].map((branch) => `a branch of no finished goal in ${name}: ${branch}`));
    const broken = await call("git", ["-C", at, "fsck", "--no-dangling", "--connectivity-only"]).then(
      () => "",
      (error: unknown) => String(error),
    );
    if (broken !== "") wrong.push(`git fsck of ${name}: ${broken.slice(0, 300)}`);
  }
  return wrong;
}

/** By file, the commits that added it. */
function filesOf(log: string): Map<string, string[]> {
  const files = new Map<string, string[]>();
  let commit = "";
  for (const line of log.split("\n")) {
    if (line.startsWith("commit ")) commit = line.slice("commit ".length);
    else if (line !== "") files.set(line, [...(files.get(line) ?? []), commit]);
  }
  return files;
}
