import { parseArgsStringToArgv } from "string-argv";
import { acpRunner } from "./acp.ts";
import { commandRunner } from "./command.ts";
import type { Runner } from "./runner.ts";

export type ParsedAgent =
  | { readonly type: "ok"; readonly runner: Runner; readonly kind: "acp" | "command"; readonly label: string }
  | { readonly type: "invalid"; readonly reason: string };

/** Reads `acp:<command line>` or `command:<command line>`, as in COS_AGENT; the label is the command line. */
export function parseAgent(text: string): ParsedAgent {
  const match = /^(acp|command):\s*(.*)$/s.exec(text.trim());
  const label = match?.[2]?.trim() ?? "";
  if (match === null || parseArgsStringToArgv(label).length === 0) {
    return {
      type: "invalid",
      reason: `the agent ${JSON.stringify(text)} is neither acp:<command line> nor command:<command line>`,
    };
  }
  if (match[1] === "acp") return { type: "ok", runner: acpRunner(label), kind: "acp", label };
  return { type: "ok", runner: commandRunner(label), kind: "command", label };
}
