import type { Platform } from "../../../src/chat/platform.ts";
import { slackPlatform } from "../../../src/chat/slack/platform.ts";
import { groupsNamed } from "../../../src/core/checkpoints/quorum.ts";
import type { Policy } from "../../../src/core/policy.ts";
import { type Delivery, openDelivery } from "../../../src/delivery/delivery.ts";
import { chatCommands } from "../../../src/inbox/chat-commands.ts";
import { openInbox } from "../../../src/inbox/inbox.ts";
import { logTo } from "../../../src/log.ts";
import { eventually } from "../bot.ts";
import { type TestWorld, testWorld } from "../deps.ts";
import { type FakeSlack, startSlack } from "./server.ts";

/** Ana and Ben may decide; Eve may not; Dora could until her account was deactivated. */
export const [ana, ben, eve, dora] = ["U0ANA", "U0BEN", "U0EVE", "U0DORA"] as const;

/** The whole engine with the real Slack platform against the fake server. */
export interface SlackWorld extends TestWorld {
  readonly slack: FakeSlack;
  readonly platform: Platform;
  readonly events: readonly { readonly event: string; readonly fields: Record<string, unknown> }[];
  /** Delivers until Slack shows what its rows want. */
  show(): Promise<void>;
  /** The bot posts and edits nothing any more. */
  stopDelivery(): Promise<void>;
  /** Another bot on the same database: its own connection to Slack, and no deliveries. */
  anotherBot(): Promise<Platform>;
}

export async function slackWorld(
  options: {
    readonly mode?: "socket" | "http";
    readonly eventsPort?: number;
    readonly environment?: Record<string, string>;
    readonly policy?: (policy: Policy) => Policy;
    readonly isConnected?: boolean;
    readonly slack?: FakeSlack;
    readonly through?: (databaseUrl: string) => Promise<string>;
  } = {},
): Promise<SlackWorld> {
  const slack = options.slack ?? (await startSlack(options));
  for (const [id, name] of [
    [ana, "ana"],
    [ben, "ben"],
    [eve, "eve"],
  ] as const)
    slack.people.add(id, name);
  slack.people.add(dora, "dora", "deleted");
  const world = await testWorld({
    ...(options.through === undefined ? {} : { through: options.through }),
    environment: {
      ...slack.settings,
      COS_APPROVERS: [ana, ben, dora].map((id) => `slack:${id}`).join(","),
      ...options.environment,
    },
    policy(policy) {
      const fast = { ...policy, delivery: { ...policy.delivery, chatEveryMs: 0 } };
      return options.policy?.(fast) ?? fast;
    },
  });
  // A second longer than the bot gives itself, as in the product.
  slack.faults.wait(world.deps.policy.chat.notYetAfterMs + 1_000);
  const events: { event: string; fields: Record<string, unknown> }[] = [];

  function openPlatform(): Platform {
    const settings = world.deps.config.slack;
    if (settings === null) throw new Error("Slack is not configured");
    return slackPlatform({
      settings,
      zone: "UTC",
      inbox: openInbox(world.deps, "slack"),
      groups: groupsNamed(world.deps.config, "slack"),
      approvers: world.deps.config.approvers,
      commands: chatCommands(),
      everyMs: world.deps.policy.delivery.chatEveryMs,
      ...world.deps.policy.chat,
      log: (level, event, fields) => events.push({ event, fields: { level, ...fields } }),
      onStatus: (status) => events.push({ event: "status", fields: { status } }),
    });
  }

  const platforms: Platform[] = [];
  async function connect(): Promise<Platform> {
    const platform = openPlatform();
    platforms.push(platform);
    if (options.isConnected !== false) {
      await eventually("the connection", async () => platform.status() === "connected");
    }
    return platform;
  }

  const platform = await connect();
  const log = logTo((level, event, fields) => void events.push({ event, fields: { level, ...fields } }));
  const delivery: Delivery = await openDelivery(
    { ...world.deps, log, channels: world.deps.channels.filter((each) => each.platform === "slack") },
    [platform],
    world.databaseUrl,
  );
  return {
    ...world,
    slack,
    platform,
    events,
    show: () => delivery.deliver(),
    stopDelivery: () => delivery.stop(),
    anotherBot: connect,
    async close() {
      await delivery.stop();
      await Promise.all(platforms.map((each) => each.stop()));
      await slack.close();
      await world.close();
    },
  };
}
