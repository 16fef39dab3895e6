import { readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { coverageIn, coverageReports } from "../../core/critics/coverage.ts";

const mostBytes = 20_000_000;

/**
 * The share of lines that the repository's own report covers, as its checks have just left it in this folder; null when they
 * left none that is understood. `isTracked`: what is part of the commit was written by whoever did the work, and says nothing.
 */
export async function coverageLeftIn(
  folder: string,
  isTracked: (path: string) => Promise<boolean>,
): Promise<number | null> {
  for (const report of coverageReports) {
    const text = await textIn(folder, report);
    const covered = text === null ? null : coverageIn(report, text);
    if (covered !== null && !(await isTracked(report))) return covered;
  }
  return null;
}

/** Null: it is not there, no file, too large, or a link that leads out of the folder. */
async function textIn(folder: string, path: string): Promise<string | null> {
  try {
    const real = await realpath(join(folder, path));
    if (!real.startsWith(`${await realpath(folder)}${sep}`)) return null;
    const about = await stat(real);
    return about.isFile() && about.size <= mostBytes ? await readFile(real, "utf8") : null;
  } catch {
    // Checks that make no report are the usual case.
    return null;
  }
}
