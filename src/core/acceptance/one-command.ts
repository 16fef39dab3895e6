import { cleanText, firstLine } from "../text.ts";
import { isRequiredChecksLine } from "./verification.ts";

/** The criteria of a goal that is done when one command, or what its forge requires, passes, as a criteria file says them. */
export function criteriaOfCommand(command: string): string {
  const clean = cleanText(command).trim();
  if (isRequiredChecksLine(clean))
    return "#### AC-1: The required checks pass\n\n**Verification**:\n```yaml\nci: required checks\n```\n";
  // A JSON text is YAML too, on one line whatever is in it: no line of a command can end its fence.
  const lines = [
    `#### AC-1: ${firstLine(clean, 100)}`,
    "",
    "**Description**: The command passes.",
    "",
    "**Verification**:",
    "```yaml",
    "method: bash",
    `command: ${JSON.stringify(clean)}`,
    "```",
  ];
  return `${lines.join("\n")}\n`;
}
