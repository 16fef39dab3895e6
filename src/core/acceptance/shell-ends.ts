import {
  groupIn,
  isKeywordBlock,
  type Pipeline,
  type ShellPiece,
  type ShellStatement,
  startsIn,
} from "../shell/statements.ts";
import { nodesIn } from "../shell/script.ts";
import { startedBy } from "../shell/launchers.ts";
import { filesWrittenBy, isCatching } from "../shell/writes.ts";

/** How statements of a shell end, and which of them ask how another one ended. */

/** A statement, and what of it is asked more than once. */
export interface StrictStatement extends ShellStatement {
  /** Whether the shell ends where it fails (`set -e`). */
  readonly isStrict: boolean;
  /** Whether it ends well, whatever happens in it. */
  readonly isWell: boolean;
  /** Whether it may end the whole, or what it does is not judged. */
  readonly isWayOut: boolean;
  /** The words in it that may name a file or a variable. */
  readonly names: ReadonlySet<string>;
}

/** A statement as it is asked about. */
export function strictStatement(statement: ShellStatement, isStrict: boolean): StrictStatement {
  const isWayOut = statement.pipelines.some(({ pieces }) => pieces.some(isKeywordBlock)) || hasWayOut(statement);
  return { ...statement, isStrict, isWell: isWell(statement), isWayOut, names: new Set(wordsOf(statement.text)) };
}

/** What only prepares or prints: nobody wants to know how it ends. */
const preparing =
  /^(?:export|local|readonly|declare|unset|set|shopt|trap|umask|ulimit|alias|source|\.|nvm|pushd|popd|echo|printf|:|true|sleep|kill(?!\s+-0)|pkill|killall|(?:docker|podman)(?:-compose| compose)? (?:rm|stop|kill|down)|rm|cp|mv|ln|chmod|mkdir|touch|cat|ls|pwd|date|yes|seq)(?:\s|$)|^wait$|^exit\s+0$/;

/** Tests that always hold: of what is there, of two equal words, of a status that is any number from 0 to 255. */
const holding =
  /^(?:test|\[\[?)\s+(?:-[der]\s+(?:\.|\/)|(?:-n\s+)?\w+|(\w+)\s+(?:==?|-eq)\s+\1|"?\$\?"?(?:\s+(?:-g[et]\s+-\d+|-ge\s+0|-ne\s+-\d+|-le\s+(?:255|[3-9]\d\d|\d{4,})|-lt\s+(?:256|[3-9]\d\d|\d{4,})))?)(?:\s+\]\]?)?$/;

/** Programs that end well, whatever they are given. */
const endingWell = /^(?:tail|head|tee|cat|less|more|sort|uniq|tr|cut|wc|column|nl|fold|tac|rev|fmt|ts|sed|awk)(?:\s|$)/;
/** What lets some of them end otherwise. */
const checking = /^sort\s(?:.*\s)?(?:-[a-zA-Z]*[cC]|--check)|^sed\s.*[qQ]\s?\d|^awk\s.*\bexit\b/s;

const status = /\$\?|\bPIPESTATUS\b|\bpipestatus\b/;

/** Whether nobody wants to know how a command ends; `withCaught`: of one whose output a variable takes, somebody does. */
export function isOnlyPreparing(piece: ShellPiece, withCaught = false): boolean {
  const { node, program } = piece;
  if (program === "") return !(withCaught && isCatching(node));
  // `(npm start &)`
  return preparing.test(program) || holding.test(program) || groupIn(piece)?.at(-1)?.isBeside === true;
}

/** Whether a command that something is piped into ends well, whatever that is. */
export function isWellInPipe({ program, words }: ShellPiece): boolean {
  if (words[0] === "xargs") return /^(?:echo|printf)?$/.test(startedBy(words, ["input"])[0] ?? "");
  return endingWell.test(program) && !checking.test(program);
}

/** What prints lines whether it fails or not, so that taking some of them out leaves others. */
const running =
  /^(?:(?:npm|pnpm|yarn|bun)\s+(?:run|test|t)|(?:npx\s+)?(?:vitest|jest|mocha)|(?:python3?\s+-m\s+)?pytest|cargo\s+test|go\s+test)(?:\s|$)/;
const quiet = /\s(?:-s|-q|--silent|--quiet)(?:\s|$)/;
const asking = /^(?:curl|wget)\s/;
const jq = /^jq(?:\s|$)/;
/** What lets `jq` end otherwise than well where nothing, or anything, is given to it. */
const jqChecking = /\s(?:-[a-zA-Z]*e|--exit-status|-[a-zA-Z]*n|--null-input)|\b(?:error|halt|halt_error|inputs?)\b/;
const leavingOut = /^grep\s+(?:-[a-zA-Z]+\s+)*-[a-pr-zA-Z]*v/;

