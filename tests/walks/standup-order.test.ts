import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recommendationWords } from "../../src/core/cards/recommendation-words.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { recommend } from "../../src/core/reports/recommendation.ts";
import { needsNow } from "../../src/facts/needs.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** What a standup says of goals on top of others, in order, in a merge queue and cut short, on real git. */

const day = 24 * 3_600_000;
const spec = (file: string) =>
  `#### AC-1: Made\n\n\`\`\`yaml\nmethod: bash\ncommand: test -f ${file}\npass_condition: exit code 0\n\`\`\`\n`;

interface Line {
  readonly goalId: string;
  readonly state?: string;
  readonly branch?: string | null;
  readonly isHeld?: boolean;
  readonly waitsFor?: readonly string[];
}
interface Standup {
  readonly recommendation: { readonly text: string; readonly command: string };
  readonly done: readonly Line[];
  readonly failed: readonly Line[];
  readonly deferred: readonly Line[];
  readonly waiting: readonly (Line & { readonly goalsBehind: number })[];
  readonly parked: readonly Line[];
  readonly manual: readonly Line[];
  readonly unmerged: readonly Line[];
  readonly working: readonly Line[];
  readonly planned: readonly Line[];
}

let world: TestWorld;
let path: string;
const added: { goalId: string; text: string }[] = [];
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
  const specs = Object.fromEntries(["a", "b", "c"].map((name) => [`${name}.md`, spec(`${name}.txt`)]));
  path = await makeRepository(join(world.dataDir, "person"), { "x.txt": "x\n", ...specs });
  valueOf(await world.command("repo", "add", path, "--setup", "", "--check", ""));
  added.length = 0;
});
afterEach(() => world.close());

async function add(name: string, ...options: string[]): Promise<string> {
  const text = `Make ${name}.`;
  const run = ["--run", `echo ${name} > ${name}.txt`, "--criteria", `${name}.md`];
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...run, ...options));
  added.push({ goalId, text });
  return goalId;
}

async function work(): Promise<void> {
  valueOf(await world.command("autopilot", "start"));
  for (let pass = 0; pass < 3; pass += 1) {
    await world.work();
    world.advance(1000);
    await world.tick();
  }
}

async function merge(goalId: string): Promise<void> {
  valueOf(await world.command("goal", "merge", goalId));
  world.advance(31_000);
  await world.tick();
}

/** A standup that was looked through: every goal stands in it exactly once, on the card and for scripts. */
async function standup(): Promise<Standup> {
  const result = await world.command("standup");
  const found = valueOf<Standup>(result);
  if (result.type === "refused") throw new Error(result.reason);
  // Its buttons name goals again.
  const [, , ...lines] = terminalLines({ ...result.card, actions: [] }, "UTC");
  const { done, failed, deferred, waiting, parked, manual, unmerged, working, planned } = found;
  const all = [done, failed, deferred, waiting, parked, manual, unmerged, working, planned].flat();
  for (const { goalId, text } of added) {
    expect([text, all.filter((line) => line.goalId === goalId).length]).toEqual([text, 1]);
    expect([text, lines.filter((line) => line.includes(text)).length]).toEqual([text, 1]);
  }
  return found;
}

const first = async (): Promise<string> => (await standup()).recommendation.command;
/** The same for who cannot wait for git. */
const firstNow = async (): Promise<string> =>
  recommendationWords(recommend(await needsNow(world.deps.database.db, world.deps))).command;

describe("a finished goal on top of another one", () => {
  it("is offered when what lies below it is merged, and that is offered first [F-121]", async () => {
    const a = await add("a");
    const b = await add("b", "--after", a);
    const c = await add("c", "--after", b);
    await work();

    expect([await first(), await firstNow()]).toEqual([`cos goal merge ${a}`, `cos goal merge ${a}`]);
    await merge(a);
    expect([await first(), await firstNow()]).toEqual([`cos goal merge ${b}`, `cos goal merge ${b}`]);
    valueOf(await world.command("goal", "merge", b));
    // Half a minute in which it can be undone.
    expect([await first(), await firstNow()]).not.toContain(`cos goal merge ${c}`);
    world.advance(31_000);
    await world.tick();
    expect([await first(), await firstNow()]).toEqual([`cos goal merge ${c}`, `cos goal merge ${c}`]);
    expect(await world.command("goal", "merge", c)).toMatchObject({ type: "done" });
  });

  it("is offered when somebody has merged that by hand, and when a standup has said so [F-121]", async () => {
    const a = await add("a");
    const b = await add("b", "--after", a);
    await work();
    await gitIn(path, "merge", "--no-ff", "--no-edit", `cos/${a}`);

    expect(await first()).toBe(`cos goal merge ${b}`);
    // The standup that is posted says so; the next look knows it from our rows.
    world.advance(day);
    await world.tick();
    expect(await firstNow()).toBe(`cos goal merge ${b}`);
  });

  it("brings back what lies below it and was finished so long ago that no list has it [F-121]", async () => {
    const a = await add("a");
    await work();
    world.advance(40 * day);
    const b = await add("b", "--after", a);
    await work();

    expect((await standup()).unmerged.map(({ goalId }) => goalId)).toEqual([a]);
    expect([await first(), await firstNow()]).toEqual([`cos goal merge ${a}`, `cos goal merge ${a}`]);
    await merge(a);
    added.shift();
    expect([await first(), await firstNow()]).toEqual([`cos goal merge ${b}`, `cos goal merge ${b}`]);
  });
});

