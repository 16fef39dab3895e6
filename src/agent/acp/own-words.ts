import { basename } from "node:path";
import { type AgentWords, readAgentWords } from "../../core/recovery/agent-words.ts";
import { endingLine } from "../../core/recovery/last-message.ts";
import { safeOutput } from "../../core/secrets/mask.ts";

/** Returns the end of an agent's standard error as its own words, masked. */
export function wordsInErrors(errors: string, programs: readonly string[], secrets: readonly string[]): AgentWords {
  return { from: "stderr", text: safeOutput(errors, secrets), programs };
}

/** Returns the error that an agent wrote instead of a result, masked. Null when the message is about its work. */
export function wordsInPlaceOfResult(message: string): AgentWords | null {
  const line = endingLine(message);
  if (line === null) return null;
  const words = { from: "protocol", texts: [line], asksForLogin: false } as const;
  return readAgentWords(words) === null ? null : words;
}

/** Returns the names by which an agent with this command line is known: `codex` for `npx -y @openai/codex@1.2.3 exec`. */
export function agentNames(commandLine: readonly string[]): readonly string[] {
  const words = commandLine.filter((word) => /^[\w./@+~-]+$/.test(word) && !word.startsWith("-"));
  return words.slice(0, 3).map((word) => withoutVersion(basename(word)));
}

function withoutVersion(name: string): string {
  const at = name.indexOf("@", 1);
  return at === -1 ? name : name.slice(0, at);
}
