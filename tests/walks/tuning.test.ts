import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../../src/commands/command.ts";
import { dollars } from "../../src/core/money.ts";
import { changeThreshold, lockTuned } from "../../src/db/tuning.ts";
import { eventually } from "../fakes/bot.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

const day = 24 * 3_600_000;
/** From Monday 09:00 to Friday 16:00, when the weekly is posted. */
const toFriday = 4 * day + 7 * 3_600_000;

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld();
  await world.repository();
  await world.tick();
});
afterEach(() => world.close());

interface Question {
  readonly checkpointId: string;
  readonly kind: string;
  readonly goalId: string | null;
  readonly recommendation: string;
  readonly options: readonly { readonly label: string; readonly isRecommended: boolean }[];
}

const open = async (): Promise<Question[]> => valueOf<Question[]>(await world.command("checkpoints"));
const policyNow = async () =>
  valueOf<{ policy: { key: string; usd: number }[]; history: { nowUsd: number; checkpointId: string | null }[] }>(
    await world.command("policy"),
  );
const usdNow = async (): Promise<number[]> => (await policyNow()).policy.map((each) => each.usd);
const weights = async () => valueOf<{ preferences: unknown[]; history: unknown[] }>(await world.command("preferences"));

/** A goal that begins; its question, when there is one. */
async function begun(text: string, ...options: string[]): Promise<Question | null> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", text, "--run", "true", ...options));
  await world.command("autopilot", "start");
  await world.work();
  return (await open()).find((each) => each.goalId === goalId) ?? null;
}

async function expensive(text: string, answer: "approve" | "reject"): Promise<void> {
  const question = await begun(text, "--cost", "8");
  if (question === null) throw new Error(`nothing was asked about ${text}`);
  await world.command(answer, question.checkpointId);
  await world.work();
}

/** Five expensive goals that a person let on and that were done, until the weekly of that Friday. */
async function goodWeek(name = "Expensive"): Promise<void> {
  for (let number = 0; number < 5; number += 1) await expensive(`${name} ${number}`, "approve");
  await world.tick();
  world.advance(toFriday);
  await world.tick();
}

const proposal = async (): Promise<Question | null> => (await open()).find((each) => each.kind === "tuning") ?? null;

async function proposed(): Promise<Question> {
  const found = await proposal();
  if (found === null) throw new Error("nothing was proposed");
  return found;
}

