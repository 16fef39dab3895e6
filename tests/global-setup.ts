import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openEmbedded } from "../src/db/embedded/client.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A maintenance database of the run's PostgreSQL: make others from it with `freshDatabase`. */
    databaseUrl: string;
    /** Tells the templates of two runs on one server apart. Lower-case hex. */
    runId: string;
  }
}

/** One PostgreSQL for the whole run: `COS_TEST_DATABASE_URL`, else an embedded one in a temporary folder. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide("runId", process.pid.toString(16) + Date.now().toString(16));
  const given = process.env["COS_TEST_DATABASE_URL"];
  if (given !== undefined && given !== "") {
    project.provide("databaseUrl", given);
    return () => Promise.resolve();
  }
  const dataDir = mkdtempSync(join(tmpdir(), "cos-tests-"));
  // As root the server is another user; when that one may enter, everything lies in this one folder.
  chmodSync(dataDir, 0o711);
  const database = await openEmbedded({ dataDir, onProgress: () => {} });
  await hurry(database.url);
  project.provide("databaseUrl", database.url);
  return async () => {
    await database.release();
    // Its supervisor notices that the data has gone and ends the server without a checkpoint.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Nobody wants these rows after a power failure. */
async function hurry(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("alter system set fsync = off");
  await client.query("alter system set full_page_writes = off");
  await client.query("alter system set max_wal_size = '256MB'");
  await client.query("select pg_reload_conf()");
  await client.end();
}
