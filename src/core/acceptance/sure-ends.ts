import type { SyntaxNode } from "unbash";
import type { Unseen } from "./round-slips.ts";
import {
  isKeywordBlock,
  onlyPieceOf,
  type Pipeline,
  type ShellPiece,
  type ShellStatement,
  startsIn,
  statementsIn,
  statementsOf,
} from "../shell/statements.ts";
import { nodesIn } from "../shell/script.ts";
import { decidingAmong, isAskedFor, isWell, loudIn, mayEndElsewhere, type StrictStatement } from "./shell-ends.ts";

/** Finds commands that certainly succeed, whatever their parts do. Reports nothing where that is not certain. */

/** Commands that run other code in place of what follows. */
const taking = /^(?:exec|source|\.)$/;

/** `if npm test; then echo ok; fi`, where nothing else decides: the condition may fail, and an `if` without a branch to run succeeds. */
export function weighedIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const end = steps.findLastIndex((step) => step.isBeside || !isQuiet(step));
  const last = steps[end];
  if (last === undefined || last.isBeside) return [];
  const isDecided = decidingAmong(steps.slice(0, end + 1)).some((each) => each !== last);
  if (isDecided || steps.some((step) => mayEndElsewhere(step) || startsIn(step.node, taking))) return [];
  const [condition, ...branches] = partsOf(onlyPieceOf(last));
  const isEnding = branches.length === 0 || !branches.every((each) => each.every(isQuiet));
  const piece = isEnding ? undefined : loudIn(condition?.flatMap(({ pipelines }) => pipelines) ?? []);
  return piece === undefined ? [] : [{ piece, how: 'its "if" ends well either way: leave the "if" away' }];
}

const plain = /^(?:Command|TestCommand)$/;

/** True when a statement only prints or prepares, and succeeds. */
function isQuiet(statement: ShellStatement): boolean {
  const isPlain = statement.pipelines.every(({ pieces }) => pieces.every(({ node }) => plain.test(node.type)));
  return isPlain && !statement.isBeside && isWell(statement) && loudIn(statement.pipelines) === undefined;
}

/** True when a node contains other blocks, or a command that leaves it before its end. */
function isWinding(node: SyntaxNode): boolean {
  return nodesIn(node).some((each) => isKeywordBlock({ node: each })) || startsIn(node, /^(?:exit|return|kill|set)$/);
}

/** The condition, the `then` list and the `else` list of an `if`. Empty when it has `elif`, redirections or nested blocks. */
function partsOf(piece: ShellPiece | undefined): readonly (readonly ShellStatement[])[] {
  if (piece?.node.type !== "If" || piece.node.elif.length > 0 || piece.redirects.length > 0) return [];
  const { node, source } = piece;
  const lists = [node.clause, node.then, ...(node.else === undefined ? [] : [node.else])];
  return lists.some(isWinding) ? [] : lists.map((each) => statementsIn(each, source));
}

/** `trap 'exit 0' EXIT; npm test`: hides every failure after it. */
export function trappedIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const commands = steps.map((step) => onlyPieceOf(step)?.words ?? []);
  const at = commands.findIndex(([program]) => program === "trap");
  const [, does = "", signal = "", ...more] = commands[at] ?? [];
  if (more.length > 0 || !/^(?:EXIT|0)$/.test(signal) || !isEndingWell(does)) return [];
  const isOther = steps.some(({ node }, index) => index !== at && startsIn(node, /^(?:trap|exec|kill)$/));
  const before = steps.slice(0, at).flatMap(({ pipelines }) => pipelines);
  if (isOther || loudIn(before) !== undefined || before.some(({ pieces }) => pieces.some(isKeywordBlock))) return [];
  const piece = loudIn(steps.slice(at + 1).flatMap(({ pipelines }) => pipelines));
  return piece === undefined ? [] : [{ piece, how: 'its trap ends the shell with "exit 0": leave that away' }];
}

/** True when the commands of a trap always reach an `exit 0`. */
function isEndingWell(does: string): boolean {
  const steps = statementsOf(does) ?? [];
  return steps.at(-1)?.text === "exit 0" && !steps.slice(0, -1).some(({ node }) => isWinding(node));
}

/** `-i` among the short options of make that take no value. */
const ignoring = /^(?:-[bBdeknpqrRsStvw]*i[bBdeiknpqrRsStvw]*|--ignore-errors)$/;

/** `make -i test`, where nothing else may fail: make continues after failures and succeeds. */
export function ignoredIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const loud = steps.flatMap((step, index) => step.pipelines.flatMap((each) => ignoredAt(steps, index, each)));
  const piece = loud.includes(null) ? undefined : loud[0];
  return piece === undefined || piece === null ? [] : [{ piece, how: "-i goes on and ends well: leave that away" }];
}

/** The commands of a pipeline that ignore failures. Null for a command whose exit code or output may decide. */
function ignoredAt(
  steps: readonly StrictStatement[],
  index: number,
  pipeline: Pipeline,
): readonly (ShellPiece | null)[] {
  const [step] = steps.slice(index);
  const { pieces, isNegated, behind } = pipeline;
  const [first] = pieces;
  if (pieces.some(isKeywordBlock)) return [null];
  if (step === undefined || first === undefined || loudIn([pipeline]) === undefined) return [];
  const [program = "", ...given] = pieces.length > 1 || isNegated ? [] : first.words;
  const isIgnoring = /^g?make$/.test(program) && given.some((word) => ignoring.test(word));
  return [isIgnoring && behind !== "||" && !isAskedFor(step, steps.slice(index + 1)) ? first : null];
}
