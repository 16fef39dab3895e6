import { existsSync } from "node:fs";
import { tryGit } from "../agent/git.ts";
import { priceOf } from "../agent/llm/price.ts";
import { parseAgent } from "../agent/parse-agent.ts";
import { linesCard } from "../core/cards/lists.ts";
import { formatUsd } from "../core/money.ts";
import type { Finding } from "../core/reports/finding.ts";
import { undeliverableMessages } from "../db/messages.ts";
import { listRepositories } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { sql } from "drizzle-orm";
import { type Command, type CommandResult, done } from "./command.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "What is configured, reachable and missing, one line each.",
  access: "read",
  positionals: [],
  options: {},
  run: examine,
};

async function examine(deps: Deps): Promise<CommandResult> {
  const findings: Finding[] = [
    { name: "node", ok: true, says: process.version },
    await findGit(),
    await findDatabase(deps),
    {
      name: "queue",
      ok: true,
      says: deps.config.redisUrl === null ? "BullMQ on PostgreSQL" : "BullMQ on Redis (REDIS_URL)",
    },
    findAgent(deps),
    await findModel(deps),
    ...(await findRepositories(deps)),
    { name: "data directory", ok: existsSync(deps.config.dataDir), says: deps.config.dataDir },
    { name: "time zone", ok: true, says: deps.config.timezone },
    await findConsole(deps),
    ...(await deps.examineChat()),
    await findUndeliverable(deps),
  ];
  const bad = findings.filter((finding) => !finding.ok);
  const title = bad.length === 0 ? "Everything that is configured works" : `${bad.length} to look at`;
  return done(
    findings,
    linesCard(
      title,
      findings.map((finding) => [finding.ok ? "✓ " : "✗ ", { strong: finding.name }, `: ${finding.says}`]),
    ),
  );
}

async function findGit(): Promise<Finding> {
  const result = await tryGit(["--version"], { cwd: process.cwd(), configuration: "ours" });
  if (result.type !== "ok") return { name: "git", ok: false, says: "not found: install git" };
  const [, major = "0", minor = "0"] = /\b(\d+)\.(\d+)/.exec(result.stdout) ?? [];
  const isNew = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38);
  const says = isNew ? result.stdout.trim() : `${result.stdout.trim()}: 2.38 or newer is needed to merge`;
  return { name: "git", ok: isNew, says };
}

async function findDatabase(deps: Deps): Promise<Finding> {
  const found = await deps.database.db.execute<{ version: string }>(
    sql`select split_part(version(), ' on ', 1) as version`,
  );
  const where = deps.config.databaseUrl === null ? "embedded" : "DATABASE_URL";
  return { name: "database", ok: true, says: `${found.rows[0]?.version ?? "?"} (${where})` };
}

function findAgent(deps: Deps): Finding {
  if (deps.config.agent === null) {
    return { name: "agent", ok: true, says: "none configured: goals need --run, or set COS_AGENT" };
  }
  const parsed = parseAgent(deps.config.agent);
  return parsed.type === "ok"
    ? { name: "agent", ok: true, says: `${parsed.kind}: ${parsed.label}` }
    : { name: "agent", ok: false, says: parsed.reason };
}

/** What thinks of alternatives and reads replies, and whether its price is known. */
async function findModel(deps: Deps): Promise<Finding> {
  const { model } = deps.config;
  if (model === null) {
    return { name: "model", ok: true, says: "none configured (COS_MODEL): built-in rules are used and say so" };
  }
  const price = await priceOf(model);
  const million = price({ input: 1_000_000, cached: 0, output: 0 });
  const cost =
    million === null
      ? "its price is not known: what it costs is shown as estimated (COS_MODEL_PRICE=3/15)"
      : `${formatUsd(million)} a million tokens read`;
  return { name: "model", ok: million !== null, says: `${model.name} at ${new URL(model.url).host}, ${cost}` };
}

async function findRepositories(deps: Deps): Promise<Finding[]> {
  const repositories = await listRepositories(deps.database.db);
  if (repositories.length === 0) return [{ name: "repositories", ok: true, says: "none yet: cos repo add PATH" }];
  return repositories.map(({ name, path }) => {
    const ok = existsSync(path);
    return {
      name: `repository ${name}`,
      ok,
      says: ok ? path : `${path} is not there: cos repo add PATH --name ${name}`,
    };
  });
}

/** Whether a bot answers at the console's address. */
async function findConsole(deps: Deps): Promise<Finding> {
  const { host, port } = deps.config;
  try {
    const response = await fetch(`http://${host}:${port}/healthz`, { signal: AbortSignal.timeout(2000) });
    return { name: "console", ok: response.ok, says: `http://${host}:${port} answers ${response.status}` };
  } catch {
    return {
      name: "console",
      ok: true,
      says: `nothing answers at http://${host}:${port}: the bot is not running (npm start)`,
    };
  }
}

async function findUndeliverable(deps: Deps): Promise<Finding> {
  const stuck = await undeliverableMessages(deps.database.db);
  const [first] = stuck;
  if (first === undefined) return { name: "cards", ok: true, says: "all delivered or on their way" };
  return {
    name: "cards",
    ok: false,
    says: `${stuck.length} undeliverable, for example ${first.subject} on ${first.platform}: ${first.undeliverable}`,
  };
}
