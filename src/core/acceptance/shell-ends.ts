import {
  groupIn,
  isKeywordBlock,
  type Pipeline,
  type ShellPiece,
  type ShellStatement,
  startsIn,
  statementsOf,
} from "../shell/statements.ts";
import { nodesIn } from "../shell/script.ts";
import { startedBy } from "../shell/launchers.ts";
import { filesWrittenBy, isCatching } from "../shell/writes.ts";

/** How shell statements end, and which statements check how another one ended. */

/** A statement, with facts that are needed more than once. */
export interface StrictStatement extends ShellStatement {
  /** True when the shell exits if it fails (`set -e`). */
  readonly isStrict: boolean;
  /** True when it succeeds, whatever happens in it. */
  readonly isWell: boolean;
  /** True when it may end the whole command, or is not analysed. */
  readonly isWayOut: boolean;
  /** The words in it that may name a file or a variable. */
  readonly names: ReadonlySet<string>;
}

/** A statement with these facts. */
export function strictStatement(statement: ShellStatement, isStrict: boolean): StrictStatement {
  const isWayOut = statement.pipelines.some(({ pieces }) => pieces.some(isKeywordBlock)) || hasWayOut(statement);
  return { ...statement, isStrict, isWell: isWell(statement), isWayOut, names: new Set(wordsOf(statement.text)) };
}

const strictOn = /^set\s(?:.*\s)?(?:-[a-z]{0,9}e[a-z]{0,9}|-o\s+errexit)(?:\s|$)/;
const strictOff = /^set\s(?:.*\s)?(?:\+[a-z]{0,9}e[a-z]{0,9}|\+o\s+errexit)(?:\s|$)/;

/** The statements of a script that begins with `set -e` in effect or not, each with these facts. */
export function strictStatements(statements: readonly ShellStatement[], begin: boolean): readonly StrictStatement[] {
  let isStrict = begin;
  return statements.map((statement) => {
    if (strictOff.test(statement.text)) isStrict = false;
    else if (strictOn.test(statement.text)) isStrict = true;
    return strictStatement(statement, isStrict);
  });
}

/** Commands that only prepare or print: their exit code does not matter. */
const preparing =
  /^(?:export|local|readonly|declare|unset|set|shopt|trap|umask|ulimit|alias|source|\.|nvm|pushd|popd|echo|printf|:|true|sleep|kill(?!\s+-0)|pkill|killall|(?:docker|podman)(?:-compose| compose)? (?:rm|stop|kill|down)|rm|cp|mv|ln|chmod|mkdir|touch|cat|ls|pwd|date|yes|seq)(?:\s|$)|^wait$|^exit\s+0$/;

/** Tests that always hold: of an existing folder, of two equal words, of a status that matches any number from 0 to 255. */
const holding =
  /^(?:test|\[\[?)\s+(?:-[der]\s+(?:\.|\/)|(?:-n\s+)?\w+|(\w+)\s+(?:==?|-eq)\s+\1|"?\$\?"?(?:\s+(?:-g[et]\s+-\d+|-ge\s+0|-ne\s+-\d+|-le\s+(?:255|[3-9]\d\d|\d{4,})|-lt\s+(?:256|[3-9]\d\d|\d{4,})))?)(?:\s+\]\]?)?$/;

/** Programs that succeed with any input. */
const endingWell =
  /^(?:tail|head|tee|sponge|gzip|bzip2|xz|zstd|base64|md5sum|sha\d{1,3}sum|cat|less|more|sort|uniq|tr|cut|wc|column|nl|fold|tac|rev|fmt|ts|sed|awk)(?:\s|$)/;
/** Options with which some of them fail. */
const checking = /^sort\s(?:.*\s)?(?:-[a-zA-Z]*[cC]|--check)|^sed\s.*[qQ]\s?\d|^awk\s.*\bexit\b/s;

const status = /\$\?|\bPIPESTATUS\b|\bpipestatus\b/;

/**
 * True when a command's exit code does not matter. With `withCaught`, it does matter for a command whose output is assigned to a variable.
 */
export function isOnlyPreparing(piece: ShellPiece, withCaught = false): boolean {
  const { node, program } = piece;
  if (program === "") return !(withCaught && isCatching(node));
  // `(npm start &)`
  return preparing.test(program) || holding.test(program) || groupIn(piece)?.at(-1)?.isBeside === true;
}

/** True when a command at the end of a pipe succeeds with any input. */
export function isWellInPipe({ program, words }: ShellPiece): boolean {
  if (words[0] === "xargs") return /^(?:echo|printf)?$/.test(startedBy(words, ["input"])[0] ?? "");
  return endingWell.test(program) && !checking.test(program);
}

