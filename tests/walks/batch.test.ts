import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../src/commands/command.ts";
import { answerDueBatches } from "../../src/turns/answers/batch.ts";
import { untilOneWaits } from "../fakes/database.ts";
import { oneAttempt, type TestWorld, cardWords, testWorld, valueOf } from "../fakes/deps.ts";

/** Many questions are answered at once (F-411): held for 15 s, undone as a whole, each answer its person's own. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({ environment: { COS_APPROVERS: "slack:U0ANA,slack:U0BEN" }, policy: oneAttempt });
  await world.repository();
});
afterEach(() => world.close());

interface Asked {
  readonly goalId: string;
  readonly checkpointId: string;
  readonly version: number;
}

interface Held {
  readonly batchId: string;
  readonly checkpoints: readonly string[];
  readonly leftOut: readonly string[];
}

const [ana, ben] = ["ana", "ben"].map((name): Partial<Caller> => {
  const id = `slack:U0${name.toUpperCase()}`;
  const member = { id, isActive: true, groups: [], membership: "member" as const };
  return { actor: `@${name}`, via: "slack", member, origin: { type: "person", by: { type: "chat" } } };
}) as [Partial<Caller>, Partial<Caller>];

/** Open questions about as many new goals, in the order of these. */
async function ask(number: number, ...options: string[]): Promise<Asked[]> {
  for (let each = 1; each <= number; each += 1)
    await world.command(
      "goal",
      "add",
      `Change ${each}`,
      "--run",
      `echo ${each} > ${each}.txt`,
      "--tag",
      "ui",
      ...options,
    );
  await world.command("autopilot", "start");
  const goals = valueOf<{ goalId: string; content: string }[]>(await world.command("goals"));
  const contentOf = ({ goalId }: Asked): string => goals.find((each) => each.goalId === goalId)?.content ?? "";
  return (await open()).toSorted((one, other) => (contentOf(one) < contentOf(other) ? -1 : 1));
}

const idsOf = (asked: readonly Asked[]): string[] => asked.map(({ checkpointId }) => checkpointId).toSorted();

async function open(): Promise<Asked[]> {
  return valueOf<Asked[]>(await world.command("checkpoints"));
}

async function hold(who: Partial<Caller>, ...words: string[]): Promise<Held> {
  return valueOf<Held>(await world.as(who, "batch", "answer", ...words));
}

/** The audit trail, in the order of its rows. */
async function answers(): Promise<{ checkpoint_id: string; choice: string; actor: string; via: string }[]> {
  const sql = "select checkpoint_id, choice, actor, via from cos.decisions order by decision_id";
  return (await world.deps.database.pool.query(sql)).rows;
}

async function pass(ms: number): Promise<void> {
  world.advance(ms);
  await world.tick();
}

