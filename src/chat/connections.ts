import type { ChatPlatform } from "../core/chat-platforms.ts";
import type { Finding } from "../core/reports/finding.ts";
import type { SettingName } from "../core/settings.ts";
import type { NamedPeople } from "./discord/examine-approvers.ts";
import type { DiscordSettings } from "./discord/settings.ts";
import type { Platform, PlatformOptions } from "./platform.ts";
import type { SlackSettings } from "./slack/settings.ts";

/** What is set of the chat platforms; null: not used. */
export interface ChatSettings {
  readonly slack: SlackSettings | null;
  readonly discord: DiscordSettings | null;
}

/** A chat platform that is used: where its cards go, how it is opened and examined. */
export interface ChatConnection {
  readonly name: ChatPlatform;
  readonly channel: string;
  open(options: PlatformOptions): Promise<Platform>;
  /** What `cos doctor` says of it, one line each. `knownId`: what it calls its channel, as it said once. */
  examine(people: NamedPeople, knownId: string | null): Promise<Finding[]>;
}

/** The chat platforms that are configured. Each is loaded when it is used: a command of the terminal starts without. */
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

/** What can be said of a setting of a chat as soon as it is given, in the doctor's words; empty where it is none of theirs. */
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
