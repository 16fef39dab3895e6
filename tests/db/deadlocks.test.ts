import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../src/commands/execute.ts";
import { commands } from "../../src/commands/index.ts";
import { findCommand, parseGiven } from "../../src/commands/parse.ts";
import { lockGoal } from "../../src/db/goals.ts";
import type { Lease } from "../../src/db/leases.ts";
import { lockSession } from "../../src/db/sessions.ts";
import type { Deps } from "../../src/deps.ts";
import { recordAnswer } from "../../src/turns/answers/answer.ts";
import { expireQuestions, remindOfQuestions } from "../../src/turns/answers/deadlines.ts";
import { advanceCampaign } from "../../src/turns/campaigns/advance.ts";
import { failToStart } from "../../src/turns/goal/failed-phase.ts";
import { keepLease, type LeaseKeeper } from "../../src/turns/shared/lease-keeper.ts";
import { campaignIn, type Question } from "../fakes/campaign.ts";
import { claimGoal } from "../fakes/claim.ts";
import { startKept, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { type Door, interleavingIn } from "../fakes/interleave.ts";

/** No two transactions wait for each other (R4): all lock in one order (D9). */

let world: TestWorld;
const query = (text: string, values: readonly unknown[] = []) => world.deps.database.pool.query(text, [...values]);
const hour = 3_600_000;

function called(...words: string[]): Door {
  const found = findCommand(commands, words);
  if (found === null) throw new Error(`no command: ${words.join(" ")}`);
  const asked = found.command.asked(parseGiven(found.command, found.rest));
  const origin = { type: "person", by: { type: "terminal" } } as const;
  const caller = { actor: "ana", via: "terminal", member: null, origin } as const;
  return { name: words.join(" "), open: (deps) => execute(deps, caller, asked) };
}

function answered({ checkpointId, kind }: Question, choice: string): Door {
  const answer = { choice, version: null, notes: null, instructions: null, criteria: null, budgetMicroUsd: null };
  const answerer = { actor: "ana", actorId: null, via: "terminal", groups: [] };
  return { name: `${choice}: ${kind}`, open: (deps) => recordAnswer(deps, checkpointId, answer, answerer) };
}

/** A step of the turn that has this lease. */
function turned(name: string, lease: Lease, step: (deps: Deps, keeper: LeaseKeeper) => Promise<unknown>): Door {
  return {
    name,
    async open(deps) {
      const keeper = keepLease(world.deps, lease, signal, performance.now());
      await step(deps, keeper).finally(() => keeper.stop());
    },
  };
}

/** What time does, when it is late enough for all of it. */
function late(name: string, work: (deps: Deps) => Promise<unknown>): Door {
  return { name, open: (deps) => work({ ...deps, now: () => new Date(deps.now().getTime() + 1_000 * hour) }) };
}

async function addGoal(text: string, ...options: string[]): Promise<string> {
  return valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...options)).goalId;
}

async function claimed(): Promise<Lease> {
  const claim = await claimGoal(world.deps.database.db, { leasedBy: "one/1/1", forMs: hour, now: world.deps.now() });
  if (claim === null) throw new Error("nothing was claimed");
  return claim.lease;
}

