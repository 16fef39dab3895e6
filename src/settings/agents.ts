import { homedir } from "node:os";
import { delimiter, isAbsolute, resolve } from "node:path";
import type { ModelSettings } from "../agent/llm/settings.ts";
import { placedAgent } from "../agent/acp/placed.ts";
import { isForbidden } from "../agent/process/environment.ts";
import { parseReach, splitHost } from "../core/isolation/network.ts";
import type { SettingName } from "../core/settings.ts";
import { forgeTokens } from "./forges.ts";
import { settingFolder, type Reader } from "./reader.ts";

/** Reads the default agent; null when none is set. */
export function readAgent({ value, problem }: Reader): string | null {
  const text = value("COS_AGENT");
  if (text !== null && !/^(acp|command):\s*\S/.test(text))
    problem("COS_AGENT", "acp:<command line> or command:<command line>");
  const placed = text === null ? null : placedAgent(text, null);
  if (placed?.type !== "nowhere") return placed?.agent ?? null;
  const expected =
    "its program by its whole path (/…, ~/…) or by a name that is in PATH, and a script behind it (node /…/agent.js) by its whole path, for it is started elsewhere";
  problem("COS_AGENT", expected);
  return text;
}

/** Reads the model with its URL; null when none is set. A key is needed only if the URL requires one. */
export function readModel(reader: Reader): ModelSettings | null {
  const { value, problem } = reader;
  const name = value("COS_MODEL");
  const address = reader.url("COS_MODEL_URL", ["http:", "https:"]);
  if (name === null && value("COS_MODEL_URL") === null) return null;
  if (name === null) problem("COS_MODEL", "the model's name at COS_MODEL_URL, such as gpt-5.2");
  if (value("COS_MODEL_URL") === null)
    problem("COS_MODEL_URL", "the address of an OpenAI-compatible API, such as https://api.openai.com/v1");
  const price = readPrice(reader, "COS_MODEL_PRICE");
  return { name: name ?? "", url: address ?? "", key: value("COS_MODEL_KEY"), price };
}

/** Reads a price in USD for a million tokens, `input/output`; null when none is set. */
export function readPrice({ value, problem }: Reader, name: SettingName): ModelSettings["price"] {
  const text = value(name);
  const found = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(text ?? "");
  if (text !== null && found === null) problem(name, "USD for a million tokens, input/output, such as 3/15");
  return found === null ? null : { inputUsd: Number(found[1]), outputUsd: Number(found[2]) };
}

/** Reads the named variables, from the environment or the settings file. A variable with a token for pull requests is refused. */
export function readAgentEnvironment({ environment, value, list, problem, problems }: Reader): Record<string, string> {
  const given: Record<string, string> = {};
  const tokens = forgeTokens.map((name) => value(name));
  for (const name of list("COS_AGENT_ENV")) {
    const found = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (!/^[A-Za-z_]\w*$/.test(name) || isForbidden(name))
      problem("COS_AGENT_ENV", "names of variables, separated by commas, none of ours (COS_…, SLACK_…, DATABASE_URL)");
    else if (found === undefined || found === "")
      problems.push(`COS_AGENT_ENV: ${name} is not set, expected a line ${name}=… in .env or in the environment`);
    else if (tokens.includes(found.trim()))
      problem(
        "COS_AGENT_ENV",
        `variables without a token of ours: ${name} holds one with which pull requests are opened`,
      );
    else given[name] = found;
  }
  return given;
}

/** Reads absolute folders, none of which may contain the data directory. */
export function readWritable({ value, problem }: Reader, dataDir: string): string[] {
  const given = (value("COS_WRITABLE") ?? "").split(delimiter).filter((each) => each !== "");
  const folders = given.map((each) => (each.startsWith("~") ? settingFolder(each, homedir()) : each));
  const isApart = (folder: string): boolean =>
    isAbsolute(folder) && !`${dataDir}/`.startsWith(`${resolve(folder)}/`) && resolve(folder) !== "/";
  if (!folders.every(isApart))
    problem("COS_WRITABLE", `absolute folders, separated by "${delimiter}", none of which holds the data directory`);
  return folders.map((each) => resolve(each));
}

/** Reads ports on this machine's loopback, and other hosts by name. The ports of the database, queue and console are refused (D39). */
export function readNetwork({ value, problem }: Reader): {
  readonly agentPorts: readonly number[];
  readonly agentHosts: readonly string[];
} {
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

/** Returns the port of a server's URL; an invalid URL is reported elsewhere. */
function portOf(address: string | null, usual: number): string {
  const port = address !== null && URL.canParse(address) ? new URL(address).port : "";
  return port === "" ? String(usual) : port;
}
