/** How Slack is reached; checked by the configuration. */
export interface SlackSettings {
  readonly botToken: string;
  /** Socket Mode, or HTTP where it is null. */
  readonly appToken: string | null;
  readonly signingSecret: string | null;
  /** Where signed requests are received. */
  readonly host: string;
  readonly port: number;
  /** `C0123ABCD`, or `#name`. */
  readonly channel: string;
  /** Another API root, such as a test server's; null: Slack's own. */
  readonly apiUrl: string | null;
}

export const eventsPath = "/slack/events";

/** Exactly what the manifest asks for; `cos doctor` names the missing ones. */
export const botScopes = [
  "channels:history",
  "channels:read",
  "chat:write",
  "commands",
  "files:write",
  "groups:history",
  "groups:read",
  "reactions:write",
  "users:read",
] as const;

/** The slash commands of the manifest, with the words of the registry that each stands for. */
export const slashCommands: Readonly<Record<string, string>> = {
  "/standup": "standup",
  "/weekly": "weekly",
  "/cos": "",
};

export type ChatLog = (level: "info" | "warn" | "error", event: string, fields: Record<string, unknown>) => void;
