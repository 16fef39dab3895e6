import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { type ChatsWorld, chatsWorld, discordPeople, slackPeople } from "../fakes/chats.ts";
import { valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";
import { wordsOf as slackWords } from "../fakes/slack/server.ts";

const [onSlack = ""] = slackPeople;
const [onDiscord = ""] = discordPeople;

let world: ChatsWorld;
afterEach(() => world.close());

describe("one person with accounts on Slack, on Discord and at the console", () => {
  it("is named by cards and by the audit trail wherever they answer; their newer reply replaces the older one", async () => {
    world = await chatsWorld({ COS_PEOPLE: `ana=slack:${onSlack}+discord:${onDiscord}+console` });
    await agentRepository(world, [writes("done.txt", "done\n")]);
    const asked = new Map<string, string>();
    for (const name of ["one", "two", "three", "four"]) {
      const { goalId } = valueOf<{ goalId: string }>(
        await world.command("goal", "add", `Goal ${name}`, "--repo", "person", "--tag", "ui"),
      );
      asked.set(goalId, name);
    }
    await world.command("autopilot", "start", "--repo", "person");
    await world.show();
    const open = valueOf<{ checkpointId: string; version: number; goalId: string }[]>(
      await world.command("checkpoints"),
    );
    const questionOf = (name: string) => open.find(({ goalId }) => asked.get(goalId) === name);
    const two = questionOf("two");
    const three = questionOf("three");

    await world.discord.people.click(onDiscord, world.discord.message("**: Goal one"), "Skip");
    await world.console.post("/answer", { id: `${two?.checkpointId}.${two?.version}`, choice: "skip", back: "/" });
    await world.command("answer", three?.checkpointId ?? "", "Skip");
    const slackCard = world.slack.message(": Goal four");
    await world.slack.people.reply(onSlack, slackCard, "Use the word Buy");
    const four = questionOf("four")?.checkpointId ?? "";
    const replies = async (): Promise<{ status: string; actor: string }[]> => {
      const sql = "select status, actor from cos.replies where checkpoint_id = $1 order by created_at, reply_id";
      return (await world.deps.database.pool.query(sql, [four])).rows;
    };
    await eventually("the first reply", async () => (await replies()).length === 1);
    world.advance(1_000);
    await world.discord.people.reply(onDiscord, world.discord.message("**: Goal four"), "Use the word Pay", {
      inChannel: true,
    });
    await eventually("the second reply", async () => (await replies()).length === 2);
    await world.show();

    const { rows } = await world.deps.database.pool.query(
      "select actor, actor_id, via from cos.decisions where settles order by decision_id",
    );
    expect(rows).toEqual([
      { actor: "ana", actor_id: `discord:${onDiscord}`, via: "discord" },
      { actor: "ana", actor_id: null, via: "console" },
      { actor: "ana", actor_id: null, via: "terminal" },
    ]);
    expect(slackWords(world.slack.message(": Goal one").blocks)).toContain("*Skip*, by ana in Discord");
    await eventually("one person's newer word", async () => {
      return JSON.stringify((await replies()).map(({ status }) => status)) === '["replaced","proposed"]';
    });
    expect((await replies()).map(({ actor }) => actor)).toEqual(["ana", "ana"]);
  });

  it("nobody else is named so: other members, another machine's caller, a goal's process; nobody may more than before", async () => {
    world = await chatsWorld({ COS_PEOPLE: `ana=slack:U0EVE+console` });
    await world.repository();
    world.slack.people.add("U0EVE", "eve");
    await world.command("goal", "add", "Change it", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    await world.show();
    const [open] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));

    await world.slack.people.click("U0EVE", world.slack.message(": Change it"), "skip");
    const agent = await world.as(
      { actor: "root", origin: { type: "agent", runId: null } },
      "answer",
      open?.checkpointId ?? "",
      "Skip",
    );
    const remote = {
      actor: "somebody at 10.0.0.9",
      via: "console",
      origin: { type: "remote", address: "10.0.0.9" },
    } as const;
    await world.as(remote, "answer", open?.checkpointId ?? "", "Skip");

    expect(agent.type).toBe("refused");
    expect(world.slack.ephemerals.map(({ text }) => text)).toEqual([
      expect.stringContaining("nly approvers may do that"),
    ]);
    const { rows } = await world.deps.database.pool.query("select actor from cos.decisions where settles");
    expect(rows).toEqual([{ actor: "somebody at 10.0.0.9" }]);
  });
});
