import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { journalFolder } from "./mirror-folders.ts";

/**
 * Records which value *we* last gave each ref of a mirror. Goals of one repository share a mirror. A ref that moved while an agent
 * worked may have been moved by the agent, or by us for another goal; this record tells which.
 */

/** Records that we gave `ref` this value; null when we deleted it. Safe to repeat. */
export async function writtenRef(mirrorDir: string, ref: string, commit: string | null): Promise<void> {
  await mkdir(join(mirrorDir, journalFolder), { recursive: true });
  const path = fileOf(mirrorDir, ref);
  const fresh = `${path}.${process.pid}.${performance.now()}`;
  await writeFile(fresh, commit ?? "");
  await rename(fresh, path);
}

/** The value that we last wrote: a commit, null when we deleted the ref, undefined when we never wrote it. */
export async function lastWritten(mirrorDir: string, ref: string): Promise<string | null | undefined> {
  const text = await readFile(fileOf(mirrorDir, ref), "utf8").catch(() => undefined);
  return text === "" ? null : text;
}

function fileOf(mirrorDir: string, ref: string): string {
  return join(mirrorDir, journalFolder, encodeURIComponent(ref));
}
