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

/** Finds commands that run once for each of several items, where not every run decides the result: loop bodies, and what `find` runs. */

/** A command that may fail unseen, and how. */
export interface Unseen {
  readonly piece: ShellPiece;
  readonly how: string;
}

/** Commands that only report that everything was done. */
const printing = /^(?:echo|printf|true|:|exit\s+0)(?:\s|$)/;

/** The last step that does something. Steps after it only print, and say nothing about how it ended. */
function lastOf(steps: readonly StrictStatement[]): StrictStatement | undefined {
  return steps.findLast(({ isBeside, pipelines }) => isBeside || !pipelines.every(isPrinting));
}

function isPrinting({ pieces }: Pipeline): boolean {
  return pieces.every(({ program }) => printing.test(program));
}

/** The body of a loop over items; null for anything else. */
function bodyOf({ node, source }: ShellPiece): CompoundList | null {
  if (node.type === "For" || node.type === "ArithmeticFor") return node.body;
  if (node.type !== "While" || node.kind === "until") return null;
  const [asked] = statementsIn(node.clause, source);
  return asked !== undefined && onlyPieceOf(asked)?.words[0] === "read" ? node.body : null;
}

/** Commands with which a round can end the whole command. */
const wayOut = /^(?:exit|return|kill|exec|set)$/;

/** `cd a && … && cd ..`: when one of them fails, the following rounds find nothing. */
const wayBack = /&&\s{0,9}(?:popd\b|cd\s+(?:\.\.|-))/;

/** True for a loop that retries until success: `npm test && break`. */
function isTrying(body: string): boolean {
  return /\bbreak\b/.test(body.replace(/\|\|\s{0,9}break\b/g, ""));
}

/** A command in a loop where only the last round decides: `for f in *.js; do node --check $f; done`. */
export function loopedIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const last = lastOf(steps);
  if (last === undefined || last.isStrict || steps.some(mayEndElsewhere)) return [];
  const [piece] = endsOf(last).flatMap(loudInRounds);
  return piece === undefined ? [] : [{ piece, how: "its loop goes on all the same: put || exit 1 behind it" }];
}

/** The commands that decide how a statement ends, where nothing beside or after them in the statement checks the result. */
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

/** Commands that `find` runs for each file with `-exec … \;`, at the end. Their exit code is dropped; with `+` it is not. */
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