/**
 * Whether a pipe ends well, whatever happens before its last command: `npm test | grep -v warning` has other lines, and `jq` takes
 * no answer of `curl` for one.
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

/** The first command of which somebody wants to know how it ends; `withCaught`: also one whose output a variable takes. */
export function loudIn(pipelines: readonly Pipeline[], withCaught = false): ShellPiece | undefined {
  return loudOfEach(pipelines, withCaught).find((each) => each !== undefined);
}

/** Which of the pipelines is the last one with such a command; -1 where none is. */
export function lastLoudAt(pipelines: readonly Pipeline[]): number {
  return loudOfEach(pipelines, false).findLastIndex((each) => each !== undefined);
}

function loudOfEach(pipelines: readonly Pipeline[], withCaught: boolean): readonly (ShellPiece | undefined)[] {
  return pipelines.map((pipeline, index) => {
    if (isCondition(pipeline, pipelines[index + 1])) return undefined;
    return pipeline.pieces.find((piece) => !isKeywordBlock(piece) && !isOnlyPreparing(piece, withCaught));
  });
}

/** `[ -f .env ] && . ./.env`: whether something is asked so that something is done. */
export function isCondition({ pieces, behind }: Pipeline, next: Pipeline | undefined): boolean {
  const [first] = pieces;
  if (behind !== "&&" || pieces.length > 1 || first === undefined) return false;
  const isTest = /^(?:test|\[\[?|command\s+-v|which)\s/.test(first.program);
  return isTest && !/^(?:echo|printf|true|:)(?:\s|$)/.test(next?.pieces[0]?.program ?? "");
}

/** Whether a statement ends well, whatever happens in it. */
export function isWell({ pipelines, isBeside }: ShellStatement): boolean {
  const before = pipelines.at(-2)?.behind ?? "";
  const deciding = before === "&&" ? pipelines : pipelines.slice(-1);
  return isBeside || deciding.every((each) => isPipelineWell(each, before));
}

function isPipelineWell(pipeline: Pipeline, before: Pipeline["behind"]): boolean {
  const last = pipeline.pieces.at(-1);
  if (last === undefined || pipeline.isNegated) return false;
  // Nothing that is written there is ever kept.
  if (last.redirects.some((each) => each.type === "Redirect" && each.target?.value === "/dev/full")) return false;
  // `ls a.js || ls a.ts` wants one of the two.
  if (before === "||" && last.words[0] === "ls") return false;
  return isPipeWell(pipeline) || (pipeline.pieces.length === 1 && (isOnlyPreparing(last, true) || isGroupWell(last)));
}

/** What is in one of them is looked at again for every one around it. */
const mostNested = 8;

/** `(cat log)`, `{ cat log; }`; nothing in it ends it otherwise. */
function isGroupWell(piece: ShellPiece): boolean {
  const last = groupIn(piece)?.at(-1);
  if (last === undefined || startsIn(piece.node, /^(?:exit|return|false|ls)$/)) return false;
  return nodesIn(piece.node).filter(({ type }) => type === "CompoundList").length <= mostNested && isWell(last);
}

/** Which of the statements at the end of a command decide how it ends: the last one, and what ends it. */
export function decidingAmong(rest: readonly StrictStatement[]): readonly StrictStatement[] {
  const last = rest.at(-1);
  return rest.filter((each) => each.isWayOut || ((each.isStrict || each === last) && !each.isWell));
}

/** `… || exit 1`, `… && exit 1` */
function hasWayOut(step: ShellStatement): boolean {
  const alternatives = step.pipelines.filter((_, index) => step.pipelines[index - 1]?.behind === "||");
  const mayEnd = alternatives
    .flatMap(({ pieces }) => pieces)
    .some((each) => !isOnlyPreparing(each) && !isGroupWell(each));
  return mayEnd || failsWhereFound(step);
}

/** `grep -q secret a.txt && exit 1`: what is not to be there ends the shell with a failure. */
export function failsWhereFound({ pipelines: [found, next] }: ShellStatement): boolean {
  const [only, more] = next?.pieces ?? [];
  if (found?.behind !== "&&" || only === undefined || more !== undefined) return false;
  const end = only.node.type === "BraceGroup" ? groupIn(only)?.at(-1)?.text : only.text;
  return /^exit\s{1,9}[1-9]\d{0,2}$/.test(end ?? "");
}

/** Whether something else may end it: functions, and what is done at the end. */
export function mayEndElsewhere({ node }: ShellStatement): boolean {
  return nodesIn(node).some(({ type }) => type === "Function") || startsIn(node, /^trap$/);
}

/** Whether what follows a statement asks how it ended, or for what it wrote. `ofPipe`: how what stands before the last pipe did. */
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
  const caught = isCatching(step.node) ? (step.pipelines[0]?.pieces[0]?.sets ?? "") : "";
  const written = [...filesWrittenBy(step.node), caught].flatMap(wordsOf);
  return written.some((each) => !each.startsWith("/dev/") && isNamedIn(deciding, each));
}

/**
 * The last statement that keeps how something ended for the end of the whole: `rc=$?; npm run clean; exit $rc`. What is behind it only
 * clears up. Infinity where none does.
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
