import { decidingLines } from "../../core/acceptance/shell-ends.ts";
import { folderOf, lastPart } from "../../core/files/path.ts";
import { type ProgramRun, programRuns, workingFolders } from "../../core/files/program-runs.ts";
import { isCalledBuilder } from "../../core/files/runners.ts";
import { isShell } from "../../core/shell/words.ts";
import { isShellFile } from "../../core/trials/languages.ts";

/** What a goal's proof runs: by its command lines, by the shell scripts that these run, and by those that these scripts run. */
export interface StartedFiles {
  readonly runs: readonly ProgramRun[];
  /** The texts of the shell scripts, without scripts that build. */
  readonly scripts: readonly string[];
  /** Paths of programs whose end decides the result of a command or a script. */
  readonly last: ReadonlySet<string>;
}

/** Maximum number of shell scripts that are read. */
const mostScripts = 30;

/**
 * Reads what these lines run. `ends`: the last commands, which decide the result. A script may run in the folder of its caller, or in its
 * own (`cd "$(dirname "$0")"`).
 */
export async function runsOf(
  { lines, ends }: { readonly lines: readonly string[]; readonly ends: readonly string[] },
  files: ReadonlySet<string>,
  textOf: (path: string) => Promise<string>,
): Promise<StartedFiles> {
  const folders = workingFolders(lines.join("\n"));
  const runs = lines.flatMap((line) => programRuns(line, folders));
  const last = new Set(ends.flatMap((line) => programRuns(line, folders)).map(({ path }) => path));
  const scripts: string[] = [];
  const seen = new Set<string>();
  for (const { path } of runs) {
    if (seen.size >= mostScripts) break;
    if (seen.has(path) || !files.has(path) || isCalledBuilder.test(lastPart(path))) continue;
    const text = await textOf(path);
    if (!isShellFile(path) && !isForShell(text)) continue;
    seen.add(path);
    scripts.push(text);
    const from = workingFolders(text, [...new Set([...folders, folderOf(path)])]);
    // The loop reads what is added here, too.
    runs.push(...programRuns(text, from).filter((each) => files.has(each.path)));
    for (const line of decidingLines(text)) for (const each of programRuns(line, from)) last.add(each.path);
  }
  return { runs, scripts, last };
}

/** True for a program without an extension whose first line names a shell. */
export function isForShell(text: string): boolean {
  const [first = ""] = text.slice(0, 60).split("\n", 1);
  return first.startsWith("#!") && first.slice(2).split(/\s/).some(isShell);
}
