import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
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

  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  const asked = lines[1];
  // Each push, and the question whether it has arrived all the same.
  const agents = lines.filter((line) => line.startsWith("agent"));
  expect(agents).toEqual(["agent /run/agent", "agent /run/agent", "agent ", "agent "]);
  expect(asked).toMatch(/-oBatchMode=yes .*-oConnectTimeout=15 .*-oServerAliveInterval=15 .*git@h\.example/);
});

/** An ssh that serves `there` as the lines say, in which `"$@"` is git's other side. */
function served({ folder, repository, there }: ReturnType<typeof made>, lines: readonly string[]): void {
  const before = ["for last; do :; done", `set -- \${last%%-pack*}-pack "${there}"`];
  git(repository, "config", "core.sshCommand", program(folder, "bin/ssh", [...before, ...lines]));
  git(repository, "remote", "set-url", "origin", "git@h.example:a/b.git");
}

const pushed = (repositoryPath: string) =>
  pushToRemote({ repositoryPath, remote: "origin", agentSocket: null, branch, pushing });

test.each([
  ["whose connection then ends badly", '"$@"; exit 255'],
  // What it says after it was sent the pack (its length comes first) is lost.
  [
    "which never says so",
    `case "$1" in *upload*) exec "$@";; esac; "$@" | ${process.execPath} -e '${cutAnswer()}'; exit 255`,
  ],
])("a push that the other side has taken, %s, has arrived", async (_, line) => {
  const places = made();
  served(places, [line]);

  expect(await pushed(places.repository)).toEqual({ type: "published", earlier: null });
  expect(git(places.there, "rev-parse", branch)).toBe(git(places.repository, "rev-parse", branch));
});

/** Passes on what is advertised, which ends with git's "0000", and nothing more. */
function cutAnswer(): string {
  return 'let all = ""; process.stdin.on("data", (part) => { if (all.endsWith("0000")) return; all += part; process.stdout.write(part); });';
}

test("a push that ends before it was there is no word of a hook's, and waits", async () => {
  const places = made();
  served(places, ["exit 255"]);

  expect(await pushed(places.repository)).toMatchObject({ type: "rejected", isRefused: false, isAway: true });
});

test("a push that one of a remote's two places has taken has not arrived", async () => {
  const places = made();
  served(places, ['"$@"; exit 255']);
  const ssh = program(places.folder, "bin/either", [
    `case "$*" in *second*) exit 255;; esac`,
    `exec ${join(places.folder, "bin/ssh")} "$@"`,
  ]);
  git(places.repository, "config", "core.sshCommand", ssh);
  git(places.repository, "remote", "set-url", "--push", "origin", "git@h.example:a/b.git");
  git(places.repository, "remote", "set-url", "--push", "--add", "origin", "git@h.example:a/second.git");

  expect(await pushed(places.repository)).toMatchObject({ type: "rejected", isRefused: false });
  expect(git(places.there, "rev-parse", branch)).toBe(git(places.repository, "rev-parse", branch));
});

test("a disk that is full at the other side is not taken for ours", async () => {
  const places = made();
  program(join(places.there, "hooks"), "update", ["echo 'cp: write error: No space left on device' >&2", "exit 1"]);
  served(places, ['"$@"']);

  expect(await pushed(places.repository)).toEqual({
    type: "rejected",
    isRefused: false,
    isAway: true,
    reason: expect.stringMatching(/^h\.example could not take it \(hook declined\): cp: write error: No space left/),
  });
});

test("the person's own pre-push hook is asked, and its words are what it was refused for", async () => {
  const { repository, there } = made();
  const hooks = join(repository, ".git/hooks");
  const push = () => pushToRemote({ repositoryPath: repository, remote: "origin", agentSocket: null, branch, pushing });
  const rejected = (reason: string) => ({ type: "rejected", isRefused: true, isAway: false, reason });

  program(hooks, "pre-push", ["echo a.txt: a key; echo error: keys stay here >&2; exit 1"]);
  expect(await push()).toEqual(
    rejected("the pre-push hook here refused it: a.txt: a key\nerror: keys stay here: do what its words say"),
  );
  program(hooks, "pre-push", ["exit 1"]);
  expect(await push()).toEqual(rejected("the pre-push hook here refused it: do what its words say"));
  expect(() => git(there, "rev-parse", "--verify", "--quiet", branch)).toThrow();

  program(hooks, "pre-push", ["echo looked at $1", "cat >&2"]);
  expect(await push()).toEqual({ type: "published", earlier: null });
  expect(git(there, "rev-parse", branch)).toBe(git(repository, "rev-parse", branch));
});

test("a login page in the place of the repository is called one, and waited for", async () => {
  const { repository } = made();
  const page = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void page.close());
  git(repository, "remote", "set-url", "origin", `http://127.0.0.1:${(page.address() as AddressInfo).port}/x.git`);

  const reason = expect.stringContaining("127.0.0.1 answers with a web page, not as git does (") as string;
  expect(await pushed(repository)).toEqual({ type: "rejected", isRefused: false, isAway: true, reason });
});

