import { appendFileSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { jsonOrNull } from "../core/text/json.ts";
import { hookLine } from "../core/worklog/hook-line.ts";
import { outsideDirOf } from "../paths.ts";
import { startHook } from "./start-hook.ts";

const help = [
  "cos worklog-hook < HOOK-INPUT",
  "  For an agent's UserPromptSubmit, PostToolUse, PostToolUseFailure, Stop and SessionEnd hooks: its session gets a worklog (docs/worklog.md).",
];

/** Maximum length; the input contains the tool's arguments and its result. */
const longestInput = 20_000_000;

/** Maximum size of a session's file, in case no bot reads it. */
const mostBytes = 1_000_000;

/** The entry of `cos worklog-hook`. It runs after every tool call of an agent, so it loads only what it needs. */
export async function start(taken: Readonly<Record<string, string>>): Promise<void> {
  const call = startHook(taken, help);
  if (call !== null) keepLine(call.input, call.dataDir, call.environment["USER"] ?? "");
}

/** Writes a line for a running bot. Never throws and never answers: no agent may be held because of a worklog. */
function keepLine(input: string, dataDir: string, owner: string): void {
  const raw = jsonOrNull(input, longestInput);
  if (typeof raw !== "object" || raw === null) return;
  const session = "session_id" in raw ? raw.session_id : null;
  if (typeof session !== "string" || !/^[\w-]{1,100}$/.test(session)) return;
  const line = hookLine({ ...raw }, new Date(), owner);
  if (line === null) return;
  try {
    const folder = outsideDirOf(dataDir);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${session}.jsonl`);
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size < mostBytes) appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // The disk is full, or this user may not write there; the agent continues.
  }
}
