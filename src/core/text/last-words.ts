import { firstLine } from "../text.ts";

/** What package managers and Node write below the line that says what was wrong. */
const npm = /^npm (?:error|ERR!|notice|warn|WARN)(?: |$)/;
const npmFrame =
  /^npm (?:(?:notice|warn|WARN)(?: |$)|(?:error|ERR!)\s*(?:$|code |errno |path |syscall |command |workspace |location |A complete log |You can rerun |Log files were not written |Lifecycle script ))/;
const trace = /^(?:at |\^+$|node:internal|\}|[\w$]+: .*,?$)/;
const thrown = /^(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?(?::|$)/;

/**
 * The line of an output that says how it ended, in at most 300 characters: its last one, or the one that was wrong where npm or
 * Node close with words of their own. Empty for an empty output.
 */
export function lastWords(output: string): string {
  const lines = output.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  if (/^Node\.js v\d/.test(lines.at(-1) ?? "")) {
    lines.pop();
    const end = lines.findLast((line) => thrown.test(line));
    if (end !== undefined && trace.test(lines.at(-1) ?? "")) return firstLine(end, 300);
  }
  const start = lines.findLastIndex((line) => !npm.test(line)) + 1;
  const own = lines.slice(start).find((line) => !npmFrame.test(line));
  return firstLine(own ?? lines[start - 1] ?? lines.at(-1) ?? "", 300);
}
