import type { SettingsReader } from "../settings-reader.ts";

/** How to reach Slack; checked by the configuration. */
export interface SlackSettings {
  readonly botToken: string;
  /** The token for Socket Mode; null for HTTP. */
  readonly appToken: string | null;
  readonly signingSecret: string | null;
  /** The address on which signed requests are received. */
  readonly host: string;
  readonly port: number;
  /** `C0123ABCD`, or `#name`. */
  readonly channel: string;
  /** Another API root, such as a test server's; null for Slack's own. */
  readonly apiUrl: string | null;
}

export const eventsPath = "/slack/events";

/** Exactly the scopes in the manifest; `cos doctor` names the missing ones. */
export const botScopes = [
  "channels:history",
  "channels:read",
  "chat:write",
  "commands",
  "files:write",
  "groups:history",
  "groups:read",
  "reactions:write",
  "usergroups:read",
  "users:read",
] as const;

/** Needed only when settings name a user group; an app that was installed earlier works without it. */
export const groupScope = "usergroups:read";

/** The slash commands of the manifest, with the words of the registry that each one stands for. */
export const slashCommands: Readonly<Record<string, string>> = {
  "/standup": "standup",
  "/weekly": "weekly",
  "/cos": "",
};

/** Reads Slack's settings; null without any token or secret. Otherwise all needed ones are required: half a configuration is an error. */
export function readSlackSettings(
  { value, problem, integer, url }: SettingsReader,
  host: string,
): SlackSettings | null {
  const botToken = value("SLACK_BOT_TOKEN");
  const appToken = value("SLACK_APP_TOKEN");
  const signingSecret = value("SLACK_SIGNING_SECRET");
  const channel = value("SLACK_CHANNEL");
  const port = integer("SLACK_PORT", 3001, 0, 65_535);
  const apiUrl = url("SLACK_API_URL", ["http:", "https:"]);
  if (botToken === null && appToken === null && signingSecret === null) return null;

  if (botToken?.startsWith("xoxb-") !== true)
    problem("SLACK_BOT_TOKEN", "the bot token of the installed app, which starts with xoxb-");
  if (appToken === null && signingSecret === null)
    problem("SLACK_APP_TOKEN", "an app-level token (xapp-…) for Socket Mode, or SLACK_SIGNING_SECRET for HTTP");
  if (appToken?.startsWith("xapp-") === false)
    problem("SLACK_APP_TOKEN", "an app-level token, which starts with xapp-");
  if (channel === null || !/^(?:[CG][A-Z0-9]{2,}|#[^\s#]{1,80})$/.test(channel))
    problem("SLACK_CHANNEL", "the channel's id such as C0123ABCD, or its name such as #chief-of-staff");
  const address = apiUrl === null || apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/`;
  return { botToken: botToken ?? "", appToken, signingSecret, host, port, channel: channel ?? "", apiUrl: address };
}