/** Test runners that print lines whether they fail or not, so that some lines remain after a filter. */
const running =
  /^(?:(?:npm|pnpm|yarn|bun)\s+(?:run|test|t)|(?:npx\s+)?(?:vitest|jest|mocha)|(?:python3?\s+-m\s+)?pytest|cargo\s+test|go\s+test)(?:\s|$)/;
const quiet = /\s(?:-s|-q|--silent|--quiet)(?:\s|$)/;
const asking = /^(?:curl|wget)\s/;
const jq = /^jq(?:\s|$)/;
/** Options with which `jq` may fail on empty input, or on any input. */
const jqChecking = /\s(?:-[a-zA-Z]*e|--exit-status|-[a-zA-Z]*n|--null-input)|\b(?:error|halt|halt_error|inputs?)\b/;
const leavingOut = /^grep\s+(?:-[a-zA-Z]+\s+)*-[a-pr-zA-Z]*v/;

/**
 * True when a pipe succeeds, whatever happens before its last command. `npm test | grep -v warning` always has other lines, and `jq`
 * accepts an empty answer of `curl`.
 */
export function isPipeWell({ pieces, isNegated }: Pipeline): boolean {
  const last = pieces.at(-1);
  const first = pieces[0]?.program ?? "";
  if (last === undefined || isWellInPipe(last)) return last !== undefined;
  if (pieces.length !== 2 || isNegated) return false;
  if (jq.test(last.program)) return asking.test(first) && !jqChecking.test(last.program);
  const isLeavingOut = leavingOut.test(last.program) && !/^grep\s.*\s-\w*[cq]/.test(last.program);
  return isLeavingOut && running.test(first) && !quiet.test(first);
}

/** The first command whose exit code matters. With `withCaught`, also one whose output is assigned to a variable. */
export function loudIn(pipelines: readonly Pipeline[], withCaught = false): ShellPiece | undefined {
  return loudOfEach(pipelines, withCaught).find((each) => each !== undefined);
}

/** The index of the last pipeline with such a command; -1 when there is none. */
export function lastLoudAt(pipelines: readonly Pipeline[]): number {
  return loudOfEach(pipelines, false).findLastIndex((each) => each !== undefined);
}

function loudOfEach(pipelines: readonly Pipeline[], withCaught: boolean): readonly (ShellPiece | undefined)[] {
  return pipelines.map((pipeline, index) => {
    if (isCondition(pipeline, pipelines[index + 1])) return undefined;
    return pipeline.pieces.find((piece) => !isKeywordBlock(piece) && !isOnlyPreparing(piece, withCaught));
  });
}

