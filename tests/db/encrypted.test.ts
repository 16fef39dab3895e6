import { chmod, chown, copyFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unusableWords } from "../../src/configured-database.ts";
import { dropClient, openDatabaseClient } from "../../src/db/connection/connections.ts";
import { DatabaseAway } from "../../src/db/connection/failures.ts";
import { probeDatabase } from "../../src/db/connection/probe.ts";
import { type OwnPostgres, ownPostgres } from "../fakes/postgres.ts";

/** A PostgreSQL that accepts only encrypted connections, with a certificate that nobody knows: the usual one to rent. */

const certificate = fileURLToPath(new URL("../fixtures/localhost.pem", import.meta.url));
let server: OwnPostgres;
let plain: OwnPostgres;

beforeAll(async () => {
  [server, plain] = await Promise.all([ownPostgres(), ownPostgres()]);
  const client = await opened(server.url);
  const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder");
  const folder = rows[0]?.folder ?? "";
  const own = join(folder, "localhost.pem");
  const { uid, gid } = await stat(folder);
  await copyFile(certificate, own);
  await chmod(own, 0o600);
  await chown(own, uid, gid);
  await writeFile(join(folder, "pg_hba.conf"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");
  for (const setting of ["ssl_cert_file", "ssl_key_file"]) await client.query(`alter system set ${setting} = '${own}'`);
  await client.query("alter system set ssl = on");
  await client.query("select pg_reload_conf()");
  dropClient(client);
  while ((await probeDatabase(server.url))?.type !== "only-encrypted");
});
afterAll(() => Promise.all([server.close(), plain.close()]));

function opened(url: string) {
  return openDatabaseClient({ url, onError: () => undefined, longestStatementMs: 60_000 });
}

/** The address of one of them, with this behind it, by the name that the certificate has or by its number. */
function addressOf({ url }: OwnPostgres, more: Record<string, string>, hostname = "localhost"): string {
  const address = new URL(url);
  address.hostname = hostname;
  for (const [name, value] of Object.entries(more)) address.searchParams.set(name, value);
  return address.href;
}

/** What a start says that meets this database. */
async function wordsAt(url: string): Promise<string> {
  const error = await opened(url).then(
    () => null,
    (reason: unknown) => reason,
  );
  return unusableWords(error, { name: "PostgreSQL", setting: "DATABASE_URL", where: "db:5432" });
}

const known = { sslmode: "verify-full", sslrootcert: certificate };

it("is used by who names the authority in the address", async () => {
  expect(await probeDatabase(addressOf(server, known))).toBeNull();
});

it.each(["require", "prefer", "allow", "verify-ca"])(
  "takes %s for what it means to pg today, without its warning at each start",
  async (sslmode) => {
    const warnings: Error[] = [];
    const hear = (warning: Error) => warnings.push(warning);
    process.on("warning", hear);
    const found = await probeDatabase(addressOf(server, { sslmode, sslrootcert: certificate }));
    const other = await probeDatabase(addressOf(server, { sslmode, sslrootcert: certificate }, "127.0.0.1"));
    await new Promise(setImmediate);
    process.off("warning", hear);

    expect(found).toBeNull();
    expect(other?.type).toBe("untrusted");
    expect(warnings.map(({ message }) => message).filter((each) => each.includes("SSL modes"))).toEqual([]);
  },
);

describe("where it cannot be used, a start says what to write", () => {
  it("an address without encryption", async () => {
    expect(await wordsAt(addressOf(server, {}))).toMatch(
      /^the database of DATABASE_URL cannot be used: PostgreSQL at db:5432 accepts only encrypted connections: no pg_hba\.conf entry .+\. Add \?sslmode=verify-full to DATABASE_URL\.$/,
    );
  });

  it("a certificate that nobody here knows", async () => {
    const words = await wordsAt(addressOf(server, { sslmode: "require" }));

    expect(words).toContain("the certificate of PostgreSQL at db:5432 is not trusted: self-signed certificate.");
    expect(words).toContain("sslrootcert=FILE in DATABASE_URL");
    expect(words).toContain("sslmode=no-verify");
    expect(await probeDatabase(addressOf(server, { sslmode: "no-verify" }))).toBeNull();
  });

  it("a host that the certificate does not name", async () => {
    expect(await wordsAt(addressOf(server, known, "127.0.0.1"))).toMatch(
      /is not trusted: .*127\.0\.0\.1.*as the certificate has it/,
    );
  });

  it.each(["/nowhere/ca.crt", "/"])("the file of the authority at %s", async (sslrootcert) => {
    const words = await wordsAt(addressOf(server, { ...known, sslrootcert }));

    expect(words).toContain("a file that the address of PostgreSQL at db:5432 names cannot be read: E");
    expect(words).toContain("Correct the path in DATABASE_URL");
  });

  it("a server that does not support encryption", async () => {
    expect(await wordsAt(addressOf(plain, { sslmode: "verify-full" }))).toMatch(
      /does not support encryption: .+\. Write sslmode=disable in DATABASE_URL, if nobody else uses the network between them\.$/,
    );
  });
});

it("is away, not broken, for a bot that runs while its certificate ends", async () => {
  await expect(opened(addressOf(server, { sslmode: "verify-full" }))).rejects.toBeInstanceOf(DatabaseAway);
  await expect(opened(addressOf(plain, { sslmode: "verify-full" }))).rejects.toBeInstanceOf(DatabaseAway);
});
