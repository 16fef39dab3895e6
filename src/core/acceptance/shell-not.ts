/** `command: ! grep …`: the shell's "not", which YAML would take for a tag and leave out, so that the opposite would be run. */

import { quotationsIn } from "../text/quotations.ts";

/** A command on one line that begins with it. What begins with a mark of YAML behind it may be meant as YAML. */
const negated = /^([ \t]*command:[ \t]+)(![ \t]+[^\s"'|>&*#][^\r]*)(\r?)$/;

/**
 * The same criteria with such commands in quotes, so that YAML reads what the shell is to do. No line is added or removed. A command that
 * goes on in the next line, or whose quote does not end, stays as it is; the reader of the file then reports it as a tag.
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
