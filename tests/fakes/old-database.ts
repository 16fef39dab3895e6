import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runDrizzle } from "drizzle-orm/node-postgres/migrator";
import type pg from "pg";
import { expect } from "vitest";
import { projectDir } from "./bot.ts";

/** Applies every migration before the one of that name. */
export async function migrateUntil(client: pg.Client, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cos-migrations-"));
  try {
    await cp(join(projectDir, "migrations"), folder, { recursive: true });
    const file = join(folder, "meta/_journal.json");
    const journal = JSON.parse(await readFile(file, "utf8")) as { entries: { tag: string }[] };
    const end = journal.entries.findIndex(({ tag }) => tag.endsWith(`_${name}`));
    expect(end).toBeGreaterThan(0);
    await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
    await runDrizzle(drizzle(client), { migrationsFolder: folder, migrationsSchema: "cos_migrations" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
