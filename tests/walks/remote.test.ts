import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { listRemote } from "../../src/agent/git/remote-access.ts";
import type { CommandResult } from "../../src/commands/command.ts";
import { eventually } from "../fakes/bot.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { startGitServer } from "../fakes/git-server.ts";
import { freePort } from "../fakes/port.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** Repositories by URL: reached over smart HTTP and ssh, pushed to, and read again after others did something there. */

let world: TestWorld;
/** Bare repositories, as a server keeps them. */
let served: string;

beforeEach(async () => {
  world = await testWorld();
  served = join(world.dataDir, "..", `served-${Date.now()}-${process.pid}`);
  const home = join(world.dataDir, "home");
  await mkdir(home, { recursive: true });
  await mkdir(served, { recursive: true });
  vi.stubEnv("HOME", home);
  const work = await makeRepository(join(world.dataDir, "elsewhere"), { "a.txt": "a\n" });
  await gitIn(work, "clone", "--quiet", "--bare", work, join(served, "shop.git"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  execFileSync("rm", ["-rf", served]);
  await world.close();
});

const bare = (...args: string[]) => gitIn(join(served, "shop.git"), ...args);

function refusal(result: CommandResult): string {
  return result.type === "refused" ? `${result.reason} -> ${result.next ?? ""}` : "done";
}

async function doneGoal(...more: readonly string[]): Promise<string> {
  const added = await world.command("goal", "add", "Write b", "--run", "echo b > b.txt", ...more);
  if (added.type === "refused") throw new Error(added.reason);
  await world.command("autopilot", "start");
  await world.work();
  await world.tick();
  return (added.value as { goalId: string }).goalId;
}

async function statusOf(goalId: string): Promise<string | undefined> {
  const asked = "select status, outcome from cos.goals where goal_id = $1";
  const { rows } = await world.deps.database.pool.query<{ status: string; outcome: string | null }>(asked, [goalId]);
  return `${rows[0]?.status}: ${rows[0]?.outcome ?? ""}`;
}

describe("a repository over HTTP [F-605]", () => {
  it("is made known by its URL, worked, pushed to and merged there", async () => {
    const server = await startGitServer(served, null);
    const url = `${server.url}/shop.git`;

    expect(await world.command("repo", "add", url, "--setup", "")).toMatchObject({
      type: "done",
      value: { path: url, name: "shop", baseBranch: "main" },
    });
    const goalId = await doneGoal();
    expect(await statusOf(goalId)).toMatch(/^complete/);
    expect(await bare("show", `cos/${goalId}:b.txt`)).toBe("b");

    await world.command("goal", "merge", goalId);
    world.advance(60_000);
    await world.tick();
    expect(await bare("show", "main:b.txt")).toBe("b");
  });

  it("is not made known where a branch called cos leaves no room for those of goals", async () => {
    const server = await startGitServer(served, null);
    await bare("branch", "cos", "main");

    const said = refusal(await world.command("repo", "add", `${server.url}/shop.git`, "--setup", ""));

    expect(said).toContain("has a branch called cos");
    expect(said).toContain("-> rename that branch there");
  });

  it("is not taken for an empty one where a web page answers in its place, and an empty one is", async () => {
    const server = await startGitServer(served, null);
    await gitIn(served, "init", "--quiet", "--bare", "none.git");
    const add = (name: string) => world.command("repo", "add", `${server.url}/${name}.git`, "--setup", "");

    expect(refusal(await add("none"))).toMatch(/none\.git has no commits yet -> push a first commit there/);
    server.away("page");
    const page = /127\.0\.0\.1 answers with a web page, not as git does .* -> open http:.*shop\.git in a browser/;
    expect(refusal(await add("shop"))).toMatch(page);

    server.away("nothing");
    await add("shop");
    const goalId = await doneGoal();
    server.away("page");
    expect(refusal(await world.command("goal", "discard", goalId))).toMatch(page);
    expect(JSON.stringify(await world.command("standup"))).not.toContain("is gone");
    server.away("nothing");
    expect(await world.command("goal", "discard", goalId)).toMatchObject({ type: "done" });
  });

  it("is not taken for a web page where a server of plain files has it, and no branch of ours", async () => {
    const server = await startGitServer(served, null);
    await bare("update-server-info");
    server.away("files");

    expect(valueOf(await world.command("repo", "add", `${server.url}/shop.git`, "--setup", ""))).toMatchObject({
      baseBranch: "main",
    });
    const remote = { url: `${server.url}/shop.git`, host: "127.0.0.1", transport: "http", keyFile: null } as const;
    const asked = { ...remote, agentSocket: null, name: "shop" };
    expect(await world.deps.git.askRemote(asked, { withinMs: 60_000 })).toBeNull();
    const none = { flags: ["--refs"], patterns: ["refs/heads/cos/*"] };
    expect(await listRemote(asked, none, { cwd: world.dataDir, timeoutMs: 60_000 })).toEqual({
      type: "listed",
      lines: "",
    });
    server.away("page");
    expect(await world.deps.git.askRemote(asked, { withinMs: 60_000 })).not.toBeNull();
  });

  it("is let in by git's credential helper, and by nothing that is stored here", async () => {
    const server = await startGitServer(served, "ana:s3cret-pass-word");
    const url = `${server.url}/shop.git`;
    expect(refusal(await world.command("repo", "add", url))).toContain("does not let us in");

    const home = process.env["HOME"] ?? "";
    const credentials = join(home, "credentials");
    await writeFile(credentials, `http://ana:s3cret-pass-word@127.0.0.1:${server.port}\n`);
    await writeFile(join(home, ".gitconfig"), `[credential]\n\thelper = store --file=${credentials}\n`);
    await world.command("repo", "add", url, "--setup", "");
    const goalId = await doneGoal();

    expect(await statusOf(goalId)).toMatch(/^complete/);
    expect(await bare("show", `cos/${goalId}:b.txt`)).toBe("b");
    expect(server.loggedIn()).toBeGreaterThan(3);
    const stored = execFileSync("sh", ["-c", `grep -rl s3cret-pass-word ${world.dataDir} || true`]).toString();
    expect(stored.trim()).toBe(credentials);
  });

  it("is read again: what others pushed, deleted or merged there is seen", async () => {
    const server = await startGitServer(served, null);
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "");
    const goalId = await doneGoal();
    await bare("update-ref", "-d", `refs/heads/cos/${goalId}`);
    const gone = JSON.stringify(await world.command("standup"));
    expect(gone).toContain(`cos/${goalId} is gone, neither merged nor discarded`);
    expect(await world.command("goal", "discard", goalId)).toMatchObject({
      type: "done",
      value: { ref: `refs/cos/discarded/${goalId}` },
    });
    expect(JSON.stringify(await world.command("standup"))).not.toContain(`cos/${goalId} is gone`);
  });

  it("that moved meanwhile is merged into on top of what is there, and one whose hook refuses says so", async () => {
    const server = await startGitServer(served, null);
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "");
    const goalId = await doneGoal();
    const clone = join(world.dataDir, "clone");
    await gitIn(world.dataDir, "clone", "--quiet", join(served, "shop.git"), clone);
    await writeFile(join(clone, "c.txt"), "c\n");
    await gitIn(clone, "add", "c.txt");
    await gitIn(clone, "commit", "--quiet", "-m", "C");
    await gitIn(clone, "push", "--quiet", "origin", "main");
    const hook = join(served, "shop.git", "hooks", "pre-receive");
    await mkdir(join(served, "shop.git", "hooks"), { recursive: true });
    await writeFile(hook, "#!/bin/sh\necho no merges on Fridays >&2\nexit 1\n");
    chmodSync(hook, 0o755);

    await world.command("goal", "merge", goalId);
    world.advance(60_000);
    await world.tick();
    const why = JSON.stringify(await world.command("goal", "show", goalId));
    expect(why).toContain("no merges on Fridays");

    chmodSync(hook, 0o644);
    await world.command("goal", "merge", goalId);
    world.advance(60_000);
    await world.tick();
    expect(await bare("ls-tree", "--name-only", "main")).toBe("a.txt\nb.txt\nc.txt");
  });

  it.each([
    { away: "all", mayBeUndone: true },
    // It was asked, and what it did is not known.
    { away: "pushes", mayBeUndone: false },
    { away: "page", mayBeUndone: true },
  ] as const)("that does not answer to $away when a merge is due is asked again", async ({ away, mayBeUndone }) => {
    const server = await startGitServer(served, null);
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "");
    const goalId = await doneGoal();
    const before = await bare("rev-parse", "main");
    await world.command("goal", "merge", goalId);
    server.away(away);
    world.advance(60_000);
    await world.tick();
    expect(await cardWords(world, goalId)).toMatch(
      /Waits: 127\.0\.0\.1 (does not answer as it should|answers with a web page)/,
    );
    if (mayBeUndone) {
      expect(await world.command("goal", "undo", goalId)).toMatchObject({ type: "done" });
      await world.command("goal", "merge", goalId);
      world.advance(60_000);
      await world.tick();
    } else expect(await world.command("goal", "undo", goalId)).toMatchObject({ type: "refused" });
    expect(await bare("rev-parse", "main")).toBe(before);

    server.away("nothing");
    world.advance(60_000);
    await world.tick();
    expect(await bare("show", "main:b.txt")).toBe("b");
  });

  const questions = async () => valueOf<{ recommendation: string }[]>(await world.command("checkpoints"));

  it("that does not answer to a push is pushed to again by itself, and the next goal goes on", async () => {
    const server = await startGitServer(served, null);
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "", "--agent", "command:touch c.txt");
    server.away("pushes");
    const goalId = await doneGoal("--done-when", "test -f b.txt");
    const next = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write c"));
    await world.work();
    expect(await statusOf(next.goalId)).toMatch(/Its push waits/);
    const status = valueOf<{ awaitingPush: { goalId: string }[] }>(await world.command("status"));
    expect(status).toMatchObject({ awaitingProvider: [], awaitingPush: [{ goalId }, { goalId: next.goalId }] });
    const waiting = await statusOf(goalId);
    expect(waiting).toMatch(/verified\. Its push waits and is tried again by itself: 127\.0\.0\.1 does not answer/);
    expect(await questions()).toEqual([]);
    world.advance(60_000);
    await world.work();
    expect(await statusOf(goalId)).toBe(waiting);

    server.away("nothing");
    expect(await world.command("goal", "resume", goalId)).toMatchObject({ type: "done" });
    await world.work();
    expect(await statusOf(goalId)).toMatch(/^complete: .* 1 of 1 criteria verified\.$/);
    expect(await bare("show", `cos/${goalId}:b.txt`)).toBe("b");
    const { timeline } = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
    const named = timeline.map(({ event }) => event);
    expect(named.filter((event) => event === "run.executed")).toHaveLength(1);
    expect(named.filter((event) => event === "recovery.limited")).toHaveLength(2);
  });

  it("that does not answer to a push, and a provider that does not, hold up no goal that needs neither", async () => {
    const server = await startGitServer(served, null);
    const limited = "command:sh -c \"echo 'Claude AI usage limit reached|1769486400' >&2; exit 1\"";
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "", "--agent", limited);
    server.away("pushes");
    const pushed = await doneGoal();
    const limitedGoal = valueOf<{ goalId: string }>(await world.command("goal", "add", "Write c"));
    await world.work();
    const own = await doneGoal();

    const status = valueOf<{ awaitingProvider: { goalId: string }[] }>(await world.command("status"));
    expect(status).toMatchObject({
      awaitingProvider: [{ goalId: limitedGoal.goalId }],
      awaitingPush: [{ goalId: pushed }, { goalId: own }],
    });

    server.away("nothing");
    valueOf(await world.command("goal", "resume", own));
    await world.work();
    expect(await statusOf(own)).toMatch(/^complete/);
  });

  it.each(["stop", "pause", null])("is said to be pushed to again only where it is: %s", async (asked) => {
    const server = await startGitServer(served, null);
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "");
    server.away("pushes");
    const goalId = await doneGoal();
    world.advance(60_000);
    await world.work();
    world.advance(2 * 60_000);
    server.away("pushes", async () => void (asked !== null && (await world.command("autopilot", asked))));
    await world.work();

    const { timeline } = valueOf<{ timeline: { event: string; detail: object }[] }>(await world.command("why", goalId));
    const waits = timeline.filter(({ event, detail }) => event === "recovery.limited" && !("isHeld" in detail));
    const said = "select 1 from cos.messages where card::text like '%It tries again at%'";
    expect(waits).toHaveLength(asked === null ? 3 : 2);
    expect((await world.deps.database.pool.query(said)).rowCount).toBe(asked === null ? 1 : 0);
  });

  it("that answers to no push for an hour is asked about then, and Retry pushes again", async () => {
    const server = await startGitServer(served, null);
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "");
    server.away("pushes");
    const goalId = await doneGoal("--done-when", "test -f b.txt");
    for (const minutes of [1, 2, 4, 8, 15]) {
      world.advance(minutes * 60_000);
      await world.work();
      expect(await questions()).toEqual([]);
    }
    world.advance(30 * 60_000);
    await world.work();
    expect((await questions()).map((each) => each.recommendation)).toEqual([
      "Retry - the work is done: mend what refused its push first.",
    ]);
    expect(await statusOf(goalId)).toMatch(/^blocked: Escalated to human: The work is done but could not be pushed/);

    server.away("nothing");
    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    const card = await cardWords(world, question?.checkpointId ?? "");
    expect(card).toContain("Its push failed.");
    expect(card).toContain("its work is pushed again.");
    valueOf(await world.command("approve", question?.checkpointId ?? ""));
    await world.work();
    expect(await statusOf(goalId)).toMatch(/^complete/);
    expect(await bare("show", `cos/${goalId}:b.txt`)).toBe("b");
  });

  it("that does not answer for an hour is asked for no merge any more, which says so", async () => {
    const server = await startGitServer(served, null);
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "");
    const goalId = await doneGoal();
    await world.command("goal", "merge", goalId);
    server.away("all");
    for (let looks = 0; looks < 12; looks += 1) {
      world.advance(10 * 60_000);
      await world.tick();
    }
    const words = await cardWords(world, goalId);
    expect(words).toContain("Not merged. Not done within 1 h: 127.0.0.1 does not answer as it should");
    expect(words).toContain(`When it answers again: cos goal merge ${goalId}`);
  });

  it.each(["all", "pushes"] as const)(
    "that does not answer to %s keeps its place in the queue of what is merged",
    async (away) => {
      const server = await startGitServer(served, null);
      await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "");
      const goalId = await doneGoal("--done-when", "test -f b.txt");
      const { queueId } = valueOf<{ queueId: string }>(await world.command("merge", "all"));
      server.away(away);
      for (let looks = 0; looks < 4; looks += 1) {
        world.advance(60_000);
        await world.tick();
      }
      expect(await cardWords(world, queueId)).toContain("0 of 1 branch merged");
      expect(await cardWords(world, queueId)).toContain("127.0.0.1 does not answer as it should");
      expect(await cardWords(world, queueId)).not.toContain("left out");

      server.away("nothing");
      for (let looks = 0; looks < 3; looks += 1) {
        world.advance(60_000);
        await world.tick();
      }
      expect(await cardWords(world, queueId)).toContain("1 of 1 branch merged");
      expect(await bare("show", "main:b.txt")).toBe("b");
      const { rows } = await world.deps.database.pool.query("select goal_id from cos.merges");
      expect(rows).toEqual([{ goal_id: goalId }]);
    },
  );

  it("whose copy is lost while it does not answer is asked again, too", async () => {
    const server = await startGitServer(served, null);
    await world.command("repo", "add", `${server.url}/shop.git`, "--setup", "");
    const goalId = await doneGoal();
    await world.command("goal", "merge", goalId);
    server.away("all");
    await rm(join(world.dataDir, "remotes"), { recursive: true });
    world.advance(60_000);
    await world.tick();
    expect(await cardWords(world, goalId)).toMatch(
      /Waits: 127\.0\.0\.1 (does not answer as it should|answers with a web page)/,
    );

    server.away("nothing");
    world.advance(60_000);
    await world.tick();
    expect(await bare("show", "main:b.txt")).toBe("b");
  });

  it("that does not answer is left, with what to try", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    await new Promise((resolve) => server.close(resolve));

    expect(refusal(await world.command("repo", "add", `http://127.0.0.1:${port}/shop.git`))).toMatch(
      /127\.0\.0\.1 does not answer as it should .* -> try again/,
    );
    expect(refusal(await world.command("repo", "add", `ext::sh -c touch% /tmp/x`))).toContain("runs a program");
    expect(refusal(await world.command("repo", "add", "https://ana:hunter22@127.0.0.1/shop"))).not.toContain(
      "hunter22",
    );
  });
});