it("goals in a merge queue stand once, whatever it does with them, and nobody is to merge them [F-121]", async () => {
  const [a, b, c] = [await add("a"), await add("b"), await add("c")];
  await work();
  valueOf(await world.command("merge", "all"));
  const states = new Set<string>();
  for (let pass = 0; pass < 12; pass += 1) {
    for (const days of [0, 2]) {
      world.advance(days * day);
      const found = await standup();
      expect([await first(), await firstNow()].filter((command) => command.includes("goal merge"))).toEqual([]);
      expect(found.done.filter((line) => line.branch === "not-merged")).toEqual([]);
      expect(found.unmerged).toEqual([]);
      for (const line of found.working) states.add(line.state ?? "");
    }
    const { rows } = await world.deps.database.pool.query("select 1 from cos.merge_queues where ended_at is null");
    if (rows.length === 0) break;
    await world.tick();
    await world.work();
    // What has landed stands nowhere any more once it was said.
    const { rows: merged } = await world.deps.database.pool.query<{ goal_id: string }>(
      "select goal_id from cos.merges where status = 'merged'",
    );
    for (const { goal_id: goalId } of merged) {
      const at = added.findIndex((goal) => goal.goalId === goalId);
      if (at !== -1) added.splice(at, 1);
    }
  }
  expect(added.map((goal) => goal.goalId)).toEqual([]);
  expect([...states]).toContain("in the merge queue");
  expect([a, b, c]).toHaveLength(3);
});

it("goals behind a question stand once each, and say what they wait for [F-121]", async () => {
  const asked = await add("a", "--tag", "ui");
  const onTop = await add("b", "--after", asked);
  const behind = await add("c");
  valueOf(await world.command("autopilot", "start", "--in-order"));
  await world.work();

  const { waiting, planned } = await standup();
  expect(waiting).toMatchObject([{ goalId: asked, goalsBehind: 2 }]);
  expect(planned).toMatchObject([
    { goalId: onTop, state: "in the session", isHeld: true, waitsFor: [asked] },
    { goalId: behind, state: "in the session", isHeld: true },
  ]);
});

it("goals on top of one that no session works are not ready to start [F-121]", async () => {
  const asked = await add("a", "--tag", "ui");
  valueOf(await world.command("autopilot", "start"));
  await world.work();
  valueOf(await world.command("goal", "pause", asked));
  const onTop = await add("b", "--after", asked);

  const found = await standup();
  expect(found.parked).toMatchObject([{ goalId: asked }]);
  expect(found.planned).toMatchObject([{ goalId: onTop, state: "pending", waitsFor: [asked] }]);
  expect([await first(), await firstNow()]).toEqual([`cos goal resume ${asked}`, `cos goal resume ${asked}`]);
});

it("one that is still to be verified is not called verified, whatever passed before it was cut", async () => {
  const cut = await add("a");
  await work();
  const tagOf = async () => valueOf<{ tag: string }>(await world.command("goal", "show", cut)).tag;
  expect(await tagOf()).toBe("verified");
  const { pool } = world.deps.database;
  await pool.query(
    "with run as (update cos.runs set status = 'open', ended_at = null) update cos.goals set status = 'blocked', blocked_on = 'person', phase = 'verify', session_id = null",
  );

  expect(await tagOf()).toBe("claimed");
});

it("goals that were cut short stand once: parked with their session, and planned when somebody resumes them [F-121]", async () => {
  const cut = await add("a");
  valueOf(await world.command("autopilot", "start"));
  // It has work of its own, and its session is stopped.
  const { pool } = world.deps.database;
  await pool.query(
    "insert into cos.runs (run_id, goal_id, status, content_hash, settled, started_at) values ('run-1', $1, 'open', 'x', '[]', now())",
    [cut],
  );
  await pool.query("update cos.goals set status = 'in_progress', phase = 'verify', run_id = 'run-1', wake_at = null");
  expect((await standup()).working).toMatchObject([{ goalId: cut }]);
  valueOf(await world.command("autopilot", "stop", "--now"));
  expect((await standup()).parked).toMatchObject([{ goalId: cut }]);

  valueOf(await world.command("goal", "resume", cut));
  expect((await standup()).planned).toMatchObject([{ goalId: cut, state: "pending" }]);
  expect(await first()).toBe("cos autopilot start");
});
