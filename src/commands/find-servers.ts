import { sql } from "drizzle-orm";
import { z } from "zod";
import { priceOf } from "../agent/llm/price.ts";
import { answerOfModels } from "../agent/llm/reach.ts";
import { type Config } from "../config.ts";
import { typed } from "../installed.ts";
import { restoreUnfinished } from "../core/backups/restore.ts";
import { lockHolderWords } from "../core/cards/outage-words.ts";
import { longestLockMs } from "../core/outages/lock-holder.ts";
import { formatUsd } from "../core/money.ts";
import type { Finding } from "../core/reports/finding.ts";
import { restoreBegunIn } from "../db/backup/fill.ts";
import { lockHolders } from "../db/lock-holders.ts";
import { formatDuration } from "../core/text.ts";
import type { Deps } from "../deps.ts";
import { localOrigin } from "../core/local-address.ts";

/** The lines of `cos doctor` about servers: the database and its clock, the model, the console. */

/**
 * Returns which PostgreSQL is used, whether a restore was cut off, and whether its clock and the machine's differ. Throws when it cannot
 * be reached.
 */
export async function findDatabase(deps: Pick<Deps, "database" | "config" | "machineNow">): Promise<Finding[]> {
  const found = await deps.database.db.execute<{ version: string; now: string }>(
    sql`select split_part(version(), ' on ', 1) as version, extract(epoch from clock_timestamp()) * 1000 as now`,
  );
  const where = deps.config.databaseUrl === null ? "embedded" : "DATABASE_URL";
  const says = `${found.rows[0]?.version ?? "?"} (${where})`;
  return [
    { name: "database", ok: true, says },
    ...(await findRestore(deps)),
    ...findClock(Number(found.rows[0]?.now), deps.machineNow()),
  ];
}

/**
 * Returns who holds locks on our tables for long. The bot, workers and commands stand still meanwhile, although everything else looks
 * well.
 */
export async function findLocks({ database }: Pick<Deps, "database">): Promise<Finding[]> {
  const holders = await lockHolders(database.pool, longestLockMs);
  return holders.map((holder) => ({ name: "locks", ok: false, says: lockHolderWords(holder) }));
}

/** Reports a restore that was cut off: all its rows are there, its files may not be, and no bot or worker starts. */
async function findRestore({ database }: Pick<Deps, "database">): Promise<Finding[]> {
  if ((await restoreBegunIn(database.pool)) === null) return [];
  return [{ name: "restore", ok: false, says: restoreUnfinished }];
}

/**
 * Compares the clocks. Everything that machines share is timed by the database's clock; logs, signatures of messages and git's dates by
 * this machine's.
 */
function findClock(databaseMs: number, now: Date): Finding[] {
  const aheadMs = now.getTime() - databaseMs;
  if (Math.abs(aheadMs) <= longestClockMs) return [];
  const off = `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead of" : "behind"} the database's`;
  return [{ name: "clock", ok: false, says: `this machine's clock is ${off}: let both take their time from NTP` }];
}

/** Smaller differences may come from the time that the query takes. */
const longestClockMs = 30_000;

/** Examines the model, which thinks of alternatives and reads replies: whether it answers, and whether its price is known. */
export async function findModel({ model }: Pick<Config, "model">): Promise<Finding> {
  const name = "model";
  if (model === null)
    return { name, ok: true, isUnset: true, says: "none configured (COS_MODEL): built-in rules are used and say so" };
  const what = `${model.name} at ${new URL(model.url).host}`;
  const answer = await answerOfModels(model);
  if (answer.type === "silent")
    return { name, ok: false, says: `${what} does not answer (${answer.reason}): check COS_MODEL_URL` };
  if (answer.type === "refused")
    return { name, ok: false, says: `${what} refuses the key (${answer.status}): check COS_MODEL_KEY` };
  const price = await priceOf(model);
  const million = price({ input: 1_000_000, cached: 0, output: 0 });
  const cost =
    million === null
      ? "its price is not known: what it costs is shown as estimated (COS_MODEL_PRICE=3/15)"
      : `${formatUsd(million)} a million tokens read`;
  return { name, ok: million !== null, says: `${what}, ${cost}` };
}

