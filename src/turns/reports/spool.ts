import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { warningCard } from "../../core/cards/notices.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { jsonOrNull } from "../../core/text/json.ts";
import type { Deps, Doors } from "../../deps.ts";
import { noticesDirOf } from "../../paths.ts";
import { markNotice } from "../../db/connection/marks.ts";
import { oneByOne } from "../shared/one-by-one.ts";

const noticeSchema = z.object({ title: z.string().max(200), text: z.string().max(20_000), at: z.iso.datetime() });

const longestFile = 200_000;

/** An older program may still be writing a file that cannot be parsed. After this time the file is invalid. */
const writtenWithinMs = 60_000;

/**
 * Posts the notices that processes without a database left as files, for example a stop gate whose valve opened. Safe to repeat: the file's
 * name is the notice's subject. Invalid files are removed after a minute, and their names are logged. A file that fails delays no other one.
 */
export async function postSpooledNotices(deps: Pick<Deps, "database" | "log"> & Doors): Promise<void> {
  const folder = noticesDirOf(deps.config.dataDir);
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = found.filter((each) => each.isFile() && each.name.endsWith(".json")).map(({ name }) => name);
  await oneByOne(names.toSorted().map((name) => () => postOne(deps, folder, name)));
}

async function postOne(deps: Pick<Deps, "database" | "log"> & Doors, folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  const parsed = noticeSchema.safeParse(
    await readFile(path, "utf8")
      .then((text) => jsonOrNull(text, longestFile))
      .catch(() => null),
  );
  if (parsed.success) {
    const { title, text } = parsed.data;
    const card = warningCard(title, safeOutput(text, deps.config.secrets));
    const subject = `notice.${name}`;
    await deps.database.transaction(async (tx) => markNotice(tx, subject, { card, threadSubject: null }));
  } else {
    if (await isYoung(path, deps.now())) return;
    deps.log.warn("notice.unreadable", { name });
  }
  await rm(path, { force: true });
}

/** True when the file was written less than a minute ago, or less than a minute in the future: this clock may be behind. */
async function isYoung(path: string, now: Date): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Math.abs(now.getTime() - found.mtimeMs) < writtenWithinMs;
}
