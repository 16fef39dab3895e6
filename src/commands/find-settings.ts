import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { dataDirTrouble, homeTrouble, temporaryTrouble } from "../agent/place/writable.ts";
import { type Config, readEnvironment } from "../config.ts";
import { keptSizes } from "../core/cards/prune-words.ts";
import { growingFolders } from "../core/housekeeping/folders.ts";
import type { Finding } from "../core/reports/finding.ts";
import { unknownSettings } from "../core/settings-names.ts";
import { restoringDir } from "../paths.ts";
import { folderSize } from "../turns/housekeeping/size.ts";

/** What `cos doctor` says of folders and settings that no start refuses. */

/** Finds whether the data directory can be read and written by this user. */
export function findDataDir(dataDir: string): Finding {
  const trouble = dataDirTrouble(dataDir);
  return { name: "data directory", ok: trouble === null, says: trouble ?? dataDir };
}

/** What a restore has unpacked and not put into its place: nothing removes it but a restore. */
export function findUnpacked(dataDir: string): Finding[] {
  const folder = restoringDir(dataDir);
  if (!existsSync(folder)) return [];
  const says = `a restore is at work, or one that was cut short has left ${folder}, with keys and tokens in it. Give its file to cos restore once more, or remove that folder`;
  return [{ name: "unpacked backup", ok: false, says }];
}

/** Where places, checks and the embedded database begin. */
export function findTemporary(): Finding {
  const trouble = temporaryTrouble();
  return { name: "temporary folder", ok: trouble === null, says: trouble ?? tmpdir() };
}

/** Where agents keep their logins, and tools their caches. */
export function findHome(): Finding {
  const trouble = homeTrouble();
  return { name: "home folder", ok: trouble === null, says: trouble ?? homedir() };
}

/** One folder is looked at for at most so long. */
const measureWithinMs = 500;

/** How much goals and repositories have left on this machine's disk (F-604). */
export async function findKept(dataDir: string): Promise<Finding> {
  const kept = [];
  for (const { what, folder } of growingFolders)
    kept.push({ what, size: await folderSize(join(dataDir, folder), measureWithinMs) });
  return { name: "kept on disk", ok: true, says: keptSizes(kept) };
}

/** Settings that name nothing: a slip of the keyboard is passed over by everything else. */
export function findSettings({ skillsDir }: Pick<Config, "skillsDir">): Finding[] {
  const unknown = unknownSettings(Object.keys(readEnvironment())).map(({ name, meant }): Finding => {
    const advice = meant === null ? "docs/configuration.md has all of them" : `did you mean ${meant}?`;
    return { name: `setting ${name}`, ok: false, says: `there is no such setting: ${advice}` };
  });
  if (existsSync(join(skillsDir, "registry.yaml"))) return unknown;
  const says = `${skillsDir} has no registry.yaml: check COS_SKILLS_DIR, or leave it out`;
  return [...unknown, { name: "skills", ok: false, says }];
}
