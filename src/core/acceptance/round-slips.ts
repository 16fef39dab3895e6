import type { CompoundList } from "unbash";
import {
  isKeywordBlock,
  onlyPieceOf,
  type Pipeline,
  piecesWithin,
  type ShellPiece,
  type ShellStatement,
  startsIn,
  statementsIn,
  valueOf,
} from "../shell/statements.ts";
import { startedBy } from "../shell/launchers.ts";
import {
  isOnlyPreparing,
  isWellInPipe,
  lastLoudAt,
  loudIn,
  mayEndElsewhere,
  type StrictStatement,
} from "./shell-ends.ts";

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
  return pieces.every(({ program }) => printing.test(program));
}

/** What lies between "do" and "done" where each of several is gone through; null for what is no such loop. */
function bodyOf({ node, source }: ShellPiece): CompoundList | null {
  if (node.type === "For" || node.type === "ArithmeticFor") return node.body;
  if (node.type !== "While" || node.kind === "until") return null;
  const [asked] = statementsIn(node.clause, source);
  return asked !== undefined && onlyPieceOf(asked)?.words[0] === "read" ? node.body : null;
}

/** What lets a round end the whole. */
const wayOut = /^(?:exit|return|kill|exec|set)$/;

/** `cd a && … && cd ..`: where one fails, the next ones find nothing. */
const wayBack = /&&\s{0,9}(?:popd\b|cd\s+(?:\.\.|-))/;

/** A loop that is tried until it does: `npm test && break`. */
function isTrying(body: string): boolean {
  return /\bbreak\b/.test(body.replace(/\|\|\s{0,9}break\b/g, ""));
}

/** The command of a loop's rounds where no round but the last one decides: `for f in *.js; do node --check $f; done`. */
export function loopedIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const last = lastOf(steps);
  if (last === undefined || last.isStrict || steps.some(mayEndElsewhere)) return [];
  const [piece] = endsOf(last).flatMap(loudInRounds);
  return piece === undefined ? [] : [{ piece, how: "its loop goes on all the same: put || exit 1 behind it" }];
}

/** The commands that decide how a statement ends, if nothing beside it and nothing that follows in it looks at what they did. */
function endsOf({ pipelines, isBeside }: ShellStatement): readonly ShellPiece[] {
  const loud = lastLoudAt(pipelines);
  const ends = pipelines.filter(({ behind }, index) => !isBeside && behind !== "||" && index >= loud);
  return ends.flatMap(({ pieces }) => pieces.slice(-1));
}

function loudInRounds(loop: ShellPiece): readonly ShellPiece[] {
  const body = bodyOf(loop);
  const text = loop.source.slice(body?.pos, body?.end);
  if (body === null || startsIn(body, wayOut) || wayBack.test(text) || isTrying(text)) return [];
  return statementsIn(body, loop.source).flatMap(loudInStatement);
}

function loudInStatement({ pipelines, isBeside }: ShellStatement): readonly ShellPiece[] {
  // `test -d $f || continue`
  if (isBeside || pipelines.at(-1)?.pieces[0]?.text === "continue") return [];
  const plain = loudIn(pipelines.map((each) => ({ ...each, pieces: each.pieces.filter(isOfWeight) })));
  const inBlocks = pipelines
    .flatMap(({ pieces }) => pieces.filter(isKeywordBlock))
    .flatMap(piecesWithin)
    .filter((each) => isOfWeight(each) && !isOnlyPreparing(each) && !/^(?:test|\[)/.test(each.program));
  return plain === undefined ? inBlocks : [plain];
}

function isOfWeight(piece: ShellPiece): boolean {
  if (piece.node.type === "ArithmeticCommand" || piece.program === "") return false;
  return !/^(?:cd|break|continue|read|let)$/.test(piece.words[0] ?? "") && !isWellInPipe(piece);
}

/** What `find` runs for each of its files with `-exec … \;`, at the end: how that ends is dropped; with `+` it is not. */
export function droppedIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const last = lastOf(steps);
  const ran = last === undefined ? [] : endsOf(last).flatMap(ranByFind);
  const piece = ran.find((each) => !isOnlyPreparing(each) && !isWellInPipe(each) && each.words[0] !== "kill");
  return piece === undefined ? [] : [{ piece, how: "find drops how it ends: pipe what it finds to xargs -n 1" }];
}

function ranByFind(piece: ShellPiece): readonly ShellPiece[] {
  const { node, source } = piece;
  if (node.type !== "Command" || node.name?.value !== "find") return [];
  const given = node.args.map(valueOf);
  const begin = given.findIndex((word) => /^-exec(?:dir)?$/.test(word)) + 1;
  const end = given.indexOf(";", begin);
  if (begin === 0 || end <= begin) return [];
  const words = startedBy(given.slice(begin, end));
  const text = source.slice(node.args[begin]?.pos, node.args[end - 1]?.end);
  return [{ ...piece, text, words, program: words.join(" ") }];
}
