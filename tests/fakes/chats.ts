import { consolePlatform } from "../../src/chat/console/platform.ts";
import { connectionsOf } from "../../src/chat/connections.ts";
import type { Platform } from "../../src/chat/platform.ts";
import { groupsNamed } from "../../src/core/checkpoints/quorum.ts";
import { startDelivery } from "../../src/delivery/delivery.ts";
import { chatCommands } from "../../src/inbox/chat-commands.ts";
import { openInbox } from "../../src/inbox/inbox.ts";
import { eventually } from "./bot.ts";
import { consoleOf, type TestConsole } from "./console.ts";
import { type TestWorld, testWorld } from "./deps.ts";
import { type FakeDiscord, startDiscord } from "./discord/server.ts";
import { type FakeSlack, startSlack } from "./slack/server.ts";

/** Ten people of each platform who may decide: `slackPeople[0]` is U0P0. */
export const slackPeople = Array.from({ length: 10 }, (_, index) => `U0P${index}`);
export const discordPeople = Array.from({ length: 10 }, (_, index) => `80000000000000010${index}`);

/** The whole engine with Slack, Discord and the console at once, each the real one against a server that is shaped like it. */
export interface ChatsWorld extends TestWorld {
  readonly slack: FakeSlack;
  readonly discord: FakeDiscord;
  readonly console: TestConsole;
  /** Delivers everywhere until no platform can show more now. */
  show(): Promise<void>;
  /** The same while the hand-set clock runs, until the condition holds. */
  showUntil(what: string, holds: () => boolean): Promise<void>;
  /** "connected", by the platform's name. */
  status(name: string): string;
}

export async function chatsWorld(environment: Readonly<Record<string, string>> = {}): Promise<ChatsWorld> {
  const slack = await startSlack();
  const discord = await startDiscord();
  for (const [index, id] of slackPeople.entries()) slack.people.add(id, `s${index}`);
  for (const [index, id] of discordPeople.entries()) discord.people.add(id, `d${index}`);
  const approvers = [...slackPeople.map((id) => `slack:${id}`), ...discordPeople.map((id) => `discord:${id}`)];
  const world = await testWorld({
    environment: {
      PORT: "0",
      ...slack.settings,
      ...discord.settings,
      COS_APPROVERS: approvers.join(","),
      ...environment,
    },
    policy: (policy) => ({ ...policy, delivery: { ...policy.delivery, chatEveryMs: 0 } }),
  });
  const platforms: Platform[] = [consolePlatform()];
  for (const connection of connectionsOf(world.deps.config))
    platforms.push(
      await connection.open({
        zone: "UTC",
        inbox: openInbox(world.deps, connection.name),
        groups: groupsNamed(world.deps.config, connection.name),
        approvers: world.deps.config.approvers,
        commands: chatCommands(),
        everyMs: 0,
        ...world.deps.policy.chat,
        log: () => undefined,
        onStatus: () => undefined,
      }),
    );
  const status = (name: string): string => platforms.find((each) => each.name === name)?.status() ?? "";
  await eventually("both connections", async () => platforms.every((each) => each.status() === "connected"));
  const delivery = startDelivery(world.deps, platforms, world.databaseUrl);
  const console = await consoleOf(world);
  return {
    ...world,
    slack,
    discord,
    console,
    show: () => delivery.deliver(),
    async showUntil(what, holds) {
      await eventually(what, async () => {
        await delivery.deliver();
        if (holds()) return true;
        world.advance(1_000);
        return false;
      });
    },
    status,
    async close() {
      await console.stop();
      await delivery.stop();
      await Promise.all(platforms.map((each) => each.stop()));
      await slack.close();
      await discord.close();
      await world.close();
    },
  };
}
