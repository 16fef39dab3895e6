import { groupIn, type ShellPiece, type ShellStatement, statementsOf } from "../shell/statements.ts";
import { isShell } from "../shell/words.ts";
import { droppedIn, loopedIn, type Unseen } from "./round-slips.ts";
import type { PassCondition } from "./pass-condition.ts";
import {
  decidingAmong,
  failsWhereFound,
  isAskedFor,
  isCondition,
  isOnlyPreparing,
  isPipeWell,
  isWellInPipe,
  keptFrom,
  lastLoudAt,
  loudIn,
  strictStatement,
  strictStatements,
  type StrictStatement,
} from "./shell-ends.ts";
import { ignoredIn, trappedIn, weighedIn } from "./sure-ends.ts";

/** Finds parts of a shell command that may fail unseen, because another part of the command decides its exit code. */

/** How a shell handles failures. */
interface Mode {
  /** `set -e` */
  readonly isStrict: boolean;
  /** `set -o pipefail` */
  readonly isPipefail: boolean;
}

/** Commands nested in a command, and the shell modes that apply to them. */
interface Inner extends Mode {
  readonly statements: readonly ShellStatement[];
  /** True when nothing follows that could check how they ended. */
  readonly isEnd: boolean;
}

/** Limits: nesting levels, statements in one script, and pipelines in one script. */
const most = { levels: 4, statements: 400, pipelines: 1_000 } as const;

/** The faults to report to the author of a command. Empty when the condition also looks at the output or at another exit code. */
export function commandSlips(command: string, condition: PassCondition): string[] {
  if (condition.parts.some((part) => part.type !== "exit-code" || part.exitCode !== 0)) return [];
  const statements = statementsOf(command) ?? [];
  return [...new Set(slipsIn({ statements, isStrict: false, isPipefail: false, isEnd: true }, 0))];
}

function slipsIn(given: Inner, level: number): readonly string[] {
  const { statements } = given;
  if (level >= most.levels || statements.length > most.statements) return [];
  if (statements.reduce((sum, { pipelines }) => sum + pipelines.length, 0) > most.pipelines) return [];
  const steps = strictStatements(statements, given.isStrict);
  const said = steps.findLast(({ text }) => /^set\s.*\bpipefail\b/.test(text))?.text;
  const isPipefail = said === undefined ? given.isPipefail : !/\+o\s+pipefail\b/.test(said);
  return [
    ...unseenIn(steps),
    ...(isPipefail ? [] : lostIn(steps)),
    ...endedIn(steps),
    ...(given.isEnd ? sureIn(steps) : []).map(({ piece, how }) => slip(piece, how)),
    ...innerOf(steps, { ...given, isPipefail }).flatMap((inner) => slipsIn(inner, level + 1)),
  ];
}

/** Statements that always succeed, for a list after which nothing checks the result. */
function sureIn(steps: readonly StrictStatement[]): readonly Unseen[] {
  return [...loopedIn(steps), ...droppedIn(steps), ...weighedIn(steps), ...trappedIn(steps), ...ignoredIn(steps)];
}

function slip({ text }: ShellPiece, how: string): string {
  return `${JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)} may fail unseen, ${how}`;
}

/** The first command whose exit code nothing checks. A command in the background is reported only when there is no other. */
function unseenIn(steps: readonly StrictStatement[]): readonly string[] {
  const kept = keptFrom(steps);
  const unseen = steps.flatMap((step, index) => {
    const found = index > kept ? undefined : unseenAt(steps, index);
    return found === undefined ? [] : [{ step, found }];
  });
  const first = unseen.find(({ step }) => !step.isBeside) ?? unseen[0];
  const isBesideOthers = steps.some(({ isBeside }) => isBeside);
  return first === undefined ? [] : [slip(first.found, howUnseen(first.step, isBesideOthers))];
}

function unseenAt(steps: readonly StrictStatement[], index: number): ShellPiece | undefined {
  const rest = steps.slice(index + 1);
  const step = steps[index];
  const last = steps.at(-1);
  if (step === undefined || last === undefined) return undefined;
  // A background server may end with any exit code if a later statement decides.
  if (step.isBeside ? decidingAmong(rest).length > 0 : rest.length === 0) return undefined;
  const isSeen = step.isStrict && !step.isBeside;
  const found = isSeen ? missedByStrict(step) : loudIn(step.pipelines, last.isWell);
  return isAskedFor(step, rest) ? undefined : found;
}

