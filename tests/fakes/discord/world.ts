import { discordPlatform } from "../../../src/chat/discord/platform.ts";
import type { Platform } from "../../../src/chat/platform.ts";
import { groupsNamed } from "../../../src/core/checkpoints/quorum.ts";
import type { Policy } from "../../../src/core/policy.ts";
import { type Delivery, startDelivery } from "../../../src/delivery/delivery.ts";
import { chatCommands } from "../../../src/inbox/chat-commands.ts";
import { openInbox } from "../../../src/inbox/inbox.ts";
import { logTo } from "../../../src/log.ts";
import { eventually } from "../bot.ts";
import { type TestWorld, testWorld } from "../deps.ts";
import { leadRole } from "./guild.ts";
import { type FakeDiscord, startDiscord } from "./server.ts";

/** Ana and Ben may decide, and Lea by her role; Eve may not. */
export const ana = "800000000000000001";
export const ben = "800000000000000002";
export const eve = "800000000000000003";
export const lea = "800000000000000004";

/** The whole engine with the real Discord platform, and in it discord.js, against the fake server. */
export interface DiscordWorld extends TestWorld {
  readonly discord: FakeDiscord;
  readonly platform: Platform;
  readonly events: readonly { readonly event: string; readonly fields: Record<string, unknown> }[];
  /** Delivers until Discord shows what its rows want. */
  show(): Promise<void>;
  /** The bot posts and edits nothing any more. */
  stopDelivery(): Promise<void>;
  /** Another bot on the same database: its own connection to Discord, and no deliveries. `its`: what else is its own. */
  anotherBot(its?: Partial<Parameters<typeof discordPlatform>[0]>): Promise<Platform>;
}

export async function discordWorld(
  options: {
    readonly environment?: Record<string, string>;
    readonly policy?: (policy: Policy) => Policy;
    readonly isConnected?: boolean;
    readonly discord?: FakeDiscord;
    readonly through?: (databaseUrl: string) => Promise<string>;
  } = {},
): Promise<DiscordWorld> {
  const discord = options.discord ?? (await startDiscord());
  discord.people.add(ana, "ana");
  discord.people.add(ben, "ben");
  discord.people.add(eve, "eve");
  discord.people.add(lea, "lea", [leadRole]);
  const world = await testWorld({
    ...(options.through === undefined ? {} : { through: options.through }),
    environment: {
      ...discord.settings,
      COS_APPROVERS: `discord:${ana},discord:${ben},discord:@${leadRole}`,
      ...options.environment,
    },
    policy(policy) {
      const fast = { ...policy, delivery: { ...policy.delivery, chatEveryMs: 0 } };
      return options.policy?.(fast) ?? fast;
    },
  });
  // A second longer than the bot gives itself, as in the product.
  discord.faults.wait(world.deps.policy.chat.notYetAfterMs + 1_000);
  const events: { event: string; fields: Record<string, unknown> }[] = [];
  const platforms: Platform[] = [];

  async function connect(its: Partial<Parameters<typeof discordPlatform>[0]> = {}): Promise<Platform> {
    const settings = world.deps.config.discord;
    if (settings === null) throw new Error("Discord is not configured");
    const platform = discordPlatform({
      settings,
      zone: "UTC",
      inbox: openInbox(world.deps, "discord"),
      groups: groupsNamed(world.deps.config, "discord"),
      approvers: world.deps.config.approvers,
      commands: chatCommands(),
      everyMs: world.deps.policy.delivery.chatEveryMs,
      ...world.deps.policy.chat,
      log: (level, event, fields) => events.push({ event, fields: { level, ...fields } }),
      onStatus: (status) => events.push({ event: "status", fields: { status } }),
      ...its,
    });
    platforms.push(platform);
    if (options.isConnected !== false) {
      await eventually("the connection", async () => platform.status() === "connected");
      await eventually("the commands", async () => discord.commands().length > 0);
    }
    return platform;
  }

  const platform = await connect();
  const log = logTo((level, event, fields) => void events.push({ event, fields: { level, ...fields } }));
  const delivery: Delivery = startDelivery(
    { ...world.deps, log, channels: world.deps.channels.filter((each) => each.platform === "discord") },
    [platform],
    world.databaseUrl,
  );
  return {
    ...world,
    discord,
    platform,
    events,
    show: () => delivery.deliver(),
    stopDelivery: () => delivery.stop(),
    anotherBot: connect,
    async close() {
      await delivery.stop();
      await Promise.all(platforms.map((each) => each.stop()));
      await discord.close();
      await world.close();
    },
  };
}
