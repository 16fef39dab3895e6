import type { ExecutionEnd } from "../goals/after.ts";
import { type AgentWords, readAgentWords } from "./agent-words.ts";

/**
 * Whether what an agent left that had not finished is recorded, for it goes on with that later, in its own session: it was stopped by what
 * says nothing about its work (a question, its provider, a missing login, a ceiling) or by us. `own`: what it said about its end itself.
 * D8, D23.
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
