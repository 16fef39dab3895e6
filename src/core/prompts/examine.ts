import { fenced, fencedLines, workFenceRule } from "./fence.ts";

/** The prompt of a sub-agent that examines one criterion (AC-12): only its checks and its context. */
export function examinePrompt(criterion: {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly checks: readonly string[];
  readonly contextFiles: readonly string[];
  readonly definition: string | null;
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
  /** The name of this examination. An answer without it is not accepted. */
  readonly nonce: string;
}): string {
  const { id, title, description, checks, contextFiles, definition, accepted, rejected } = criterion;
  const numbered = checks.map((check, index) => `${index + 1}. ${check}`);
  const parts = [
    `You examine whether something holds in the directory you are in. Change nothing: what you change is thrown away. ${workFenceRule}`,
    ...(definition === null ? [] : ["Your task:", fenced("task", definition)]),
    "The criterion:",
    fenced("criterion", `${id}: ${title}. ${description}`),
    "Checks:",
    fenced("checks", numbered.join("\n")),
    ...(contextFiles.length === 0 ? [] : ["Look first at:", fencedLines("files", contextFiles)]),
    ...accepted.map((example) => `Accepted, for example:\n${fenced("accepted", example)}`),
    ...rejected.map((example) => `Rejected, for example:\n${fenced("rejected", example)}`),
    [
      "Look for evidence for every check; a check passes only when you can show it. End your last message with one JSON object and nothing after it, with the name of this examination as it stands here:",
      `{"examination": "${criterion.nonce}", "checks": [{"check": 1, "pass": true, "evidence": "src/price.ts:12 rounds up"}]}`,
      "Evidence names a place as file:line, or a command in backticks with what it printed. The system looks whether each file has that line and whether you ran each command. An answer that says both yes and no is a no.",
    ].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}
