import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noticesDirOf } from "../paths.ts";

/**
 * Writes a file that a running bot posts to the channel at its next tick; without a bot it waits there. Never throws, because the caller
 * also reports the same in another way.
 */
export function postLater(dataDir: string, title: string, text: string): void {
  try {
    const folder = noticesDirOf(dataDir);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${Date.now()}-${randomBytes(4).toString("hex")}.json`);
    // Written under another name first, so that a reader finds the whole file or none.
    const part = `${file}.part`;
    writeFileSync(part, JSON.stringify({ title, text, at: new Date().toISOString() }), { mode: 0o600 });
    renameSync(part, file);
  } catch {
    // The failure cannot be reported here.
  }
}
