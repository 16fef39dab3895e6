import { cleanText, firstLine } from "../text.ts";
import { defaultProofPolicy } from "../policy/proof.ts";
import { isRequiredChecksLine } from "./verification.ts";

/** The criteria of a goal that is done when one command, or what its forge requires, passes, as a criteria file says them: with the time of a repository's check. */
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
    `timeout_seconds: ${defaultProofPolicy.verification.checkTimeoutSeconds}`,
    "```",
  ];
  return `${lines.join("\n")}\n`;
}
