import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { coverageIn, coverageReports } from "../../core/critics/coverage.ts";
import { type ChangedLine, type ChangedText, linesOfReport, linesOfV8 } from "../../core/trials/lines.ts";

const mostBytes = 20_000_000;

/**
 * The share of lines covered, according to a report that the checks have just left in this folder. Null when there is no report that
 * can be read. Files of the commit (`isTracked`) do not count, even through a link: the author of the work wrote them.
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

/** The folder where commands ran, and its subfolder with Node's coverage counts. */
export interface Counted {
  readonly folder: string;
  /** The path of `folder` as the commands saw it. */
  readonly inside: string;
  readonly v8: string;
}

const mostProcesses = 100;

/**
 * The changed lines with what a run reached of them: from Node's own counts, else from a report that the run has just left. Empty when
 * neither knows the files.
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
  const paths = changed.map(({ path }) => path);
  return changed.flatMap((file) => {
    const ofNode = linesOfV8(file, pathToFileURL(join(inside, file.path)).href, counted);
    if (ofNode !== null) return ofNode;
    return reports.map((report) => linesOfReport(file, report, inside, paths)).find((lines) => lines !== null) ?? [];
  });
}

/** Reads a report that a run left in a folder. Null when it is missing, not a file, too large, or a link out of the folder. */
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
    // Most checks make no report.
    return null;
  }
}
