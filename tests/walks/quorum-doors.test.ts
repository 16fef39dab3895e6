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
});
