import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { privateChannel } from "../fakes/discord/guild.ts";
import type { Message } from "../fakes/discord/server.ts";
import { ana, type DiscordWorld, discordWorld } from "../fakes/discord/world.ts";

/** The settings name another channel of Discord: what is still open in the one that was left is answered there (F-403). */

let world: DiscordWorld;
beforeEach(async () => {
  world = await discordWorld();
  await world.repository();
});
afterEach(() => world.close());

async function ask(content: string): Promise<{ readonly goalId: string; readonly card: Message }> {
  const words = ["goal", "add", content, "--run", "echo done >> done.txt", "--tag", "ui"];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  await world.show();
  return { goalId, card: world.discord.message(`: ${content}`) };
}

/** The bot ends, and begins again with another channel. */
async function move(): Promise<void> {
  const settings = world.deps.config.discord;
  if (settings === null) throw new Error("not configured");
  await world.stopDelivery();
  await world.platform.stop();
  await world.anotherBot({ settings: { ...settings, channelId: privateChannel } });
}

async function answered(goalId: string): Promise<string | null> {
  const sql = "select choice from cos.decisions d join cos.checkpoints c using (checkpoint_id) where c.goal_id = $1";
  const { rows } = await world.deps.database.pool.query<{ choice: string }>(sql, [goalId]);
  return rows[0]?.choice ?? null;
}

it("replies that were written there while nobody listened are fetched, in threads and in the channel [F-403]", async () => {
  const inThread = await ask("In its thread");
  const inChannel = await ask("In the channel");
  await world.discord.people.reply(ana, inThread.card, "skip", { isMissed: true });
  await world.discord.people.reply(ana, inChannel.card, "ok", { isMissed: true, inChannel: true });

  await move();

  expect(await eventually("the first", () => answered(inThread.goalId))).toBe("Skip");
  expect(await eventually("the second", () => answered(inChannel.goalId))).toBe("Proceed");
});
