import { basename } from "node:path";
import type { AgentWords } from "../../core/recovery/agent-words.ts";
import { safeOutput } from "../../core/secrets/mask.ts";

/** The end of an agent's standard error as its own words, safe to keep. */
export function wordsInErrors(errors: string, programs: readonly string[], secrets: readonly string[]): AgentWords {
  return { from: "stderr", text: safeOutput(errors, secrets), programs };
}

/** The names that an agent with this command line goes by: `codex` of `npx -y @openai/codex@1.2.3 exec`. */
export function programsIn(commandLine: readonly string[]): readonly string[] {
  const words = commandLine.filter((word) => /^[\w./@+~-]+$/.test(word) && !word.startsWith("-"));
  return words.slice(0, 3).map((word) => withoutVersion(basename(word)));
}

function withoutVersion(name: string): string {
  const at = name.indexOf("@", 1);
  return at === -1 ? name : name.slice(0, at);
}
