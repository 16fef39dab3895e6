import type { Unseen } from "./round-slips.ts";
import { decidingAmong, isAskedFor, isKeywordBlock, isWell, loudIn, type StrictStatement } from "./shell-ends.ts";
import { type ShellPiece, type Pipeline, programOnward, type ShellStatement, statementsOf } from "./shell-pieces.ts";

/** What certainly ends well, whatever its commands do. Where that is not certain nothing is said. */

/** What may end it otherwise, or does something else at its end: functions, traps, another program in its place. */
const elsewhere = /\b(?:exec|function|source)\b|\w\s{0,9}\(\)|^(?:trap|\.)\s/;

/** `if npm test; then echo ok; fi`, where nothing else decides: the condition may fail, and an `if` that does nothing ends well. */
export function weighedIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const end = steps.findLastIndex((step) => step.isBeside || !isQuiet(step));
  const last = steps[end];
  if (last === undefined || last.isBeside || last.pipelines.length > 1) return [];
  const isDecided = decidingAmong(steps.slice(0, end + 1)).some((each) => each !== last);
  if (isDecided || steps.some(({ text }) => elsewhere.test(text))) return [];
  const pieces = last.pipelines[0]?.pieces ?? [];
  const [condition, ...branches] = pieces.length === 1 ? partsOf(pieces[0]) : [];
  const isEnding = branches.length === 0 || !branches.every((each) => each.every(isQuiet));
  const piece = isEnding ? undefined : loudIn(condition?.flatMap(({ pipelines }) => pipelines) ?? []);
  return piece === undefined ? [] : [{ piece, how: 'its "if" ends well either way: leave the "if" away' }];
}

/** Whether it only prints or prepares, and ends well. */
function isQuiet(statement: ShellStatement): boolean {
  const isPlain = statement.pipelines.every(({ pieces }) => pieces.every(({ isBlock }) => !isBlock));
  return isPlain && !statement.isBeside && isWell(statement) && loudIn(statement.pipelines) === undefined;
}

const words = /\b(?:if|then|elif|else|fi|for|while|until|case|select|do|done|esac|exit|return|kill|set)\b/;

/** Of an `if` without others in it what it asks, and what it does then and else; nothing where there is more to it. */
function partsOf(piece: ShellPiece | undefined): readonly (readonly ShellStatement[])[] {
  if (piece === undefined || !isKeywordBlock(piece) || !piece.text.startsWith("if ")) return [];
  const [before = "", then = "", ...more] = piece.text.slice(2).split(/[;\n]\s{0,9}then\s/);
  const [ended = "", ...behind] = then.split(/[;\n]\s{0,9}fi$/);
  const texts = [before, ...ended.split(/[;\n]\s{0,9}else\s/)];
  const isSimple = more.length === 0 && behind.join("") === "" && behind.length === 1 && texts.length <= 3;
  if (!isSimple || texts.some((each) => words.test(each))) return [];
  const parts = texts.map((each) => statementsOf(each));
  return parts.every((each) => each !== null && each.length > 0) ? parts.filter((each) => each !== null) : [];
}

const onExit = /^trap\s+(?:'([^']*)'|"([^"$`]*)")\s+(?:EXIT|0)$/;

/** `trap 'exit 0' EXIT; npm test`: whatever fails behind it. */
export function trappedIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const at = steps.findIndex(({ text }) => /^trap\s/.test(text));
  const [, single, double] = onExit.exec(steps[at]?.text ?? "") ?? [];
  const does = single ?? double ?? "";
  if (!/(?:^|[;\n])\s{0,9}exit\s+0\s{0,9}$/.test(does) || words.test(does.replace(/exit\s+0\s{0,9}$/, ""))) return [];
  const isOther = steps.some(({ text }, index) => index !== at && /\b(?:trap|exec|kill)\b/.test(text));
  const before = steps.slice(0, at).flatMap(({ pipelines }) => pipelines);
  if (isOther || loudIn(before) !== undefined || before.some(({ pieces }) => pieces.some(isKeywordBlock))) return [];
  const piece = loudIn(steps.slice(at + 1).flatMap(({ pipelines }) => pipelines));
  return piece === undefined ? [] : [{ piece, how: 'its trap ends the shell with "exit 0": leave that away' }];
}

/** `-i` among short options of make that take nothing. */
const ignoring = /^g?make\s(?:.*\s)?(?:-[bBdeknpqrRsStvw]*i[bBdeiknpqrRsStvw]*|--ignore-errors)(?:\s|$)/;

/** `make -i test`, where nothing else may fail: it goes on behind what fails, and ends well. */
export function ignoredIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  const loud = steps.flatMap((step, index) => step.pipelines.flatMap((each) => ignoredAt(steps, index, each)));
  const piece = loud.includes(null) ? undefined : loud[0];
  return piece === undefined || piece === null ? [] : [{ piece, how: "-i goes on and ends well: leave that away" }];
}

/** The commands of a pipeline that ignore what fails; null for one that may decide, or whose output may. */
function ignoredAt(
  steps: readonly StrictStatement[],
  index: number,
  pipeline: Pipeline,
): readonly (ShellPiece | null)[] {
  const [step] = steps.slice(index);
  const { pieces, behind } = pipeline;
  const [first] = pieces;
  if (pieces.some(isKeywordBlock)) return [null];
  if (step === undefined || first === undefined || loudIn([pipeline]) === undefined) return [];
  const isIgnoring = pieces.length === 1 && !first.text.startsWith("!") && ignoring.test(programOnward(first.text));
  return [isIgnoring && behind !== "||" && !isAskedFor(step, steps.slice(index + 1)) ? first : null];
}
