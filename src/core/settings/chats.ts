import type { SettingGroup } from "./setting.ts";

/** Slack and Discord. */
export const chatSettings = [
  {
    title: "Slack",
    settings: [
      {
        name: "SLACK_BOT_TOKEN",
        usual: "Slack is not used",
        example: "xoxb-",
        about: "The bot token of the installed app (README, Slack).",
        isSecret: true,
        isAsked: true,
      },
      {
        name: "SLACK_APP_TOKEN",
        usual: null,
        example: "xapp-",
        about: "The app-level token, for Socket Mode.",
        isSecret: true,
        isAsked: true,
      },
      {
        name: "SLACK_SIGNING_SECRET",
        usual: null,
        example: "",
        about: "For HTTP instead of Socket Mode (docs/slack.md).",
        isSecret: true,
      },
      { name: "SLACK_PORT", usual: "3001", example: "3001", about: "Where signed requests of Slack are taken." },
      {
        name: "SLACK_CHANNEL",
        usual: null,
        example: "C0123ABCD",
        about: "Where cards go: the channel's id, or #name.",
        isAsked: true,
      },
      {
        name: "SLACK_API_URL",
        usual: "Slack's own",
        example: "",
        about: "Another API root, such as a test server's.",
      },
    ],
  },
  {
    title: "Discord",
    settings: [
      {
        name: "DISCORD_TOKEN",
        usual: "Discord is not used",
        example: "",
        about: "The bot's token (docs/discord.md).",
        isSecret: true,
        isAsked: true,
      },
      {
        name: "DISCORD_GUILD_ID",
        usual: null,
        example: "123456789012345678",
        about: "The server's id.",
        isAsked: true,
      },
      {
        name: "DISCORD_CHANNEL_ID",
        usual: null,
        example: "123456789012345678",
        about: "The id of the channel where cards go.",
        isAsked: true,
      },
      {
        name: "DISCORD_API_URL",
        usual: "Discord's own",
        example: "",
        about: "Another API root, such as a test server's.",
      },
    ],
  },
] as const satisfies readonly SettingGroup[];
