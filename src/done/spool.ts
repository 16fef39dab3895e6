import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noticesDirOf } from "../paths.ts";

/**
 * Leaves a file that a running bot posts to the channel at its next tick; without a bot it waits there. Never throws:
 * who is told here hears it in another way too.
 */
export function postLater(dataDir: string, title: string, text: string): void {
  try {
    const folder = noticesDirOf(dataDir);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${Date.now()}-${randomBytes(4).toString("hex")}.json`);
    // Beside it first: whoever looks meanwhile finds the whole or nothing.
    const part = `${file}.part`;
    writeFileSync(part, JSON.stringify({ title, text, at: new Date().toISOString() }), { mode: 0o600 });
    renameSync(part, file);
  } catch {
    // Nothing to say it to.
  }
}
