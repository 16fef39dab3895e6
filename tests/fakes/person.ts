import { eventually } from "./bot.ts";
import type { TestWorld } from "./deps.ts";
import { type Message as DiscordMessage, wordsOf as discordWords } from "./discord/server.ts";
import * as discord from "./discord/world.ts";
import { type Message as SlackMessage, wordsOf as slackWords } from "./slack/server.ts";
import * as slack from "./slack/world.ts";

/** A scripted person, the same on every chat platform: what they see is said in words that hold on all of them. */

export type Who = "ana" | "ben" | "eve";

export interface How {
  /** Delivered this often, as the same event. */
  readonly times?: number;
  /** The connection breaks while it is delivered. */
  readonly dropsSocket?: boolean;
}

/** A card as somebody sees it at one moment. */
export interface Seen {
  /** What it says, without what is written differently on each platform. */
  readonly words: string;
  /** The choices that can be pressed. */
  readonly choices: readonly string[];
  press(who: Who, choice: string, how?: How): Promise<void>;
  reply(who: Who, text: string): Promise<void>;
  /** Opens the form, fills it and sends it; then corrects what was wrong. What was said to be wrong. */
  modify(who: Who, wrong: Filled, right: Filled): Promise<string>;
}

type Filled = Readonly<Record<string, string>>;

export interface Chat {
  readonly world: Pick<TestWorld, "command" | "work" | "tick" | "advance" | "deps" | "repository" | "dataDir">;
  /** The question whether a user-facing change may be made, as it stands now. */
  question(goal: string): Seen;
  /** The first lines of what is in the channel, in its order. */
  titles(): string[];
  /** What one person alone was told, in its order. */
  told(who: Who): string[];
  /** How replies were marked: "seen", "taken". */
  marks(): string[];
  /** A command without options, and what it answered privately. */
  type(who: Who, command: "standup"): Promise<string>;
  show(): Promise<void>;
  connected(): Promise<void>;
  /** Only every third post is taken. */
  storm(): void;
  down(isDown: boolean): void;
  close(): Promise<void>;
}

const choices = new Set(["Proceed", "Skip", "Modify…", "Pause", "Retry"]);

export async function personInSlack(): Promise<Chat> {
  const world = await slack.slackWorld();
  const ids = { ana: slack.ana, ben: slack.ben, eve: slack.eve };
  const { people } = world.slack;
  const seen = (message: SlackMessage): Seen => ({
    words: plain(slackWords(withoutButtons(message.blocks))),
    choices: textsIn(message.blocks, "button"),
    async press(who, choice, how = {}) {
      await people.click(ids[who], message, choice.replace("…", "").toLowerCase(), how);
    },
    async reply(who, text) {
      await people.reply(ids[who], message, text);
    },
    async modify(who, wrong, right) {
      await people.click(ids[who], message, "modify");
      await eventually("the filled form", async () =>
        JSON.stringify(people.openView(ids[who])?.view).includes('"input"') ? true : null,
      );
      const { answer } = await people.submit(ids[who], wrong);
      await people.submit(ids[who], { ...wrong, ...right });
      return plain(Object.values(answer["errors"] ?? {}).join("\n"));
    },
  });
  return {
    ...common(world),
    question: (goal) => seen(world.slack.message(`change: ${goal}`)),
    titles: () =>
      world.slack
        .messages()
        .filter(({ threadTs }) => threadTs === null)
        .map(({ text }) => plain(text.split("\n")[0] ?? "")),
    told: (who) => world.slack.whispers.flatMap(({ userId, text }) => (userId === ids[who] ? [plain(text)] : [])),
    marks: () => world.slack.reactions.map(({ name }) => (name === "eyes" ? "seen" : "taken")),
    async type(who, command) {
      const { answer } = await people.type(ids[who], `/${command}`, "");
      return plain(slackWords((answer["blocks"] ?? []) as Parameters<typeof slackWords>[0]));
    },
    storm: () => world.slack.faults.storm(3),
    down: (isDown) => world.slack.faults.down(isDown),
  };
}

