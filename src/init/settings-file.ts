import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseSettings } from "../settings/file-text.ts";
import { changeSettingsText, type SettingChanges } from "../core/settings-text.ts";

/** Returns the settings of a file; empty when there is no file. Throws like `writeSettings` for a file that cannot be changed. */
export async function readSettings(file: string): Promise<Record<string, string>> {
  return parseSettings(await textOf(await targetOf(file)));
}

/**
 * Writes changed settings into the file, readable only by its owner. The file is replaced atomically. Other lines stay as they are. A
 * link keeps its target. Throws TypeError for a value that cannot be written in a line.
 */
export async function writeSettings(file: string, changes: SettingChanges): Promise<void> {
  const target = await targetOf(file);
  const before = await textOf(target);
  const text = changeSettingsText(before, changes);
  mustSay(text, { ...parseSettings(before) }, changes);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const next = join(dirname(target), `.env.${randomUUID()}`);
  try {
    const handle = await open(next, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
      const owner = await orMissing(stat(target));
      // With sudo the file would belong to root, and its owner could no longer read it.
      if (owner !== null && process.getuid?.() === 0) await handle.chown(owner.uid, owner.gid);
    } finally {
      await handle.close();
    }
    await rename(next, target);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/** Checks that the new text is parsed as intended, with everything else unchanged. Throws TypeError otherwise; the old file then stays. */
function mustSay(text: string, before: Readonly<Record<string, string>>, changes: SettingChanges): void {
  const read = parseSettings(text);
  for (const name of new Set([...Object.keys(before), ...Object.keys(read), ...changes.keys()])) {
    const meant = changes.has(name) ? (changes.get(name) ?? undefined) : before[name];
    if (read[name] !== meant) throw new TypeError(`${name} cannot be written into the file: write that line by hand`);
  }
}

/**
 * Returns the target of a link. Throws when it does not exist, for example in a folder that is not mounted, because the link would be
 * lost. Also throws for a folder, a pipe or a device, because a file would replace it.
 */
async function targetOf(file: string): Promise<string> {
  if ((await orMissing(lstat(file))) === null) return file;
  const target = await orMissing(realpath(file));
  if (target === null)
    throw new Error(`${file} is a link to a file that is not there: make that file, or remove the link`);
  if (!(await stat(target)).isFile()) throw new Error(`${file} is no file that settings can be written into`);
  return target;
}

/** Throws TypeError for a file that is not UTF-8, because its other lines would be changed. */
async function textOf(file: string): Promise<string> {
  const bytes = await orMissing(readFile(file));
  if (bytes === null) return "";
  if (!isUtf8(bytes)) throw new TypeError(`${file} is not UTF-8: save it again in that encoding`);
  return bytes.toString();
}

async function orMissing<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
