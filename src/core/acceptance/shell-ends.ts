import {
  insideOf,
  type ShellPiece,
  type Pipeline,
  programOnward,
  type ShellStatement,
  statementsOf,
} from "./shell-pieces.ts";

/** How statements of a shell end, and which of them ask how another one ended. */

/** A statement, and whether the shell ends where it fails (`set -e`). */
export interface StrictStatement extends ShellStatement {
  readonly isStrict: boolean;
}

/** What only prepares or prints: nobody wants to know how it ends. */
const preparing =
  /^(?:export|local|readonly|declare|unset|set|shopt|trap|umask|ulimit|alias|source|\.|nvm|pushd|popd|echo|printf|:|true|sleep|kill(?!\s+-0)|pkill|killall|(?:docker|podman)(?:-compose| compose)? (?:rm|stop|kill|down)|rm|cp|mv|ln|chmod|mkdir|touch|cat|ls|pwd|date|yes|seq)(?:\s|$)|^wait$|^exit\s+0$/;

/** Tests that always hold: of what is there, of two equal words, of a status that is any number from 0 to 255. */
const holding =
  /^(?:test|\[\[?)\s+(?:-[der]\s+(?:\.|\/)|(?:-n\s+)?\w+|(\w+)\s+(?:==?|-eq)\s+\1|"?\$\?"?(?:\s+(?:-g[et]\s+-\d+|-ge\s+0|-ne\s+-\d+|-le\s+(?:255|[3-9]\d\d|\d{4,})|-lt\s+(?:256|[3-9]\d\d|\d{4,})))?)(?:\s+\]\]?)?$/;

/** `(npm start &)` */
const begun = /^(?:\(|\{\s).*&\s*[)}]$/s;

/** Programs that end well, whatever they are given. */
const endingWell = /^(?:tail|head|tee|cat|less|more|sort|uniq|tr|cut|wc|column|nl|fold|tac|rev|fmt|ts)(?:\s|$)/;
const filtering = /^(?:sed|awk)\s|^xargs(?:\s+-\S+(?:\s+\d+)?)*(?:\s+(?:echo|printf)\s.*|\s+echo)?$/s;
/** What lets some of them end otherwise. */
const checking = /^sort\s(?:.*\s)?(?:-[a-zA-Z]*[cC]|--check)|^sed\s.*[qQ]\s?\d|^awk\s.*\bexit\b/s;

