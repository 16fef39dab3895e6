import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { dataDirTrouble, homeTrouble, temporaryTrouble } from "../agent/place/writable.ts";
import { type Config, parseSettings, readEnvironment, SettingsFileError, settingsText } from "../config.ts";
import { settingsFile } from "../installed.ts";
import { maxBlocksOf } from "../core/acceptance/stop-gate.ts";
import { keptSizes } from "../core/cards/prune-words.ts";
import { growingFolders } from "../core/housekeeping/folders.ts";
import type { Finding } from "../core/reports/finding.ts";
import { misspelledSettings, unknownSettings } from "../core/settings-names.ts";
import { linesThatSayNothing } from "../core/settings-text.ts";
import { restoringDir } from "../paths.ts";
import { folderSize } from "../turns/housekeeping/size.ts";

/** The lines of `cos doctor` about folders and settings that do not keep the bot from starting. */

/** Examines whether this user can read and write the data directory. */
export function findDataDir(dataDir: string): Finding {
  const trouble = dataDirTrouble(dataDir);
  return { name: "data directory", ok: trouble === null, says: trouble ?? dataDir };
}

/** Reports files that a restore unpacked and did not move into place; only another restore removes them. */
export function findUnpacked(dataDir: string): Finding[] {
  const folder = restoringDir(dataDir);
  if (!existsSync(folder)) return [];
  const says = `a restore is at work, or one that was interrupted has left ${folder}, with keys and tokens in it. Give its file to cos restore once more, or remove that folder`;
  return [{ name: "unpacked backup", ok: false, says }];
}

/** Examines the folder for places, checks and the embedded database's start. */
export function findTemporary(): Finding {
  const trouble = temporaryTrouble();
  return { name: "temporary folder", ok: trouble === null, says: trouble ?? tmpdir() };
}

/** Examines the home folder, in which agents keep their logins and tools their caches. */
export function findHome(): Finding {
  const trouble = homeTrouble();
  return { name: "home folder", ok: trouble === null, says: trouble ?? homedir() };
}

/** Time limit for measuring one folder. */
const measureWithinMs = 500;

/** Returns how much space goals and repositories use on this machine's disk (F-604). */
export async function findKept(dataDir: string): Promise<Finding> {
  const kept = [];
  for (const { what, folder } of growingFolders)
    kept.push({ what, size: await folderSize(join(dataDir, folder), measureWithinMs) });
  return { name: "kept on disk", ok: true, says: keptSizes(kept) };
}

/** Examines the folder of skills, and finds lines among the settings that have no effect. */
export function findSettings({ skillsDir }: Pick<Config, "skillsDir">): Finding[] {
  if (existsSync(join(skillsDir, "registry.yaml"))) return findSlips();
  const says = `${skillsDir} has no registry.yaml: check COS_SKILLS_DIR, or leave it out`;
  return [...findSlips(), { name: "skills", ok: false, says }];
}

/** Finds typing errors that are otherwise ignored: names that are almost settings, and lines that set nothing. */
export function findSlips(): Finding[] {
  try {
    return slipsInForce();
  } catch (error) {
    // An unreadable file is reported as a problem of the configuration.
    if (error instanceof SettingsFileError) return [];
    throw error;
  }
}

function slipsInForce(): Finding[] {
  const text = settingsText(settingsFile);
  const environment = readEnvironment();
  const given = (environment["COS_AGENT_ENV"] ?? "").split(",").map((each) => each.trim());
  const unknown = [
    ...unknownSettings(Object.keys(environment)),
    ...misspelledSettings(Object.keys(parseSettings(text)), given),
  ];
  const lines = linesThatSayNothing(text);
  const blocks = environment["IMPLEMENT_MAX_BLOCKS"]?.trim() ?? "";
  const isCounted = blocks === "" || maxBlocksOf(blocks) === Number(blocks);
  return [
    ...unknown.map(({ name, meant }): Finding => {
      const advice = meant === null ? "docs/configuration.md has all of them" : `did you mean ${meant}?`;
      return { name: `setting ${name}`, ok: false, says: `there is no such setting: ${advice}` };
    }),
    ...(isCounted ? [] : [wrongBlocks(blocks)]),
    ...lines.slice(0, 5).map((line): Finding => {
      const says = "it sets nothing: write NAME=value, or # before a comment";
      return { name: `line ${line} of ${settingsFile}`, ok: false, says };
    }),
  ];
}

/** Reports a wrong number of blocks: the hook must answer an agent in any case, so it uses the default. */
function wrongBlocks(found: string): Finding {
  const says = `found ${JSON.stringify(found)}, expected a whole number from 1 on; ${maxBlocksOf(undefined)} counts`;
  return { name: "setting IMPLEMENT_MAX_BLOCKS", ok: false, says };
}
