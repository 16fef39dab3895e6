import { readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { coverageIn, coverageReports } from "../../core/critics/coverage.ts";

const mostBytes = 20_000_000;

/**
 * The share of lines that the repository's own report covers, as its checks have just left it in this folder; null when they
 * left none that is understood. `isTracked`: what is part of the commit was written by whoever did the work, and says nothing, also
 * by way of a link.
 */
export async function coverageLeftIn(
  folder: string,
  isTracked: (path: string) => Promise<boolean>,
): Promise<number | null> {
  for (const report of coverageReports) {
    const left = await leftIn(folder, report);
    const covered = left === null ? null : coverageIn(report, left.text);
    if (left === null || covered === null) continue;
    if (!(await isTracked(report)) && !(await isTracked(left.path))) return covered;
  }
  return null;
}

/** Null: it is not there, no file, too large, or a link that leads out of the folder. */
async function leftIn(
  folder: string,
  report: string,
): Promise<{ readonly text: string; readonly path: string } | null> {
  try {
    const root = await realpath(folder);
    const real = await realpath(join(folder, report));
    if (!real.startsWith(`${root}${sep}`)) return null;
    const about = await stat(real);
    if (!about.isFile() || about.size > mostBytes) return null;
    return { text: await readFile(real, "utf8"), path: relative(root, real).split(sep).join("/") };
  } catch {
    // Checks that make no report are the usual case.
    return null;
  }
}
