import { firstLine, shorten } from "../text.ts";

/** Lines that npm prints below the line with the error. */
const npm = /^npm (?:error|ERR!|notice|warn|WARN)(?: |$)/;
const npmFrame =
  /^npm (?:(?:notice|warn|WARN)(?: |$)|(?:error|ERR!)\s*(?:$|code |errno |path |syscall |command |workspace |location |A complete log |You can rerun |Log files were not written |Lifecycle script ))/;

/** Final lines of tools that only report that another command failed, with their usual details. */
const closing =
  /^(?:ELIFECYCLE\s|ERR_PNPM_RECURSIVE_|WARN\s|Exit status \d|exit status \d|error Command failed with exit code |info Visit https:|For help, run: |\[notice\] |╰─> See above |│ exit code: |(?:help|hint|note): |[\w./-]*make(?:\[\d+\])?: \*\*\* .*\] Error \d)/;

/** Stack lines in JavaScript, Java and C# begin with `at` and end with a position or brackets. */
const place = /(?::(?:line )?\d{1,9}|\))(?: \{)?$/;
const framesLeftOut = /^\.\.\. \d+ (?:lines matching cause stack trace|more)\b/;
const footer = /^Node\.js v\d/;
/** Properties of an error that Node prints between the stack and its footer. */
const property = /^(?:\^+$|node:internal|[}\]]|\[cause\]: |[\w$]+: .*,?$|'[^']*',?$)/;
const thrown = /^(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?(?::|$)/;

/** pnpm prints the error first, and explains it in a few lines below. */
const mostExplained = 15;
const named = /^ERR_PNPM_(?!RECURSIVE_)/;

/**
 * Returns the line of an output that says how it ended, in at most 300 characters: the last line, or the line with the error when
 * package managers, make or a stack trace follow it. Empty for an empty output.
 */
export function lastWords(output: string): string {
  const lines = output.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return firstLine(telling(lines) ?? lines.at(-1) ?? "", 300);
}

/** Returns the last lines of an output that are not blank, as an escalation shows them: at most five of 300 characters. */
export function lastLines(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return lines
    .slice(-5)
    .map((line) => shorten(line, 300))
    .join("\n");
}

function telling(lines: readonly string[]): string | undefined {
  const { kept, hasStack } = withoutEnd(lines);
  const explained = kept.slice(-mostExplained).findLast((line) => named.test(line));
  const said = explained ?? (hasStack ? kept.findLast((line) => thrown.test(line)) : undefined);
  if (said !== undefined) return said;
  const start = kept.findLastIndex((line) => !npm.test(line)) + 1;
  return kept.slice(start).find((line) => !npmFrame.test(line)) ?? kept[start - 1];
}

/** Returns the lines above the closing lines of tools, and whether these contained a stack trace. */
function withoutEnd(lines: readonly string[]): { readonly kept: readonly string[]; readonly hasStack: boolean } {
  let end = lines.length;
  let hasStack = false;
  for (; end > 0; end -= 1) {
    const line = lines[end - 1] ?? "";
    const isOfStack = isFrame(line) || footer.test(line) || (isInStack(lines, end) && property.test(line));
    if (!isOfStack && !closing.test(line)) break;
    hasStack ||= isOfStack;
  }
  return { kept: lines.slice(0, end), hasStack };
}

function isFrame(line: string): boolean {
  return (line.startsWith("at ") && place.test(line)) || framesLeftOut.test(line);
}

/** True when a stack trace is above the line, with only properties in between. */
function isInStack(lines: readonly string[], end: number): boolean {
  const above = lines.slice(Math.max(0, end - 40), end).findLast((line) => !property.test(line));
  return above !== undefined && isFrame(above);
}
