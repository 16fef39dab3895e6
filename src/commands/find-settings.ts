import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, readEnvironment } from "../config.ts";
import { keptSizes } from "../core/cards/prune-words.ts";
import { errorWords } from "../core/errors.ts";
import { growingFolders } from "../core/housekeeping/folders.ts";
import type { Finding } from "../core/reports/finding.ts";
import { unknownSettings } from "../core/settings-names.ts";
import { sizeOf } from "../turns/housekeeping/size.ts";

/** What `cos doctor` says of folders and settings that no start refuses. */

/** Finds whether the data directory can be read and written by this user. */
export function findDataDir(dataDir: string): Finding {
  const name = "data directory";
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name, ok: true, says: dataDir };
  } catch (error) {
    const advice = "let this user write there, or choose another folder with COS_DATA_DIR";
    return { name, ok: false, says: `${dataDir} cannot be written (${errorWords(error)}): ${advice}` };
  }
}

/** One folder is looked at for at most so long. */
const measureWithinMs = 500;

/** How much goals and repositories have left on this machine's disk (F-604). */
export async function findKept(dataDir: string): Promise<Finding> {
  const kept = [];
  for (const { what, folder } of growingFolders)
    kept.push({ what, size: await sizeOf(join(dataDir, folder), measureWithinMs) });
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
