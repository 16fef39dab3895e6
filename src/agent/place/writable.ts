import { accessSync, constants, mkdtempSync, rmdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { errorWords } from "../../core/errors.ts";
import { temporaryNames } from "../../core/housekeeping/folders.ts";

/** What is wrong with the data directory, and what to do; null where this user may read and write there. */
export function dataDirTrouble(dataDir: string): string | null {
  const why = whyShut(dataDir);
  const advice = "let this user write there, or choose another folder with COS_DATA_DIR";
  return why === null ? null : `the data directory ${dataDir} cannot be written (${why}): ${advice}`;
}

/** What is wrong with the home folder (HOME), and what to do; null where this user may read and write there. */
export function homeTrouble(): string | null {
  const home = homedir();
  const why = whyShut(home);
  const needs = "agents keep their logins and tools their caches there";
  const advice = "make it and let this user write there, or set HOME to another folder";
  return why === null ? null : `the home folder ${home} cannot be written (${why}), and ${needs}: ${advice}`;
}

/** Why this user cannot read and write in a folder; null: they can. */
function whyShut(folder: string): string | null {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return errorWords(error);
  }
}

/**
 * What is wrong with the folder for temporary files (TMPDIR), and what to do; null where a folder could just be made there.
 * Places and the self-test of what isolates begin in it. One that is merely full is told by what is free there.
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