describe("many questions that somebody answers with one choice", () => {
  it("are read back, held for 15 s, and then each is that person's answer, like a click [F-411]", async () => {
    const asked = await ask(3);
    const { batchId, checkpoints, leftOut } = await hold(ana, "ux", "proceed");
    expect(checkpoints).toEqual(idsOf(asked));
    expect(leftOut).toEqual([]);
    const held = await cardWords(world, batchId);
    expect(held).toContain("Proceed for 3 questions, in 15 s");
    for (const words of ["Change 1", "Change 2", "Change 3", "Asked for by @ana in Slack"])
      expect(held).toContain(words);
    await pass(14_900);
    expect(await answers()).toEqual([]);

    await pass(200);
    expect(await answers()).toEqual(
      checkpoints.map((id) => ({ checkpoint_id: id, choice: "Proceed", actor: "@ana", via: "slack" })),
    );
    expect(await open()).toEqual([]);
    expect(await cardWords(world, batchId)).toContain("Proceed: answered 3 of 3");
    expect(await cardWords(world, asked[0]?.checkpointId ?? "")).toContain("Proceed, by @ana in Slack");
    await world.work();
    const statuses = valueOf<{ status: string }[]>(await world.command("goals")).map(({ status }) => status);
    expect(statuses).toEqual(["complete", "complete", "complete"]);
  });

  it("are answered, also where their deadline comes while they are held, or the bot looks again only much later", async () => {
    await ask(2);
    await pass(24 * 3_600_000 - 10_000);
    const first = await hold(ana, "ux", "proceed");
    await pass(11_000);
    expect(await open()).toHaveLength(2);
    world.advance(3_600_000);
    await world.tick();

    expect((await answers()).map(({ checkpoint_id }) => checkpoint_id)).toEqual(first.checkpoints);
    expect(await cardWords(world, first.batchId)).toContain("Proceed: answered 2 of 2");
  });

  it("are all undone at 14.9 s, by anybody who may answer; at 15.1 s none of them is any more [F-411]", async () => {
    const asked = await ask(3);
    const { batchId } = await hold(ana, "ux", "Skip");
    await pass(14_900);
    expect(await world.as(ben, "batch", "undo", batchId)).toMatchObject({ type: "done" });
    await pass(60_000);
    expect(await answers()).toEqual([]);
    expect(idsOf(await open())).toEqual(idsOf(asked));
    expect(await cardWords(world, batchId)).toContain("Undone by @ben: Skip for 3 questions. Nothing was answered");
    expect(await world.as(ana, "batch", "undo", batchId)).toMatchObject({
      reason: `${batchId} was undone already, by @ben`,
    });

    const again = await hold(ana, "ux", "Skip");
    await pass(15_100);
    expect(await world.as(ana, "batch", "undo", again.batchId)).toMatchObject({
      type: "refused",
      reason: `too late to undo ${again.batchId}: its answers were given`,
    });
    expect((await answers()).map(({ choice }) => choice)).toEqual(["Skip", "Skip", "Skip"]);
  });

  it("undone in the moment in which they begin: whoever was first in the database, and never both [F-411]", async () => {
    const asked = await ask(2);
    const { batchId } = await hold(ana, "ux", "Skip");
    world.advance(15_100);
    const first = await world.deps.database.pool.connect();
    try {
      await first.query("begin");
      await first.query(
        "update cos.batches set status = 'undone', undone_by = '@ben', settled_at = now() where batch_id = $1",
        [batchId],
      );
      const settling = answerDueBatches(world.deps);
      await untilOneWaits(world);
      await first.query("commit");
      await settling;
    } finally {
      first.release();
    }
    expect(await answers()).toEqual([]);
    expect(idsOf(await open())).toEqual(idsOf(asked));
  });

  it("but for those that changed meanwhile: answered, withdrawn, asked anew, drawn anew; each is named [F-411]", async () => {
    const [first, second, third, fourth, fifth] = await ask(5);
    const { batchId } = await hold(ana, "ux", "Proceed");
    await world.as(ben, "answer", first?.checkpointId ?? "", "Skip");
    await world.command("goal", "skip", second?.goalId ?? "");
    await world.command("goal", "edit", third?.goalId ?? "", "--text", "Change it all");
    await world.as(ben, "answer", fourth?.checkpointId ?? "", "Pause");
    await pass(15_000);

    const given = (await answers()).filter(({ actor }) => actor === "@ana");
    expect(given).toMatchObject([{ checkpoint_id: fifth?.checkpointId, choice: "Proceed" }]);
    const card = await cardWords(world, batchId);
    expect(card).toContain("Proceed: answered 1 of 5");
    expect(card).toContain("Change 1: left out, it was answered meanwhile (Skip by @ben)");
    expect(card).toContain("Change 2: left out, it was withdrawn meanwhile");
    expect(card).toContain("Change it all (also: not in the plan): left out, it changed meanwhile");
    expect(card).toContain("Change 4: left out, it changed meanwhile");
  });

  it("but for those that came or changed after the list was shown, which are named at once [F-411]", async () => {
    const [first, second] = await ask(2);
    const shown = world.deps.now().toISOString();
    world.advance(1000);
    await world.as(ben, "answer", first?.checkpointId ?? "", "Pause");
    await world.command("autopilot", "resume");
    await world.command("goal", "add", "Change 3", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    expect(await open()).toHaveLength(3);
    const { batchId, checkpoints, leftOut } = await hold(ana, "ux", "Proceed", "--shown", shown);
    expect(checkpoints).toEqual([second?.checkpointId]);
    expect(leftOut).toHaveLength(2);
    expect(await cardWords(world, batchId)).toContain(
      "Change 3: left out, it came or changed after the list was shown",
    );
    await pass(15_000);
    expect((await answers()).filter(({ choice }) => choice === "Proceed")).toHaveLength(1);
    expect(await cardWords(world, batchId)).toContain("Proceed: answered 1 of 1");
  });

  it("but for chosen ones that were asked anew since, also as questions of another kind; each is named [F-411]", async () => {
    const [first, second, third] = await ask(3);
    const only = [first, second, third].flatMap((each) => ["--only", `${each?.checkpointId}.${each?.version}`]);
    await world.command("goal", "edit", first?.goalId ?? "", "--text", "Change it all");
    await world.command("goal", "edit", second?.goalId ?? "", "--tag", "", "--cost", "9", "--text", "Change much");
    const { batchId, checkpoints, leftOut } = await hold(ana, "ux", "Proceed", ...only);
    expect(checkpoints).toEqual([third?.checkpointId]);
    expect(new Set(leftOut)).toEqual(new Set([first?.checkpointId, second?.checkpointId]));
    const card = await cardWords(world, batchId);
    for (const words of ["Change it all", "Change much"])
      expect(card).toMatch(new RegExp(`${words}.*: left out, it came or changed after the list was shown`));
    await pass(15_000);
    expect((await answers()).map(({ checkpoint_id }) => checkpoint_id)).toEqual([third?.checkpointId]);
  });

  it("only where all of them offer it, never what needs a look of its own, and once a person [F-411]", async () => {
    expect(await world.as(ana, "batch", "answer", "ux", "Proceed")).toMatchObject({
      type: "refused",
      reason: "no question of that kind is open: ux",
    });
    await world.command("goal", "add", "Never works", "--run", "exit 3");
    await world.command("autopilot", "start");
    await world.work();
    expect(await world.as(ana, "batch", "answer", "hiccup", "Skip")).toMatchObject({
      type: "refused",
      reason: "these questions are answered one by one",
    });
    await ask(2);
    expect(await world.as(ana, "batch", "answer", "ux", "Modify")).toMatchObject({
      type: "refused",
      reason: 'not every question offers "Modify": all of them offer Proceed, Skip',
    });
    const both = await Promise.all([
      world.as(ana, "batch", "answer", "ux", "Proceed"),
      world.as(ana, "batch", "answer", "ux", "Skip"),
    ]);
    expect(both.map(({ type }) => type).toSorted()).toEqual(["done", "refused"]);
    expect(both).toContainEqual(expect.objectContaining({ reason: "you have asked for these answers already" }));
    const eve = { ...ana, actor: "@eve", member: { id: "slack:U0EVE", isActive: true, membership: "member" as const } };
    expect(await world.as(eve, "batch", "answer", "ux", "Proceed")).toMatchObject({ type: "refused" });
    expect(await world.as(eve, "batch", "undo")).toMatchObject({ type: "refused" });
  });

  it("asked for by two people at once, with clicks between: each question has one answer, and who came late is told [F-411]", async () => {
    const asked = await ask(6);
    const [one, other] = [await hold(ana, "ux", "Proceed"), await hold(ben, "ux", "Skip")];
    world.advance(15_000);
    const clicks = asked
      .slice(0, 3)
      .map(({ checkpointId, version }) => world.as(ben, "answer", `${checkpointId}.${version}`, "Skip"));
    await Promise.all([answerDueBatches(world.deps), ...clicks, answerDueBatches(world.deps), world.tick()]);
    await world.tick();

    const settled = "select checkpoint_id from cos.decisions where settles order by 1";
    const { rows } = await world.deps.database.pool.query<{ checkpoint_id: string }>(settled);
    expect(rows.map((row) => row.checkpoint_id)).toEqual(idsOf(asked));
    expect((await answers()).length).toBe(6);
    const cards = [await cardWords(world, one.batchId), await cardWords(world, other.batchId)];
    const numbers = cards.map((words) => Number(/answered (\d) of 6/.exec(words)?.[1]));
    const byClick = 6 - numbers.reduce((sum, each) => sum + each, 0);
    expect(byClick).toBeGreaterThanOrEqual(0);
    expect(byClick).toBeLessThanOrEqual(3);
    expect(cards.join()).toContain("it was answered meanwhile");
  });

  it("cut short between two answers go on with the next look, and none is given twice [F-411]", async () => {
    const asked = await ask(4);
    const { batchId } = await hold(ana, "ux", "Proceed");
    world.advance(15_000);
    let left = 4;
    const cut = {
      ...world.deps,
      database: {
        ...world.deps.database,
        transaction: (async (work) => {
          if (left === 0)
            throw new Error("connection terminated", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) });
          left -= 1;
          return await world.deps.database.transaction(work);
        }) as typeof world.deps.database.transaction,
      },
    };
    await answerDueBatches(cut).catch(() => undefined);
    expect(await answers()).toHaveLength(3);
    expect(await world.as(ana, "batch", "undo", batchId)).toMatchObject({ type: "refused" });

    await world.tick();
    await world.tick();
    expect((await answers()).map((row) => row.checkpoint_id)).toEqual(idsOf(asked));
    expect(await cardWords(world, batchId)).toContain("Proceed: answered 4 of 4");
  });

  it("of somebody who may not decide any more when the time has come: none is given, and that is said [F-411]", async () => {
    await ask(2);
    const { batchId } = await hold(ana, "ux", "Proceed");
    world.advance(15_000);
    await answerDueBatches({ ...world.deps, config: { ...world.deps.config, approvers: ["slack:U0BEN"] } });
    expect(await answers()).toEqual([]);
    expect(await open()).toHaveLength(2);
    const card = await cardWords(world, batchId);
    expect(card).toContain("Proceed: answered 0 of 2");
    expect(card).toContain("was asked by somebody who may not decide any more");
  });
});
