import type { Db } from "../../db/connection/client.ts";
import { insertEvidence } from "../../db/evidence.ts";
import { awaitStoring } from "../../db/kept-outputs.ts";
import type { Deps } from "../../deps.ts";
import { outputHolder } from "../../facts/holder.ts";

type Row = Parameters<typeof insertEvidence>[1];

/** Adds a fact, and with it that its output shall be put where every machine finds it. Safe twice. */
export async function recordEvidence(tx: Db, { config }: Pick<Deps, "config">, row: Row): Promise<void> {
  await insertEvidence(tx, row);
  const { goalId, outputFile: file, sha256, at } = row;
  if (config.store === null || file == null || sha256 == null) return;
  await awaitStoring(tx, { file, goalId, holder: outputHolder(config), sha256, at });
}
