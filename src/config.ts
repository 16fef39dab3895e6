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

/** Re-exported for readers of the settings file itself: other rooms read settings through this file. */
export { parseSettings, SettingsFileError, settingsText } from "./settings/file-text.ts";

/** The checked settings. This is the only file that reads the environment for settings. */
export interface Config {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly roles: readonly ("bot" | "worker")[];
  readonly host: string;
  readonly port: number;
  /** Port for the health of a process without a console; null when none was set, and the bot may take the default. */
  readonly healthPort: number | null;
  /** Null: created once and kept in the data directory. */
  readonly consoleToken: string | null;
  /** True when local callers that may be agents may change something at the console (D45). */
  readonly allowsUnknown: boolean;
  readonly timezone: string;
  readonly repository: string | null;
  readonly agent: string | null;
  /** The socket of the ssh agent with which this process was started, for remote repositories. No child of a goal gets it. */
  readonly sshAgent: string | null;
  /** Our variables that agents get, by name (COS_AGENT_ENV). */
  readonly agentEnvironment: Readonly<Record<string, string>>;
  /** The price in USD of a million tokens, for an agent that reports only tokens. Null for the table of models. */
  readonly agentPrice: ModelSettings["price"];
  /** The model that finds alternatives and reads replies. Null: the built-in rules do it, and say so. */
  readonly model: ModelSettings | null;
  /** The critics that look at agents' work before it counts: none, the built-in rules, or the model too. */
  readonly critics: "off" | "rules" | "model";
  readonly approvers: readonly string[];
  /** The accounts that belong to one person. */
  readonly people: People;
  /** Folders whose full path is never shown in chat (D43). */
  readonly serverPlaces: ServerPlaces;
  /** The people who are mentioned when something asks; the approvers when empty. */
  readonly duties: Duties;
  /** The person who is also named when an escalation stays open, in the form of COS_APPROVERS; null for nobody. */
  readonly second: string | null;
  readonly quietHours: QuietHours | null;
  /** 1 is Monday, 7 Sunday. */
  readonly workingDays: readonly number[];
  readonly parallel: number;
  /** The labels that repositories may require of this worker. */
  readonly labels: readonly string[];
  readonly isolation: IsolationMode;
  /** Folders besides their own that goals and verification may write to; absolute. */
  readonly writable: readonly string[];
  /** Ports of this machine's loopback that agents and setup may reach. */
  readonly agentPorts: readonly number[];
  /** HOST:PORT that agents may reach, and nothing else. Empty: everything but this machine. */
  readonly agentHosts: readonly string[];
  /** Folder of the skills for checks of tasks. */
  readonly skillsDir: string;
  readonly machine: string;
  readonly logLevel: string;
  /** HTTP address to which cards are also posted as JSON. */
  readonly webhookUrl: string | null;
  /** Forges where pull requests may be opened, with their tokens. */
  readonly forges: readonly ForgeSite[];
  /** Store where every machine finds kept output; null: it stays on the machine that made it. */
  readonly store: StoreSettings | null;
  /** Receiver of spans; null when there is none. */
  readonly tracing: TracingSettings | null;
  /** Public address of the console, for links; null when it is not set. */
  readonly consoleUrl: string | null;
  /** Null when Slack is not used. */
  readonly slack: SlackSettings | null;
  /** Null when Discord is not used. */
  readonly discord: DiscordSettings | null;
  /** The chat platforms in use. */
  readonly platforms: readonly ChatPlatform[];
  /** How many people must agree, by trigger. */
  readonly quorums: Quorums;
  /** Where questions are also shown, by trigger. */
  readonly mirrors: Mirrors;
  readonly policy: Policy;
  /** Values that must never appear in output, logs or cards. */
  readonly secrets: readonly string[];
}

export type ConfigResult =
  | { readonly type: "ok"; readonly config: Config }
  /** One line for each problem: the name, the value (secrets masked), and what is expected. */
  | { readonly type: "invalid"; readonly problems: readonly string[] };

/** The settings of places: where they are created, and what they hide. */
export function placeSettings(
  config: Pick<Config, "isolation" | "dataDir" | "writable" | "agentPorts" | "agentHosts">,
): PlaceSettings {
  const { isolation: mode, dataDir, writable, agentPorts: ports, agentHosts: hosts } = config;
  return { mode, dataDir, hidden: [settingsFile], seen: [projectDir], writable, ports, hosts };
}

/** The current configuration. An unreadable settings file is one of its problems. */
export function readConfig(): ConfigResult {
  try {
    return parseConfig(readEnvironment());
  } catch (error) {
    if (error instanceof SettingsFileError) return { type: "invalid", problems: [error.message] };
    throw error;
  }
}

/** The current variables: the project's `.env`, overridden by the process's own environment. Throws SettingsFileError. */
export function readEnvironment(): Record<string, string | undefined> {
  return { ...settingsIn(settingsFile), ...ownEnvironment() };
}

/**
 * True when local callers that may be agents count as the person (D45). For the terminal only the settings file or the running bot
 * (`db/serving.ts`) counts: a caller could set the variable for itself.
 */
export function allowsUnknownCallers(): boolean {
  return settingsIn(settingsFile)["COS_UNKNOWN_CALLERS"]?.trim() === "allow";
}

/** The chat settings that are given, whatever is missing or wrong: `cos init` tries each value separately. */
export function givenChats(environment: Environment): ChatSettings {
  const { value } = openReader(environment);
  const reader = { value, problem: () => undefined, integer: (_: SettingName, usual: number) => usual, url: value };
  return { slack: readSlackSettings(reader, ""), discord: readDiscordSettings(reader) };
}

/** Minimum length in characters of a secret among the values for agents and receivers of spans. Keys are longer, switches shorter. */
const shortestSecret = 8;

/** Checks every variable, and collects all problems. Empty values count as not set. */
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
    // Reading the machine's time zone costs a hook a tenth of its time, and no hook needs it.
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

/** A switch such as 1 is not a secret: otherwise every 1 would be masked. */
function secretsOf({ value }: Reader, given: Readonly<Record<string, string>>): string[] {
  return [
    ...secretSettings.flatMap((name) => value(name) ?? []),
    ...Object.values(given).filter((each) => each.length >= shortestSecret),
  ];
}