const sshd = "/usr/sbin/sshd";

describe("a repository over ssh [F-605]", () => {
  it("is reached with a deploy key that only we may read; an unknown host key is refused with what to do", async (test) => {
    if (!existsSync(sshd)) test.skip(`${sshd} is missing: install openssh-server`);
    const folder = join(world.dataDir, "ssh");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const keygen = (name: string) =>
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, name)]);
    for (const name of ["host", "deploy", "other"]) keygen(name);
    await writeFile(join(folder, "authorized"), readFileSync(join(folder, "deploy.pub")));
    const port = await freePort();
    const lines = [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${folder}/host`,
      `AuthorizedKeysFile ${folder}/authorized`,
      `PidFile ${folder}/pid`,
      "StrictModes no",
      "PasswordAuthentication no",
      "KbdInteractiveAuthentication no",
      "UsePAM no",
    ];
    await writeFile(join(folder, "config"), `${lines.join("\n")}\n`);
    if (userInfo().uid === 0) await mkdir("/run/sshd", { recursive: true });
    const server = spawn(sshd, ["-D", "-e", "-f", join(folder, "config")], { stdio: "ignore" });
    onTestFinished(() => void server.kill());
    await eventually("sshd", async () => isListening(port));
    const knownHosts = join(folder, "known");
    await writeFile(knownHosts, "");
    const ssh = `ssh -F /dev/null -oUserKnownHostsFile=${knownHosts} -oGlobalKnownHostsFile=/dev/null`;
    await writeFile(join(process.env["HOME"] ?? "", ".gitconfig"), `[core]\n\tsshCommand = ${ssh}\n`);
    const url = `ssh://${userInfo().username}@127.0.0.1:${port}${served}/shop.git`;
    const add = (key: string) => world.command("repo", "add", url, "--setup", "", "--deploy-key", join(folder, key));

    expect(refusal(await add("deploy"))).toContain("the host key of 127.0.0.1 is not known on this machine");
    const hostKey = readFileSync(join(folder, "host.pub"), "utf8").split(" ").slice(0, 2).join(" ");
    await writeFile(knownHosts, `[127.0.0.1]:${port} ${hostKey}\n`);
    expect(refusal(await add("other"))).toContain("does not let us in");
    expect(refusal(await add("deploy.pub"))).toContain("no private key");
    expect(existsSync(join(world.dataDir, "keys", "x"))).toBe(false);

    const added = await add("deploy");
    expect(refusal(added)).toBe("done");
    const { repositoryId } = (added as { value: { repositoryId: string } }).value;
    expect(statSync(join(world.dataDir, "keys", repositoryId)).mode & 0o777).toBe(0o600);
    const goalId = await doneGoal();
    expect(await statusOf(goalId)).toMatch(/^complete/);
    expect(await bare("show", `cos/${goalId}:b.txt`)).toBe("b");
    await world.command(
      "repo",
      "add",
      await makeRepository(join(folder, "other-repository"), { "a.txt": "a\n" }),
      "--name",
      "api",
    );
    expect(refusal(await world.command("repo", "edit", "shop", "--name", "api", "--deploy-key", ""))).toContain(
      "another repository is called api",
    );
    expect(existsSync(join(world.dataDir, "keys", repositoryId))).toBe(true);
    await world.command("repo", "edit", "shop", "--deploy-key", "");
    expect(existsSync(join(world.dataDir, "keys", repositoryId))).toBe(false);
    expect(refusal(await world.command("repo", "remove", "shop"))).toBe("done");
    expect(refusal(await add("other"))).toContain("does not let us in");
    expect(existsSync(join(world.dataDir, "keys", repositoryId))).toBe(false);
  });
});

async function isListening(port: number): Promise<boolean> {
  const { connect } = await import("node:net");
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