describe("the weekly proposal for when to ask", () => {
  it("shows the exact diff and changes nothing; who approves it gets exactly that, once, and can take it back", async () => {
    await goodWeek();
    const question = await proposed();
    const words = await cardWords(world, question.checkpointId);
    const learnt = await weights();

    expect(words).toContain("- ask about a goal that is estimated above $5.00\n");
    expect(words).toContain("+ ask about a goal that is estimated above $6.00\n");
    expect(words).not.toContain("on a day");
    expect(words).toContain("5 of 5 questions went on, 5 of the 5 that ended were done and kept");
    expect(await usdNow()).toEqual([5, 15]);
    const before = await begun("Between", "--cost", "5.5");
    expect(before).not.toBeNull();
    await world.command("reject", before?.checkpointId ?? "");

    const agent = { type: "agent", runId: "run-1" } as const;
    expect((await world.as({ origin: agent }, "approve", question.checkpointId)).type).toBe("refused");
    expect(await usdNow()).toEqual([5, 15]);
    const both = await Promise.all([
      world.command("approve", question.checkpointId),
      world.command("approve", question.checkpointId),
    ]);

    expect(both.map((each) => each.type).toSorted()).toEqual(["done", "refused"]);
    expect(await usdNow()).toEqual([6, 15]);
    expect((await policyNow()).history).toMatchObject([{ nowUsd: 6, checkpointId: question.checkpointId }]);
    expect(await cardWords(world, question.checkpointId)).toContain("Proceed, by ana");
    expect(await begun("Between again", "--cost", "5.5")).toBeNull();
    expect(await begun("Above", "--cost", "6.5")).not.toBeNull();
    await world.tick();
    // Only the answer about the goal has taught anything.
    expect((await weights()).history.length).toBe(learnt.history.length + 1);

    expect(await world.command("policy", "rollback", "77")).toMatchObject({ type: "refused", next: "cos policy" });
    valueOf(await world.command("policy", "rollback", "1"));
    expect(await usdNow()).toEqual([5, 15]);
    expect((await policyNow()).history.length).toBe(2);
    expect(await begun("Between once more", "--cost", "5.5")).not.toBeNull();
  });

  it("is not made again from answers that it was made of once it was skipped", async () => {
    await goodWeek();
    valueOf(await world.command("reject", (await proposed()).checkpointId));

    world.advance(7 * day);
    await world.tick();

    expect(await proposal()).toBeNull();
    expect(await usdNow()).toEqual([5, 15]);
  });

  it("ends without an answer before the next one, and says so to who comes late", async () => {
    await goodWeek();
    const { checkpointId } = await proposed();
    world.advance(6 * day);
    await world.tick();

    expect(await proposal()).toBeNull();
    expect(await cardWords(world, checkpointId)).toContain(
      "the policy stays as it is. It is looked at again next week.",
    );
    expect(await world.command("approve", checkpointId)).toMatchObject({ type: "refused", next: "cos policy" });
    expect(await usdNow()).toEqual([5, 15]);
    world.advance(day);
    await world.tick();
    expect((await proposed()).checkpointId).not.toBe(checkpointId);
  });

  it("is never applied to a policy that is another one by now", async () => {
    await goodWeek();
    const { checkpointId } = await proposed();
    await world.deps.database.pool.query(
      "insert into cos.tuned_policy values ('thresholds.singleMicroUsd', $1, now())",
      [dollars(9)],
    );

    expect((await world.command("approve", checkpointId)).type).toBe("refused");
    expect(await usdNow()).toEqual([9, 15]);
    expect(await cardWords(world, checkpointId)).toContain("Withdrawn");
  });

  it("is not made of too few answers", async () => {
    for (let number = 0; number < 4; number += 1) await expensive(`Expensive ${number}`, "approve");
    await world.tick();
    world.advance(toFriday);
    await world.tick();

    expect(await proposal()).toBeNull();
  });

  it.each([
    [
      "thrown away",
      `insert into cos.merges (goal_id, status, into_branch, head_commit, requested_by, requested_at, due_at, settled_at, purged_at)
       select goal_id, 'discarded', 'main', 'c0ffee', 'ana', $1, $1, $1, $1 from cos.goals where content = 'Expensive 4'`,
    ],
    [
      "reverted",
      `insert into cos.timeline (goal_id, event, at, detail)
       select goal_id, 'goal.found-in-git', $1, '{"news":"reverted","commit":null,"key":"k"}' from cos.goals where content = 'Expensive 4'`,
    ],
  ])("is not made of a week in which one of five was %s", async (_, spoil) => {
    for (let number = 0; number < 5; number += 1) await expensive(`Expensive ${number}`, "approve");
    await world.tick();
    await world.deps.database.pool.query(spoil, [world.deps.now()]);
    world.advance(toFriday);
    await world.tick();

    expect(await proposal()).toBeNull();
  });

  it("is taken back with all that came after it, also with what was approved while somebody waited to take it back", async () => {
    const { deps } = world;
    const single = { key: "thresholds.singleMicroUsd", wasMicroUsd: dollars(5), nowMicroUsd: dollars(8) } as const;
    const ofDay = { key: "thresholds.dayMicroUsd", wasMicroUsd: dollars(15), nowMicroUsd: dollars(18) } as const;
    const by = { actor: "ben", at: deps.now() };
    await deps.database.transaction((tx) => changeThreshold(tx, single, { checkpointId: "cp-1", ...by }));
    const waiting = `select 1 from pg_locks where not granted and relation = 'cos.tuned_policy'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
    const taking: Promise<CommandResult>[] = [];

    await deps.database.transaction(async (tx) => {
      await lockTuned(tx);
      await changeThreshold(tx, ofDay, { checkpointId: "cp-2", ...by });
      taking.push(world.command("policy", "rollback", "1"));
      await eventually("the rollback to wait", async () => (await deps.database.pool.query(waiting)).rows.length > 0);
    });
    const [taken] = await Promise.all(taking);

    expect(taken).toMatchObject({ value: { changed: 2 } });
    expect(await usdNow()).toEqual([5, 15]);
  });
});

describe("where several people have to agree about cost", () => {
  it("taking an approved number back is done at once when it asks more often, and is theirs to agree to when it asks less", async () => {
    await world.close();
    world = await testWorld({
      environment: {
        SLACK_BOT_TOKEN: "xoxb-nobody-listens",
        SLACK_APP_TOKEN: "xapp-nobody-listens",
        SLACK_CHANNEL: "C0123ABCD",
        COS_APPROVERS: "slack:U1",
        COS_QUORUM: "cost=2",
      },
    });
    const { pool } = world.deps.database;
    // Two diffs that were approved: ask less, then more again.
    await pool.query(
      `insert into cos.policy_changes (key, was_micro_usd, now_micro_usd, checkpoint_id, actor, at) values
         ('thresholds.singleMicroUsd', $1, $2, 'cp-1', 'ana', now()), ('thresholds.singleMicroUsd', $2, $3, 'cp-2', 'ana', now())`,
      [dollars(5), dollars(8), dollars(4)],
    );
    await pool.query("insert into cos.tuned_policy values ('thresholds.singleMicroUsd', $1, now())", [dollars(4)]);

    const asked = valueOf<{ checkpointId: string; changed: number }>(await world.command("policy", "rollback", "2"));
    expect(asked.changed).toBe(0);
    expect(await usdNow()).toEqual([4, 15]);
    expect(await cardWords(world, asked.checkpointId)).toContain("+ ask about a goal that is estimated above $8.00");
    expect(await world.command("approve", asked.checkpointId)).toMatchObject({ value: { voted: true } });
    expect(await usdNow()).toEqual([4, 15]);
    const member = { id: "slack:U1", isActive: true, membership: "member" as const };
    const other = { actor: "@u1", via: "slack", member, origin: { type: "person", by: { type: "chat" } } } as const;
    await world.as(other, "approve", asked.checkpointId);
    expect(await usdNow()).toEqual([8, 15]);

    expect(valueOf(await world.command("policy", "rollback", "1"))).toMatchObject({ changed: 1 });
    expect(await usdNow()).toEqual([5, 15]);

    // What is set is theirs in the same way: less often is asked of two, more often is one person's.
    const set = valueOf<{ checkpointId: string; changed: number }>(await world.command("policy", "set", "goal", "9"));
    expect(set.changed).toBe(0);
    expect(await usdNow()).toEqual([5, 15]);
    expect(await cardWords(world, set.checkpointId)).toContain("+ ask about a goal that is estimated above $9.00");
    expect(valueOf(await world.command("policy", "set", "goal", "3"))).toEqual({ changed: 1 });
    expect(await usdNow()).toEqual([3, 15]);
  });
});

describe("a threshold that somebody sets", () => {
  it("asks from there on, is in the history, can be taken back, and withdraws a proposal made of what was [S4-TG-11]", async () => {
    await goodWeek();
    const proposal = await proposed();
    expect(valueOf(await world.command("policy", "set", "goal", "5"))).toEqual({ changed: 0 });
    expect((await proposed()).checkpointId).toBe(proposal.checkpointId);

    const set = await world.command("policy", "set", "goal", "10");

    expect(valueOf(set)).toEqual({ changed: 1 });
    expect(set.type === "done" ? set.card.title : "").toBe(
      "A goal that is estimated above $10.00 is asked about, instead of $5.00",
    );
    expect((await open()).filter((each) => each.kind === "tuning")).toEqual([]);
    expect(await begun("At eight", "--cost", "8")).toBeNull();
    expect(await begun("At ten", "--cost", "10")).toBeNull();
    const above = await begun("Above", "--cost", "10.01");
    expect(above).not.toBeNull();
    valueOf(await world.command("policy", "set", "day", "0.5"));
    const { policy, history } = await policyNow();
    expect(policy.map((each) => each.usd)).toEqual([10, 0.5]);
    expect(history.map((each) => each.nowUsd)).toEqual([0.5, 10]);
    const shown = await world.command("policy");
    expect(JSON.stringify(shown)).toContain("a goal $5.00 → $10.00: set by ");

    expect(valueOf(await world.command("policy", "rollback", "1"))).toMatchObject({ changed: 2 });
    expect(await usdNow()).toEqual([5, 15]);
  });

  it("is refused above the ceiling at which work stops anyway, which is named", async () => {
    expect(await world.command("policy", "set", "goal", "15.01")).toMatchObject({
      type: "refused",
      reason: "nothing would be asked: work stops at the ceiling of a session, $15.00",
      next: "cos policy set goal 15, or a higher COS_BUDGET_SESSION_USD",
    });
    expect(await world.command("policy", "set", "day", "30.01")).toMatchObject({
      reason: "nothing would be asked: work stops at the ceiling of a day, $30.00",
      next: "cos policy set day 30, or a higher COS_BUDGET_DAY_USD",
    });
    expect(valueOf(await world.command("policy", "set", "day", "30"))).toEqual({ changed: 1 });
    expect(await usdNow()).toEqual([5, 30]);
  });
});

describe("a scripted week", () => {
  it("changes the recommended option as documented, and nothing else [C-77]", async () => {
    const asked = async (when: string) => {
      const found = [
        await begun(`Expensive ${when}`, "--cost", "8"),
        await begun(`Screen ${when}`, "--tag", "ui"),
        await begun(`Core ${when}`, "--tag", "architecture"),
        await begun(`Unplanned ${when}`, "--tag", "plain"),
      ];
      for (const each of found) if (each !== null) await world.command("answer", each.checkpointId, "pause");
      await world.command("autopilot", "resume");
      return found.map((each) => each?.options.map(({ label, isRecommended }) => [label, isRecommended]) ?? null);
    };
    for (const weekday of ["monday", "tuesday", "wednesday", "thursday", "friday"]) {
      await expensive(`Expensive on ${weekday}`, "reject");
      world.advance(weekday === "friday" ? 7 * 3_600_000 : day);
      await world.tick();
    }
    // The weekly asks about the threshold, and recommends nothing of it.
    expect((await proposed()).options.map((each) => each.isRecommended)).toEqual([false, false]);
    const after = await asked("afterwards");

    const usual = [
      ["Proceed", true],
      ["Skip", false],
      ["Modify", false],
      ["Pause", false],
    ];
    expect(after).toEqual([
      [
        ["Skip", true],
        ["Proceed", false],
        ["Modify", false],
        ["Pause", false],
      ],
      usual,
      usual,
      null,
    ]);
    expect(await usdNow()).toEqual([5, 15]);
  });
});
