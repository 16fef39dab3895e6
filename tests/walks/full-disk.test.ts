import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectDir } from "../fakes/bot.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { mayMount } from "../fakes/mount.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/**
 * A write that fails because there is no space left is an interruption, wherever it happens. `/dev/full` is a disk that
 * is full for everybody; what is written there fails in the kernel as on any other.
 */

let world: TestWorld;
let path: string;
const home = process.env["HOME"];
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({ ...policy, triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] } }),
  });
  path = await makeRepository(join(world.dataDir, "person"), { "README.md": "one\n" });
});
afterEach(async () => {
  process.env["HOME"] = home;
  await world.close();
});

interface Shown {
  status: string;
  outcome: string | null;
  errorCount: number;
  recoveryLevel: number;
  attempts: { end: string; rung: number; number: number }[];
  criteria: { id: string; status: string }[];
  tasks: { status: string; attempts: number }[];
  costUsd: number;
}

const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const questions = async () =>
  valueOf<{ checkpointId: string; kind: string; facts: { details: string[] } }[]>(await world.command("checkpoints"));
const flag = (): string => join(world.dataDir, "full");

/** Fails while the flag is there, as a program does that writes to a full disk. */
const jam = (): string => `{ test ! -e "${flag()}" || cat /etc/hostname > /dev/full; }`;

async function add(...words: string[]): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Do it", ...words));
  await world.command("autopilot", "start");
  return goalId;
}

async function executable(name: string, ...lines: string[]): Promise<string> {
  const file = join(world.dataDir, name);
  await writeFile(file, `#!/bin/sh\n${lines.join("\n")}\n`);
  await chmod(file, 0o755);
  return file;
}

