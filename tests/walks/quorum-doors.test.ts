import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../../src/commands/command.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { cardWords, oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

const environment = {
  SLACK_BOT_TOKEN: "xoxb-nobody-listens",
  SLACK_APP_TOKEN: "xapp-nobody-listens",
  SLACK_CHANNEL: "C0123ABCD",
  COS_APPROVERS: "slack:U1",
  COS_QUORUM: "scope=2;hiccup=2",
};

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt, environment });
  await world.repository();
});
afterEach(() => world.close());

/** As the other one who may decide. */
function asOther(...words: string[]): Promise<CommandResult> {
  return asMember(world, "U1", ...words);
}

function asMember({ as }: TestWorld, user: string, ...words: string[]): Promise<CommandResult> {
  const member = { id: `slack:${user}`, isActive: true, membership: "member" as const };
  const actor = `@${user.toLowerCase()}`;
  return as({ actor, via: "slack", member, origin: { type: "person", by: { type: "chat" } } }, ...words);
}

describe("what several people have to agree to is not done by a command of one", () => {
  it("a campaign starts with the votes for its plan, however it is started, and not when nobody is asked any more", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create("# One\n\n## First\n- write a\n  - run: echo a > a.txt\n  - day: 1\n");

    const first = await world.command("campaign", "start", id);
    expect(first).toMatchObject({ type: "done", value: { voted: true } });
    expect((await campaign.status(id)).state).toBe("planning");

    world.advance(25 * 3_600_000);
    await world.tick();
    const late = await world.command("campaign", "start", id);
    expect(late).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("several people have to agree to the plan") as string,
      next: `cos campaign replan ${id}`,
    });
    expect((await campaign.status(id)).state).toBe("planning");
  });

  it("a campaign whose plan both agree to starts, by both", async () => {
    const campaign = campaignIn(world);
    const id = await campaign.create("# One\n\n## First\n- write a\n  - run: echo a > a.txt\n  - day: 1\n");

    await world.command("campaign", "start", id);
    await asOther("campaign", "start", id);

    expect((await campaign.status(id)).state).toBe("active");
    const { rows } = await world.deps.database.pool.query(
      "select resolved_by from cos.checkpoints where kind = 'plan' and status = 'approved'",
    );
    expect(rows).toEqual([{ resolved_by: "ana, @u1" }]);
  });

  it("a vote counts while its person may decide: not after the bot began again without them among its approvers", async () => {
    const id = await campaignIn(world).create("# One\n\n## First\n- write a\n  - run: echo a > a.txt\n  - day: 1\n");
    await asOther("campaign", "start", id);
    const later = await testWorld({
      policy: oneAttempt,
      environment: { ...environment, COS_APPROVERS: "slack:U2" },
      through: async () => world.databaseUrl,
    });
    try {
      const [asked] = valueOf<{ checkpointId: string }[]>(await later.command("checkpoints"));
      const first = await later.command("campaign", "start", id);

      expect(first).toMatchObject({ type: "done", value: { voted: true } });
      expect((await campaignIn(later).status(id)).state).toBe("planning");
      expect(await cardWords(later, asked?.checkpointId ?? "")).toContain("Votes: 1 of 2: ana in the terminal.");
      await asMember(later, "U2", "campaign", "start", id);

      expect((await campaignIn(later).status(id)).state).toBe("active");
      const { rows } = await world.deps.database.pool.query(
        "select resolved_by from cos.checkpoints where kind = 'plan' and status = 'approved'",
      );
      expect(rows).toEqual([{ resolved_by: "ana, @u2" }]);
      expect(await cardWords(later, asked?.checkpointId ?? "")).not.toContain("@u1");
    } finally {
      await later.close();
    }
  });

  it("one person is one vote after the bot began again with more accounts of theirs", async () => {
    const asks = async () => {
      const id = await campaignIn(world).create("# One\n\n## First\n- write a\n  - run: echo a > a.txt\n  - day: 1\n");
      return { id, state: async () => (await campaignIn(world).status(id)).state };
    };
    const rule = { ...environment, COS_APPROVERS: "slack:U1,slack:U2,slack:U3" };
    const began = await asks();
    await asOther("campaign", "start", began.id);
    const joined = await testWorld({
      policy: oneAttempt,
      environment: { ...rule, COS_PEOPLE: "una=slack:U1+slack:U2" },
      through: async () => world.databaseUrl,
    });
    try {
      const again = await asMember(joined, "U2", "campaign", "start", began.id);
      expect(again).toMatchObject({
        type: "refused",
        reason: expect.stringContaining("ou have voted already: 1 of 2") as string,
      });
      expect(await began.state()).toBe("planning");
      const [asked] = valueOf<{ checkpointId: string }[]>(await joined.command("checkpoints"));
      expect(await cardWords(joined, asked?.checkpointId ?? "")).toContain("Votes: 1 of 2: @u1 in Slack.");

      await asMember(joined, "U3", "campaign", "start", began.id);
      expect(await began.state()).toBe("active");
      const { rows } = await world.deps.database.pool.query("select person from cos.votes order by vote_id");
      expect(rows).toEqual([{ person: "una" }, { person: "slack:U3" }]);
    } finally {
      await joined.close();
    }
  });

  it.each([
    ["joined", "", "una=slack:U1+slack:U2"],
    ["taken apart", "una=slack:U1", ""],
    ["named otherwise", "una=slack:U1", "eva=slack:U1"],
  ])("who asked for a goal stays who asked when accounts are %s", async (_how, peopleBefore, peopleAfter) => {
    const rule = { COS_APPROVERS: "slack:U1,slack:U2,slack:U3", COS_QUORUM: "ux=1 without requester" };
    const as = async (COS_PEOPLE: string) =>
      await testWorld({
        policy: oneAttempt,
        environment: { ...environment, ...rule, COS_PEOPLE },
        through: async () => world.databaseUrl,
      });
    const before = await as(peopleBefore);
    const goal = await asMember(before, "U1", "goal", "add", "Mine", "--run", "true", "--tag", "ui");
    await before.close();
    const after = await as(peopleAfter);
    try {
      const { goalId } = valueOf<{ goalId: string }>(goal);
      await after.command("autopilot", "start");
      await after.work();
      const [asked] = valueOf<{ checkpointId: string }[]>(await after.command("checkpoints"));
      const own = await asMember(after, peopleBefore === "" ? "U2" : "U1", "approve", asked?.checkpointId ?? "");

      expect(own).toMatchObject({ type: "refused", reason: expect.stringContaining("asked for it") as string });
      expect(valueOf(await after.command("goal", "show", goalId))).toMatchObject({ status: "blocked" });
    } finally {
      await after.close();
    }
  });

  it("a session that the breaker paused is resumed by the answer to its question", async () => {
    const questions = async () => valueOf<{ checkpointId: string; kind: string }[]>(await world.command("checkpoints"));
    for (const text of ["One", "Two", "Three", "Four"]) await world.command("goal", "add", text, "--run", "exit 1");
    await world.command("autopilot", "start");
    for (let round = 0; round < 8; round += 1) {
      await world.work();
      world.advance(3_600_000);
      await world.tick();
      for (const { checkpointId, kind } of await questions())
        if (kind === "escalation") await world.command("reject", checkpointId);
    }
    const breaker = (await questions()).find(({ kind }) => kind === "breaker")?.checkpointId ?? "";

    const refused = await world.command("autopilot", "resume");
    expect(refused).toMatchObject({
      type: "refused",
      reason: `several people have to agree to that (COS_QUORUM): ${breaker} asks them`,
      next: `cos approve ${breaker}`,
    });

    await world.command("approve", breaker);
    await asOther("approve", breaker);
    const { rows } = await world.deps.database.pool.query("select status from cos.sessions");
    expect(rows).toEqual([{ status: "running" }]);
  });

  it("nor is the day of a campaign that the breaker paused, by resuming the campaign", async () => {
    const campaign = campaignIn(world);
    const goals = ["one", "two", "three", "four"].map((name) => `- ${name}\n  - run: exit 1\n  - day: 1\n`).join("");
    const id = await campaign.create(`# One\n\n## First\n${goals}`);
    await world.command("campaign", "start", id);
    await asOther("campaign", "start", id);
    const breaker = async () => (await campaign.questions()).find(({ kind }) => kind === "breaker")?.checkpointId;
    for (let round = 0; round < 12 && (await breaker()) === undefined; round += 1) {
      await campaign.pass(1);
      for (const { checkpointId, kind } of await campaign.questions())
        if (kind === "escalation") await world.command("reject", checkpointId);
    }
    const asked = await breaker();

    expect(await world.command("campaign", "resume", id)).toMatchObject({
      type: "refused",
      reason: `several people have to agree to that (COS_QUORUM): ${asked} asks them`,
      next: `cos approve ${asked}`,
    });
    expect(await breaker()).toBe(asked);
  });

  it("an escalation that is withdrawn as its goal is parked is asked again, and nothing is tried before both agree", async () => {
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Fails", "--run", "exit 1"));
    const asked = async () => valueOf<{ checkpointId: string; kind: string }[]>(await world.command("checkpoints"));
    const attempts = async () => {
      const { rows } = await world.deps.database.pool.query("select count(*)::int as n from cos.attempts");
      return rows[0]?.n as number;
    };
    await world.command("autopilot", "start");
    await world.work();
    world.advance(3_600_000);
    await world.tick();
    await world.work();
    const [first] = await asked();
    expect(first?.kind).toBe("escalation");
    const before = await attempts();
    await world.command("answer", first?.checkpointId ?? "", "Retry");

    await world.command("goal", "pause", goalId);
    valueOf(await world.command("goal", "resume", goalId));
    await world.command("autopilot", "start");
    await world.work();

    expect(await attempts()).toBe(before);
    const [again] = await asked();
    expect(again).toMatchObject({ kind: "escalation" });
    expect(again?.checkpointId).not.toBe(first?.checkpointId);
    expect(await cardWords(world, again?.checkpointId ?? "")).toContain("0 of 2");

    await world.command("answer", again?.checkpointId ?? "", "Retry");
    await asOther("answer", again?.checkpointId ?? "", "Retry");
    await world.work();
    expect(await attempts()).toBeGreaterThan(before);
  });
});
