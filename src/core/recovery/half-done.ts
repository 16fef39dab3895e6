import type { ExecutionEnd } from "../goals/after.ts";
import { type AgentWords, readAgentWords } from "./agent-words.ts";

/**
 * True when the unfinished work of an agent is committed because the agent continues with it later, in its own session. Either the
 * cause says nothing about the work (a question, its provider, a missing login, a ceiling), or the engine stopped it.
 * `own`: the agent's own statement about its end. D8, D23.
 */
export function goesOnWithIt(end: ExecutionEnd, own: AgentWords | null): boolean {
  switch (end.type) {
    case "permission":
    case "needs-login":
      return true;
    case "cut":
      return end.why === "shutdown" || end.why === "pause" || end.why === "ceiling";
    case "failed":
    case "unavailable": {
      const meaning = own === null ? null : readAgentWords(own);
      return meaning !== null && meaning.type !== "refusal";
    }
    case "finished":
    case "timeout":
    case "no-space":
    case "not-started":
    case "setup-failure":
      return false;
  }
}
