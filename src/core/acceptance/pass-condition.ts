import { findPattern, longestMatched, patternProblem } from "../text/pattern.ts";

/** The condition on a command's result for its criterion to pass (INTERFACE: exit code N, output contains, output matches). */
export interface PassCondition {
  /** As it was written. */
  readonly text: string;
  readonly parts: readonly ConditionPart[];
}

type ConditionPart =
  | { readonly type: "exit-code"; readonly exitCode: number }
  | { readonly type: "contains"; readonly text: string }
  | { readonly type: "matches"; readonly pattern: string; readonly flags: string };

const longest = 4_000;

/**
 * Parses `exit code 0`, `output contains "ok"`, `output matches /ok/i`, joined by "and". Returns a string that says what is wrong
 * otherwise.
 */
export function parsePassCondition(text: string): PassCondition | string {
  if (text.length > longest) return `pass_condition has ${text.length} characters, at most ${longest} are taken`;
  const parts: ConditionPart[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const found = readPart(rest);
    if (found === null) {
      return `pass_condition: found ${JSON.stringify(rest)}, expected exit code N, output contains "…" or output matches /…/`;
    }
    if (typeof found === "string") return found;
    parts.push(found.part);
    rest = found.rest.replace(/^\s*(?:and\b|,)?\s*/i, "");
  }
  if (parts.length === 0) return "pass_condition is empty";
  // A condition on the output alone still requires exit code 0.
  const hasExit = parts.some((part) => part.type === "exit-code");
  return { text: text.trim(), parts: hasExit ? parts : [{ type: "exit-code", exitCode: 0 }, ...parts] };
}

/** Escapes in a quoted text; any other character stands for itself. */
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function readPart(text: string): { part: ConditionPart; rest: string } | string | null {
  const exit = /^exit code\s*(?:is\s*|=\s*)?(\d{1,3})/i.exec(text);
  if (exit !== null) {
    const exitCode = Number(exit[1]);
    if (exitCode > 255) return `pass_condition: no command ends with exit code ${exitCode}, expected 0 to 255`;
    return { part: { type: "exit-code", exitCode }, rest: text.slice(exit[0].length) };
  }
  const contains = /^output contains\s*"((?:[^"\\]|\\.)*)"/i.exec(text);
  if (contains !== null) {
    const words = (contains[1] ?? "").replace(/\\(.)/g, (_, escaped: string) => escapes[escaped] ?? escaped);
    return { part: { type: "contains", text: words }, rest: text.slice(contains[0].length) };
  }
  const matches = /^output matches\s*\/((?:[^/\\]|\\.)+)\/([imsu]*)/i.exec(text);
  if (matches === null) return null;
  const [whole, pattern = "", flags = ""] = matches;
  const problem = patternProblem(pattern, flags);
  if (problem !== null) return `pass_condition: ${problem}`;
  return { part: { type: "matches", pattern, flags }, rest: text.slice(whole.length) };
}

/**
 * The parts that do not hold, in words; empty when the command passed. `output` is the part that was kept; `isCut` says that it is
 * incomplete. In a long output, a pattern sees only the beginning and the end (`longestMatched`), and the message for a missing match says
 * so.
 */
export function unmet(condition: PassCondition, exitCode: number | null, output: string, isCut = false): string[] {
  return condition.parts.flatMap((part) => {
    switch (part.type) {
      case "exit-code":
        return exitCode === part.exitCode ? [] : [`expected exit code ${part.exitCode}, got ${exitCode ?? "a signal"}`];
      case "contains":
        return output.includes(part.text)
          ? []
          : [`expected output with ${JSON.stringify(part.text)}, which is not there${isCut ? inKept : ""}`];
      case "matches": {
        const found = findPattern(part.pattern, part.flags, output);
        const where = found.isCut ? inLooked : isCut ? inKept : "";
        return found.isFound ? [] : [`expected output that matches /${part.pattern}/${part.flags}, none does${where}`];
      }
    }
  });
}

const inKept = " in what was kept of it (its beginning and its end)";
const inLooked = ` in its first and last ${longestMatched / 2} characters: more is not looked at`;
