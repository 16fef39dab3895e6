import { describe, expect, it } from "vitest";
import { readDatabaseUrl, readHost, readRedisUrl } from "../../src/settings/process.ts";
import { openReader } from "../../src/settings/reader.ts";
import { readStore } from "../../src/settings/store.ts";

/** What is wrong with a setting is said where others can read it: who logs in at an address, and how, is not. */

describe("a login in an address that is wrong", () => {
  it.each(["https://key:s3cret@127.0.0.1:9/bucket", "https://key:s3@cret@host/bucket", "http://s3cret@host/bucket"])(
    "of the store is not said, and where keys go is: %s",
    (address) => {
      const reader = openReader({ COS_STORE_URL: address });

      expect(readStore(reader)).toBeNull();
      expect(reader.problems).toHaveLength(1);
      expect(reader.problems[0]).toMatch(
        /^COS_STORE_URL: found "https?:\/\/\*\*\*@[^"]*".*COS_STORE_KEY and COS_STORE_SECRET$/,
      );
      expect(reader.problems[0]).not.toMatch(/s3|cret/);
    },
  );

  it.each([
    "redis://:p@ss/w#ord@127.0.0.1",
    "redis://127.0.0.1/jobs",
    "redis://127.0.0.1/1/2",
    "redis://:a@b/c@127.0.0.1",
  ])("of the queue, with what ends a host in its password, is named as that: %s", (address) => {
    const reader = openReader({ REDIS_URL: address });

    expect(readRedisUrl(reader)).toBeNull();
    expect(reader.problems).toEqual([expect.stringContaining("with @ / # of a password written as %40 %2F %23")]);
  });

  it.each(["postgresql://u:p@ss/w@127.0.0.1/cos", "postgresql://u:p#w@127.0.0.1/cos"])(
    "of the database, too: %s",
    (address) => {
      const reader = openReader({ DATABASE_URL: address });

      expect(readDatabaseUrl(reader)).toBeNull();
      expect(reader.problems).toHaveLength(1);
    },
  );

  it("of the database is named with the word for encryption that is none", () => {
    const reader = openReader({ DATABASE_URL: "postgresql://u:p@h/cos?sslmode=verify_full" });

    readDatabaseUrl(reader);
    expect(reader.problems).toEqual([
      expect.stringMatching(/^DATABASE_URL: found \*\*\*, .*sslmode is .*verify-full$/),
    ]);
  });

  it.each([
    ["?sslmode=Require", "?sslmode=require"],
    ["?sslmode=allow", "?sslmode=allow"],
    ["?sslmode=", ""],
    ["?sslmode=&host=h2", "?host=h2"],
  ])("of a database takes %s as %s", (written, read) => {
    const reader = openReader({ DATABASE_URL: `postgresql://u:p@h/cos${written}` });

    expect(readDatabaseUrl(reader)).toBe(`postgresql://u:p@h/cos${read}`);
    expect(reader.problems).toEqual([]);
  });

  it("of this machine in one of its networks is a console's host", () => {
    const reader = openReader({ COS_HOST: "fe80::1%eth0" });

    expect(readHost(reader)).toBe("fe80::1%eth0");
    expect(reader.problems).toEqual([]);
  });

  it("leaves addresses of queues and databases that are right", () => {
    for (const address of ["redis://h", "rediss://u:p%40@h:1/3", "redis://h/?family=6"])
      expect(readRedisUrl(openReader({ REDIS_URL: address }))).toBe(address);
    for (const address of [
      "postgresql://u:p%2F@h:1/cos?sslmode=require",
      "postgres://h",
      "postgresql:///cos?host=/run/pg",
    ])
      expect(readDatabaseUrl(openReader({ DATABASE_URL: address }))).toBe(address);
  });

  it("of any setting is not said", () => {
    const reader = openReader({ SLACK_API_URL: "socks5://ana:s3cret@proxy" });
    reader.problem("SLACK_API_URL", "an address");
    expect(reader.problems).toEqual(['SLACK_API_URL: found "socks5://***@proxy", expected an address']);
  });

  it("leaves addresses without one as they are", () => {
    const reader = openReader({ SLACK_API_URL: "https://slack.test/a@b?c=d@e" });
    reader.problem("SLACK_API_URL", "an address");
    expect(reader.problems).toEqual(['SLACK_API_URL: found "https://slack.test/a@b?c=d@e", expected an address']);
  });
});
