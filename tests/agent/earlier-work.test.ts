import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { keepEarlier } from "../../src/agent/git/earlier-work.ts";
import { git, makeRepository, temporaryFolder } from "./fixtures.ts";

/** Which branch of a goal is our own work of before a restore. */

interface Made {
  readonly author?: "ana" | "us";
  readonly committer?: "ana" | "us";
  readonly message?: string;
}

const people = { ana: ["Ana", "ana@example.org"], us: ["Chief of Staff", "chief-of-staff@localhost"] } as const;
const trailers = (goalId: string) => `Work\n\nCos-Goal: ${goalId}\nCos-Run: r1`;

function commit(repository: string, on: string, made: Made): string {
  const { author = "us", committer = "us", message = "Work" } = made;
  const env = {
    PATH: process.env["PATH"],
    GIT_AUTHOR_NAME: people[author][0],
    GIT_AUTHOR_EMAIL: people[author][1],
    GIT_COMMITTER_NAME: people[committer][0],
    GIT_COMMITTER_EMAIL: people[committer][1],
  };
  const args = ["commit-tree", `${on}^{tree}`, "-p", on, "-m", message];
  return execFileSync("git", args, { cwd: repository, env }).toString().trim();
}

const ours = { message: trailers("g1") };

test.each<[string, boolean, readonly Made[]]>([
  ["one commit of ours with the goal's trailer", true, [ours]],
  ["an agent's commit below it", true, [{ message: "Add b" }, ours]],
  ["work of another goal of ours below it", true, [{ message: trailers("g0") }, ours]],
  ["another goal's trailer", false, [{ message: trailers("g2") }]],
  ["no trailer at the tip", false, [ours, { message: "More" }]],
  ["two goals in one trailer", false, [{ message: `${trailers("g1")}\nCos-Goal: g2` }]],
  ["somebody's commit on top", false, [ours, { author: "ana", committer: "ana" }]],
  ["somebody's commit with a copied trailer on top", false, [ours, { ...ours, author: "ana", committer: "ana" }]],
  ["our commit, changed by somebody", false, [{ ...ours, committer: "ana" }]],
  ["somebody's commit below ours", false, [{ author: "ana", committer: "ana" }, ours]],
])("%s: ours is %s", async (_name, isOurs, commits) => {
  const repository = makeRepository(temporaryFolder());
  let tip = git(repository, "rev-parse", "main");
  for (const made of commits) tip = commit(repository, tip, made);
  git(repository, "update-ref", "refs/heads/cos/g1", tip);
  const pushing = { goalId: "g1", baseBranch: "main", recorded: [], replaced: [] };

  const kept = await keepEarlier(repository, "refs/heads/cos/g1", pushing);

  const ref = `refs/cos/replaced/g1/${tip}`;
  expect(kept).toEqual(isOurs ? { commit: tip, ref } : null);
  expect(git(repository, "for-each-ref", "--format=%(refname)", "refs/cos")).toBe(isOurs ? ref : "");
  expect(await keepEarlier(repository, "refs/heads/cos/g1", { ...pushing, recorded: [tip] })).toBeNull();
});

test("work whose base branch is not there is nobody's to replace", async () => {
  const repository = makeRepository(temporaryFolder());
  git(repository, "update-ref", "refs/heads/cos/g1", commit(repository, "main", ours));

  const pushing = { goalId: "g1", baseBranch: "gone", recorded: [], replaced: [] };
  expect(await keepEarlier(repository, "refs/heads/cos/g1", pushing)).toBeNull();
});
