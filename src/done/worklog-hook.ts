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

/** A hook's input holds what the tool was given and what it answered. */
const longestInput = 20_000_000;

/** Of a session that no bot reads. */
const mostBytes = 1_000_000;

/** The entry of `cos worklog-hook`: it runs after every tool of an agent, so it loads nothing that it does not need. */
export async function start(taken: Readonly<Record<string, string>>): Promise<void> {
  const call = startHook(taken, help);
  if (call !== null) keepLine(call.input, call.dataDir, call.environment["USER"] ?? "");
}

/** Leaves a line for a running bot. Never throws and never answers: nobody's agent is held because of a worklog. */
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
    // No room, or no right to write: the agent works on.
  }
}
