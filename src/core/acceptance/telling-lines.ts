/** Finds the lines of an output that explain a failure. */

const longest = 400;
const located = /(?:^|[\s("'[]|file:\/\/)[\w@./-]+\.[a-zA-Z]{1,5}(?:[:(]\d|:\[\d|:line \d|["']?, line \d)/;
const worded =
  /\b(?:error|expected|received|actual|failed|failure|assert\w*|not ok|exception|panicked)\b|[a-z](?:Error|Exception)\b|^(?:---\s)?FAIL\b|^(?:left|right|got): |^● /i;
/** Compiler errors. Compilers print the cause first and its consequences after it. */
const compiled = /\berror(?:\[\w+\]|\s\w+)?:|^\[error\]\s+(?:--\s.*\s)?\/\S+\.[a-z]{1,5}:\[?\d+[:,]\d/i;
const passing = /^(?:[✓✔√] |ok \d|PASS\b)|\bPASSED\b|\.\.\. ok$|^console\.\w+$/;
const warning = /warning\b|\bwarn\b/i;
const failing = /\bfail|\berror\b|assert/i;
/** The prefix that build tools put before each of their lines. */
const level = /^(?:\[(?:error|warn|warning|info)\]|lerna ERR!)\s*/i;
/** Totals, and messages of the program that starts the runner. They appear with any failure. */
const general = new RegExp(
  [
    /^(?:Tests?|Test Files|Test Suites|Suites|Snapshots):?\s+\d|^npm (?:error|ERR!)|^npm run \S+ exited|^test result: /,
    /^Tests run: .*(?:Failures|Errors): [1-9]|^Failed to execute goal|^BUILD FAIL|\s\.{3,}\sFAILURE\b|^\d+ errors?$/,
    /^> Task \S+ FAILED|^FAILURE: Build failed|^Execution failed for task|^Compilation failed;|^\d+ tests? completed, /,
    /^\w+ errors? found$|^\(.*\) (?:Compilation failed|sbt\.TestsFailedException)|^Failed: Total \d/,
    /^={3,} .*\bin \d[\d.]*s\b.* ={3,}$|^!{3,} .* !{3,}$/,
    /^Build FAILED|^\d+ Error\(s\)|^Failed! +- Failed: |^make(?:\[\d+\])?: \*\*\*|^error Command failed|^ELIFECYCLE\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** Lines that say nothing about this failure: marks, headings, and hints where to read more. */
const idle = new RegExp(
  [
    /^[\s^~|]*$|^(?:Failures|Errors|Failed tests|Tests in error|Error Message|Stack Trace|COMPILATION ERROR)\s?:$/,
    /^(?:-> )?\[Help \d+\]|^To see the full stack trace|^Re-run Maven|^For more information about the errors/,
    /^Please refer to |^After correcting the problems|^mvn <args>|^There (?:were|are) (?:failing tests|test failures)/,
    /^collected \d+ items?\b|^_{3,} .* _{3,}$|^={3,} (?:ERRORS|FAILURES|short test summary info) ={3,}$/,
    /^Total time: |^npm run \S+ std(?:out|err):$|^0 Error\(s\)/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** Places in code of others. */
const foreign =
  /node_modules|\bnode:|site-packages|\/lib(?:64)?\/python\d|\/rustc\/|\.cargo\/registry|^at (?:(?:app|platform)\/+)?(?:java|jdk|sun|kotlin|scala|sbt|munit|org\.(?:junit|opentest4j|assertj|hamcrest|mockito|apache\.maven|gradle|scalatest))[./]/;

/** Maximum distance in lines between a place and the words of its failure, or of the warning above it. */
const nearFailure = 3;
const nearWarning = 2;

/**
 * Lines of an output that say where and how something is wrong: `src/price.ts:12 - expected …`. At most `most`, in their order. Lines about
 * a failure rank above places without such words nearby, and these above warnings. If there are too many, the first compiler errors are
 * kept, then the last failure lines, since runners report failures at the end. Linear in the output.
 */
export function tellingLines(output: string, most = 8): string[] {
  const lines = withFiles(output.split("\n").map((line) => line.trim()));
  const kinds = lines.map(kindOf);
  const isNear = (at: number, kind: Kind, before: number, behind: number): boolean =>
    kinds.slice(Math.max(0, at - before), at + behind + 1).includes(kind);
  const ranks: number[][] = [[], [], [], [], []];
  const seen = new Set<string>();
  for (const [at, line] of lines.entries()) {
    const isPlace = line.length < longest && located.test(line);
    const isCompiled =
      kinds[at] === "failure" &&
      compiled.test(line) &&
      (isPlace || located.test(lines[at + 1]?.slice(0, longest) ?? ""));
    if (isCompiled) ranks[0]?.push(at);
    else if (kinds[at] === "general") ranks[2]?.push(at);
    else if (kinds[at] === "failure") ranks[1]?.push(at);
    else if (isPlace && (foreign.test(line) || isNear(at, "warning", nearWarning, 0))) ranks[4]?.push(at);
    else if (isPlace) ranks[isNear(at, "failure", nearFailure, nearFailure) ? 1 : 3]?.push(at);
  }
  ranks[1]?.reverse();
  const found: number[] = [];
  for (const at of ranks.flat()) {
    if (found.length >= most) break;
    const line = lines[at] ?? "";
    if (seen.has(line)) continue;
    seen.add(line);
    found.push(at);
  }
  if (found.length === 0) return lines.filter((line) => line !== "").slice(-3);
  return found.toSorted((one, other) => one - other).map((at) => lines[at] ?? "");
}

const ownLine = /^(?:[A-Za-z]:)?[\w@./\\-]+\.[a-zA-Z]{1,6}$/;
const placeBelow = /^\d+:\d+\s+(?:error|warning|✖|×|⚠)/;

/** Joins a file name on its own line with the places below it, as linters print them: `1:7  error …` becomes `src/a.js:1:7  error …`. */
function withFiles(lines: readonly string[]): string[] {
  let file: string | null = null;
  return lines.map((line) => {
    if (line.length >= longest) return line;
    if (file !== null && placeBelow.test(line)) return `${file}:${line}`;
    file = ownLine.test(line) ? line : null;
    return line;
  });
}

/** True for a line with words of a failure, and not only with a place or with totals. */
export function saysFailure(line: string): boolean {
  return kindOf(line.trim()) === "failure";
}

type Kind = "failure" | "general" | "warning" | null;

function kindOf(line: string): Kind {
  const said = line.slice(0, longest).replace(level, "");
  if (line.length >= longest || passing.test(line) || idle.test(said)) return null;
  if (general.test(said)) return "general";
  if (warning.test(line) && !failing.test(line)) return "warning";
  return worded.test(line) ? "failure" : null;
}
