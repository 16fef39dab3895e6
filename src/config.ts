import { homedir, hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatSettings } from "./chat/connections.ts";
import { type DiscordSettings, readDiscordSettings } from "./chat/discord/settings.ts";
import { readSlackSettings, type SlackSettings } from "./chat/slack/settings.ts";
import type { ModelSettings } from "./agent/llm/settings.ts";
import type { PlaceSettings } from "./agent/place/settings.ts";
import { type ChatPlatform, chatPlatformNames } from "./core/chat-platforms.ts";
import type { Mirrors } from "./core/checkpoints/mirrors.ts";
import type { QuietHours } from "./core/checkpoints/quiet.ts";
import type { Quorums } from "./core/checkpoints/quorum.ts";
import type { StoreSettings } from "./core/store-settings.ts";
import type { TracingSettings } from "./core/tracing-settings.ts";
import type { ForgeSite } from "./core/forges/forge.ts";
import type { IsolationMode } from "./core/isolation/isolation.ts";
import type { Duties } from "./core/on-duty.ts";
import type { People } from "./core/people.ts";
import type { Policy } from "./core/policy.ts";
import { secretSettings, type SettingName } from "./core/settings.ts";
import type { ServerPlaces } from "./core/text/server-paths.ts";
import { ownEnvironment } from "./environment.ts";
import { ownDir, projectDir, settingsFile } from "./installed.ts";
import { readAgent, readAgentEnvironment, readModel, readNetwork, readPrice, readWritable } from "./settings/agents.ts";
import { readConsoleUrl, readForges } from "./settings/forges.ts";
import { readStore } from "./settings/store.ts";
import { readTracing } from "./settings/tracing.ts";
import { readPeople } from "./settings/people.ts";
import { readPolicy } from "./settings/policy.ts";
import {
  machineTimezone,
  readDatabaseUrl,
  readHost,
  readRedisUrl,
  readLabels,
  readLogLevel,
  readRoles,
  readTimezone,
  readToken,
} from "./settings/process.ts";
import { SettingsFileError, settingsIn } from "./settings/file-text.ts";
import { type Environment, openReader, type Reader } from "./settings/reader.ts";

/** For whoever looks at the file itself: rooms beside this one read settings through here. */
export { parseSettings, SettingsFileError, settingsText } from "./settings/file-text.ts";

/** What the environment says, checked. The only file that reads it for settings. */
export interface Config {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly roles: readonly ("bot" | "worker")[];
  readonly host: string;
  readonly port: number;
  /** Where a process without a console serves its health: the port that was set; null: none was, and the bot may take the usual one. */
  readonly healthPort: number | null;
  /** Null: made once and kept in the data directory. */
  readonly consoleToken: string | null;
  /** Whether callers of this machine that cannot be told from agents may change something at the console (D45). */
  readonly allowsUnknown: boolean;
  readonly timezone: string;
  readonly repository: string | null;
  readonly agent: string | null;
  /** The socket of the ssh agent that this process was started with, for repositories elsewhere; no child of a goal gets it. */
  readonly sshAgent: string | null;
  /** What agents are given of our variables, by name (COS_AGENT_ENV). */
  readonly agentEnvironment: Readonly<Record<string, string>>;
  /** What a million tokens of an agent cost that tells only tokens, in USD; null: the table of models knows, or nobody. */
  readonly agentPrice: ModelSettings["price"];
  /** The model that thinks of alternatives and reads replies; null: the built-in rules do, and say so. */
  readonly model: ModelSettings | null;
  /** Who looks at agents' work before it counts: nobody, the built-in rules, or the model too. */
  readonly critics: "off" | "rules" | "model";
  readonly approvers: readonly string[];
  /** Which accounts are one person. */
  readonly people: People;
  /** What chat never says the whole path of (D43). */
  readonly serverPlaces: ServerPlaces;
  /** Who is mentioned when something asks; empty: the approvers. */
  readonly duties: Duties;
  /** Who is named as well when an escalation stays open, as COS_APPROVERS names people; null: nobody. */
  readonly second: string | null;
  readonly quietHours: QuietHours | null;
  /** 1 is Monday, 7 Sunday. */
  readonly workingDays: readonly number[];
  readonly parallel: number;
  /** What this worker can do, as repositories ask for it. */
  readonly labels: readonly string[];
  readonly isolation: IsolationMode;
  /** Folders that goals and what verifies them may write to beside their own; absolute. */
  readonly writable: readonly string[];
  /** Ports of this machine's loopback that agents and setup may reach. */
  readonly agentPorts: readonly number[];
  /** HOST:PORT that agents may reach, and nothing else; empty: everything that is not this machine. */
  readonly agentHosts: readonly string[];
  /** Where the skills lie that checks of tasks are given. */
  readonly skillsDir: string;
  readonly machine: string;
  readonly logLevel: string;
  /** Cards are also posted to this HTTP address as JSON. */
  readonly webhookUrl: string | null;
  /** Where pull requests may be opened, and with what. */
  readonly forges: readonly ForgeSite[];
  /** Where kept output is put so that every machine can show it; null: it stays on the machine that made it. */
  readonly store: StoreSettings | null;
  /** Where spans go; null: nothing makes any. */
  readonly tracing: TracingSettings | null;
  /** Where people open the console, for links from elsewhere; null: nobody said. */
  readonly consoleUrl: string | null;
  /** Null: Slack is not used. */
  readonly slack: SlackSettings | null;
  /** Null: Discord is not used. */
  readonly discord: DiscordSettings | null;
  /** The chat platforms that are used. */
  readonly platforms: readonly ChatPlatform[];
  /** How many people must agree, by what is asked about. */
  readonly quorums: Quorums;
  /** Where questions are shown, by what they are asked about. */
  readonly mirrors: Mirrors;
  readonly policy: Policy;
  /** Values that must never appear in output, logs or cards. */
  readonly secrets: readonly string[];
}

