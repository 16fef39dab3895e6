import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { coverageIn, coverageReports } from "../../core/critics/coverage.ts";
import { type ChangedLine, type ChangedText, linesOfReport, linesOfV8 } from "../../core/trials/lines.ts";

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
    const left = await reportIn(folder, report);
    const covered = left === null ? null : coverageIn(report, left.text);
    if (left === null || covered === null) continue;
    if (!(await isTracked(report)) && !(await isTracked(left.path))) return covered;
  }
  return null;
}

/** Where commands ran, and the folder in it in which Node left what it counted. */
export interface Counted {
  readonly folder: string;
  /** The folder as the commands saw it. */
  readonly inside: string;
  readonly v8: string;
}

const mostProcesses = 100;

/**
 * What a run reached of changed lines: as Node's processes counted them, else as a report says that the run has just left. Empty
 * where neither knows their files.
 */
export async function linesLeftIn(
  { folder, inside, v8 }: Counted,
  changed: readonly ChangedText[],
  isTracked: (path: string) => Promise<boolean>,
): Promise<readonly ChangedLine[]> {
  const names = await readdir(join(folder, v8)).catch(() => []);
  const counted: string[] = [];
  for (const name of names.filter((each) => each.endsWith(".json")).slice(0, mostProcesses))
    counted.push((await reportIn(folder, join(v8, name)))?.text ?? "");
  const reports: { path: string; text: string }[] = [];
  for (const path of coverageReports.filter((each) => !each.endsWith(".json"))) {
    const left = await reportIn(folder, path);
    if (left === null || (await isTracked(path)) || (await isTracked(left.path))) continue;
    reports.push({ path, text: left.text });
  }
  return changed.flatMap((file) => {
    const ofNode = linesOfV8(file, pathToFileURL(join(inside, file.path)).href, counted);
    if (ofNode !== null) return ofNode;
    return reports.map((report) => linesOfReport(file, report, inside)).find((lines) => lines !== null) ?? [];
  });
}

/** A report that a run left in a folder. Null: it is not there, no file, too large, or a link that leads out of the folder. */
export async function reportIn(
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