/** True for a test that only guards the next command: `[ -f .env ] && . ./.env`. */
export function isCondition({ pieces, behind }: Pipeline, next: Pipeline | undefined): boolean {
  const [first] = pieces;
  if (behind !== "&&" || pieces.length > 1 || first === undefined) return false;
  const isTest = /^(?:test|\[\[?|command\s+-v|which)\s/.test(first.program);
  return isTest && !/^(?:echo|printf|true|:)(?:\s|$)/.test(next?.pieces[0]?.program ?? "");
}

/** True when a statement succeeds, whatever happens in it. */
export function isWell({ pipelines, isBeside }: ShellStatement): boolean {
  const before = pipelines.at(-2)?.behind ?? "";
  const deciding = before === "&&" ? pipelines : pipelines.slice(-1);
  return isBeside || deciding.every((each) => isPipelineWell(each, before));
}

function isPipelineWell(pipeline: Pipeline, before: Pipeline["behind"]): boolean {
  const last = pipeline.pieces.at(-1);
  if (last === undefined || pipeline.isNegated) return false;
  // A write to `/dev/full` always fails.
  if (last.redirects.some((each) => each.type === "Redirect" && each.target?.value === "/dev/full")) return false;
  // In `ls a.js || ls a.ts`, one of the two must exist.
  if (before === "||" && last.words[0] === "ls") return false;
  return isPipeWell(pipeline) || (pipeline.pieces.length === 1 && (isOnlyPreparing(last, true) || isGroupWell(last)));
}

/** Each group is analysed again for every group around it; this limits the cost. */
const mostNested = 8;

/** True for a group that succeeds: `(cat log)`, `{ cat log; }`, with nothing in it that ends it otherwise. */
function isGroupWell(piece: ShellPiece): boolean {
  const last = groupIn(piece)?.at(-1);
  if (last === undefined || startsIn(piece.node, /^(?:exit|return|false|ls)$/)) return false;
  return nodesIn(piece.node).filter(({ type }) => type === "CompoundList").length <= mostNested && isWell(last);
}

/** The statements that decide how a command ends: the last one, and those that end it early. */
export function decidingAmong(rest: readonly StrictStatement[]): readonly StrictStatement[] {
  const last = rest.at(-1);
  return rest.filter((each) => each.isWayOut || ((each.isStrict || each === last) && !each.isWell));
}

/** Maximum number of statements of a script that are analysed. */
const mostStatements = 400;

/** The statements of a shell script that decide its exit code. Empty when the script cannot be parsed. */
export function decidingLines(script: string): readonly string[] {
  const statements = statementsOf(script) ?? [];
  if (statements.length > mostStatements) return [];
  // With `pipefail` each command of a pipe decides, whatever its last one does.
  const decides = ({ pipelines }: ShellStatement): boolean =>
    script.includes("pipefail") && pipelines.some(({ pieces }) => pieces.length > 1);
  const all = strictStatements(statements, false).map((each) => (decides(each) ? { ...each, isWell: false } : each));
  return decidingAmong(all).map(({ text }) => text);
}

/** True for `… || exit 1`, `… && exit 1`. */
function hasWayOut(step: ShellStatement): boolean {
  const alternatives = step.pipelines.filter((_, index) => step.pipelines[index - 1]?.behind === "||");
  const mayEnd = alternatives
    .flatMap(({ pieces }) => pieces)
    .some((each) => !isOnlyPreparing(each) && !isGroupWell(each));
  return mayEnd || failsWhereFound(step);
}

/** True for `grep -q secret a.txt && exit 1`: finding the unwanted text ends the shell with a failure. */
export function failsWhereFound({ pipelines: [found, next] }: ShellStatement): boolean {
  const [only, more] = next?.pieces ?? [];
  if (found?.behind !== "&&" || only === undefined || more !== undefined) return false;
  const end = only.node.type === "BraceGroup" ? groupIn(only)?.at(-1)?.text : only.text;
  return /^exit\s{1,9}[1-9]\d{0,2}$/.test(end ?? "");
}

/** True when a function or a trap may decide the exit code. */
export function mayEndElsewhere({ node }: ShellStatement): boolean {
  return nodesIn(node).some(({ type }) => type === "Function") || startsIn(node, /^trap$/);
}

/**
 * True when later statements check how a statement ended, or use what it wrote. With `ofPipe`: how the commands before the last pipe ended.
 */
export function isAskedFor(step: StrictStatement, rest: readonly StrictStatement[], ofPipe = false): boolean {
  const [next] = rest;
  const last = rest.at(-1);
  if (!ofPipe && failsWhereFound(step)) return true;
  if (!ofPipe && step.pipelines.some(({ behind }) => behind === "||") && last !== undefined)
    return !last.isWell || hasWayOut(step);
  const deciding = decidingAmong(rest);
  const asking = ofPipe ? /pipestatus/i : status;
  if (next !== undefined && (asking.test(next.text) || (!ofPipe && next.text === "exit"))) {
    const name = next.pipelines[0]?.pieces[0]?.sets;
    if (name === undefined ? deciding.includes(next) : isNamedIn(deciding, name)) return true;
  }
  return resultsOf(step).some((each) => !each.startsWith("/dev/") && isNamedIn(deciding, each));
}

/** Results by statement: a long statement is asked about once for each of its pipelines. */
const results = new WeakMap<StrictStatement, readonly string[]>();

/** The words by which later statements may use what a statement wrote: its files, and the variable that holds its output. */
function resultsOf(step: StrictStatement): readonly string[] {
  const known = results.get(step);
  if (known !== undefined) return known;
  const caught = isCatching(step.node) ? (step.pipelines[0]?.pieces[0]?.sets ?? "") : "";
  const found = [...filesWrittenBy(step.node), caught].flatMap(wordsOf);
  results.set(step, found);
  return found;
}

/**
 * The index of the last statement that keeps an exit code for the end of the command: `rc=$?; npm run clean; exit $rc`. Later statements
 * only clean up. Infinity when there is none.
 */
export function keptFrom(steps: readonly StrictStatement[]): number {
  const last = steps.at(-1);
  if (last === undefined || !/^(?:exit|test|\[|\(|if)(?![\w-])/.test(last.text)) return Number.POSITIVE_INFINITY;
  const at = steps.findLastIndex(({ pipelines }) =>
    pipelines.some(({ pieces: [first] }, index) => {
      const keeps = status.test(first?.text ?? "") || pipelines[index - 1]?.behind === "||";
      return first?.sets !== undefined && keeps && last.names.has(first.sets);
    }),
  );
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

function isNamedIn(steps: readonly StrictStatement[], word: string): boolean {
  return steps.some(({ names }) => names.has(word));
}

function wordsOf(text: string): readonly string[] {
  return (text.match(/[\w./-]+/g) ?? []).map((each) => each.replace(/^\.\//, "")).filter((each) => each !== "");
}
