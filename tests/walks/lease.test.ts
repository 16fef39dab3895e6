import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { runGoals } from "../../jobs/run-goal.ts";
import type { Policy } from "../../src/core/policy.ts";
import { claimGoal } from "../fakes/claim.ts";
import { lockSession } from "../../src/db/sessions.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { untilOneWaits } from "../fakes/database.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { watchStandstill } from "../fakes/standstill.ts";

/** A turn keeps its goal from the claim to its last write, however slow it is; one that lost it does no harm. */

let world: TestWorld;
const path = process.env["PATH"] ?? "";
afterEach(async () => {
  process.env["PATH"] = path;
  await world.close();
});

const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);

describe("every step slower than the lease", () => {
  /** A machine that stands still for as long as a lease lasts loses it, rightly: such a run says nothing, and is left. */
  const longestStandstillMs = 1_000;
  const lease = { forMs: 2_000, renewEveryMs: 250, giveUpAfterMs: 1_750 };
  const slow = 3;

  it("no goal runs twice, and all get done: ten goals, two loops here, three in another process [F-102]", async () => {
    let run = await slowRun();
    for (let tries = 1; tries < 3 && run.standstillMs > longestStandstillMs; tries += 1) {
      await world.close();
      run = await slowRun();
    }

    expect(run.failures).toEqual([]);
    const phases = ["executed", "verified", "pushed"];
    expect(run.lines.toSorted()).toEqual(
      run.goalIds.flatMap((id) => phases.map((phase) => `${id} ${phase}`)).toSorted(),
    );
    expect(new Set(run.statuses)).toEqual(new Set(["complete"]));
    // One turn each: nobody took a goal from anybody.
    expect(run.claims.toSorted()).toEqual(run.goalIds.toSorted());
    expect(run.processes).toBe(2);
  });

  async function slowRun() {
    const triggers = { uxFiles: [], architectureFiles: [], uxTags: [], architectureTags: [] };
    world = await testWorld({ policy: (policy) => ({ ...policy, lease, triggers }) });
    await slowGit();
    const outside = join(world.dataDir, "outside.txt");
    await writeFile(outside, "");
    const goalIds: string[] = [];
    for (let number = 0; number < 5; number += 1) goalIds.push(...(await slowGoals(number, outside)));
    await slowDatabase();

    const clock = watchStandstill(() => query("select 1"));
    const other = startWorker(3, { lease, triggers });
    const exited = once(other, "exit");
    const open = async () =>
      (await query("select 1 from cos.goals where status in ('pending', 'in_progress') or leased_by is not null"))
        .rowCount !== 0;
    // What failed waits for a clock that stands still.
    const failures = async () =>
      (await query("select goal_id, error from cos.attempts where \"end\" <> 'passed'")).rows;
    const goesOn = async () => (await open()) && (await failures()).length === 0;
    const loop = async () => {
      for (; (await goesOn()) && clock.longestMs() <= longestStandstillMs; await sleep(50)) await world.work();
    };
    await Promise.all([loop(), loop()]);
    other.stdin.end();
    await exited;

    const claims = (await query("select goal_id, leased_by from public.claims")).rows;
    return {
      goalIds,
      failures: await failures(),
      lines: (await readFile(outside, "utf8")).trim().split("\n"),
      statuses: (await query("select status from cos.goals")).rows.map((row) => String(row.status)),
      claims: claims.map((row) => String(row.goal_id)),
      processes: new Set(claims.map((row) => row.leased_by)).size,
      standstillMs: Math.max(clock.stop(), Number(await readFile(join(world.dataDir, "standstill.txt"), "utf8"))),
    };
  }

  /** Two goals of a repository of their own; what executes, verifies and receives them is slow, and leaves a line each. */
  async function slowGoals(number: number, outside: string): Promise<string[]> {
    const name = `person-${number}`;
    const criterion = `#### AC-1: It holds\n\n**Description:** It holds.\n\n\`\`\`yaml\nmethod: bash\ncommand: sleep ${slow}; echo $(cat name.txt) verified >> ${outside}\n\`\`\`\n`;
    const repository = await makeRepository(join(world.dataDir, name), { "a.txt": "a\n", "ac.md": criterion });
    const hook = join(repository, ".git/hooks/update");
    await mkdir(join(repository, ".git/hooks"), { recursive: true });
    await writeFile(hook, `#!/bin/sh\nsleep ${slow}\necho "$(basename "$1") pushed" >> ${outside}\n`, { mode: 0o755 });
    valueOf(await world.command("repo", "add", repository, "--setup", "", "--check", ""));
    const ids: string[] = [];
    for (const goal of [1, 2]) {
      const words = ["goal", "add", `Goal ${number}.${goal}`, "--repo", name, "--criteria", "ac.md", "--run", "true"];
      const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
      const run = `sleep ${slow}; echo ${goalId} executed >> ${outside}; echo ${goalId} > name.txt`;
      valueOf(await world.command("goal", "edit", goalId, "--run", run));
      ids.push(goalId);
    }
    valueOf(await world.command("autopilot", "start", "--repo", name));
    return ids;
  }

  /** In each phase one git command waits: it asks where the base is. */
  async function slowGit(): Promise<void> {
    const folder = join(world.dataDir, "bin");
    await mkdir(folder);
    const script = `#!/bin/sh\nPATH=${path}\ncase " $* " in *" --quiet refs/heads/"*|*" commit-tree "*) sleep ${slow};; esac\nexec git "$@"\n`;
    await writeFile(join(folder, "git"), script);
    await chmod(join(folder, "git"), 0o755);
    process.env["PATH"] = `${folder}:${path}`;
  }

  /** In each phase the transaction that records it waits, with the goal's row locked. */
  async function slowDatabase(): Promise<void> {
    await query("create table public.claims (goal_id text, leased_by text)");
    await query(`create function public.note_claim() returns trigger language plpgsql as $$
      begin insert into public.claims values (new.goal_id, new.leased_by); return null; end $$`);
    await query(`create trigger note_claim after update on cos.goals for each row
      when (new.turn > old.turn) execute function public.note_claim()`);
    await query(`create function public.wait() returns trigger language plpgsql as $$
      begin perform pg_sleep(${slow}); return new; end $$`);
    await query(`create trigger wait before insert on cos.timeline for each row
      when (new.event in ('run.started', 'run.executed', 'run.verified', 'goal.complete')) execute function public.wait()`);
  }
});

