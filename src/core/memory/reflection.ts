import { failedAtWork } from "../recovery/tried.ts";
import { firstLine, shorten, shownPath } from "../text.ts";
import { type RunFacts, touchedFiles } from "./episode.ts";

/** The lesson of a run, in two or three sentences (S4-RF-07). */

/** Maximum length of a reflection: about 200 tokens. */
export const longestReflection = 800;

/**
 * The built-in rule, for bots without a model: what went wrong, what was tried, what helped. It uses only facts. Null when nothing was done
 * in the run, so that there is nothing to learn.
 */
export function ruleReflection(run: RunFacts): string | null {
  if (run.attempts.length === 0 || isOnWordAlone(run)) return null;
  const failed = run.attempts.filter((each) => each.end !== "passed");
  const passed = run.attempts.findLast((each) => each.end === "passed");
  const files = touchedFiles(run);
  const where = files.length === 0 ? "" : ` It changed ${files.slice(0, 5).map(shownPath).join(", ")}.`;
  const errors = [...new Set(failed.map((each) => firstLine(each.error, 160)))].slice(0, 3);
  const approaches = [...new Set(failed.map((each) => firstLine(each.approach, 80)))].slice(0, 4);
  const person = run.answers.findLast((each) => each.instructions !== null)?.instructions ?? null;
  const said = person === null ? "" : ` A person said: “${firstLine(person, 240)}”.`;
  const times = `${failed.length} ${failed.length === 1 ? "attempt" : "attempts"}`;
  const met = `${times} failed with ${errors.map((each) => `“${each}”`).join(", then ")}`;

  if (run.end?.status === "complete") {
    if (failed.length === 0) return shorten(`It was done at the first attempt.${said}${where}`, longestReflection);
    const how = passed?.instruction ?? null;
    const helped = `What worked: ${firstLine(passed?.approach ?? "the last attempt", 80)}${how === null ? "" : ` (${firstLine(how, 240)})`}.`;
    return shorten(`${met}. ${helped}${said}${where}`, longestReflection);
  }
  const left = run.end === null ? "It was not finished" : `It ended as ${run.end.status.replaceAll("_", " ")}`;
  if (failed.length === 0) return shorten(`${left}: ${firstLine(run.end?.outcome ?? "", 200)}`, longestReflection);
  return shorten(`${left}: ${met}. Tried without success: ${approaches.join(", ")}.${said}`, longestReflection);
}

/** A reflection in one line, cut to the maximum length. */
export function reflectionOf(text: string): string {
  return shorten(text.replace(/\s+/g, " ").trim(), longestReflection);
}

/**
 * True when there is something to learn from a run. False when nothing was executed; when the run met only problems outside of its work (an
 * agent that does not start, a push that is refused); when it changed nothing and nothing checked it; and when a person ended it by
 * changing its goal's text.
 */
export function teaches(run: Pick<RunFacts, "end" | "attempts" | "seen" | "taskFiles">): boolean {
  const { end, attempts } = run;
  return end !== null && !isOnWordAlone(run) && attempts.some((each) => each.end === "passed" || failedAtWork(each));
}

/**
 * True when the goal was complete at once, with no changed file and no check that could have failed: only the agent says that anything was
 * done.
 */
function isOnWordAlone(run: Pick<RunFacts, "end" | "attempts" | "seen" | "taskFiles">): boolean {
  const isHeld = run.seen.some(({ kind }) => kind === "criterion" || kind === "check");
  const hasFailed = run.attempts.some(({ end }) => end !== "passed");
  return run.end?.status === "complete" && !hasFailed && !isHeld && touchedFiles(run).length === 0;
}
