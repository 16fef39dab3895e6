import type { Policy } from "../../src/core/policy.ts";
import { eventually } from "./bot.ts";
import type { TestWorld } from "./deps.ts";
import {
  type FakeDiscord,
  type Message as DiscordMessage,
  startDiscord,
  wordsOf as discordWords,
} from "./discord/server.ts";
import * as discord from "./discord/world.ts";
import { choices, plain, textsIn, withoutButtons } from "./person-words.ts";
import { type FakeSlack, type Message as SlackMessage, startSlack, wordsOf as slackWords } from "./slack/server.ts";
import * as slack from "./slack/world.ts";

/** A scripted person, the same on every chat platform: what they see is said in words that hold on all of them. */

export type Who = "ana" | "ben" | "eve";

export interface How {
  /** Delivered this often, as the same event. */
  readonly times?: number;
  /** The connection breaks while it is delivered. */
  readonly dropsSocket?: boolean;
  /** Whatever answers it comes too late: after 3 s the person saw the platform's own error. */
  readonly isLate?: boolean;
}

/** A card as somebody sees it at one moment. */
export interface Seen {
  /** What it says, without what is written differently on each platform. */
  readonly words: string;
  /** The choices that can be pressed. */
  readonly choices: readonly string[];
  /** False: the person saw the platform's own error. */
  press(who: Who, choice: string, how?: How): Promise<boolean>;
  /** `isMissed`: nobody was told. */
  reply(who: Who, text: string, how?: { readonly times?: number; readonly isMissed?: boolean }): Promise<void>;
  /** Somebody deletes it. */
  remove(): Promise<void>;
  /** Opens the form, fills it and sends it; then corrects what was wrong. What was said to be wrong. */
  modify(who: Who, wrong: Filled, right: Filled): Promise<string>;
}

type Filled = Readonly<Record<string, string>>;

/** What somebody does and sees on a platform, and what goes wrong there. */
export interface Place {
  /** The question whether a user-facing change may be made, as it stands now. */
  question(goal: string): Seen;
  /** The first lines of what is in the channel, in its order. */
  titles(): string[];
  /** What one person alone was told, in its order. */
  told(who: Who): string[];
  /** How replies were marked: "seen", "taken". */
  marks(): string[];
  /** A command without options, and what it answered privately. */
  type(who: Who, command: "standup" | "cos sample"): Promise<string>;
  /** Only every nth post is taken. */
  storm(nth: number): void;
  down(isDown: boolean): void;
  /** The next post is carried out, and its answer is lost. */
  lose(): void;
  /** Every connection breaks, and what happened meanwhile is not delivered again. */
  forget(): void;
}

/** The same with the whole engine in this process. */
export interface Chat extends Place {
  readonly world: Pick<TestWorld, "command" | "work" | "tick" | "advance" | "deps" | "repository" | "dataDir">;
  show(): Promise<void>;
  connected(): Promise<void>;
  close(): Promise<void>;
}

/** The platform alone, for processes of their own. */
export interface Alone extends Place {
  /** How a bot is set up there; Ana may decide. */
  readonly environment: Readonly<Record<string, string>>;
  /** How often a bot has connected. */
  connections(): number;
  /** The next such call waits until it is released. */
  hold(call: "post" | "edit"): { readonly held: Promise<void>; release(): void };
  close(): Promise<void>;
}

interface Options {
  readonly policy?: (policy: Policy) => Policy;
  readonly through?: (databaseUrl: string) => Promise<string>;
}

/** The same people may decide wherever a walk is compared: whom a card mentions is among its words. */
function withApprovers(
  options: Options,
  approvers: readonly string[],
): Options & { readonly environment: Record<string, string> } {
  return { ...options, environment: { COS_APPROVERS: approvers.join(",") } };
}

export async function personInSlack(options: Options = {}): Promise<Chat> {
  const world = await slack.slackWorld(withApprovers(options, [`slack:${slack.ana}`, `slack:${slack.ben}`]));
  return { ...common(world), ...placeInSlack(world.slack) };
}

export async function slackAlone(): Promise<Alone> {
  const server = await startSlack();
  server.people.add(slack.ana, "ana");
  server.people.add(slack.ben, "ben");
  return {
    ...placeInSlack(server),
    environment: { ...server.settings, COS_APPROVERS: `slack:${slack.ana}` },
    connections: () => server.calls.filter(({ method }) => method === "apps.connections.open").length,
    hold: (call) => server.faults.hold(call === "post" ? "chat.postMessage" : "chat.update"),
    close: () => server.close(),
  };
}

