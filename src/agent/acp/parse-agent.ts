import { meantAgent } from "../../core/agents/agent-lines.ts";
import { readWords } from "../../core/text/words.ts";
import { acpRunner } from "./acp.ts";
import { commandRunner } from "./command.ts";
import type { Runner } from "../process/runner.ts";

export type ParsedAgent =
  | { readonly type: "ok"; readonly runner: Runner; readonly kind: "acp" | "command"; readonly label: string }
  | { readonly type: "invalid"; readonly reason: string };

/** Parses `acp:<command line>` or `command:<command line>`, as in COS_AGENT. The label is the command line. */
export function parseAgent(text: string): ParsedAgent {
  const line = text.trim();
  const kind = (["acp", "command"] as const).find((each) => line.startsWith(`${each}:`));
  const label = kind === undefined ? "" : line.slice(kind.length + 1).trim();
  const read = readWords(label);
  const shown = `the agent ${JSON.stringify(text)}`;
  if (read.type === "wrong") return { type: "invalid", reason: `${shown}: ${read.problem}` };
  if (kind === undefined || read.words.length === 0) {
    const neither = `${shown} is neither acp:<command line> nor command:<command line>`;
    const meant = meantAgent(line);
    return { type: "invalid", reason: meant === null ? neither : `${neither}; did you mean ${meant}?` };
  }
  if (kind === "acp") return { type: "ok", runner: acpRunner(label), kind, label };
  return { type: "ok", runner: commandRunner(label), kind, label };
}
