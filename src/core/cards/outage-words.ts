import { formatDuration } from "../text.ts";
import type { LockHolder } from "../outages/lock-holder.ts";
import type { ServerAddress, Trouble } from "../outages/trouble.ts";
import { formatTime } from "../time.ts";

/** Why a server cannot be used, as part of a sentence. F-113 */
export function troubleWords(trouble: Trouble, { name, where }: ServerAddress): string {
  switch (trouble.type) {
    case "refused":
      return `nothing listens at ${where}`;
    case "unknown-host":
      return `the host of ${where} is not known`;
    case "silent":
      return `nobody answers at ${where}`;
    case "cut":
      return `${where} ends connections at once`;
    case "starting":
    case "stopping":
    case "crowded":
    case "full":
    case "no-database":
    case "not-allowed":
    case "other":
      return `${name} at ${where} says: ${withoutPeriod(trouble.words)}`;
    case "only-encrypted":
      return `${name} at ${where} accepts only encrypted connections: ${withoutPeriod(trouble.words)}`;
    case "not-encrypted":
      return `${name} at ${where} does not support encryption: ${withoutPeriod(trouble.words)}`;
    case "untrusted":
      return `the certificate of ${name} at ${where} is not trusted: ${withoutPeriod(trouble.words)}`;
    case "no-file":
      return `a file that the address of ${name} at ${where} names cannot be read: ${withoutPeriod(trouble.words)}`;
    case "denied":
      return `${name} at ${where} refuses the user: ${withoutPeriod(trouble.words)}`;
    case "read-only":
      return `${name} at ${where} accepts no changes: it is a standby, or set to read only`;
    case "not-started":
      return `the embedded PostgreSQL cannot be started: ${withoutPeriod(trouble.words)}`;
    case "moved":
      return "the embedded PostgreSQL came back at another address";
  }
}

/** Removes a final period of the server's own words, because a new sentence follows here. */
function withoutPeriod(words: string): string {
  return words.replace(/\.$/, "");
}

/** What to check, as a sentence. */
export function troubleAdvice(trouble: Trouble, { name, setting }: ServerAddress): string {
  const connections =
    name === "Redis" ? "its maxclients" : "its max_connections, or the limit of the role or the database";
  const letsChange =
    name === "Redis" ? "promote this one" : "promote this one, or switch its default_transaction_read_only off";
  switch (trouble.type) {
    case "starting":
    case "stopping":
      return "It should be back by itself in a moment.";
    case "crowded":
      return `Close connections of other programs, or raise ${connections}.`;
    case "full":
      return "Give it memory or space on its disk, or remove what other programs keep there.";
    case "read-only":
      return `Point ${setting ?? "the bot"} at the server that accepts changes, or ${letsChange}.`;
    case "not-allowed":
      return "Give the user of the address CREATE on that database (grant create on database NAME to USER); existing schemas of the bot must belong to that user.";
    case "moved":
      return "Stop this process and start it again: npm start, or cos start where it is installed.";
    case "not-started":
      return "It is tried again by itself; free what it needs.";
    case "only-encrypted":
    case "not-encrypted":
    case "untrusted":
      return encryptionAdvice(trouble.type, { name, setting });
    case "no-file":
      return `Correct the path in ${setting ?? "the address"}, or let the bot's user read that file.`;
    case "silent":
    case "cut":
      if (name === "Redis")
        return "Check that Redis runs there and that REDIS_URL is right: rediss:// is encrypted, redis:// is not.";
      return generalAdvice({ name, setting });
    case "refused":
    case "unknown-host":
    case "denied":
    case "no-database":
    case "other":
      return generalAdvice({ name, setting });
  }
}

function generalAdvice({ name, setting }: Pick<ServerAddress, "name" | "setting">): string {
  return setting === null
    ? "It is started again by itself. If it stays away, server.log in the database's folder, which its start names, and postgres-supervisor.log in the data directory say why."
    : `Check that ${name} runs there and that ${setting} is right.`;
}

/** Judges by the address alone: PostgreSQL's says by `sslmode` whether to encrypt, Redis' by its scheme. */
function encryptionAdvice(
  type: "only-encrypted" | "not-encrypted" | "untrusted",
  { name, setting }: Pick<ServerAddress, "name" | "setting">,
): string {
  const address = setting ?? "its address";
  const isRedis = name === "Redis";
  if (type === "only-encrypted")
    return isRedis ? `Begin ${address} with rediss://.` : `Add ?sslmode=verify-full to ${address}.`;
  if (type === "not-encrypted")
    return isRedis
      ? `Begin ${address} with redis://, if nobody else uses the network between them.`
      : `Write sslmode=disable in ${address}, if nobody else uses the network between them.`;
  const file = isRedis ? "NODE_EXTRA_CA_CERTS=FILE" : `sslrootcert=FILE in ${address}, or NODE_EXTRA_CA_CERTS=FILE`;
  const unseen = isRedis ? "" : " sslmode=no-verify encrypts, but trusts every server.";
  return `Name the certificate of the authority that signed it (${file}), or the host as the certificate has it.${unseen}`;
}

/** What it means that Redis evicts waiting jobs, to follow its version. Empty when it evicts none. */
export function evictionWords(policy: string | null): string {
  if (policy === null) return "";
  return `: its maxmemory-policy is ${policy}, so it drops what waits when its memory is full, and work begins later. Set maxmemory-policy noeviction, or give the bot a Redis of its own`;
}

/** Who holds the lock that statements in PostgreSQL wait for, and what to do. */
export function lockHolderWords({ pid, name, user, waiting, ms }: LockHolder): string {
  const who = name === "" ? `user ${user}` : `${name}, user ${user}`;
  const what = waiting === 1 ? "1 statement waits" : `${waiting} statements wait`;
  return `${what} for a lock that process ${pid} of PostgreSQL holds (${who}), for ${formatDuration(ms)} so far. Let it end its transaction, or end it: select pg_terminate_backend(${pid})`;
}

/** The whole message for health: what cannot be used, since when, why, and what to check. */
export function outageWords(
  away: { readonly trouble: Trouble; readonly since: Date },
  place: ServerAddress,
  { now, zone }: { readonly now: Date; readonly zone: string },
): string {
  const since = `${formatTime(away.since, zone)} (${formatDuration(now.getTime() - away.since.getTime())})`;
  return `away since ${since}: ${troubleWords(away.trouble, place)}. ${troubleAdvice(away.trouble, place)}`;
}