async function openWorld(): Promise<void> {
  world = await testWorld();
  const path = await world.repository();
  valueOf(await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", "command:true"));
}

const { signal } = new AbortController();
const expiry = late("expiry", expireQuestions);
const reminder = late("reminder", remindOfQuestions);

/** A night: a question about a start, one about money, a goal that is worked and one that waits. */
async function nightDoors(): Promise<Door[]> {
  const tagged = await addGoal("Tagged", "--tag", "ui");
  await addGoal("Dear");
  await addGoal("Worked");
  const waits = await addGoal("Waits");
  world.advance(13 * hour);
  valueOf(await world.command("night", "--budget", "6", "--until", "07:00"));
  await query("update cos.nights set budget_micro_usd = 1");
  const dear = turned("", await claimed(), startKept);
  await dear.open(world.deps);
  await query("update cos.nights set budget_micro_usd = 6000000");
  const lease = await claimed();
  const questions = valueOf<Question[]>(await world.command("checkpoints"));
  return [
    ...questions.flatMap((question) => [answered(question, "Skip"), answered(question, "Proceed")]),
    turned("a start", lease, startKept),
    turned("a failure", lease, (deps, keeper) => failToStart(deps, keeper, "gone")),
    called("goal", "skip", waits),
    called("goal", "edit", tagged, "--tag", "architecture"),
    called("goal", "add", "Joins", "--tag", "ui"),
    called("autopilot", "pause"),
    called("autopilot", "stop", "--now"),
    called("night", "end"),
    expiry,
    reminder,
  ];
}

/** A day of a campaign: a question about a start, a goal that is worked and one that waits. */
async function campaignDoors(): Promise<Door[]> {
  const campaign = campaignIn(world);
  const campaignId = await campaign.create("# Work\n\n## All\n- a\n  - day: 1\n- b\n  - day: 1\n- c\n  - day: 1\n");
  valueOf(await world.command("campaign", "start", campaignId));
  for (let step = 0; step < 2; step += 1) {
    for (const { checkpointId, options } of await campaign.questions())
      valueOf(await world.command("answer", checkpointId, options[0]?.label ?? ""));
    await world.tick();
  }
  const [first] = (await query("select goal_id from cos.goals where wake_at is not null")).rows;
  valueOf(await world.command("goal", "edit", String(first?.goal_id), "--tag", "ui"));
  const asks = turned("", await claimed(), startKept);
  await asks.open(world.deps);
  const lease = await claimed();
  const [waits] = (await query("select goal_id from cos.goals where status = 'pending' and leased_by is null")).rows;
  const [question] = await campaign.questions();
  if (question === undefined) throw new Error("nothing is asked");
  return [
    answered(question, "Skip"),
    answered(question, "Proceed"),
    turned("a start", lease, startKept),
    turned("a failure", lease, (deps, keeper) => failToStart(deps, keeper, "gone")),
    called("goal", "skip", String(waits?.goal_id)),
    called("autopilot", "stop", "--now"),
    called("campaign", "pause", campaignId),
    late("a look", (deps) => advanceCampaign(deps, campaignId, { runNow: false, signal })),
    expiry,
  ];
}

describe.each([
  ["a night", nightDoors],
  ["a campaign's day", campaignDoors],
])("in %s", (_, doorsOf) => {
  let doors: Door[];
  beforeAll(async () => {
    await openWorld();
    doors = await doorsOf();
  });
  afterAll(() => world.close());

  it("every door locks in the one order [R4]", async () => {
    const { statementsOf } = interleavingIn(world);
    for (const door of doors) {
      const locked = lockedBy(await statementsOf(door));

      expect(locked, door.name).not.toEqual([]);
      expect(locked, door.name).toEqual(inOrder(locked));
    }
  });

  it("no two doors end in a deadlock, wherever one stands while the other one goes [R4]", async () => {
    const { deadlocksOf } = interleavingIn(world);
    const met: string[] = [];
    for (const door of doors)
      for (const other of doors) if ((await deadlocksOf(door, other)) > 0) met.push(`${door.name} | ${other.name}`);

    expect(met).toEqual([]);
  });

  it("one that locked a goal before its session would [R4]", async () => {
    const { deadlocksOf, statementsOf } = interleavingIn(world);
    const [{ goal_id: goalId, session_id: sessionId }] = (
      await query("select goal_id, session_id from cos.goals join cos.checkpoints using (goal_id) where kind = 'start'")
    ).rows as [{ goal_id: string; session_id: string }];
    const wrong: Door = {
      name: "the wrong way round",
      open: ({ database }) =>
        database.transaction(async (tx) => {
          await lockGoal(tx, goalId);
          await lockSession(tx, sessionId);
        }),
    };
    const answer = doors.find(({ name }) => name === "Skip: start");
    if (answer === undefined) throw new Error("no door");

    const locked = lockedBy(await statementsOf(wrong));
    expect(locked).not.toEqual(inOrder(locked));
    // The one that is ended is run once more, and may meet the other again.
    expect(await deadlocksOf(wrong, answer)).toBeGreaterThan(0);
  });
});

/** As ARCHITECTURE.md says it. */
const order = [
  ["days"],
  ["campaigns", "nights"],
  ["repositories"],
  ["sessions"],
  ["merge_queues"],
  ["goals"],
  ["checkpoints"],
  ["messages"],
];

/** The tables whose rows are locked to be read, in their order, each where it comes first. */
function lockedBy(statements: readonly string[]): string[] {
  return [...new Set(statements.flatMap(locksOf))];
}

function locksOf(text: string): string[] {
  const locked: string[] = [];
  // Of each SELECT that is not read to its end, what it reads from.
  const reads = [""];
  for (const [token, table] of text.matchAll(/[()]|\bfrom "?cos"?\."?(\w+)|\bfor (?:no key )?update\b/g)) {
    if (token === "(") reads.push("");
    else if (token === ")") reads.pop();
    else if (table !== undefined) reads[reads.length - 1] = table;
    else locked.push(reads.at(-1) ?? "");
  }
  return locked;
}

function inOrder(tables: readonly string[]): string[] {
  const rank = (table: string): number => order.findIndex((each) => each.includes(table));
  return tables.toSorted((one, other) => rank(one) - rank(other));
}