export async function personInDiscord(): Promise<Chat> {
  const world = await discord.discordWorld();
  const ids = { ana: discord.ana, ben: discord.ben, eve: discord.eve };
  const { people } = world.discord;
  const seen = (message: DiscordMessage): Seen => ({
    words: plain(discordWords(message)),
    choices: message.components
      .flatMap((row) => row["components"] as { readonly label: string }[])
      .flatMap(({ label }) => (choices.has(label) ? [label] : [])),
    async press(who, choice, { times, dropsSocket }: How = {}) {
      const how = { ...(times === undefined ? {} : { times }), ...(dropsSocket === undefined ? {} : { dropsSocket }) };
      await people.click(ids[who], message, choice, how);
    },
    async reply(who, text) {
      await people.reply(ids[who], message, text);
    },
    async modify(who, wrong, right) {
      await people.click(ids[who], message, "Modify…");
      await people.submit(ids[who], wrong);
      const said = world.discord.whispers.at(-1);
      const again = { id: "1", channelId: "1", components: [...(said?.components ?? [])] };
      await people.click(ids[who], again, "Open the form again");
      await people.submit(ids[who], right);
      return plain(said?.text ?? "");
    },
  });
  return {
    ...common(world),
    question: (goal) => seen(world.discord.message(`change**: ${goal}`)),
    titles: () => world.discord.messages().map(({ content }) => plain(content.split("\n")[0] ?? "")),
    told: (who) =>
      [...world.discord.whispers, ...direct(world, ids[who])].flatMap(({ userId, text }) =>
        userId === ids[who] ? [plain(text)] : [],
      ),
    marks: () => world.discord.reactions.map(({ emoji }) => (emoji === "👀" ? "seen" : "taken")),
    async type(who, command) {
      await people.type(ids[who], command);
      return plain(world.discord.whispers.at(-1)?.text ?? "");
    },
    storm: () => world.discord.faults.storm(3),
    down: (isDown) => world.discord.faults.down(isDown),
  };
}

/** In Discord nobody can be told anything privately in a thread: it is said to them directly. */
function direct(world: discord.DiscordWorld, userId: string): { userId: string; text: string }[] {
  return world.discord.messages(userId).map(({ content }) => ({ userId, text: content }));
}

function common(world: slack.SlackWorld | discord.DiscordWorld) {
  return {
    world,
    show: () => world.show(),
    connected: async () => {
      await eventually("the connection", async () => (world.platform.status() === "connected" ? true : null));
    },
    close: () => world.close(),
  };
}

type Block = SlackMessage["blocks"][number];

/** What is to be read of Slack's blocks, fields in one line each. */
function withoutButtons(blocks: readonly Block[]): Block[] {
  const read = blocks.filter((block) => block["type"] !== "actions");
  return JSON.parse(
    JSON.stringify(read, (name, value: unknown) => {
      const isField = name === "text" && typeof value === "string";
      return isField ? value.replace(/^\*([^*\n]+)\*\n(?=[^\n]*$)/, "$1: ") : value;
    }),
  ) as Block[];
}

/** The labels of what Slack draws as buttons that decide. */
function textsIn(blocks: readonly object[], type: string): string[] {
  const found: string[] = [];
  JSON.stringify(blocks, (_name, value: unknown) => {
    if (typeof value === "object" && value !== null && "type" in value && value.type === type && "text" in value) {
      const { text } = value.text as { readonly text: string };
      if (choices.has(text)) found.push(text);
    }
    return value;
  });
  return found;
}

/** Words as they are read: no marks, the same names for times, links, people, ids and the platform itself. */
function plain(text: string): string {
  return text
    .replace(/<!date\^[^>]*>|<t:\d+:\w>/g, "TIME")
    .replace(/<https?:[^|>]*\|([^>]*)>|\[([^\]]*)\]\(https?:[^)]*\)/g, "$1$2")
    .replace(/<@(?:U0ANA|800000000000000001)>/g, "@ana")
    .replace(/<@(?:U0BEN|800000000000000002)>/g, "@ben")
    .replace(/<@&?\w+>/g, "@somebody")
    .replace(/goal-[0-9a-f]{8}/g, "GOAL")
    .replace(/cp-[0-9a-f]{8}/g, "QUESTION")
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/^(?:-# |•  )/gm, (mark) => (mark === "-# " ? "" : "- "))
    .replace(/[*`\\\u200b]/g, "")
    .replace(/\bSlack\b|\bDiscord\b/g, "CHAT");
}