function howUnseen({ isBeside, isStrict }: StrictStatement, isBesideOthers: boolean): string {
  if (isBeside) return "it runs beside what follows and nothing asks how it ends: leave its & away";
  if (isStrict) return '"set -e" sees nothing behind ! or before &&: join what follows with &&, too';
  if (isBesideOthers) return 'the last command decides: put "rc=$?" behind it and "exit $rc" at the end';
  return 'the last command decides: join them with &&, begin with "set -e", or put || true behind what may fail';
}

/** The command whose failure `set -e` ignores. */
function missedByStrict({ pipelines }: ShellStatement): ShellPiece | undefined {
  const before = pipelines.filter((each, index) => each.behind === "&&" && !isCondition(each, pipelines[index + 1]));
  const last = pipelines.at(-1);
  return (
    loudIn(before.map((each) => ({ ...each, behind: "" }))) ?? (last?.isNegated === true ? last.pieces[0] : undefined)
  );
}

/** A command before a pipe whose last program always succeeds. */
function lostIn(steps: readonly StrictStatement[]): readonly string[] {
  const kept = keptFrom(steps);
  for (const [index, step] of steps.entries()) {
    for (const [at, pipeline] of step.pipelines.entries()) {
      const next = step.pipelines[at + 1];
      const mayFail = index > kept || (pipeline.behind === "||" && next?.pieces.every((each) => isOnlyPreparing(each)));
      if (mayFail === true || pipeline.pieces.length < 2 || !isPipeWell(pipeline)) continue;
      const found = pipeline.pieces.find((each) => !isOnlyPreparing(each) && !isWellInPipe(each));
      const rest = [...behindOf(step, at), ...steps.slice(index + 1)];
      if (found !== undefined && !isAskedFor(step, rest, true))
        return [slip(found, "what is behind its | decides: leave that away, the output is kept")];
    }
  }
  return [];
}

/** The pipelines after one of a step, as a step of their own. */
function behindOf(step: StrictStatement, at: number): readonly StrictStatement[] {
  const pipelines = step.pipelines.slice(at + 1);
  const text = pipelines.flatMap(({ pieces }) => pieces.map((each) => each.text)).join(" ; ");
  return pipelines.length === 0 ? [] : [strictStatement({ ...step, pipelines, text }, step.isStrict)];
}

/** `npm test || true`, where nothing else decides the exit code. */
function endedIn(steps: readonly StrictStatement[]): readonly string[] {
  const last = steps.at(-1);
  if (last?.pipelines.at(-2)?.behind !== "||" || last.isBeside || !last.isWell || failsWhereFound(last)) return [];
  const isElsewhere = steps.slice(0, -1).some(({ pipelines }) => loudIn(pipelines) !== undefined);
  const found = isElsewhere || decidingAmong(steps).length > 0 ? undefined : loudIn(last.pipelines);
  return found === undefined ? [] : [slip(found, "what is behind its || always ends well: leave that away")];
}

/** The commands within `( … )`, `{ …; }` and `bash -c '…'`, where these end a pipeline. */
function innerOf(steps: readonly StrictStatement[], { isPipefail, isEnd }: Inner): readonly Inner[] {
  return steps.flatMap(({ pipelines, isBeside, isStrict }, index) => {
    const loud = lastLoudAt(pipelines);
    return pipelines.flatMap(({ pieces, behind }, at): readonly Inner[] => {
      const last = pieces.at(-1);
      if (last === undefined || isBeside) return [];
      const group = groupIn(last);
      // "set -e" has no effect within commands that && or || test.
      const mode = { isStrict: isStrict && behind === "", isPipefail };
      const inner = group === null ? givenToShell(last) : { statements: group, ...mode };
      // `(npm start &) && npm test`
      const isBegun = inner?.statements.at(-1)?.isBeside === true && (steps.length > 1 || pipelines.length > 1);
      const isLast = index === steps.length - 1 && at >= loud;
      return inner === null || isBegun ? [] : [{ ...inner, isEnd: isEnd && isLast }];
    });
  });
}

/** `docker compose exec web bash -euo pipefail -c '…'` */
function givenToShell(piece: ShellPiece): Omit<Inner, "isEnd"> | null {
  const { words } = piece;
  const begin = words.findIndex((word) => isShell(word)) + 1;
  const options = words.slice(begin, -1);
  const isGiven = begin > 0 && /^-[a-z]*c$/.test(options.at(-1) ?? "") && options.every((word) => option.test(word));
  if (!isGiven || isOnlyPreparing(piece)) return null;
  return {
    statements: statementsOf(words.at(-1) ?? "") ?? [],
    isStrict: options.some((word) => /^-[a-z]*e|^errexit$/.test(word)),
    isPipefail: options.includes("pipefail"),
  };
}

const option = /^(?:-\S+|pipefail|errexit)$/;
