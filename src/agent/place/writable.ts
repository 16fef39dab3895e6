import { accessSync, constants, mkdtempSync, rmdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { errorWords } from "../../core/errors.ts";
import { temporaryNames } from "../../core/housekeeping/folders.ts";

/** Returns what is wrong with the data directory, with advice; null when this user can read and write there. */
export function dataDirTrouble(dataDir: string): string | null {
  const why = whyShut(dataDir);
  const advice = "let this user write there, or choose another folder with COS_DATA_DIR";
  return why === null ? null : `the data directory ${dataDir} cannot be written (${why}): ${advice}`;
}

/** Returns what is wrong with the home folder (HOME), with advice; null when this user can read and write there. */
export function homeTrouble(): string | null {
  const home = homedir();
  const why = whyShut(home);
  const needs = "agents keep their logins and tools their caches there";
  const advice = "make it and let this user write there, or set HOME to another folder";
  return why === null ? null : `the home folder ${home} cannot be written (${why}), and ${needs}: ${advice}`;
}

/** Why this user cannot read and write in a folder; null when they can. */
function whyShut(folder: string): string | null {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return errorWords(error);
  }
}

/**
 * Returns what is wrong with the folder for temporary files (TMPDIR), with advice; null when a folder could be created there. Places
 * and the isolation self-test need it. A full disk is reported elsewhere.
 */
export function temporaryTrouble(): string | null {
  const folder = tmpdir();
  try {
    rmdirSync(mkdtempSync(join(folder, temporaryNames.writable)));
    return null;
  } catch (error) {
    const advice = "make it and let this user write there, or set TMPDIR to another folder";
    return `the temporary folder ${folder} cannot be used (${errorWords(error)}): ${advice}`;
  }
}
