import { cleanText, firstLine } from "../text.ts";
import { defaultProofPolicy } from "../policy/proof.ts";
import { isRequiredChecksLine } from "./verification.ts";

/**
 * The criteria file of a goal that is done when one command passes, or when the forge's required checks pass. The command gets the timeout
 * of a repository check.
 */
export function criteriaOfCommand(command: string): string {
  const clean = cleanText(command).trim();
  if (isRequiredChecksLine(clean))
    return "#### AC-1: The required checks pass\n\n**Verification**:\n```yaml\nci: required checks\n```\n";
  // JSON is also YAML and fits on one line, so no line of a command can end the fence.
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
