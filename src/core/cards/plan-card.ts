import { count } from "../text.ts";
import { type Card, sentence } from "./card.ts";
import { linesCard } from "./lists.ts";

/** That no goal waits for the next session; `pending` goals wait in sessions that are open, or for a campaign's day. */
export function nothingPlannedCard(pending: number): Card {
  if (pending === 0) return linesCard("No goal is pending", [sentence("Add one: cos goal add TEXT")]);
  const [wait, have] = pending === 1 ? ["waits", "has"] : ["wait", "have"];
  return linesCard("Nothing is left for the next session", [
    sentence(
      `${count(pending, "pending goal")} ${have} a session or a campaign already, and ${wait} there: cos goals --status pending`,
    ),
  ]);
}
