import type { ChatPlatform } from "../core/chat-platforms.ts";
import type { Finding } from "../core/reports/finding.ts";
import type { SettingName } from "../core/settings.ts";
import type { NamedPeople } from "./discord/examine-approvers.ts";
import type { DiscordSettings } from "./discord/settings.ts";
import type { Platform, PlatformOptions } from "./platform.ts";
import type { SlackSettings } from "./slack/settings.ts";

/** The settings of each chat platform; null when a platform is not used. */
export interface ChatSettings {
  readonly slack: SlackSettings | null;
  readonly discord: DiscordSettings | null;
}

/** A configured chat platform: its channel, and how to open and examine it. */
export interface ChatConnection {
  readonly name: ChatPlatform;
  readonly channel: string;
  open(options: PlatformOptions): Promise<Platform>;
  /** Returns the lines of `cos doctor` about the platform. `knownId`: the channel id that the platform reported earlier. */
  examine(people: NamedPeople, knownId: string | null): Promise<Finding[]>;
}

/** Returns the configured chat platforms. Each module is loaded on first use, so that terminal commands start without it. */
export function connectionsOf({ slack, discord }: ChatSettings): ChatConnection[] {
  const connections: ChatConnection[] = [];
  if (slack !== null)
    connections.push({
      name: "slack",
      channel: slack.channel,
      open: async (options) => (await import("./slack/platform.ts")).slackPlatform({ settings: slack, ...options }),
      examine: async ({ approvers }, knownId) =>
        await (await import("./slack/examine.ts")).examineSlack(slack, approvers, knownId),
    });
  if (discord !== null)
    connections.push({
      name: "discord",
      channel: discord.channelId,
      open: async (options) =>
        (await import("./discord/platform.ts")).discordPlatform({ settings: discord, ...options }),
      examine: async ({ approvers, mentioned }) =>
        await (await import("./discord/examine.ts")).examineDiscord(discord, approvers, mentioned),
    });
  return connections;
}

/** Checks one chat setting as soon as it is given, with the checks of `cos doctor`. Empty when the setting belongs to no chat platform. */
export async function tryChatSetting(
  { slack, discord }: ChatSettings,
  name: SettingName,
  people: NamedPeople,
): Promise<Finding[]> {
  const isTold = name === "COS_APPROVERS";
  const findings: Finding[] = [];
  if (slack !== null && (isTold || name.startsWith("SLACK_")))
    findings.push(...(await (await import("./slack/examine.ts")).trySlack(slack, name, people.approvers)));
  if (discord !== null && (isTold || name.startsWith("DISCORD_")))
    findings.push(...(await (await import("./discord/examine.ts")).tryDiscord(discord, name, people)));
  return findings;
}
