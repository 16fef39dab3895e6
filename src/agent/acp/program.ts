import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { readWords } from "../../core/text/words.ts";
import { ownPath } from "../process/environment.ts";
import { parseAgent } from "./parse-agent.ts";
import { scriptIn } from "./placed.ts";

/**
 * Returns the program of a command line, or its script, when it is missing on this machine. Null when both exist or only a shell can
 * tell.
 */
export function missingProgram(commandLine: string): string | null {
  const read = readWords(commandLine);
  const words = read.type === "read" ? read.words : [];
  const program = words[0]?.text ?? "";
  if (!isThere(program)) return program;
  const script = scriptIn(words)?.text ?? "";
  return isAbsolute(script) && !existsSync(script) ? script : null;
}

/** Like `missingProgram`, for an agent (`acp:…`, `command:…`). Null when the agent cannot be parsed. */
export function missingAgent(agent: string): string | null {
  const parsed = parseAgent(agent);
  return parsed.type === "ok" ? missingProgram(parsed.label) : null;
}

/** Shell syntax (`FOO=1 agent`, `$HOME/agent`) is not checked: only a goal's run shows whether it works. */
function isThere(program: string): boolean {
  if (!/^[\w./+-]+$/.test(program)) return true;
  // A relative path would be another file in each goal's folder (`placed.ts`).
  if (program.includes("/")) return isAbsolute(program) && existsSync(program);
  return ownPath()
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)));
}
