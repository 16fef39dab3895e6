import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dollars } from "../../src/core/money.ts";
import { findMessage } from "../../src/db/messages.ts";
import { projectDir } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** A run that goes on is asked about the day's money as one that begins is (D3). */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({
      ...policy,
      ceilings: { ...policy.ceilings, sessionMicroUsd: dollars(100), dayMicroUsd: dollars(200) },
      triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] },
    }),
  });
});
afterEach(() => world.close());

interface Asked {
  checkpointId: string;
  goalId: string;
  kind: string;
  triggers: string[];
  context: string;
  recommendation: string;
  options: { label: string; isRecommended: boolean }[];
}
const asked = async () => valueOf<Asked[]>(await world.command("checkpoints"));
const answer = async (choice: string, ...options: string[]) =>
  valueOf(await world.command("answer", ...options, (await asked())[0]?.checkpointId ?? "", choice));
const shown = async (goalId: string) =>
  valueOf<{ status: string; phase: string; outcome: string; attempts: unknown[] }>(
    await world.command("goal", "show", goalId),
  );
const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);
const isMoney = { kind: "continue", triggers: ["cost_cumulative"] };

async function add(text: string, ...options: string[]): Promise<string> {
  return valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...options)).goalId;
}

/** What another goal cost today. */
async function spendElsewhere(usd: number): Promise<void> {
  await query(
    `insert into cos.goals select (jsonb_populate_record(g, '{"goal_id": "goal-elsewhere", "status": "complete",
       "phase": "start", "blocked_on": null, "wake_at": null, "leased_by": null, "leased_until": null, "stop_requested": null,
       "session_id": null, "run_id": null}')).* from cos.goals g limit 1 on conflict do nothing`,
  );
  await query(
    `insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at, ended_at)
     values ('run-elsewhere', 'goal-elsewhere', 'ended', 'x', '[]', now(), now()) on conflict do nothing`,
  );
  await query(
    `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, goal_id, run_id, at)
     values ('elsewhere-' || gen_random_uuid(), 'settled', $1, false, $2, 'goal-elsewhere', 'run-elsewhere', now())`,
    [dollars(usd), world.deps.now().toISOString().slice(0, 10)],
  );
}

/** A goal whose own command fails once and then succeeds; it has failed once when this returns, and is due again. */
async function retrying(...options: string[]): Promise<string> {
  const goalId = await add(
    "Try again",
    "--run",
    "test -e ../again || { touch ../again; exit 3; }; echo x > x.txt",
    ...options,
  );
  valueOf(await world.command("autopilot", "start"));
  await world.work();
  return goalId;
}

