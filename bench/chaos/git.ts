import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Server } from "../soak/server.ts";
import { nameOf } from "../soak/work.ts";

/** What git says at the end, held against the rows. */

const call = promisify(execFile);

/** Every finished goal's branch stands where its row says and holds what the goal wrote; the repository is whole. */
export async function examineGit(server: Server, work: string, repositories: readonly string[]): Promise<string[]> {
  const rows = await server.rows<{ name: string; branch: string; head_commit: string; content: string }>(
    `select r.name, g.branch, u.head_commit, g.content from cos.goals g
     join cos.repositories r using (repository_id) join cos.runs u on u.run_id = g.run_id where g.status = 'complete'`,
  );
  const wrong: string[] = [];
  for (const { name, branch, head_commit, content } of rows) {
    const goal = nameOf(content);
    const [stands, wrote] = await Promise.all([
      gitIn(join(work, name), "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`),
      gitIn(join(work, name), "show", `${head_commit}:${goal}.txt`),
    ]);
    if (stands !== head_commit) wrong.push(`${branch} stands at ${stands || "nothing"}, its row says ${head_commit}`);
    if (wrote !== goal) wrong.push(`${branch} does not hold what ${goal} wrote`);
  }
  for (const path of repositories) {
    const broken = await gitIn(path, "fsck", "--no-dangling", "--connectivity-only");
    if (broken !== "") wrong.push(`git fsck of ${path}: ${broken.slice(0, 300)}`);
    const branches = (await gitIn(path, "for-each-ref", "--format=%(refname:short)", "refs/heads/cos/")).split("\n");
    const extra = branches.filter((branch) => branch !== "" && !rows.some((row) => row.branch === branch));
    if (extra.length > 0) wrong.push(`branches of no finished goal in ${path}: ${extra.join(" ")}`);
  }
  return wrong;
}

async function gitIn(path: string, ...args: string[]): Promise<string> {
  return await call("git", ["-C", path, ...args]).then(
    ({ stdout }) => stdout.trim(),
    ({ stderr }: { readonly stderr: string }) => stderr.trim(),
  );
}
