import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { getGoal } from "../../src/db/goals.ts";
import { claimGoal } from "../fakes/claim.ts";
import { findMessage } from "../../src/db/messages.ts";
import { lockNight } from "../../src/db/nights.ts";
import { getSession, lockSession } from "../../src/db/sessions.ts";
import { tickTimers } from "../../src/tick.ts";
import { answerIn } from "../../src/turns/answers/answer.ts";
import { pauseSession } from "../../src/turns/shared/sessions.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { untilOneWaits } from "../fakes/database.ts";
import { keptLease, startKept, oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { startFakeModel } from "../fakes/model.ts";
import { makeRepository } from "../fakes/repository.ts";

/** Sessions and nights where two things happen at once. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
});
afterEach(() => world.close());

interface Asked {
  checkpointId: string;
  goalId: string;
  kind: string;
}

const add = async (text: string, ...options: string[]) =>
  valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...options)).goalId;
const asked = async () => valueOf<Asked[]>(await world.command("checkpoints"));
const nameOf = (path: string): string => path.split("/").at(-1) ?? "";

it("a goal that was claimed before its session was paused does not begin", async () => {
  await world.repository();
  const goalId = await add("one", "--run", "echo x > x.txt");
  const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
  const { db } = world.deps.database;
  const claim = await claimGoal(db, { leasedBy: "here/1/1", forMs: 20_000, now: world.deps.now() });
  if (claim === null) throw new Error("nothing was claimed");
  await world.deps.database.transaction(async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (session !== null) await pauseSession(tx, world.deps, session, "ana");
    // Who holds the session keeps others from claiming in it meanwhile.
    expect(await claimGoal(db, { leasedBy: "there/1/1", forMs: 20_000, now: world.deps.now() })).toBeNull();
  });

  const keeper = keptLease(world.deps, claim.lease);
  expect(await startKept(world.deps, keeper)).toEqual({ type: "over" });
  expect(await getGoal(db, goalId)).toMatchObject({ status: "pending", leasedBy: null });
  valueOf(await world.command("autopilot", "resume"));
  await world.work();
  expect((await getGoal(db, goalId))?.status).toBe("complete");
});

it("of two people who begin a night, or a session, at the same moment one is told that the other was faster", async () => {
  await world.repository();
  await add("one", "--run", "echo x > x.txt");
  // The mirror is there.
  valueOf(await world.command("autopilot", "start"));
  valueOf(await world.command("autopilot", "stop", "--now"));

  for (const words of [["autopilot", "start"], ["night"]]) {
    const results = await Promise.all([1, 2, 3].map(() => world.command(...words)));
    expect(results.map((each) => each.type).sort()).toEqual(["done", "refused", "refused"]);
    valueOf(await world.command("autopilot", "stop", "--now"));
  }
});

it("a goal that was resumed while no session was open is worked by the next one", async () => {
  await world.repository();
  const goalId = await add("one", "--run", "test -f ../go || sleep 1000; echo x > x.txt");
  valueOf(await world.command("autopilot", "start"));
  const working = world.work();
  await eventually("it runs", async () => (await getGoal(world.deps.database.db, goalId))?.phase === "implement");
  valueOf(await world.command("autopilot", "stop", "--now"));
  await working;
  valueOf(await world.command("goal", "resume", goalId));

  expect(valueOf(await world.command("autopilot", "start", "--goal", goalId))).toMatchObject({ goals: 1 });
  valueOf(await world.command("autopilot", "stop", "--now"));
  valueOf(await world.command("goal", "resume", goalId));
  expect(valueOf(await world.command("autopilot", "start"))).toMatchObject({ goals: 1 });
});

it("a question that was asked after its session had ended can be answered like any other", async () => {
  await world.repository();
  const goalId = await add("one", "--run", "echo x > x.txt", "--tag", "architecture");
  valueOf(await world.command("autopilot", "start"));
  const [question] = await asked();
  // A turn that records its failure while the session is ended leaves this.
  await world.deps.database.pool.query(
    "update cos.sessions set status = 'ended', ended_at = started_at, end_reason = 'Stopped.'",
  );

  for (const choice of ["Pause", "Proceed"])
    expect(await world.command("answer", question?.checkpointId ?? "", choice)).toMatchObject({ type: "done" });
  expect((await getGoal(world.deps.database.db, goalId))?.status).toBe("pending");
  expect(valueOf(await world.command("autopilot", "start"))).toMatchObject({ goals: 1 });
});

it("a parked goal that joins the open session locks it before its own row", async () => {
  await world.repository();
  const parked = await add("one", "--run", "echo x > x.txt");
  valueOf(await world.command("goal", "pause", parked));
  await add("two", "--run", "echo y > y.txt");
  const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
  const resuming = await world.deps.database.transaction(async (tx) => {
    await lockSession(tx, sessionId);
    const resumed = world.command("goal", "resume", parked);
    await untilOneWaits(world);
    await tx.execute(sql`select 1 from cos.goals where goal_id = ${parked} for update nowait`);
    return { resumed };
  });

  expect(await resuming.resumed).toMatchObject({ type: "done", value: { sessionId } });
});

it("more money for a goal of a night takes its locks in their order: the night's before the session's", async () => {
  await world.repository();
  const goalId = await add("dear", "--cost", "4", "--run", "echo x > x.txt");
  await add("asks", "--cost", "0.1", "--tag", "architecture", "--run", "echo y > y.txt");
  const { nightId } = valueOf<{ nightId: string }>(await world.command("night", "--budget", "1.20"));
  await world.work();
  const ceiling = (await asked()).find((each) => each.kind === "ceiling");
  expect(ceiling?.goalId).toBe(goalId);
  const sessionId = (await getGoal(world.deps.database.db, goalId))?.sessionId ?? "";

  const answering = await world.deps.database.transaction(async (tx) => {
    await lockNight(tx, nightId);
    const answer = world.command("answer", ceiling?.checkpointId ?? "", "Proceed");
    await untilOneWaits(world);
    // As the end of the night does; it fails at once when the answer holds the row.
    await tx.execute(sql`select 1 from cos.sessions where session_id = ${sessionId} for update nowait`);
    return { answer };
  });
  expect(await answering.answer).toMatchObject({ type: "done" });
  expect((await getSession(world.deps.database.db, sessionId))?.status).toBe("running");
});

it("two answers at the same moment leave no decision on the morning's card", async () => {
  for (const text of ["1", "2"]) {
    const name = nameOf(await world.repository({ "README.md": `${text}\n` }));
    await add(text, "--repo", name, "--run", "echo x > x.txt", "--tag", "architecture");
  }
  const { nightId } = valueOf<{ nightId: string }>(await world.command("night"));
  await world.work();
  await world.tick();
  const [first, second] = await asked();
  const skip = { choice: "Skip", version: null, notes: null, instructions: null, criteria: null, budgetMicroUsd: null };
  const by = { actor: "ana", actorId: null, via: "terminal", groups: [] };

  // The other one is answered, and drawn, before this one is committed.
  await world.deps.database.transaction(async (tx) => {
    await answerIn(tx, world.deps, first?.checkpointId ?? "", { answer: skip, answerer: by });
    valueOf(await world.command("answer", second?.checkpointId ?? "", "Proceed"));
  });

  const card = (await findMessage(world.deps.database.db, "console", "main", `${nightId}.morning`))?.card;
  expect(card).toMatchObject({ title: "Good morning: nothing waits for you", state: "cleared" });
});

it.each([
  ["a command that fails", ["--run", "exit 3"]],
  ["a command that is asked about before it runs", ["--run", "echo x > x.txt", "--tag", "architecture"]],
])("the morning has the choices and forms of the question's own card: %s", async (_, words) => {
  await world.repository();
  await add("one", ...words);
  const { nightId } = valueOf<{ nightId: string }>(await world.command("night"));
  for (let pass = 0; pass < 4; pass += 1) {
    await world.work();
    await world.tick();
  }

  const { db } = world.deps.database;
  const [question] = await asked();
  const own = (await findMessage(db, "console", "main", question?.checkpointId ?? ""))?.card.actions ?? [];
  const morning = (await findMessage(db, "console", "main", `${nightId}.morning`))?.card.actions;
  expect(own.filter((each) => each.takesNoWords === true || each.initial !== undefined)).toHaveLength(1);
  const choices = own.filter((each) => each.choice !== "acknowledge");
  expect(morning).toEqual(choices.map(({ about: _about, ...each }) => expect.objectContaining(each) as unknown));
});

it("a night whose agent lost its login says so in the morning, and goes on after Resume", async () => {
  const scripts = join(world.dataDir, "scripts.json");
  const login = { steps: [{ fail: "Please log in first: authentication required" }] };
  await writeFile(scripts, JSON.stringify([{ match: [], ...login }]));
  const path = await makeRepository(join(world.dataDir, "person"), { "README.md": "x\n" });
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${scripts}"`;
  await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
  const first = await add("one");
  const second = await add("two");
  const { nightId } = valueOf<{ nightId: string }>(await world.command("night"));
  await world.work();
  await world.tick();

  const card = (await findMessage(world.deps.database.db, "console", "main", `${nightId}.morning`))?.card;
  expect(card?.title).toBe("Good morning: 1 decision to make");
  const [question] = await asked();
  expect(question).toMatchObject({ kind: "breaker" });
  expect(valueOf(await world.command("night", "status"))).toMatchObject({
    endReason: expect.stringMatching(
      /^It stopped itself: agent needs login: .*[^.]\. 1 goal was not begun\.$/,
    ) as string,
  });
  expect((await getGoal(world.deps.database.db, second))?.status).toBe("pending");
  const write = { steps: [{ write: { path: "x.txt", content: "x\n" } }, { say: "Done." }] };
  await writeFile(scripts, JSON.stringify([{ match: [], ...write }]));
  valueOf(await world.command("answer", question?.checkpointId ?? "", "Resume"));
  await world.work();
  expect((await getGoal(world.deps.database.db, first))?.status).toBe("complete");
});

it("a night ends at its hour also while a model thinks about a campaign", async () => {
  await world.close();
  const model = await startFakeModel("hangs");
  world = await testWorld({
    environment: { COS_MODEL: "fake", COS_MODEL_URL: model.url, COS_MODEL_PRICE: "3/15" },
    policy: (policy) => ({ ...oneAttempt(policy), model: { ...policy.model, timeoutMs: 4_000, retries: 0 } }),
  });
  await world.repository();
  const file = join(world.dataDir, "plan.md");
  await writeFile(file, "# Work\n\n## All\n- one\n  - run: true\n");
  const { campaignId } = valueOf<{ campaignId: string }>(await world.command("campaign", "create", "--from", file));
  await add("one", "--run", "echo x > x.txt");
  valueOf(await world.command("night", "--until", "10:00"));
  // As another process leaves it that dies while it plans.
  const wanted = { kind: "modify", by: "ana", isAutomatic: false, instructions: "otherwise" };
  await world.deps.database.pool.query("update cos.campaigns set wanted = $2 where campaign_id = $1", [
    campaignId,
    JSON.stringify(wanted),
  ]);
  const ticking = world.tick();
  await eventually("the model is asked", async () => model.requests.length === 1);
  world.advance(3_600_000);
  await tickTimers(world.deps);

  expect(valueOf(await world.command("night", "status"))).toMatchObject({
    endReason: "It is 10:00: the night is over.",
  });
  await ticking;
  await model.close();
});

it("questions of one moment stand in the order of their goals", async () => {
  await world.repository();
  const goals: string[] = [];
  for (const text of ["one", "two", "three", "four", "five", "six"])
    goals.push(await add(text, "--run", `echo x > ${text}.txt`, "--tag", "ui"));
  const { nightId } = valueOf<{ nightId: string }>(await world.command("night", "--until", "22:05"));

  expect((await asked()).map(({ goalId }) => goalId)).toEqual(goals);
  world.advance(13 * 3_600_000 + 5 * 60_000);
  await world.tick();

  const card = (await findMessage(world.deps.database.db, "console", "main", `${nightId}.morning`))?.card;
  const shown = JSON.stringify(card?.blocks);
  const places = goals.map((goalId, index) =>
    shown.indexOf(["one", "two", "three", "four", "five", "six"][index] ?? goalId),
  );
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});