export type ConfigResult =
  | { readonly type: "ok"; readonly config: Config }
  /** One line a problem: the name, what was found (secrets masked), what is expected. */
  | { readonly type: "invalid"; readonly problems: readonly string[] };

/** Where places are made by this configuration, and what nobody sees in them. */
export function placeSettings(
  config: Pick<Config, "isolation" | "dataDir" | "writable" | "agentPorts" | "agentHosts">,
): PlaceSettings {
  const { isolation: mode, dataDir, writable, agentPorts: ports, agentHosts: hosts } = config;
  return { mode, dataDir, hidden: [settingsFile], seen: [projectDir], writable, ports, hosts };
}

/** The configuration in force. That its file cannot be read is a problem of it. */
export function readConfig(): ConfigResult {
  try {
    return parseConfig(readEnvironment());
  } catch (error) {
    if (error instanceof SettingsFileError) return { type: "invalid", problems: [error.message] };
    throw error;
  }
}

/** The variables in force: the project's `.env`, overridden by the process's own environment. Throws SettingsFileError. */
export function readEnvironment(): Record<string, string | undefined> {
  return { ...settingsIn(settingsFile), ...ownEnvironment() };
}

/**
 * Whether local callers that cannot be told from agents count as the person (D45). For the terminal the file says so, or the
 * bot that runs (`db/serving.ts`): a process that wants to be believed could say it of itself.
 */
export function allowsUnknownCallers(): boolean {
  return settingsIn(settingsFile)["COS_UNKNOWN_CALLERS"]?.trim() === "allow";
}

/** The chats as far as they are given, whatever is missing or wrong: `cos init` tries each value by itself. */
export function givenChats(environment: Environment): ChatSettings {
  const { value } = openReader(environment);
  const reader = { value, problem: () => undefined, integer: (_: SettingName, usual: number) => usual, url: value };
  return { slack: readSlackSettings(reader, ""), discord: readDiscordSettings(reader) };
}

/** Of what agents and receivers of spans are given, in characters: keys are longer, switches shorter. */
const shortestSecret = 8;

/** Checks every variable and collects all problems before answering. Empty values count as not set. */
export function parseConfig(environment: Environment): ConfigResult {
  const reader = openReader(environment);
  const { value, integer, choice } = reader;
  const dataDir = reader.folder("COS_DATA_DIR", ownDir) ?? join(ownDir, ".data");
  const host = readHost(reader);
  const webhookUrl = reader.url("COS_WEBHOOK_URL", ["http:", "https:"]);
  const chat: ChatSettings = { slack: readSlackSettings(reader, host), discord: readDiscordSettings(reader) };
  const platforms = chatPlatformNames.filter((name) => chat[name] !== null);
  const agentEnvironment = readAgentEnvironment(reader);
  const zone = readTimezone(reader);
  const tracing = readTracing(reader);

  const port = integer("PORT", 3000, 0, 65_535);

  const config: Config = {
    dataDir,
    databaseUrl: readDatabaseUrl(reader),
    redisUrl: readRedisUrl(reader),
    roles: readRoles(reader),
    host,
    port,
    healthPort: value("PORT") === null ? null : port,
    consoleToken: readToken(reader),
    critics: choice("COS_CRITICS", ["rules", "model", "off"]),
    allowsUnknown: choice("COS_UNKNOWN_CALLERS", ["refuse", "allow"]) === "allow",
    // Asking for the machine's own costs a hook a tenth of its time, and none needs it.
    get timezone() {
      return zone ?? machineTimezone();
    },
    repository: value("COS_REPO"),
    agent: readAgent(reader),
    sshAgent: environment["SSH_AUTH_SOCK"]?.trim() || null,
    agentEnvironment,
    agentPrice: readPrice(reader, "COS_AGENT_PRICE"),
    model: readModel(reader),
    ...readPeople(reader, { platforms, places: webhookUrl === null ? platforms : [...platforms, "webhook"] }),
    serverPlaces: { dataDir, folders: [homedir(), tmpdir(), projectDir] },
    parallel: integer("COS_PARALLEL", 1, 1, 32),
    labels: readLabels(reader),
    isolation: choice("COS_ISOLATION", ["auto", "off", "required"]),
    writable: readWritable(reader, dataDir),
    ...readNetwork(reader),
    skillsDir: reader.folder("COS_SKILLS_DIR", ownDir) ?? join(projectDir, "skills"),
    machine: hostname(),
    logLevel: readLogLevel(reader),
    webhookUrl,
    forges: readForges(reader),
    store: readStore(reader),
    tracing,
    consoleUrl: readConsoleUrl(reader),
    ...chat,
    platforms,
    policy: readPolicy(reader),
    secrets: secretsOf(reader, { ...agentEnvironment, ...tracing?.headers }),
  };
  return reader.problems.length === 0 ? { type: "ok", config } : { type: "invalid", problems: reader.problems };
}

/** A switch such as 1 is no secret, and every 1 would be masked. */
function secretsOf({ value }: Reader, given: Readonly<Record<string, string>>): string[] {
  return [
    ...secretSettings.flatMap((name) => value(name) ?? []),
    ...Object.values(given).filter((each) => each.length >= shortestSecret),
  ];
}