const caught = /\$\((?!\()|`/;
const status = /\$\?|\bPIPESTATUS\b|\bpipestatus\b/;

/** Whether nobody wants to know how a command ends; `withCaught`: of one whose output a variable takes, somebody does. */
export function isOnlyPreparing({ text }: ShellPiece, withCaught = false): boolean {
  const program = programOnward(text);
  return program === ""
    ? !(withCaught && caught.test(text))
    : preparing.test(program) || holding.test(program) || begun.test(program);
}

/** Whether a command that something is piped into ends well, whatever that is. */
export function isWellInPipe(piece: ShellPiece | undefined): boolean {
  const program = programOnward(piece?.text ?? "");
  return (endingWell.test(program) || filtering.test(program)) && !checking.test(program);
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
export function isPipeWell(pieces: readonly ShellPiece[]): boolean {
  const last = programOnward(pieces.at(-1)?.text ?? "");
  const first = programOnward(pieces[0]?.text ?? "");
  if (isWellInPipe(pieces.at(-1))) return true;
  if (pieces.length !== 2 || pieces[0]?.text.startsWith("!") === true) return false;
  if (jq.test(last)) return asking.test(first) && !jqChecking.test(last);
  return leavingOut.test(last) && running.test(first) && !quiet.test(first) && !/^grep\s.*\s-\w*[cq]/.test(last);
}

/** What goes on between `if` and `fi` and the like is not judged. */
export function isKeywordBlock({ text, isBlock }: ShellPiece): boolean {
  return isBlock && !/^[({]/.test(text);
}

/** The first command of which somebody wants to know how it ends; `withCaught`: also one whose output a variable takes. */
export function loudIn(pipelines: readonly Pipeline[], withCaught = false): ShellPiece | undefined {
  for (const index of pipelines.keys()) {
    const found = loudAt(pipelines, index, withCaught);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Which of the pipelines is the last one with such a command; -1 where none is. */
export function lastLoudAt(pipelines: readonly Pipeline[]): number {
  return pipelines.findLastIndex((_, index) => loudAt(pipelines, index, false) !== undefined);
}

function loudAt(pipelines: readonly Pipeline[], index: number, withCaught: boolean): ShellPiece | undefined {
  const pipeline = pipelines[index];
  if (pipeline === undefined || isCondition(pipeline, pipelines[index + 1])) return undefined;
  return pipeline.pieces.find((piece) => !isKeywordBlock(piece) && !isOnlyPreparing(piece, withCaught));
}

/** `[ -f .env ] && . ./.env`: whether something is asked so that something is done. */
export function isCondition({ pieces, behind }: Pipeline, next: Pipeline | undefined): boolean {
  const [first] = pieces;
  if (behind !== "&&" || pieces.length > 1 || first === undefined) return false;
  const isTest = /^(?:test|\[\[?|command\s+-v|which)\s/.test(programOnward(first.text));
  return isTest && !/^(?:echo|printf|true|:)(?:\s|$)/.test(next?.pieces[0]?.text ?? "");
}

/** Whether a statement ends well, whatever happens in it. */
export function isWell({ pipelines, isBeside }: ShellStatement): boolean {
  const before = pipelines.at(-2)?.behind;
  if (isBeside || before === undefined || before === "||") return isBeside || isPipelineWell(pipelines.at(-1), before);
  return pipelines.every((each) => isPipelineWell(each, before));
}

function isPipelineWell(pipeline: Pipeline | undefined, before: Pipeline["behind"] | undefined): boolean {
  const [first] = pipeline?.pieces ?? [];
  const last = pipeline?.pieces.at(-1);
  if (first === undefined || last === undefined || /^!\s/.test(first.text)) return false;
  // Nothing that is written there is ever kept.
  if (/>\s{0,9}\/dev\/full\b/.test(last.text)) return false;
  // `ls a.js || ls a.ts` wants one of the two.
  if (before === "||" && /^ls\s/.test(last.text)) return false;
  return isPipeWell(pipeline?.pieces ?? []) || (first === last && (isOnlyPreparing(last, true) || isGroupWell(last)));
}

/** Each of them is read anew for every one around it. */
const mostNested = 20;

/** `(cat log)`, `{ cat log; }`; nothing in it ends it otherwise. */
function isGroupWell({ text }: ShellPiece): boolean {
  const inner = insideOf(text);
  if (inner === null || /\b(?:exit|return|false|ls)\b/.test(inner)) return false;
  if (inner.split(/[({]/).length > mostNested) return false;
  const last = statementsOf(inner)?.at(-1);
  return last !== undefined && isWell(last);
}

/** Which of the statements at the end of a command decide how it ends: the last one, and what ends it. */
export function decidingAmong(rest: readonly StrictStatement[]): readonly StrictStatement[] {
  return rest.filter(
    (each, index) =>
      each.pipelines.some(({ pieces }) => pieces.some(isKeywordBlock)) ||
      hasWayOut(each) ||
      ((each.isStrict || index === rest.length - 1) && !isWell(each)),
  );
}

/** `… || exit 1`, `… && exit 1` */
function hasWayOut(step: ShellStatement): boolean {
  const { pipelines } = step;
  return (
    failsWhereFound(step) ||
    pipelines.some(
      ({ pieces }, index) =>
        pipelines[index - 1]?.behind === "||" && !pieces.every((each) => isOnlyPreparing(each) || isGroupWell(each)),
    )
  );
}

/** `grep -q secret a.txt && exit 1`: what is not to be there ends the shell with a failure. */
export function failsWhereFound({ pipelines: [found, next] }: ShellStatement): boolean {
  const [only, more] = next?.pieces ?? [];
  const text = only?.text ?? "";
  const inner = text.startsWith("{") && text.endsWith("}") ? text.slice(1, -1) : text;
  const last = inner
    .split(/[;\n]/)
    .filter((each) => each.trim() !== "")
    .at(-1);
  const isEnd = /^\s{0,9}exit\s{1,9}[1-9]\d{0,2}\s{0,9}$/.test(last ?? "");
  return found?.behind === "&&" && more === undefined && isEnd;
}

/** Whether what follows a statement asks how it ended, or for what it wrote. `ofPipe`: how what stands before the last pipe did. */
export function isAskedFor(step: StrictStatement, rest: readonly StrictStatement[], ofPipe = false): boolean {
  const [next] = rest;
  const last = rest.at(-1);
  if (!ofPipe && failsWhereFound(step)) return true;
  if (!ofPipe && step.pipelines.some(({ behind }) => behind === "||") && last !== undefined)
    return !isWell(last) || hasWayOut(step);
  const deciding = decidingAmong(rest);
  const asking = ofPipe ? /pipestatus/i : status;
  if (next !== undefined && (asking.test(next.text) || (!ofPipe && next.text === "exit"))) {
    const [, name] = /^(\w+)=/.exec(next.text) ?? [];
    if (name === undefined ? deciding.includes(next) : isNamedIn(deciding, name)) return true;
  }
  return writtenBy(step.text).some((each) => isNamedIn(deciding, each));
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
      const [, name] = /^(\w+)=/.exec(first?.text ?? "") ?? [];
      const keeps = status.test(first?.text ?? "") || pipelines[index - 1]?.behind === "||";
      return name !== undefined && keeps && isNamedIn([last], name);
    }),
  );
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

/** Names of the files and the variable that a statement writes. */
function writtenBy(text: string): readonly string[] {
  const plain = text.replace(/"[^"]*"|'[^']*'/g, (quoted) => (/\s/.test(quoted) ? "" : quoted));
  const files = [
    ...plain.matchAll(
      />\|?\s*([^\s&|;<>()]+)|(?:\btee\s+(?:-a\s+)?|\s-o\s+|\s--?\w[\w-]{0,30}(?:[fF]ile|[oO]ut(?:put)?|[rR]eport|xml|json)(?:=|\s+))([^\s&|;<>()=-][^\s&|;<>()]*)/g,
    ),
  ];
  const [, name] = caught.test(text) ? (/^(\w+)=/.exec(text) ?? []) : [];
  return [...files.map(([, redirected, copied]) => redirected ?? copied ?? ""), name ?? ""]
    .flatMap((each) => wordsOf(each))
    .filter((each) => !each.startsWith("/dev/"));
}

function isNamedIn(steps: readonly StrictStatement[], word: string): boolean {
  return steps.some(({ text }) => wordsOf(text).includes(word));
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(/[^\w./-]+/)
    .map((each) => each.replace(/^\.\//, ""))
    .filter((each) => each !== "");
}
