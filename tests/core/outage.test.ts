import { describe, expect, it } from "vitest";
import { outageWords, troubleAdvice, troubleWords } from "../../src/core/cards/outage-words.ts";
import { errorTrace, errorWords } from "../../src/core/errors.ts";
import { decideOutage, maySayLosses, type OutageState } from "../../src/core/outages/outage.ts";
import { redisTrouble } from "../../src/core/outages/redis.ts";
import type { ServerAddress, Trouble } from "../../src/core/outages/trouble.ts";

const start = new Date("2026-01-26T09:00:00Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const refused: Trouble = { type: "refused" };
const answers: OutageState = { type: "answers" };
const own: ServerAddress = { name: "PostgreSQL", setting: "DATABASE_URL", where: "db.example:5432" };

function away(saidAt: number): OutageState {
  return { type: "away", trouble: refused, since: start, saidAt: after(saidAt) };
}

describe("what a look at a server means", () => {
  it.each<[string, OutageState, Trouble | null, number, string | null]>([
    ["nothing while it answers", answers, null, 0, null],
    ["the beginning", answers, refused, 0, "begins"],
    ["nothing in the first minute", away(0), refused, 59, null],
    ["one line after a minute", away(0), refused, 60, "lasts"],
    ["nothing until the next minute is over", away(60), refused, 119, null],
    ["one line more", away(60), refused, 120, "lasts"],
    ["the end", away(0), null, 5, "ends"],
  ])("[F-113] %s", (_, state, trouble, seconds, says) => {
    expect(decideOutage(state, trouble, after(seconds)).says).toBe(says);
  });

  it("[F-113] keeps since when it is away, and why it is away now", () => {
    const first = decideOutage(answers, refused, start);
    const starting: Trouble = { type: "starting", words: "the database system is starting up" };

    const second = decideOutage(first.state, starting, after(5));

    expect(second.state).toEqual({ type: "away", trouble: starting, since: start, saidAt: start });
    expect(decideOutage(second.state, null, after(6)).state).toEqual(answers);
  });

  it("[F-113] lost connections are said once a minute", () => {
    expect([maySayLosses(null, start), maySayLosses(start, after(59)), maySayLosses(start, after(60))]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe("the words of an outage", () => {
  const troubles: Trouble[] = [
    { type: "refused" },
    { type: "unknown-host" },
    { type: "silent" },
    { type: "cut" },
    { type: "starting", words: "the database system is starting up" },
    { type: "stopping", words: "the database system is shutting down" },
    { type: "crowded", words: "sorry, too many clients already" },
    { type: "full", words: "OOM command not allowed when used memory > 'maxmemory'." },
    { type: "denied", words: 'password authentication failed for user "cos"' },
    { type: "only-encrypted", words: 'no pg_hba.conf entry for host "10.0.0.2", no encryption' },
    { type: "not-encrypted", words: "The server does not support SSL connections" },
    { type: "untrusted", words: "self-signed certificate" },
    { type: "no-file", words: "ENOENT: no such file or directory, open '/ca.crt'" },
    { type: "no-database", words: 'database "cos" does not exist' },
    { type: "not-allowed", words: "permission denied for database cos" },
    { type: "read-only" },
    { type: "other", words: "no such thing" },
  ];

  it.each(troubles.map((trouble) => [trouble.type, trouble] as const))(
    "[F-113] %s: what, and what to look at",
    (_, each) => {
      expect(troubleWords(each, own)).toContain("db.example:5432");
      expect(troubleAdvice(each, own)).toMatch(/^[A-Z].+\.$/);
    },
  );

  it("puts a server's own sentence before ours without its period", () => {
    const trouble: Trouble = { type: "full", words: "OOM command not allowed when used memory > 'maxmemory'." };

    expect(`${troubleWords(trouble, own)}. ${troubleAdvice(trouble, own)}`).toContain("'maxmemory'. Give it memory");
  });

  it("[F-113] names the setting of the server that is away, and for the embedded one its logs", () => {
    const redis: ServerAddress = { name: "Redis", setting: "REDIS_URL", where: "127.0.0.1:6379" };
    const embedded: ServerAddress = { name: "PostgreSQL", setting: null, where: "127.0.0.1:15432" };

    expect(troubleAdvice(refused, own)).toBe("Check that PostgreSQL runs there and that DATABASE_URL is right.");
    expect(troubleAdvice(refused, redis)).toBe("Check that Redis runs there and that REDIS_URL is right.");
    expect(troubleAdvice(refused, embedded)).toContain("server.log in the database's folder, which its start names");
    expect(troubleAdvice({ type: "moved" }, embedded)).toContain("npm start");
  });

  it("[F-113] health says since when, why, and what to look at", () => {
    const words = outageWords({ trouble: refused, since: start }, own, { now: after(120), zone: "UTC" });

    expect(words).toBe(
      "away since 2026-01-26 09:00 (2 min): nothing listens at db.example:5432. Check that PostgreSQL runs there and that DATABASE_URL is right.",
    );
  });
});

describe("what Redis says of itself", () => {
  it.each([
    ["OOM command not allowed when used memory > 'maxmemory'. script: 5ab4, on @user_script:224.", "full"],
    ["MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.", "full"],
    ["READONLY You can't write against a read only replica. script: 5ab4, on @user_script:224.", "read-only"],
    [
      "ERR Error running script (call to f_5ab4): @user_script:224: -READONLY You can't write against a read only replica.",
      "read-only",
    ],
    [
      "ERR Error running script (call to f_5ab4): @user_script: 12: -OOM command not allowed when used memory > 'maxmemory'.",
      "full",
    ],
    ["UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)", "read-only"],
    ["WRONGPASS invalid username-password pair or user is disabled.", "denied"],
    ["NOAUTH Authentication required.", "denied"],
    ["NOPERM User cos has no permissions to run the 'set' command", "denied"],
    ["LOADING Redis is loading the dataset in memory", "starting"],
    ["BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.", "other"],
    ["ERR max number of clients reached", "crowded"],
    ["ERR DB index is out of range", "no-database"],
    ["ERR wrong number of arguments for 'set' command", null],
    ["WRONGTYPE Operation against a key holding the wrong kind of value", null],
    ["constructor", null],
    ["", null],
  ])("[F-113] %s", (words, type) => {
    expect(redisTrouble(words)?.type ?? null).toBe(type);
  });

  it("[F-113] its connections are a setting of its own", () => {
    const redis: ServerAddress = { name: "Redis", setting: "REDIS_URL", where: "127.0.0.1:6379" };
    expect(troubleAdvice({ type: "crowded", words: "" }, redis)).toContain("maxclients");
  });
});

describe("the words of an error", () => {
  it("[F-113] never hold the statement or its values", () => {
    const cause = new Error("Connection terminated unexpectedly");
    const failed = new Error("Failed query: select secret from t where a = $1\nparams: hunter2", { cause });

    expect(errorWords(failed)).toBe("Connection terminated unexpectedly");
    expect(errorTrace(failed)).toMatch(/^Error: Connection terminated unexpectedly\n\s+at /);
    expect(errorTrace(failed)).not.toMatch(/secret|hunter2/);
  });

  it("[F-113] hold each of several addresses that were tried", () => {
    const error = new AggregateError([
      new Error("connect ECONNREFUSED ::1:5432"),
      new Error("connect ECONNREFUSED 127.0.0.1:5432"),
    ]);

    expect(errorWords(error)).toBe("connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432");
  });
});