/** The scripted agent as one that may not even begin: its own errors say that there is no space. */
async function scripted(scripts: unknown, ...before: string[]): Promise<string> {
  const file = join(world.dataDir, "scripts.json");
  await writeFile(file, JSON.stringify(scripts));
  const agent = `"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
  return `acp:${await executable("agent.sh", ...before, `exec ${agent}`)}`;
}

const spec = (command: string): string =>
  `#### AC-1: It holds\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\nmethod: bash\ncommand: ${JSON.stringify(command)}\n\`\`\`\n\n**Example - Accepted**:\n\`\`\`\nyes\n\`\`\`\n`;

async function commit(file: string, text: string): Promise<void> {
  await mkdir(join(path, file, ".."), { recursive: true });
  await writeFile(join(path, file), text);
  await gitIn(path, "add", "--all");
  await gitIn(path, "commit", "--quiet", "--message", file);
}

const plain = async (...options: string[]): Promise<void> => {
  await world.command("repo", "add", path, "--setup", "", "--check", "", ...options);
};
const twoSteps = [{ write: { path: "two.txt", content: "two\n" } }, { say: "Done." }];

/** Where the disk ends; each makes a goal whose work cannot be written there while the flag lies in the data directory. */
const places: Readonly<Record<string, () => Promise<string>>> = {
  "git fetches the base": async () => {
    process.env["HOME"] = world.dataDir;
    const hook = await executable(
      "pack.sh",
      `if test -e "${flag()}"; then`,
      // A git that fails at once may end before it has passed on what the other side said.
      "cat /etc/hostname > /dev/full; sleep 0.5; exit 1",
      "fi",
      'exec "$@"',
    );
    await writeFile(join(world.dataDir, ".gitconfig"), `[uploadpack]\n\tpackObjectsHook = ${hook}\n`);
    await plain();
    await rm(flag());
    const goalId = await add("--run", "echo two > two.txt");
    await commit("new.txt", "what is to be fetched\n");
    await writeFile(flag(), "");
    return goalId;
  },
  "the setup of the worktree": async () => {
    await world.command("repo", "add", path, "--setup", jam(), "--check", "");
    return await add("--run", "echo two > two.txt");
  },
  "npm in the setup": async () => {
    const said = [
      "npm error code ENOSPC",
      "npm error syscall write",
      "npm error errno -28",
      "npm error nospc ENOSPC: no space left on device, write",
      "npm error nospc There appears to be insufficient space on your system to finish.",
      "npm error nospc Clear up some disk space and try again.",
      "npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log",
    ];
    const install = await executable(
      "install.sh",
      `if test -e "${flag()}"; then`,
      ...said.map((line) => `echo "${line}" >&2`),
      "exit 228",
      "fi",
    );
    await world.command("repo", "add", path, "--setup", install, "--check", "");
    return await add("--run", "echo two > two.txt");
  },
  "the setup of the clean checkout": async () => {
    await world.command(
      "repo",
      "add",
      path,
      "--setup",
      `case "$PWD" in */worktrees/*) ;; *) ${jam()};; esac`,
      "--check",
      "true",
    );
    return await add("--run", "echo two > two.txt");
  },
  "a goal's own command": async () => {
    await plain();
    return await add("--run", `${jam()} && echo two > two.txt`);
  },
  "a quota": async () => {
    await plain();
    const over = "tar: two.txt: Cannot write: Disk quota exceeded";
    return await add("--run", `if test -e "${flag()}"; then echo "${over}" >&2; exit 2; fi; echo two > two.txt`);
  },
  "an agent that is a command": async () => {
    const agent = await executable("agent.sh", `${jam()} || exit 1`, "echo two > two.txt");
    await plain("--agent", `command:${agent}`);
    return await add();
  },
  "an agent before it speaks": async () => {
    await plain("--agent", await scripted(twoSteps, `${jam()} || exit 1`));
    return await add();
  },
  "an agent in the middle of its work": async () => {
    const crash = [{ complain: "Error: ENOSPC: no space left on device, write\n" }, { crash: 1 }];
    const agent = await scripted(twoSteps);
    await writeFile(join(world.dataDir, "crash.json"), JSON.stringify(crash));
    const wrapped = await executable(
      "either.sh",
      `test -e "${flag()}" && exec "${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${join(world.dataDir, "crash.json")}"`,
      `exec ${agent.slice("acp:".length)}`,
    );
    await plain("--agent", `acp:${wrapped}`);
    return await add();
  },
  "the kept output of the work": async () => {
    const output = `"${world.dataDir}/output/$COS_RUN`;
    const link = `for n in 1 2 3 4 5; do ln -sf /dev/full ${output}/$n-execution.txt"; done`;
    await world.command(
      "repo",
      "add",
      path,
      "--setup",
      `test ! -e "${flag()}" || { mkdir -p ${output}" && ${link}; }`,
      "--check",
      "",
    );
    return await add("--run", "echo two > two.txt; echo said");
  },
  "a criterion": async () => {
    await commit("spec.md", spec(`test -e two.txt && ${jam()}`));
    await plain();
    return await add("--run", "echo two > two.txt", "--criteria", "spec.md");
  },
  "a check of the repository": async () => {
    await world.command("repo", "add", path, "--setup", "", "--check", jam());
    return await add("--run", "echo two > two.txt");
  },
  "the kept output of a criterion": async () => {
    await commit("spec.md", spec("echo it holds"));
    const output = `"${world.dataDir}/output/$COS_RUN`;
    const link = `for n in 1 2 3 4 5 6; do mkdir -p ${output}/$n-verify0" && ln -sf /dev/full ${output}/$n-verify0/AC-1.txt"; done`;
    await world.command("repo", "add", path, "--setup", `test ! -e "${flag()}" || { ${link}; }`, "--check", "");
    return await add("--run", "echo two > two.txt", "--criteria", "spec.md");
  },
  "the person's repository, when the branch is pushed": async () => {
    await plain();
    const hook = join(path, ".git/hooks/pre-receive");
    await writeFile(hook, `#!/bin/sh\n${jam()}\n`);
    await chmod(hook, 0o755);
    return await add("--run", "echo two > two.txt");
  },
  "a task of a goal": async () => {
    const check = { match: ["Check one task"], steps: [{ write: { path: ".cos/evidence.json", content: evidence } }] };
    const agent = await scripted([check, { match: [], steps: twoSteps }], `${jam()} || exit 1`);
    await commit("tasks.yaml", tasks);
    await plain("--agent", agent);
    return await add("--tasks", "tasks.yaml");
  },
  "the check of a task": async () => {
    const check = { match: ["Check one task"], steps: [{ write: { path: ".cos/evidence.json", content: evidence } }] };
    const hook = `case "$PWD" in *.tasks/T1) test ! -e two.txt || ${jam()} || exit 1;; esac`;
    await commit("tasks.yaml", tasks);
    await plain("--agent", await scripted([check, { match: [], steps: twoSteps }], hook));
    return await add("--tasks", "tasks.yaml");
  },
  "the database": async () => {
    await world.deps.database.pool.query(`
      create function full() returns trigger language plpgsql as $$
      begin
        raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100';
      end $$;
      create trigger full_disk before insert on cos.evidence for each row execute function full()`);
    await plain();
    return await add("--run", "echo two > two.txt");
  },
};

const tasks = `settings:
  useLayeredSkills: false
tasks:
  - id: T1
    title: Second file
    acceptanceCriteria: [two.txt is there]
    filesAllowed: ["two.txt"]
`;
const evidence = JSON.stringify({
  criteria: [{ criterion: "1", verdict: "PASS", evidence: [{ ref: "two.txt:1", note: "seen PASS", confidence: 0.9 }] }],
});

/** Works until nothing is left to do, across the pauses after an interruption and the end of lost leases. */
async function workOn(): Promise<void> {
  for (let round = 0; round < 12 && (await questions()).length === 0; round += 1) {
    await world.work().catch(() => undefined);
    await world.deps.database.pool.query(
      "update cos.goals set leased_until = now() - interval '1 s' where leased_by is not null",
    );
    world.advance(60_000);
  }
}

describe("a goal whose work cannot be written", () => {
  it.each(Object.keys(places))("[F-112] %s: three interruptions and a question, then it goes on", async (name) => {
    writeFileSync(flag(), "");
    const goalId = (await places[name]?.()) ?? "";
    await workOn();

    const stuck = await shown(goalId);
    expect(stuck).toMatchObject({ status: "blocked", errorCount: 0, recoveryLevel: 0, attempts: [] });
    expect(stuck.criteria.filter((each) => each.status === "fail")).toEqual([]);
    expect(stuck.tasks.map((task) => task.attempts).filter((attempts) => attempts > 1)).toEqual([]);
    const [question] = await questions();
    expect(question?.kind).toBe("hiccup");
    expect(question?.facts.details.join("\n")).toMatch(/^interrupted 3 times/);
    expect(question?.facts.details.join("\n")).toMatch(/no space left|quota exceeded|ENOSPC/i);
    const why = valueOf<{ timeline: { event: string; detail: { reason?: string } }[] }>(
      await world.command("why", goalId),
    );
    const interrupted = why.timeline.filter((row) => row.event === "goal.interrupted");
    expect(interrupted.length).toBe(3);
    for (const row of interrupted) expect(row.detail.reason).toMatch(/no space left|quota exceeded|ENOSPC/i);

    await rm(flag());
    await world.deps.database.pool.query("drop trigger if exists full_disk on cos.evidence");
    // Links to the full disk stand for folders on it.
    execFileSync("find", [world.dataDir, "-type", "l", "-lname", "/dev/full", "-delete"]);
    await world.command("approve", question?.checkpointId ?? "");
    await workOn();

    expect(await shown(goalId)).toMatchObject({
      status: "complete",
      attempts: [{ end: "passed", rung: 1, number: 1 }],
    });
    expect(await gitIn(path, "show", `cos/${goalId}:two.txt`)).toBe("two");
  });

  it("[F-112] a merge waits for space instead of being refused", async () => {
    await plain();
    const goalId = await add("--run", "echo two > two.txt");
    await world.work();
    const hook = join(path, ".git/hooks/pre-receive");
    await writeFile(hook, `#!/bin/sh\n${jam()}\n`);
    await chmod(hook, 0o755);
    writeFileSync(flag(), "");
    await world.command("goal", "merge", goalId);
    world.advance(60_000);
    await world.tick();
    await world.tick();
    expect(await gitIn(path, "ls-tree", "--name-only", "main")).not.toContain("two.txt");
    const why = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
    expect(why.timeline.some((row) => row.event === "goal.merge-refused")).toBe(false);
    const { rows } = await world.deps.database.pool.query("select outcome from cos.merges");
    expect(rows[0]).toMatchObject({ outcome: expect.stringMatching(/no space left/i) as string });

    await rm(flag());
    await world.tick();

    expect(await gitIn(path, "ls-tree", "--name-only", "main")).toContain("two.txt");
  });

  it("[F-112] other failures with the same number are none: watchers, semaphores, words in passing", async () => {
    await plain();
    const said = "Error: ENOSPC: System limit for number of file watchers reached, watch '/x'";
    const goalId = await add("--run", `echo "${said}" >&2; exit 1`);
    await world.work();

    expect((await shown(goalId)).attempts.map((each) => each.end)).toEqual(["work"]);
  });

  it.each(["--run", "--criteria"])("[F-112] a test that speaks of space fails, where %s runs it", async (option) => {
    const test = "echo 'FAIL disk.test.ts: expected ENOSPC: no space left on device'; exit 1";
    await commit("a.md", spec(test));
    await plain();
    const goalId = await add(...(option === "--run" ? ["--run", test] : ["--run", "true", "--criteria", "a.md"]));
    await world.work();

    expect((await shown(goalId)).attempts[0]).toMatchObject({ end: option === "--run" ? "work" : "criteria" });
    const why = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
    expect(why.timeline.map((row) => row.event)).not.toContain("goal.interrupted");
  });

  it("[F-112] words that a person has let pass, where there is space, are a failure like any other", async () => {
    await plain();
    const goalId = await add("--run", "echo 'write failed: ENOSPC: no space left on device' >&2; exit 1");
    await workOn();
    const [question] = await questions();
    expect(question?.facts.details.join("\n")).toMatch(/[\d.]+ [MG]B free/);
    await world.command("approve", question?.checkpointId ?? "");
    await world.work();

    expect((await shown(goalId)).attempts.map((each) => each.end)).toEqual(["work"]);
  });

  it("[F-112] an interruption costs no more than the work, however long there is no space", async () => {
    const agent = await executable("agent.sh", `${jam()} || exit 1`, "echo two > two.txt");
    await plain("--agent", `command:${agent}`);
    writeFileSync(flag(), "");
    const goalId = await add();
    await world.work();
    world.advance(20 * 3_600_000);
    await rm(flag());
    await workOn();

    const done = await shown(goalId);
    expect(done.status).toBe("complete");
    // A minute is 5 cents; twenty hours would be 60 dollars.
    expect(done.costUsd).toBeLessThan(0.5);
  });
});

describe("a data directory on a disk that is really full", () => {
  it.skipIf(!mayMount())("[F-112] (where this process may mount): goals wait and go on by themselves", async () => {
    const place = mkdtempSync(join(tmpdir(), "cos-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", place]);
    let small: TestWorld | null = null;
    try {
      small = await testWorld({ environment: { COS_DATA_DIR: place, COS_MIN_FREE_MB: "4" } });
      const { command, work, advance, tick } = small;
      await command("repo", "add", path, "--setup", "", "--check", "");
      const grow = `dd if=/dev/zero of=big.bin bs=1M count=8 2>&1 && echo two > two.txt`;
      const { goalId } = valueOf<{ goalId: string }>(await command("goal", "add", "Grow", "--run", grow));
      mkdirSync(join(place, "ballast"));
      // Enough to begin, not enough for the work and its commit.
      execFileSync("dd", ["if=/dev/urandom", `of=${join(place, "ballast/file")}`, "bs=1M", "count=17"], {
        stdio: "ignore",
      });
      await command("autopilot", "start");
      for (let round = 0; round < 6; round += 1) {
        await work().catch(() => undefined);
        await tick();
        advance(60_000);
      }
      const stuck = valueOf<Shown>(await command("goal", "show", goalId));
      expect(stuck).toMatchObject({ errorCount: 0, attempts: [] });
      expect(stuck.status).not.toBe("failed");

      rmSync(join(place, "ballast"), { recursive: true });
      for (let round = 0; round < 6; round += 1) {
        for (const { checkpointId } of valueOf<{ checkpointId: string }[]>(await command("checkpoints")))
          await command("approve", checkpointId);
        await work();
        await tick();
        advance(60_000);
      }
      expect(valueOf<Shown>(await command("goal", "show", goalId))).toMatchObject({ status: "complete" });
    } finally {
      await small?.close();
      execFileSync("umount", ["-l", place]);
      rmSync(place, { recursive: true, force: true });
    }
  });
});
