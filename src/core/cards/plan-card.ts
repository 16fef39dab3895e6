import { count } from "../text.ts";
import { type Card, type CardBlock, plainCard, sentence, type Span } from "./card.ts";
import { linesCard } from "./lists.ts";

/** The next session of a repository: one line for each goal, in working order. */
export interface PlannedSession {
  readonly repositoryName: string;
  readonly lines: readonly (readonly Span[])[];
}

/** What would be worked next: one session for each repository. */
export function plannedCard(sessions: readonly PlannedSession[]): Card {
  const title = sessions.length === 1 ? "The next session, in this order" : "The next sessions, each in this order";
  const blocks = sessions.flatMap(({ repositoryName, lines }): CardBlock[] => [
    { type: "text", text: [{ strong: `Session on ${repositoryName}` }], isApart: true },
    { type: "list", items: lines },
  ]);
  return plainCard({ kind: "list", tone: "neutral", title, summary: title, blocks });
}

/** Says that no goal waits for the next session. `pending` goals wait in open sessions, or for a campaign's day. */
export function nothingPlannedCard(pending: number): Card {
  if (pending === 0) return linesCard("No goal is pending", [sentence("Add one: cos goal add TEXT")]);
  const [wait, have] = pending === 1 ? ["waits", "has"] : ["wait", "have"];
  return linesCard("Nothing is left for the next session", [
    sentence(
      `${count(pending, "pending goal")} ${have} a session or a campaign already, and ${wait} there: cos goals --status pending`,
    ),
  ]);
}