/**
 * Examines whether a bot answers at the console's address within `withinMs`, and what it reports of its database and queue. Then examines
 * each chat whose connection is away, or was lost several times lately and looks well in between.
 */
export async function findConsole(
  { host, port }: Pick<Config, "host" | "port">,
  withinMs = longestHealthMs,
): Promise<Finding[]> {
  const name = "console";
  const address = localOrigin({ host, port });
  const silent = `what listens at ${address} did not answer in time: a bot that is busy or hangs, whose log says more, or another program`;
  const taken = `another program listens at ${address}: stop it, or choose another port with PORT=3001`;
  try {
    const response = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(withinMs) });
    const said = healthSchema.safeParse(await response.json().catch(nothingUnlessLate));
    if (!said.success) return [{ name, ok: false, says: taken }];
    const troubles = troublesOf(said.data);
    const says = [`${address} answers ${response.status}`, ...troubles].join("; ");
    return [{ name, ok: response.ok && troubles.length === 0, says }, ...connectionFindings(said.data)];
  } catch (error) {
    if (isLate(error)) return [{ name, ok: false, says: silent }];
    // A server that accepts the connection and does not speak HTTP is another program too.
    if (!isNobody(error)) return [{ name, ok: false, says: taken }];
    const where = `nothing answers at ${address}: the bot is not running (${typed.start}), or was started with another PORT`;
    return [{ name, ok: true, isUnset: true, says: where }];
  }
}

/** Fewer losses in an hour are not reported: platforms close connections from time to time. */
const manyLosses = 3;

/** Returns the connections of the running bot that are not well. */
export function connectionFindings({
  platforms = {},
  lostInLastHour = {},
}: Pick<z.infer<typeof healthSchema>, "platforms" | "lostInLastHour">): Finding[] {
  return Object.entries(platforms).flatMap(([platform, status]): Finding[] => {
    const lost = lostInLastHour[platform] ?? 0;
    const often = `lost ${lost} times in the last hour: look at the network, VPN or proxy between the bot and there (slack.status, discord.status in its log)`;
    const name = `${platform} connection`;
    if (lost >= manyLosses) return [{ name, ok: false, says: `${status} now, and ${often}` }];
    return status === "connected" ? [] : [{ name, ok: false, says: status }];
  });
}

/** A bot whose database does not answer reports that after some seconds. */
const longestHealthMs = 20_000;

const notReached = new Set(
  "ECONNREFUSED ENOTFOUND EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL EAI_AGAIN ETIMEDOUT UND_ERR_CONNECT_TIMEOUT".split(
    " ",
  ),
);

/** True when the server accepted the connection and did not answer in time. */
function isLate(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

/** Returns null in place of an unreadable answer. Throws the error again when it is a timeout. */
function nothingUnlessLate(error: unknown): null {
  if (isLate(error)) throw error;
  return null;
}

/** True when no connection was made at all; fetch gives the reason only in the cause. */
function isNobody(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (notReached.has(code)) return true;
  // The fetch standard's list of ports that are never connected to: 0 and others.
  return error.message === "bad port" || isNobody(error.cause);
}

const healthSchema = z.object({
  db: z.string(),
  queue: z.string(),
  platforms: z.record(z.string(), z.string()).optional(),
  lostInLastHour: z.record(z.string(), z.number()).optional(),
});

function troublesOf({ db, queue }: z.infer<typeof healthSchema>): string[] {
  return [
    ...(db === "ok" ? [] : [`its database is ${db}`]),
    ...(queue === "postgres" || queue === "redis" ? [] : [`its queue is ${queue}`]),
  ];
}