describe("a retry", () => {
  beforeEach(() => world.repository());

  it("asks when the day has cost more than its threshold meanwhile, and Proceed goes on where it was [F-122]", async () => {
    const goalId = await retrying();
    await spendElsewhere(15.01);
    world.advance(20_000);
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "blocked", phase: "implement", attempts: [{}] });
    const [question, ...more] = await asked();
    expect(more).toEqual([]);
    expect(question).toMatchObject({
      ...isMoney,
      goalId,
      context: "Daily spending has exceeded $15.00. Next action: Try again",
      options: [{ label: "Proceed", isRecommended: true }, { label: "Skip" }, { label: "Modify" }, { label: "Pause" }],
    });
    expect(question?.recommendation).toMatch(/^Proceed - /);
    const card = await findMessage(world.deps.database.db, "console", "main", question?.checkpointId ?? "");
    expect(JSON.stringify(card?.card)).toContain("the goal goes on where it is");

    await answer("Proceed");
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "complete", attempts: [{}, {}] });
    const { rows } = await query(
      "select jsonb_path_query_array(settled, '$[*].trigger') as settled from cos.runs where goal_id = $1",
      [goalId],
    );
    expect(rows).toEqual([{ settled: ["cost_cumulative"] }]);
  });

  it("is not asked about again what was settled at its start, in this run, for this content [F-122]", async () => {
    await retrying("--tag", "ui");
    await spendElsewhere(16);
    await answer("Proceed");
    await world.work();
    expect(await asked()).toMatchObject([{ kind: "start", triggers: ["cost_cumulative"] }]);
    await answer("Proceed");
    await world.work();
    await spendElsewhere(16);
    world.advance(20_000);
    await world.work();

    expect((await query("select distinct status from cos.goals")).rows).toEqual([{ status: "complete" }]);
  });

  it("Modify on it goes on with the budget that it gives [F-122]", async () => {
    const goalId = await retrying();
    await spendElsewhere(16);
    world.advance(20_000);
    await world.work();
    await answer("Modify", "--budget", "7");
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    const { rows } = await query("select ceiling_micro_usd::int as ceiling from cos.goals where goal_id = $1", [
      goalId,
    ]);
    expect(rows).toEqual([{ ceiling: dollars(7) }]);
  });

  it("Skip on it defers the goal, and nobody's answer parks it where it was [F-122]", async () => {
    const skipped = await retrying();
    await spendElsewhere(16);
    world.advance(20_000);
    await world.work();
    await world.tick();
    world.advance(25 * 3_600_000);
    await world.tick();
    expect(await shown(skipped)).toMatchObject({ status: "blocked", phase: "implement" });

    await spendElsewhere(16);
    valueOf(await world.command("goal", "resume", skipped));
    valueOf(await world.command("autopilot", "start"));
    await world.work();
    expect(await asked()).toMatchObject([isMoney]);
    await answer("Skip");
    expect(await shown(skipped)).toMatchObject({ status: "deferred" });
  });

  it("that a person asked to skip while nobody worked it is not worked once more, nor asked about [F-122]", async () => {
    const goalId = await retrying();
    await spendElsewhere(16);
    // As a skip finds it whose worker died: the lease is there, and nobody listens.
    await query(
      "update cos.goals set stop_requested = 'skip', leased_by = 'elsewhere/1/1', leased_until = now() - interval '1 second' where wake_at is not null",
    );
    world.advance(20_000);
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "deferred", attempts: [{}] });
    expect(await asked()).toEqual([]);
  });

  it("in a night goes on: its contract is about money [F-122]", async () => {
    const goalId = await add("Try again", "--run", "test -e ../again || { touch ../again; exit 3; }; echo x > x.txt");
    valueOf(await world.command("night", "--budget", "6", "--until", "20:00"));
    await world.work();
    await spendElsewhere(16);
    world.advance(20_000);
    await world.work();

    expect(await shown(goalId)).toMatchObject({ status: "complete", attempts: [{}, {}] });
  });
});