/** Another process that works goals, until its standard input ends. */
function startWorker(loops: number, policy: object) {
  const worker = join(projectDir, "tests/fakes/worker.ts");
  const clock = world.deps.now().toISOString();
  const given = [world.databaseUrl, world.dataDir, String(loops), JSON.stringify(policy), clock];
  return spawn(process.execPath, ["--import", "tsx", worker, ...given], {
    cwd: projectDir,
    stdio: ["pipe", "ignore", "inherit"],
  });
}

const quick = (policy: Policy): Policy => ({ ...policy, lease: { ...policy.lease, renewEveryMs: 200 } });

/** A goal whose command says that it began, and then waits until the test lets it go on. */
async function waitingGoal(then = "echo x > x.txt"): Promise<{ goalId: string; began: string; gate: string }> {
  const began = join(world.dataDir, "began.txt");
  const gate = join(world.dataDir, "gate");
  const run = `echo $$ >> ${began}; while [ ! -e ${gate} ]; do sleep 0.1; done; ${then}`;
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Wait", "--run", run));
  valueOf(await world.command("autopilot", "start"));
  return { goalId, began, gate };
}

const lines = async (file: string): Promise<string[]> =>
  (await readFile(file, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
const expire = () =>
  query("update cos.goals set leased_until = now() - interval '1 second' where leased_by is not null");
const goalRow = async () => (await query("select * from cos.goals")).rows[0];

describe("a turn that lost its lease", () => {
  it("ends its children and writes only what is append-only [F-102]", async () => {
    // In a room of its own the command would have another number there than here.
    world = await testWorld({ policy: quick, environment: { COS_ISOLATION: "off" } });
    await world.repository();
    const { began } = await waitingGoal();
    const working = world.work();
    const [pid] = await eventually("it runs", async () =>
      (await lines(began)).length > 0 ? await lines(began) : false,
    );

    await expire();
    const taken = await eventually("another process has it", () =>
      claimGoal(world.deps.database.db, { leasedBy: "elsewhere/1/1", forMs: 20_000, now: world.deps.now() }),
    );
    await working;

    expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
    expect(await goalRow()).toMatchObject({
      turn: taken.lease.turn,
      leased_by: "elsewhere/1/1",
      phase: "implement",
      status: "in_progress",
      outcome: null,
    });
    const { rows } = await query("select turn, kind, detail->>'end' as end from cos.evidence");
    expect(rows).toEqual([{ turn: 1, kind: "execution", end: "cut" }]);
    expect((await query("select 1 from cos.timeline where event = 'run.executed'")).rowCount).toBe(0);
    expect((await query("select head_commit from cos.runs")).rows).toEqual([{ head_commit: null }]);
  });

  it("comes too late with what it has done: the record of who had it before is refused [F-102]", async () => {
    world = await testWorld();
    await world.repository();
    const { gate, began } = await waitingGoal();
    const working = world.work();
    await eventually("it runs", async () => (await lines(began)).length > 0);
    const { session_id } = await goalRow();

    await world.deps.database.transaction(async (tx) => {
      await lockSession(tx, session_id);
      await appendFile(gate, "");
      await untilOneWaits(world);
      // Its work is finished and committed; it is about to record it.
      await tx.execute(sql`update cos.goals set leased_until = now() - interval '1 second'`);
      expect(await claimGoal(tx, { leasedBy: "elsewhere/1/1", forMs: 20_000, now: world.deps.now() })).not.toBeNull();
    });
    await working;

    expect(await goalRow()).toMatchObject({ turn: 2, leased_by: "elsewhere/1/1", phase: "implement", outcome: null });
    const { rows } = await query("select turn, detail->>'end' as end from cos.evidence");
    expect(rows).toEqual([{ turn: 1, end: "finished" }]);
    expect((await query("select head_commit from cos.runs")).rows).toEqual([{ head_commit: null }]);
  });

  it("ends no child of who has the goal by now, though both are of one run [F-102]", async () => {
    world = await testWorld();
    await world.repository();
    const { began, gate } = await waitingGoal();
    const first = world.work();
    await eventually("it runs", async () => (await lines(began)).length === 1);

    // The database's clock jumps: the first one does not know yet that it has lost the goal.
    await expire();
    const second = runGoals(world.deps, { leasedBy: "elsewhere/1/1", shutdown: new AbortController().signal });
    await first;
    await eventually("the other one runs", async () => (await lines(began)).length === 2);
    await writeFile(gate, "");
    await second;

    expect(await goalRow()).toMatchObject({ status: "complete", turn: 2, error_count: 0 });
    const { rows } = await query("select turn, detail->>'end' as end from cos.evidence order by turn");
    expect(rows).toEqual([
      { turn: 1, end: "cut" },
      { turn: 2, end: "finished" },
    ]);
    expect(await lines(began)).toHaveLength(2);
  });

  it("is not begun again beside its own rest: the other loop waits until it has ended [F-102]", async () => {
    world = await testWorld({ policy: quick });
    await world.repository();
    // Told to end, it takes its time.
    const { began, gate } = await waitingGoal();
    await query("update cos.goals set run_command = 'trap \"\" TERM; ' || run_command");
    let isOver = false;
    const first = world.work().finally(() => {
      isOver = true;
    });
    await eventually("it runs", async () => (await lines(began)).length === 1);

    await expire();
    await world.work();
    const { turn } = await goalRow();
    expect(isOver ? 1 : turn).toBe(1);
    await writeFile(gate, "");
    await first;
    expect(await goalRow()).toMatchObject({ status: "complete", turn: 2 });
  });

  it("is not one that failed: a pause while tasks are set up keeps the goal", async () => {
    world = await testWorld({ policy: quick });
    const began = join(world.dataDir, "began.txt");
    const tasks =
      "tasks:\n  - id: T1\n    title: One\n    acceptanceCriteria: [it is there]\n    filesAllowed: [a.txt]\n";
    const repository = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n", "tasks.yaml": tasks });
    const setup = `echo x >> ${began}; sleep 600`;
    valueOf(await world.command("repo", "add", repository, "--setup", setup, "--check", "", "--agent", "command:true"));
    valueOf(await world.command("goal", "add", "Tasks", "--tasks", "tasks.yaml"));
    valueOf(await world.command("autopilot", "start"));
    const working = world.work();
    await eventually("its setup runs", async () => (await lines(began)).length > 0);

    valueOf(await world.command("autopilot", "pause"));
    await working;

    expect(await goalRow()).toMatchObject({ status: "in_progress", leased_by: null, interruptions: 0 });
  });
});

describe("a process that stood still", () => {
  it.each([
    ["before it began", 1],
    ["before it executed", 2],
    ["before it pushed", 3],
  ])("%s does not go on beside whoever has the goal now [F-102]", async (_, fetch) => {
    world = await testWorld();
    const outside = join(world.dataDir, "outside.txt");
    const repository = await world.repository();
    await writeFile(join(repository, ".git/hooks/update"), `#!/bin/sh\necho pushed >> ${outside}\n`, { mode: 0o755 });
    valueOf(await world.command("goal", "add", "Once", "--run", `echo executed >> ${outside}; echo x > x.txt`));
    valueOf(await world.command("autopilot", "start"));
    const { waits, go } = await gitThatWaits(fetch);
    const lease = { forMs: 2_000, renewEveryMs: 250, giveUpAfterMs: 1_750 };
    const other = startWorker(1, { lease });
    await eventually("it fetches", () => stat(waits).catch(() => false));

    other.kill("SIGSTOP");
    await writeFile(go, "");
    await eventually("its lease is over", async () => {
      const { rows } = await query("select leased_until <= clock_timestamp() as over from cos.goals");
      return rows[0]?.over === true;
    });
    await world.work();
    other.kill("SIGCONT");
    other.stdin.end();
    await once(other, "exit");

    expect(await goalRow()).toMatchObject({ status: "complete", turn: 2 });
    expect(await lines(outside)).toEqual(["executed", "pushed"]);
  });

  /** Its nth look at the base branch waits until the test lets it go on. */
  async function gitThatWaits(nth: number): Promise<{ waits: string; go: string }> {
    const folder = join(world.dataDir, "bin");
    const [count, waits, go] = ["count", "waits", "go"].map((name) => join(folder, name));
    await mkdir(folder);
    const wait = `echo x >> ${count}; [ $(wc -l < ${count}) -ge ${nth} ] && { touch ${waits}; while [ ! -e ${go} ]; do sleep 0.05; done; }`;
    await writeFile(
      join(folder, "git"),
      `#!/bin/sh\nPATH=${path}\ncase " $* " in *" info/exclude refs/heads/"*) ${wait};; esac\nexec git "$@"\n`,
      { mode: 0o755 },
    );
    process.env["PATH"] = `${folder}:${path}`;
    return { waits: waits ?? "", go: go ?? "" };
  }
});

describe("a claimer", () => {
  it("does not sleep while ready work is left: what somebody holds locked is looked at again [F-127]", async () => {
    world = await testWorld();
    await world.repository();
    valueOf(await world.command("goal", "add", "One", "--run", "true"));
    valueOf(await world.command("autopilot", "start"));

    for (const table of ["goals", "sessions"]) {
      await query("update cos.goals set status = 'pending', phase = 'start', wake_at = $1, run_id = null", [
        world.deps.now(),
      ]);
      await query("update cos.runs set status = 'ended', ended_at = now()");
      await query("update cos.sessions set status = 'running', ended_at = null");
      const working = await world.deps.database.transaction(async (tx) => {
        await tx.execute(sql.raw(`select 1 from cos.${table} for update`));
        const begun = world.work();
        for (let look = 0; look < 50; look += 1) await query("select pg_sleep(0.01)");
        return { begun };
      });
      await working.begun;

      expect(await goalRow(), table).toMatchObject({ status: "complete" });
    }
  });
});
