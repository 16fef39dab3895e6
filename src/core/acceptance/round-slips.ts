import {
  isKeywordBlock,
  isOnlyPreparing,
  isWellInPipe,
  lastLoudAt,
  loudIn,
  type StrictStatement,
} from "./shell-ends.ts";
import {
  commandsIn,
  type ShellPiece,
  type Pipeline,
  programOnward,
  type ShellStatement,
  statementsOf,
} from "./shell-pieces.ts";

/** What is run once for each of several and of which not every run decides: rounds of loops, and what `find` runs. */

/** A command that may fail unseen, and what is to be told of it. */
export interface Unseen {
  readonly piece: ShellPiece;
  readonly how: string;
}

/** What only says that all was done. */
const printing = /^(?:echo|printf|true|:|exit\s+0)(?:\s|$)/;

/** The last step that does something, as those that only print behind it say nothing of how it ended. */
function lastOf(steps: readonly StrictStatement[]): StrictStatement | undefined {
  return steps.findLast(({ isBeside, pipelines }) => isBeside || !pipelines.every(isPrinting));
}

function isPrinting({ pieces }: Pipeline): boolean {
  return pieces.every(({ text }) => printing.test(text));
}

/** What lies between "do" and "done" where each of several is gone through; empty for what is no such loop. */
function bodyOf(text: string): string {
  const begin = /^(?:for|while\s+(?:IFS=\S*\s+)?read)\s/.test(text) ? text.search(/[;\n]\s{0,9}do\s/) : -1;
  return begin === -1 ? "" : text.slice(text.indexOf("do", begin) + 2, text.lastIndexOf("done")).trim();
}

/** What lets a round end the whole, and `cd a && … && cd ..`: where one fails, the next ones find nothing. */
const wayOut = /\b(?:exit|return|kill|exec)\b|\bset\s+-\w*e|&&\s{0,9}(?:popd\b|cd\s+(?:\.\.|-))/;

/** What is done at the end, and functions, may end the whole, too. */
const endingElsewhere = /^(?:trap\s|function\s|\w+\s{0,9}\(\))/;

/** A loop that is tried until it does: `npm test && break`. */
function isTrying(body: string): boolean {
  return /\bbreak\b/.test(body.replace(/\|\|\s{0,9}break\b/g, ""));
}

/** The command of a loop's rounds where no round but the last one decides: `for f in *.js; do node --check $f; done`. */
export function loopedIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const last = lastOf(steps);
  if (last === undefined || last.isBeside || last.isStrict || steps.some(({ text }) => endingElsewhere.test(text)))
    return [];
  const loud = lastLoudAt(last.pipelines);
  for (const [index, { pieces, behind }] of last.pipelines.entries()) {
    // What follows may look at what the rounds wrote.
    const isLast = behind !== "||" && index >= loud;
    const body = isLast ? bodyOf(pieces.at(-1)?.text ?? "") : "";
    const piece = wayOut.test(body) || isTrying(body) ? undefined : loudInRound(body);
    if (piece !== undefined) return [{ piece, how: "its loop goes on all the same: put || exit 1 behind it" }];
  }
  return [];
}

function loudInRound(body: string): ShellPiece | undefined {
  return statementsOf(body)
    ?.map(loudInStatement)
    .find((each) => each !== undefined);
}

function loudInStatement({ pipelines, isBeside }: ShellStatement): ShellPiece | undefined {
  // `test -d $f || continue`
  if (isBeside || pipelines.at(-1)?.pieces[0]?.text === "continue") return undefined;
  const plain = loudIn(pipelines.map((each) => ({ ...each, pieces: each.pieces.filter(isOfWeight) })));
  const inBlocks = pipelines
    .flatMap(({ pieces }) => pieces.filter(isKeywordBlock))
    .flatMap(({ text }) => commandsIn(text))
    .map((text): ShellPiece => ({ text, isBlock: false }))
    .find((each) => isOfWeight(each) && !isOnlyPreparing(each) && !/^(?:test|\[)/.test(each.text));
  return plain ?? inBlocks;
}

function isOfWeight(piece: ShellPiece): boolean {
  return !/^(?:cd|break|continue|read|let)(?![\w-])|^\w+=|^\(\(/.test(piece.text) && !isWellInPipe(piece);
}

/** What `find` runs for each of its files with `-exec … \;`, at the end: how that ends is dropped; with `+` it is not. */
export function droppedIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const last = lastOf(steps);
  if (last === undefined || last.isBeside) return [];
  const loud = lastLoudAt(last.pipelines);
  for (const [index, { pieces, behind }] of last.pipelines.entries()) {
    const isLast = behind !== "||" && index >= loud;
    const text = isLast ? ranByFind(pieces.at(-1)?.text ?? "") : "";
    const piece = { text, isBlock: false };
    const isLoud = !isOnlyPreparing(piece) && !isWellInPipe(piece) && !/\bkill\b/.test(text);
    if (isLoud) return [{ piece, how: "find drops how it ends: pipe what it finds to xargs -n 1" }];
  }
  return [];
}

function ranByFind(text: string): string {
  const at = /^find\s/.test(text) ? text.search(/\s-exec(?:dir)?\s/) : -1;
  const ran = at === -1 ? "" : text.slice(at).replace(/^\s-exec(?:dir)?\s+/, "");
  const end = ran.search(/\\;|';'|";"/);
  return end === -1 ? "" : programOnward(ran.slice(0, end).trim());
}
