import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { readWords } from "../../core/text/words.ts";
import { ownPath } from "../process/environment.ts";
import { parseAgent } from "./parse-agent.ts";
import { scriptIn } from "./placed.ts";

/** The program that a command line starts, or the script behind it, when it is not on this machine; null: it is here, or only the shell knows. */
export function missingProgram(commandLine: string): string | null {
  const read = readWords(commandLine);
  const words = read.type === "read" ? read.words : [];
  const program = words[0]?.text ?? "";
  if (!isThere(program)) return program;
  const script = scriptIn(words)?.text ?? "";
  return isAbsolute(script) && !existsSync(script) ? script : null;
}

/** The same for an agent (`acp:…`, `command:…`). One that cannot be read is not said to be missing. */
export function missingAgent(agent: string): string | null {
  const parsed = parseAgent(agent);
  return parsed.type === "ok" ? missingProgram(parsed.label) : null;
}

/** Words of the shell (`FOO=1 agent`, `$HOME/agent`) are not looked up: only a goal shows what comes of them. */
function isThere(program: string): boolean {
  if (!/^[\w./+-]+$/.test(program)) return true;
  // A relative one would be another file in each goal's folder (`placed.ts`).
  if (program.includes("/")) return isAbsolute(program) && existsSync(program);
  return ownPath()
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)));
}