describe("agents that spend", () => {
  interface Script {
    readonly match: readonly string[];
    readonly steps: readonly object[];
  }

  async function repositoryWith(scripts: readonly Script[], files: Readonly<Record<string, string>>): Promise<void> {
    const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "a\n", ...files });
    const file = join(world.dataDir, "scripts.json");
    await writeFile(file, JSON.stringify(scripts));
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
    valueOf(await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent));
  }

  const criterion = (yaml: string) =>
    `#### AC-1: It holds\n\n**Description**: wanted\n\n**Verification**:\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;
  const write = (path: string, content: string) => ({ write: { path, content } });
  /** Ceilings far away, and settled before it begins that it is dear. */
  const dear = ["--cost", "40"];
  async function begin(goalId: string): Promise<void> {
    valueOf(await world.command("autopilot", "start"));
    expect(await asked()).toMatchObject([{ kind: "start", goalId, triggers: ["cost_single"] }]);
    await answer("Proceed");
    await world.work();
  }
  const verified = async () => (await query("select 1 from cos.timeline where event = 'run.verified'")).rowCount;
  const executed = async () => (await query("select 1 from cos.timeline where event = 'run.executed'")).rowCount;

  it("are asked about between two rounds of verification [F-122]", async () => {
    await repositoryWith(
      [
        { match: ["The system has verified your work"], steps: [write("b.txt", "right\n"), { say: "Now." }] },
        { match: [], steps: [{ ...write("b.txt", "wrong\n"), costUsd: 16 }, { say: "Done." }] },
      ],
      { "ac.md": criterion("method: bash\ncommand: grep right b.txt") },
    );
    const goalId = await add("Write it", "--criteria", "ac.md", ...dear);
    await begin(goalId);

    expect(await asked()).toMatchObject([{ ...isMoney, goalId }]);
    expect([await executed(), await verified()]).toEqual([1, 1]);
    await answer("Proceed");
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect([await executed(), await verified()]).toEqual([2, 2]);
  });

  it("are asked about before an agent examines, and the answer examines what is there [F-122]", async () => {
    const passes = JSON.stringify({
      examination: "EXAMINATION",
      checks: [{ check: 1, pass: true, evidence: "b.txt:1 says right" }],
    });
    await repositoryWith(
      [
        { match: ["You examine whether something holds"], steps: [{ costUsd: 0.5 }, { say: passes }] },
        { match: [], steps: [{ ...write("b.txt", "right\n"), costUsd: 16 }, { say: "Done." }] },
      ],
      { "ac.md": criterion('method: subagent\nchecks: ["it is right"]') },
    );
    const goalId = await add("Write it", "--criteria", "ac.md", ...dear);
    await begin(goalId);

    expect(await asked()).toMatchObject([{ ...isMoney, goalId }]);
    expect(await shown(goalId)).toMatchObject({ status: "blocked", phase: "verify" });
    await answer("Proceed");
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect([await executed(), await verified()]).toEqual([1, 1]);
  });

  it("are asked about between the tasks of a loop [F-122]", async () => {
    const task = (id: string, file: string, rest = "") =>
      `  - id: ${id}\n    title: ${id}\n    acceptanceCriteria: [${file} is there]\n    filesAllowed: ["${file}"]\n${rest}`;
    const passes = {
      criteria: [{ criterion: "1", verdict: "PASS", evidence: [{ ref: "a.txt:1", note: "seen", confidence: 0.9 }] }],
    };
    await repositoryWith(
      [
        { match: ["Check one task"], steps: [write(".cos/evidence.json", JSON.stringify(passes))] },
        { match: ["Implement one task", "\nT1: "], steps: [{ ...write("one.txt", "1\n"), costUsd: 8 }] },
        { match: ["Implement one task", "\nT2: "], steps: [{ ...write("two.txt", "2\n"), costUsd: 8 }] },
        { match: ["Implement one task", "\nT3: "], steps: [{ ...write("three.txt", "3\n"), costUsd: 1 }] },
      ],
      {
        "tasks.yaml": `tasks:\n${task("T1", "one.txt")}${task("T2", "two.txt", "    dependsOn: [T1]\n")}${task("T3", "three.txt", "    dependsOn: [T2]\n")}`,
      },
    );
    const goalId = await add("Build it", "--tasks", "tasks.yaml", ...dear);
    await begin(goalId);

    expect(await asked()).toMatchObject([{ ...isMoney, goalId }]);
    const { rows } = await query("select task_id, status from cos.tasks order by 1");
    expect(rows.map((row) => row.status)).toEqual(["passed", "in_progress", "pending"]);
    await answer("Proceed");
    await world.work();
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await asked()).toEqual([]);
  });

  it("of a campaign's day are asked about, and the day goes on with its next goal meanwhile [F-122]", async () => {
    await repositoryWith(
      [
        { match: ["The system has verified your work"], steps: [write("d.txt", "right\n"), { say: "Now." }] },
        { match: ["write dear"], steps: [{ ...write("d.txt", "wrong\n"), costUsd: 16 }, { say: "Done." }] },
        { match: ["write cheap"], steps: [{ ...write("c.txt", "c\n"), costUsd: 0.1 }, { say: "Done." }] },
      ],
      { "ac.md": criterion("method: bash\ncommand: grep right d.txt") },
    );
    const campaign = campaignIn(world);
    const campaignId = await campaign.create(
      "# Files\n\n## All\n- write dear\n  - criteria: ac.md\n  - cost: 20\n  - day: 1\n- write cheap\n  - day: 1\n",
      "--budget",
      "90",
    );
    valueOf(await world.command("campaign", "start", campaignId));
    for (let pass = 0; pass < 6; pass += 1) {
      for (const question of await asked())
        if (question.kind !== "continue")
          valueOf(await world.command("answer", question.checkpointId, question.options[0]?.label ?? ""));
      await campaign.settle();
    }

    expect(await asked()).toMatchObject([{ ...isMoney }]);
    const { rows } = await query("select content, status from cos.goals order by content");
    expect(rows).toEqual([
      { content: "write cheap", status: "complete" },
      { content: "write dear", status: "blocked" },
    ]);
    await answer("Proceed");
    await campaign.settle();
    expect((await query("select distinct status from cos.goals")).rows).toEqual([{ status: "complete" }]);
  });
});