function placeInSlack(server: FakeSlack): Place {
  const ids = { ana: slack.ana, ben: slack.ben, eve: slack.eve };
  const { people } = server;
  const seen = (message: SlackMessage): Seen => ({
    words: plain(slackWords(withoutButtons(message.blocks))),
    choices: textsIn(message.blocks, "button"),
    async press(who, choice, { isLate = false, ...how } = {}) {
      const name = choice.replace("…", "").toLowerCase();
      return (await people.click(ids[who], message, name, { ...how, isExpired: isLate })).acknowledged;
    },
    async reply(who, text, how) {
      await people.reply(ids[who], message, text, how);
    },
    remove: () => people.remove(message),
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
    question: (goal) => seen(server.message(`change: ${goal}`)),
    titles: () =>
      server
        .messages()
        .filter(({ threadTs }) => threadTs === null)
        .map(({ text }) => plain(text.split("\n")[0] ?? "")),
    told: (who) => server.ephemerals.flatMap(({ userId, text }) => (userId === ids[who] ? [plain(text)] : [])),
    marks: () => server.reactions.map(({ name }) => (name === "eyes" ? "seen" : "taken")),
    async type(who, command) {
      const [word, ...rest] = command.split(" ");
      const { answer } = await people.type(ids[who], `/${word}`, rest.join(" "));
      return plain(slackWords((answer["blocks"] ?? []) as Parameters<typeof slackWords>[0]));
    },
    storm: (nth) => server.faults.storm(nth),
    down: (isDown) => server.faults.down(isDown),
    lose: () => server.faults.next("chat.postMessage", { type: "lost", by: "cut" }),
    forget: () => server.faults.dropSockets("hard"),
  };
}

export async function personInDiscord(options: Options = {}): Promise<Chat> {
  const world = await discord.discordWorld(
    withApprovers(options, [`discord:${discord.ana}`, `discord:${discord.ben}`]),
  );
  return { ...common(world), ...placeInDiscord(world.discord) };
}

export async function discordAlone(): Promise<Alone> {
  const server = await startDiscord();
  server.people.add(discord.ana, "ana");
  server.people.add(discord.ben, "ben");
  return {
    ...placeInDiscord(server),
    environment: { ...server.settings, COS_APPROVERS: `discord:${discord.ana}` },
    connections: () => server.gateway.counts.identified,
    hold: (call) => server.faults.hold(call),
    close: () => server.close(),
  };
}

function placeInDiscord(server: FakeDiscord): Place {
  const ids = { ana: discord.ana, ben: discord.ben, eve: discord.eve };
  const { people } = server;
  const seen = (message: DiscordMessage): Seen => ({
    words: plain(discordWords(message)),
    choices: message.components
      .flatMap((row) => row["components"] as { readonly label: string }[])
      .flatMap(({ label }) => (choices.has(label) ? [label] : [])),
    async press(who, choice, { isLate = false, ...how } = {}) {
      return (await people.click(ids[who], message, choice, { ...how, isExpired: isLate })).acknowledged;
    },
    async reply(who, text, how) {
      await people.reply(ids[who], message, text, how);
    },
    remove: () => people.remove(message),
    async modify(who, wrong, right) {
      await people.click(ids[who], message, "Modify…");
      await people.submit(ids[who], wrong);
      const said = server.ephemerals.at(-1);
      const again = { id: "1", channelId: "1", components: [...(said?.components ?? [])] };
      await people.click(ids[who], again, "Open the form again");
      await people.submit(ids[who], right);
      return plain(said?.text ?? "");
    },
  });
  return {
    question: (goal) => seen(server.message(`change**: ${goal}`)),
    titles: () => server.messages().map(({ content }) => plain(content.split("\n")[0] ?? "")),
    told: (who) =>
      [...server.ephemerals, ...direct(server, ids[who])].flatMap(({ userId, text }) =>
        userId === ids[who] ? [plain(text)] : [],
      ),
    marks: () => server.reactions.map(({ emoji }) => (emoji === "👀" ? "seen" : "taken")),
    async type(who, command) {
      await people.type(ids[who], command);
      return plain(server.ephemerals.at(-1)?.text ?? "");
    },
    storm: (nth) => server.faults.storm(nth),
    down: (isDown) => server.faults.down(isDown),
    lose: () => server.faults.next("post", { type: "lost", by: "cut" }),
    forget: () => server.gateway.forgetSessions(),
  };
}

/** In Discord nobody can be told anything privately in a thread: it is said to them directly. */
function direct(server: FakeDiscord, userId: string): { userId: string; text: string }[] {
  return server.messages(userId).map(({ content }) => ({ userId, text: content }));
}

function common(world: slack.SlackWorld | discord.DiscordWorld) {
  return {
    world,
    show: () => world.show(),
    connected: async () => {
      // What a failed call said of the platform holds until the next one: nothing is delivered here by itself.
      await eventually("the connection", async () => {
        await world.show();
        world.advance(1_000);
        return world.platform.status() === "connected";
      });
    },
    close: () => world.close(),
  };
}