test("a push that ends without a word is blamed on no hook where there is none, and waits", async () => {
  const { folder, repository } = made();
  const dies = ['while read line; do case "$line" in'];
  const helper = [...dies, "capabilities) echo push; echo;;", "list*) echo;;", "push*) exit 1;;", "esac; done"];
  program(join(folder, "bin"), "git-remote-dies", helper);
  git(repository, "config", "remote.origin.url", "https://h.example/x.git");
  git(repository, "config", "remote.origin.vcs", "dies");
  const { PATH } = process.env;
  onTestFinished(() => void (process.env["PATH"] = PATH));
  process.env["PATH"] = `${join(folder, "bin")}:${PATH}`;

  const reason = expect.stringMatching(/^h\.example does not answer as it should \(failed to push some refs/) as string;
  expect(await pushed(repository)).toEqual({ type: "rejected", isRefused: false, isAway: true, reason });
  program(join(repository, ".git/hooks"), "pre-push", ["exit 1"]);
  expect(await pushed(repository)).toMatchObject({ isRefused: true, isAway: false });
});

test("what git itself or the other side refuses is not taken for the pre-push hook's word", async () => {
  const { repository, there } = made();
  const push = () => pushToRemote({ repositoryPath: repository, remote: "origin", agentSocket: null, branch, pushing });
  program(join(repository, ".git/hooks"), "pre-push", ["echo all is well"]);
  program(join(there, "hooks"), "update", ["echo no branches on Fridays >&2", "exit 1"]);
  const refused = await push();
  const tip = git(repository, "rev-parse", branch);
  git(repository, "update-ref", "-d", `refs/heads/${branch}`);
  const missing = await push();
  git(repository, "update-ref", `refs/heads/${branch}`, tip);
  rmSync(there, { recursive: true });
  const gone = await push();

  const reason = `${there} refused it (hook declined): no branches on Fridays: do what its words say`;
  expect(refused).toEqual({ type: "rejected", isRefused: true, isAway: false, reason });
  expect(missing).toMatchObject({ isRefused: false, reason: expect.stringContaining("src refspec") });
  expect(gone).toMatchObject({ isRefused: false, reason: expect.stringContaining("there is no repository at") });
});

test("hooks among the repository's own files, which an agent can change, are not run; those elsewhere are", async () => {
  const { folder, repository, there } = made();
  const push = () => pushToRemote({ repositoryPath: repository, remote: "origin", agentSocket: null, branch, pushing });

  program(join(folder, "hooks"), "pre-push", ["exit 1"]);
  git(repository, "config", "core.hooksPath", join(folder, "hooks"));
  expect(await push()).toMatchObject({ type: "rejected", isRefused: true });

  program(join(repository, ".husky"), "pre-push", [`touch ${folder}/ran`, "exit 1"]);
  git(repository, "config", "core.hooksPath", ".husky");
  expect(await push()).toEqual({ type: "published", earlier: null });
  git(repository, "config", "--unset", "core.hooksPath");
  rmSync(join(repository, ".git/hooks"), { recursive: true });
  symlinkSync(join(repository, ".husky"), join(repository, ".git/hooks"));
  expect(await push()).toEqual({ type: "published", earlier: null });
  expect(existsSync(join(folder, "ran"))).toBe(false);
  expect(git(there, "rev-parse", branch)).toBe(git(repository, "rev-parse", branch));
});

test("a hook that an agent can reach over a link, another worktree or an odd name is not run either", async () => {
  const { folder, repository, there } = made();
  const ran = join(folder, "ran");
  const hook = (at: string, name = "pre-push") => program(at, name, [`echo ${at} >> ${ran}`, "exit 1"]);
  const push = (repositoryPath: string) =>
    pushToRemote({ repositoryPath, remote: "origin", agentSocket: null, branch, pushing });
  const hooksAt = (at: string) => git(repository, "config", "core.hooksPath", at);

  symlinkSync(hook(join(repository, "scripts")), join(repository, ".git/hooks/pre-push"));
  expect(await push(repository)).toEqual({ type: "published", earlier: null });
  rmSync(join(repository, ".git/hooks/pre-push"));

  const linked = join(folder, "linked");
  git(repository, "worktree", "add", "--quiet", "--detach", linked);
  hook(join(linked, ".husky"));
  hook(join(repository, "..husky"));
  hooksAt(join(linked, ".husky"));
  await push(repository);
  hooksAt(join(repository, "..husky"));
  await push(repository);
  await push(linked);

  // Worktrees that lie in the bare repository itself.
  const files = join(there, "main");
  git(there, "worktree", "add", "--quiet", "--detach", files);
  hook(join(files, ".husky"));
  git(there, "config", "core.hooksPath", join(files, ".husky"));
  await push(there);
  await push(files);
  expect(existsSync(ran) ? readFileSync(ran, "utf8") : "").toBe("");

  hook(join(there, "hooks"));
  git(there, "config", "--unset", "core.hooksPath");
  await push(files);
  expect(readFileSync(ran, "utf8")).toBe(`${join(there, "hooks")}\n`);
});
