import { criterionName } from "./criterion-words.ts";
import { areOfCommand, type Tried } from "../recovery/tried.ts";
import { count, firstLine, shorten } from "../text.ts";
import { type Card, type CardBlock, plainCard, type Text, text } from "./card.ts";

/** Words for the runs of a goal's own command, which has no approaches and climbs no rungs (D50). */

/** "run twice, failed twice". Null for attempts of an agent. */
export function runsLine(attempts: readonly Tried[]): string | null {
  if (!areOfCommand(attempts)) return null;
  const run = `run ${times(attempts.length)}`;
  const last = attempts.at(-1);
  if (last?.end === "passed") return attempts.length === 1 ? `${run}, passed` : `${run}, passed the last time`;
  if (last?.end === "push") return `${run}, its result could not be pushed`;
  return `${run}, failed ${times(attempts.length)}`;
}

function times(number: number): string {
  if (number === 1) return "once";
  return number === 2 ? "twice" : `${number} times`;
}

/** How many runs an escalation shows with their output. Earlier ones are lines in its thread. */
const shownInFull = 2;

/** The newest runs, each with its exit code and the end of its output. */
export function runBlocks(attempts: readonly Tried[]): CardBlock[] {
  return attempts.slice(-shownInFull).flatMap((attempt, index): CardBlock[] => {
    const number = Math.max(0, attempts.length - shownInFull) + index + 1;
    const line = text({ strong: `Run ${number}` }, ", ", { at: attempt.at.toISOString() }, `: ${endOfRun(attempt)}`);
    const output = outputOf(attempt);
    return output === "" ? [line] : [line, { type: "code", text: output }];
  });
}

/** All runs, one line each, for a goal's card and for the thread of an escalation that shows only the newest. */
export function runItems(attempts: readonly Tried[]): Text[] {
  return attempts.map((attempt, index) => [
    { strong: `Run ${index + 1}` },
    ", ",
    { at: attempt.at.toISOString() },
    `: ${endOfRun(attempt)}${saidWords(attempt)}`,
  ]);
}

/** What a failed run printed, if that says more than how it ended. */
function saidWords(attempt: Tried): string {
  const said = firstLine(outputOf(attempt) || attempt.error, 200);
  return attempt.end === "passed" || endOfRun(attempt).startsWith(said) ? "" : `; ${said}`;
}

/** All runs, for the thread of an escalation. Null when the escalation itself shows them all. */
export function earlierRunsCard(content: string, attempts: readonly Tried[]): Card | null {
  if (attempts.length <= shownInFull) return null;
  const title = `All runs: ${runsLine(attempts) ?? count(attempts.length, "run")}`;
  return plainCard({
    kind: "notice",
    tone: "neutral",
    title,
    summary: `${title}. ${firstLine(content, 100)}`,
    blocks: [{ type: "list", items: runItems(attempts) }],
  });
}

/** "exit code 3", "exit code 0, but check 1 of the repository failed", "no end after 60 min". */
export function endOfRun(attempt: Pick<Tried, "exitCode" | "error" | "end" | "criteria">): string {
  const exit = attempt.exitCode === null ? firstLine(attempt.error, 200) : `exit code ${attempt.exitCode}`;
  if (attempt.end === "passed") return `${exit}, passed`;
  if (attempt.end === "push") return `${exit}, but the result could not be pushed`;
  const failed = attempt.criteria.map(criterionName);
  if (failed.length === 0) return exit;
  const more = failed.length > 3 ? ` and ${failed.length - 3} more` : "";
  return `${exit}, but ${failed.slice(0, 3).join(", ")}${more} failed`;
}

/** The last lines that the attempt printed. */
export function outputOf({ output }: Tried): string {
  return shorten((output ?? "").trim(), 1200);
}
