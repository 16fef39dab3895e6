/** Handles `command: ! grep …`, the shell's "not". YAML would parse it as a tag and drop it, and the opposite would be run. */

import { quotationsIn } from "../text/quotations.ts";

/** A one-line command that begins with `!`. If a YAML mark follows, the line may be meant as YAML and does not match. */
const negated = /^([ \t]*command:[ \t]+)(![ \t]+[^\s"'|>&*#][^\r]*)(\r?)$/;

/**
 * The criteria with such commands in quotes, so that YAML keeps the `!`. The number of lines stays the same. A command that continues on
 * the next line, or whose quote does not end, stays as it is; the parser then reports it as a tag.
 */
export function inPlainYaml(criteria: string): string {
  if (!criteria.includes("!")) return criteria;
  let isYaml = false;
  const lines = criteria.split("\n");
  return lines
    .map((line, index) => {
      if (/^[ \t]*(?:```|~~~)/.test(line)) isYaml = /^[ \t]*[`~]{3,}[ \t]*ya?ml/i.test(line);
      const [, key = "", command, lineEnd = ""] = isYaml ? (negated.exec(line) ?? []) : [];
      if (command === undefined || goesOn(lines[index + 1], key)) return line;
      const { open, commentAt } = quotationsIn(command, "shell");
      if (open !== "") return line;
      const end = commentAt ?? command.length;
      return `${key}${JSON.stringify(command.slice(0, end).trimEnd())}${command.slice(end)}${lineEnd}`;
    })
    .join("\n");
}

function goesOn(next: string | undefined, key: string): boolean {
  return next !== undefined && next.trim() !== "" && next.search(/\S/) > key.search(/\S/);
}
