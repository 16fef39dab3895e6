import { createHash } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Evidence } from "../db/evidence.ts";
import type { Deps } from "../deps.ts";

/** The kept output of an evidence row, held against the hash that was written down when it was kept (F-214). */
export type KeptOutputNow =
  | { readonly type: "as kept"; readonly bytes: Buffer }
  /** Somebody has written to it since. `sha256` is of what is there now. */
  | { readonly type: "changed"; readonly sha256: string }
  /** No output was kept, or it is not there any more; files outside of the data directory count as that. */
  | { readonly type: "gone" };

export async function keptOutput(
  { config }: Pick<Deps, "config">,
  row: Pick<Evidence, "outputFile" | "sha256"> | null,
): Promise<KeptOutputNow> {
  if (row?.outputFile == null) return { type: "gone" };
  const root = await realpath(config.dataDir);
  const file = await realpath(join(root, row.outputFile)).catch(() => null);
  if (file === null || !file.startsWith(root + sep)) return { type: "gone" };
  const bytes = await readFile(file);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return row.sha256 === null || row.sha256 === sha256 ? { type: "as kept", bytes } : { type: "changed", sha256 };
}
