import type { Db } from "../../db/connection/client.ts";
import { insertEvidence } from "../../db/evidence.ts";
import { awaitStoring } from "../../db/kept-outputs.ts";
import type { Deps } from "../../deps.ts";
import { outputHolder } from "../../facts/holder.ts";

type Row = Parameters<typeof insertEvidence>[1];

/** Inserts a row of evidence, and notes that its output has to be put into the store, if there is one. Safe to repeat. */
export async function recordEvidence(tx: Db, { config }: Pick<Deps, "config">, row: Row): Promise<void> {
  await insertEvidence(tx, row);
  const { goalId, outputFile: file, sha256, at } = row;
  if (config.store === null || file == null || sha256 == null) return;
  await awaitStoring(tx, { file, goalId, holder: outputHolder(config), sha256, at });
}
