import { homedir, hostname, tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "dotenv";
import { existsSync, readFileSync } from "node:fs";
import type { ChatSettings } from "./chat/connections.ts";
import { type DiscordSettings, readDiscordSettings } from "./chat/discord/settings.ts";
import { readSlackSettings, type SlackSettings } from "./chat/slack/settings.ts";
import type { ModelSettings } from "./agent/llm/settings.ts";
import type { PlaceSettings } from "./agent/place/settings.ts";
import { isForbidden } from "./agent/process/environment.ts";
import {
  type ChatPlatform,
  chatPlatformNames,
  expectedPeople,
  namesGroup,
  namesPerson,
} from "./core/chat-platforms.ts";
import { parseQuietHours, type QuietHours } from "./core/checkpoints/quiet.ts";
import type { IsolationMode } from "./core/isolation/isolation.ts";
import { parseReach, splitHost } from "./core/isolation/network.ts";
import { parseQuorums, type Quorums } from "./core/checkpoints/quorum.ts";
import { type Mirrors, parseMirrors } from "./core/checkpoints/mirrors.ts";
import { dollars } from "./core/money.ts";
import { type Duties, parseDuties } from "./core/on-duty.ts";
import { parsePeople, type People } from "./core/people.ts";
import { defaultPolicy, type Policy } from "./core/policy.ts";
import { secretSettings, type SettingName } from "./core/settings.ts";
import type { ServerPlaces } from "./core/text/server-paths.ts";
import { parseWorkingDays } from "./core/working-days.ts";
import { ownEnvironment } from "./environment.ts";

/** What the environment says, checked. The only file that reads it for settings. */
export interface Config {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly roles: readonly ("bot" | "worker")[];
  readonly host: string;
  readonly port: number;
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

/** The folder of the installed project; `.env` and the default data directory belong to it (D32). */
export const projectDir = join(dirname(fileURLToPath(import.meta.url)), "..");

/** An installed package is replaced by its next version: what is a person's lies in the home folder then. */
const isPackage = !existsSync(join(projectDir, "src", "config.ts"));
const ownDir = isPackage ? join(homedir(), ".chief-of-staff") : projectDir;

/** The file of settings: of the project, or of the person where it is an installed package. */
export const settingsFile = join(ownDir, ".env");

/** Where places are made by this configuration, and what nobody sees in them. */
export function placeSettings(
  config: Pick<Config, "isolation" | "dataDir" | "writable" | "agentPorts" | "agentHosts">,
): PlaceSettings {
  const { isolation: mode, dataDir, writable, agentPorts: ports, agentHosts: hosts } = config;
  return { mode, dataDir, hidden: [settingsFile], seen: [projectDir], writable, ports, hosts };
}

/** The variables in force: the project's `.env`, overridden by the process's own environment. */
export function readEnvironment(): Record<string, string | undefined> {
  return { ...readSettingsFile(), ...ownEnvironment() };
}

/**
 * Whether local callers that cannot be told from agents count as the person (D45). For the terminal the file says so, or the
 * bot that runs (`db/serving.ts`): a process that wants to be believed could say it of itself.
 */
export function allowsUnknownCallers(): boolean {
  return readSettingsFile()["COS_UNKNOWN_CALLERS"]?.trim() === "allow";
}

/** The port of a server's address; an address that cannot be read is said elsewhere. */
function portOf(address: string | null, usual: number): string {
  const port = address !== null && URL.canParse(address) ? new URL(address).port : "";
  return port === "" ? String(usual) : port;
}

function readSettingsFile(): Record<string, string> {
  return existsSync(settingsFile) ? parse(readFileSync(settingsFile)) : {};
}

/** The address with the password that libpq's own variable gives for it, where it has none. */
function withPassword(address: string | null, password: string | null): string | null {
  if (address === null || password === null) return address;
  const url = new URL(address);
  if (url.password === "") url.password = encodeURIComponent(password);
  return url.href;
}

/** The chats as far as they are given, whatever is missing or wrong: `cos init` tries each value by itself. */
export function givenChats(environment: Record<string, string | undefined>): ChatSettings {
  const value = (name: SettingName): string | null => environment[name]?.trim() || null;
  const reader = { value, problem: () => undefined, integer: (_: SettingName, usual: number) => usual, url: value };
  return { slack: readSlackSettings(reader, ""), discord: readDiscordSettings(reader) };
}

/** Of what agents are given, in characters: keys are longer, switches shorter. */
const shortestSecret = 8;

/** Checks every variable and collects all problems before answering. Empty values count as not set. */
export function parseConfig(environment: Record<string, string | undefined>): ConfigResult {
  const problems: string[] = [];

  function value(name: SettingName): string | null {
    const text = environment[name]?.trim();
    return text === undefined || text === "" ? null : text;
  }

  function problem(name: SettingName, expected: string): void {
    const text = value(name);
    const found = text === null ? "nothing" : secretSettings.includes(name) ? "***" : JSON.stringify(text);
    problems.push(`${name}: found ${found}, expected ${expected}`);
  }

  function integer(name: SettingName, fallback: number, least: number, most: number): number {
    const text = value(name);
    if (text === null) return fallback;
    const number = Number(text);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    problem(name, `a whole number from ${least} to ${most}`);
    return fallback;
  }

  function usd(name: SettingName, fallback: number): number {
    const text = value(name);
    if (text === null) return fallback;
    const number = Number(text);
    if (Number.isFinite(number) && number > 0 && number <= 1_000_000) return dollars(number);
    problem(name, "an amount in US dollars above 0, such as 15 or 2.50");
    return fallback;
  }

  /** The floor of the temporary folder is never above the other one: 0 asks for nothing anywhere. */
  function space(): Policy["space"] {
    const { floorBytes: floor, temporaryFloorBytes: temporary } = defaultPolicy.space;
    const floorBytes = integer("COS_MIN_FREE_MB", floor / 1_000_000, 0, 1_000_000_000) * 1_000_000;
    return { ...defaultPolicy.space, floorBytes, temporaryFloorBytes: Math.min(temporary, floorBytes) };
  }

  function url(name: SettingName, protocols: readonly string[]): string | null {
    const text = value(name);
    if (text === null) return null;
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
    problem(name, `an address that starts with ${protocols.map((each) => `${each}//`).join(" or ")}`);
    return null;
  }

  function choice<Choice extends string>(name: SettingName, choices: readonly [Choice, ...Choice[]]): Choice {
    const text = value(name);
    const found = choices.find((each) => each === text);
    if (text !== null && found === undefined) problem(name, choices.join(" or "));
    return found ?? choices[0];
  }

  /** Null: the machine's own. */
  function timezone(): string | null {
    const text = value("COS_TIMEZONE");
    if (text === null) return null;
    try {
      return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
    } catch {
      problem("COS_TIMEZONE", "an IANA time zone such as Europe/Berlin");
      return null;
    }
  }

  function roles(): ("bot" | "worker")[] {
    const wanted = (value("COS_ROLES") ?? "bot,worker").split(",").map((each) => each.trim());
    const known = wanted.filter((each) => each === "bot" || each === "worker");
    if (known.length !== wanted.length || known.length === 0) problem("COS_ROLES", "bot, worker, or bot,worker");
    return known;
  }

  function agent(): string | null {
    const text = value("COS_AGENT");
    if (text !== null && !/^(acp|command):\s*\S/.test(text))
      problem("COS_AGENT", "acp:<command line> or command:<command line>");
    return text;
  }

  /** Nothing, or a model with its address; a key only where the address asks for one. */
  function model(): ModelSettings | null {
    const name = value("COS_MODEL");
    const address = url("COS_MODEL_URL", ["http:", "https:"]);
    if (name === null && value("COS_MODEL_URL") === null) return null;
    if (name === null) problem("COS_MODEL", "the model's name at COS_MODEL_URL, such as gpt-5.2");
    if (value("COS_MODEL_URL") === null)
      problem("COS_MODEL_URL", "the address of an OpenAI-compatible API, such as https://api.openai.com/v1");
    return { name: name ?? "", url: address ?? "", key: value("COS_MODEL_KEY"), price: priceIn("COS_MODEL_PRICE") };
  }

  function priceIn(name: SettingName): ModelSettings["price"] {
    const found = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(value(name) ?? "");
    if (value(name) !== null && found === null) problem(name, "USD for a million tokens, input/output, such as 3/15");
    return found === null ? null : { inputUsd: Number(found[1]), outputUsd: Number(found[2]) };
  }

  /** Each named variable, as it is set here or in the file of settings. */
  function agentEnvironment(): Record<string, string> {
    const names = (value("COS_AGENT_ENV") ?? "")
      .split(",")
      .flatMap((each) => (each.trim() === "" ? [] : [each.trim()]));
    const given: Record<string, string> = {};
    for (const name of names) {
      const found = environment[name];
      if (!/^[A-Za-z_]\w*$/.test(name) || isForbidden(name))
        problem(
          "COS_AGENT_ENV",
          "names of variables, separated by commas, none of ours (COS_…, SLACK_…, DATABASE_URL)",
        );
      else if (found === undefined || found === "")
        problems.push(`COS_AGENT_ENV: ${name} is not set, expected a line ${name}=… in .env or in the environment`);
      else given[name] = found;
    }
    return given;
  }

  function approvers(): string[] {
    const list = (value("COS_APPROVERS") ?? "")
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "");
    if (!list.every((each) => namesPerson(each) || namesGroup(each)))
      problem("COS_APPROVERS", `${expectedPeople.personOrGroup}, separated by commas`);
    return list;
  }

  function people(): People {
    const read = parsePeople(value("COS_PEOPLE") ?? "");
    if (read.type === "wrong") problem("COS_PEOPLE", read.expected);
    return read.type === "wrong" ? [] : read.people;
  }

  function duties(): Duties {
    const read = parseDuties(value("COS_ON_DUTY") ?? "", { approvers: listedApprovers, people: listedPeople });
    if (read.type === "wrong") problem("COS_ON_DUTY", read.expected);
    return read.type === "wrong" ? [] : read.duties;
  }

  function second(): string | null {
    const text = value("COS_SECOND");
    if (text !== null && !namesPerson(text)) problem("COS_SECOND", expectedPeople.person);
    return text;
  }

  function mirrors(platforms: readonly string[]): Mirrors {
    const read = parseMirrors(value("COS_MIRRORS") ?? "", platforms);
    if (read.type === "wrong") problem("COS_MIRRORS", read.expected);
    return read.type === "wrong" ? {} : read.mirrors;
  }

  function quorums(platforms: readonly string[]): Quorums {
    const electorate = { approvers: listedApprovers, people: listedPeople, platforms };
    const read = parseQuorums(value("COS_QUORUM") ?? "", electorate);
    if (read.type === "wrong") problem("COS_QUORUM", read.expected);
    return read.type === "wrong" ? {} : read.quorums;
  }

  function quietHours(): QuietHours | null {
    const text = value("COS_QUIET_HOURS");
    if (text === null) return null;
    const read = parseQuietHours(text);
    if (read === null) problem("COS_QUIET_HOURS", "two times of day that differ, such as 22:00-07:00");
    return read;
  }

  function workingDays(): readonly number[] {
    const text = value("COS_WORKING_DAYS") ?? "Mon-Fri";
    const read = parseWorkingDays(text);
    if (read === null) problem("COS_WORKING_DAYS", "days such as Mon-Fri or Mon,Wed,Fri");
    return read ?? [];
  }

  function token(): string | null {
    const text = value("COS_CONSOLE_TOKEN");
    if (text !== null && !/^[\w-]{16,200}$/.test(text))
      problem("COS_CONSOLE_TOKEN", "16 to 200 letters, digits, - or _");
    return text;
  }

  function writable(dataDir: string): string[] {
    const folders = (value("COS_WRITABLE") ?? "").split(delimiter).filter((each) => each !== "");
    const isApart = (folder: string): boolean =>
      isAbsolute(folder) && !`${dataDir}/`.startsWith(`${resolve(folder)}/`) && resolve(folder) !== "/";
    if (!folders.every(isApart))
      problem("COS_WRITABLE", `absolute folders, separated by "${delimiter}", none of which holds the data directory`);
    return folders.map((each) => resolve(each));
  }

  /** Ports of this machine's loopback, and other hosts by their names. Database, queue and console are never among them (D39). */
  function agentNetwork(): Pick<Config, "agentPorts" | "agentHosts"> {
    const reach = parseReach([(value("COS_AGENT_NETWORK") ?? "").replaceAll("127.0.0.1:", "localhost:")]);
    const named =
      typeof reach === "string" || reach.type !== "hosts" ? [] : reach.hosts.flatMap((host) => splitHost(host) ?? []);
    const agentPorts = named.filter(({ name }) => name === "localhost").map(({ port }) => port);
    const ours = [value("PORT") ?? "3000", portOf(value("DATABASE_URL"), 5432), portOf(value("REDIS_URL"), 6379)];
    const isWrong = typeof reach === "string" || reach.type === "all" || agentPorts.some((port) => port < 1024);
    if (isWrong || agentPorts.some((port) => ours.includes(String(port))))
      problem(
        "COS_AGENT_NETWORK",
        "localhost:PORT (from 1024 on, none of ours) or HOST:PORT by name, separated by commas",
      );
    const others = named.filter(({ name }) => name !== "localhost");
    return { agentPorts, agentHosts: others.map(({ name, port }) => `${name}:${port}`) };
  }

  const data = resolve(ownDir, value("COS_DATA_DIR") ?? ".data");
  const host = value("COS_HOST") ?? "127.0.0.1";
  const level = value("COS_LOG_LEVEL") ?? "info";
  if (!["debug", "info", "warn", "error", "silent"].includes(level))
    problem("COS_LOG_LEVEL", "debug, info, warn, error or silent");

  const reader = { value, problem, integer, url };
  const chat: ChatSettings = { slack: readSlackSettings(reader, host), discord: readDiscordSettings(reader) };

  const platforms = chatPlatformNames.filter((name) => chat[name] !== null);
  const listedApprovers = approvers();
  const listedPeople = people();
  const webhookUrl = url("COS_WEBHOOK_URL", ["http:", "https:"]);

  const givenToAgents = agentEnvironment();
  const zone = timezone();
  const minute = 60_000;
  const { goals } = defaultPolicy;

  const config: Config = {
    dataDir: data,
    databaseUrl: withPassword(url("DATABASE_URL", ["postgres:", "postgresql:"]), value("PGPASSWORD")),
    redisUrl: url("REDIS_URL", ["redis:", "rediss:"]),
    roles: roles(),
    host,
    port: integer("PORT", 3000, 0, 65_535),
    consoleToken: token(),
    critics: choice("COS_CRITICS", ["rules", "model", "off"]),
    allowsUnknown: choice("COS_UNKNOWN_CALLERS", ["refuse", "allow"]) === "allow",
    // Asking for the machine's own costs a hook a tenth of its time, and none needs it.
    get timezone() {
      return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    repository: value("COS_REPO"),
    agent: agent(),
    sshAgent: environment["SSH_AUTH_SOCK"]?.trim() || null,
    agentEnvironment: givenToAgents,
    agentPrice: priceIn("COS_AGENT_PRICE"),
    model: model(),
    approvers: listedApprovers,
    people: listedPeople,
    serverPlaces: { dataDir: data, folders: [homedir(), tmpdir(), projectDir] },
    duties: duties(),
    second: second(),
    quietHours: quietHours(),
    workingDays: workingDays(),
    parallel: integer("COS_PARALLEL", 1, 1, 32),
    isolation: choice("COS_ISOLATION", ["auto", "off", "required"]),
    writable: writable(data),
    ...agentNetwork(),
    skillsDir: resolve(projectDir, value("COS_SKILLS_DIR") ?? "skills"),
    machine: hostname(),
    logLevel: level,
    webhookUrl,
    ...chat,
    platforms,
    quorums: quorums(platforms),
    mirrors: mirrors(webhookUrl === null ? platforms : [...platforms, "webhook"]),
    policy: {
      ...defaultPolicy,
      ceilings: {
        ...defaultPolicy.ceilings,
        goalMicroUsd: usd("COS_BUDGET_GOAL_USD", defaultPolicy.ceilings.goalMicroUsd),
        sessionMicroUsd: usd("COS_BUDGET_SESSION_USD", defaultPolicy.ceilings.sessionMicroUsd),
        dayMicroUsd: usd("COS_BUDGET_DAY_USD", defaultPolicy.ceilings.dayMicroUsd),
      },
      goals: {
        ...goals,
        startMs: integer("COS_AGENT_START_SECONDS", goals.startMs / 1000, 1, 3600) * 1000,
        timeoutMs: integer("COS_AGENT_MINUTES", goals.timeoutMs / minute, 1, 24 * 60) * minute,
        inactivityMs: integer("COS_AGENT_SILENCE_MINUTES", goals.inactivityMs / minute, 1, 24 * 60) * minute,
      },
      verification: {
        ...defaultPolicy.verification,
        failuresBeforeEscalation: integer(
          "COS_FAILURES_BEFORE_ESCALATION",
          defaultPolicy.verification.failuresBeforeEscalation,
          0,
          100,
        ),
      },
      space: space(),
    },
    secrets: [
      ...secretSettings.flatMap((name) => value(name) ?? []),
      // A switch such as 1 is no secret, and every 1 would be masked.
      ...Object.values(givenToAgents).filter((each) => each.length >= shortestSecret),
    ],
  };
  return problems.length === 0 ? { type: "ok", config } : { type: "invalid", problems };
}
