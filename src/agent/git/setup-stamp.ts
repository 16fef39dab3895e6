import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { jsonOrNull } from "../../core/text/json.ts";
import { nameBytes } from "./names.ts";

/** Tracked files, each with its state. */
const Noted = z.array(z.object({ path: z.string(), state: z.string() }));

/** The stamp as stored. `changed` is the older form, whose paths and link targets are text. */
const Written = z.object({
  command: z.string(),
  lockHash: z.string(),
  made: z.array(z.string()),
  changed: Noted.default([]),
  changedBytes: Noted.optional(),
});

/**
 * What setup did in a worktree (D25), kept in the worktree's administrative folder, not among its files. `made` are relative paths of
 * untracked files that setup created, folders ending in "/": kept between attempts, never committed. `changed` are tracked files that
 * setup changed, each with its state afterwards: not part of the work while they keep that state. Their paths have one character for
 * each byte (names.ts).
 */
export interface SetupStamp extends Readonly<Omit<z.infer<typeof Written>, "changedBytes">> {}

/** Maximum size in characters: setup may create a hundred thousand files. */
const longestStamp = 50_000_000;

const fileName = "cos-setup.json";

/** The stamp of a worktree. Null when setup has not succeeded there, or the file cannot be read. */
export async function readSetupStamp(admin: string): Promise<SetupStamp | null> {
  const text = await readFile(join(admin, fileName), "utf8").catch(() => null);
  if (text === null) return null;
  const written = Written.safeParse(jsonOrNull(text, longestStamp));
  // The file was cut off or tampered with, so setup runs again.
  if (!written.success) return null;
  const { changed, changedBytes, ...stamp } = written.data;
  // Reads the older form too: without it, everything that setup changed would be taken for work.
  return { ...stamp, changed: changedBytes ?? changed.map(inBytes) };
}

/** All states except those of links are ASCII. */
function inBytes({ path, state }: SetupStamp["changed"][number]): SetupStamp["changed"][number] {
  return { path: nameBytes(path), state: nameBytes(state) };
}

/** The parts of a worktree's stamp that are not part of the work. `admin` is null when the worktree is unknown. */
export async function madeBySetup(admin: string | null): Promise<Pick<SetupStamp, "made" | "changed">> {
  const stamp = admin === null ? null : await readSetupStamp(admin);
  return { made: stamp?.made ?? [], changed: stamp?.changed ?? [] };
}

/** Writes a stamp into a worktree's administrative folder. Throws errors of the file system. */
export async function writeSetupStamp(admin: string, stamp: SetupStamp): Promise<void> {
  const { changed: changedBytes, ...rest } = stamp;
  const written: z.input<typeof Written> = { ...rest, changedBytes };
  await writeFile(join(admin, fileName), JSON.stringify(written));
}
