import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { jsonOrNull } from "../../core/text/json.ts";
import { nameBytes } from "./names.ts";

/** Tracked files, each with how it lay there. */
const Noted = z.array(z.object({ path: z.string(), state: z.string() }));

/** As it is written. `changed` is what was written before: its paths and the ends of its links are texts. */
const Written = z.object({
  command: z.string(),
  lockHash: z.string(),
  made: z.array(z.string()),
  changed: Noted.default([]),
  changedBytes: Noted.optional(),
});

/**
 * What setup did in a worktree (D25), kept in the worktree's administration, not in its files. `made` are the
 * untracked paths that setup created, relative, folders ending in "/": kept between attempts, never committed. `changed`
 * are tracked files that it changed, each with how it left it: no part of the work while they are still like that; their
 * paths have a character for each byte (names.ts).
 */
export interface SetupStamp extends Readonly<Omit<z.infer<typeof Written>, "changedBytes">> {}

/** Setup may make a hundred thousand files. */
const longestStamp = 50_000_000;

const fileName = "cos-setup.json";

/** The stamp of a worktree, or null when setup has not succeeded there or the file cannot be read. */
export async function readSetupStamp(admin: string): Promise<SetupStamp | null> {
  const text = await readFile(join(admin, fileName), "utf8").catch(() => null);
  if (text === null) return null;
  const written = Written.safeParse(jsonOrNull(text, longestStamp));
  // Cut short or tampered with: setup runs again.
  if (!written.success) return null;
  const { changed, changedBytes, ...stamp } = written.data;
  // Without what is noted there, all that setup changed would be taken for somebody's work.
  return { ...stamp, changed: changedBytes ?? changed.map(inBytes) };
}

/** All states but those of links are ASCII. */
function inBytes({ path, state }: SetupStamp["changed"][number]): SetupStamp["changed"][number] {
  return { path: nameBytes(path), state: nameBytes(state) };
}

/** Of a worktree's stamp, what is no part of the work that lies there. `admin` is null where nothing is known. */
export async function madeBySetup(admin: string | null): Promise<Pick<SetupStamp, "made" | "changed">> {
  const stamp = admin === null ? null : await readSetupStamp(admin);
  return { made: stamp?.made ?? [], changed: stamp?.changed ?? [] };
}

/** Writes what the setup of a worktree was made of into its administrative folder. Throws what the file system throws. */
export async function writeSetupStamp(admin: string, stamp: SetupStamp): Promise<void> {
  const { changed: changedBytes, ...rest } = stamp;
  const written: z.input<typeof Written> = { ...rest, changedBytes };
  await writeFile(join(admin, fileName), JSON.stringify(written));
}
