import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pushToRemote } from "../../src/agent/git/publish.ts";
import { git, makeRepository, temporaryFolder, writeFiles } from "./fixtures.ts";

/** A branch that is pushed on to a remote of the person's repository, as `git push` of theirs would. */

const branch = "cos/g1";
const pushing = { goalId: "g1", baseBranch: "main", recorded: [], replaced: [] };

function program(folder: string, name: string, lines: readonly string[]): string {
  writeFiles(folder, { [name]: `#!/bin/sh\n${lines.join("\n")}\n` });
  chmodSync(join(folder, name), 0o755);
  return join(folder, name);
}

/** A repository with the goal's branch, and a bare one as its `origin`. */
function made(): { readonly folder: string; readonly repository: string; readonly there: string } {
  const folder = temporaryFolder();
  const repository = makeRepository(folder);
  const there = join(folder, "there.git");
  git(folder, "clone", "--quiet", "--bare", repository, there);
  git(repository, "remote", "add", "origin", there);
  const commit = git(repository, "commit-tree", "main^{tree}", "-p", "main", "-m", "Work");
  git(repository, "update-ref", `refs/heads/${branch}`, commit);
  return { folder, repository, there };
}

test("over ssh the person's agent lets us in, nothing is asked, and a silent host is left", async () => {
  const { folder, repository } = made();
  const log = join(folder, "log");
  const ssh = program(folder, "bin/ssh", [`{ echo "agent $SSH_AUTH_SOCK"; echo "$@"; } >> ${log}`, "exit 255"]);
  git(repository, "config", "core.sshCommand", ssh);
  git(repository, "remote", "set-url", "origin", "git@h.example:a/b.git");

  await pushToRemote({ repositoryPath: repository, remote: "origin", agentSocket: "/run/agent", branch, pushing });
  await pushToRemote({ repositoryPath: repository, remote: "origin", agentSocket: null, branch, pushing });

  const [first, asked, second] = readFileSync(log, "utf8").split("\n");
  expect([first, second]).toEqual(["agent /run/agent", "agent "]);
  expect(asked).toMatch(/-oBatchMode=yes .*-oConnectTimeout=15 .*-oServerAliveInterval=15 .*git@h\.example/);
});
