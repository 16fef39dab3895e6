import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import type { CompiledReply } from "../replies/compiled-reply.ts";
import { readBackWords } from "../replies/read-back.ts";
import { shorten } from "../text.ts";
import { type Card, type CardAction, type CardBlock, note, text } from "./card.ts";

/** The states of a reading. `edited`, `withdrawn`: the writer changed or deleted the reply before anybody confirmed the reading. */
export type ReadingStatus =
  | "unread"
  | "proposed"
  | "unclear"
  | "confirmed"
  | "dismissed"
  | "replaced"
  | "edited"
  | "withdrawn";

/** settled: its question was answered, expired or was withdrawn. changed: its question has a new version. */
export type ReadingOver = "settled" | "changed";

/** What happened to the question of a reading, which refers to one version of it. Null when the question is still open in that version. */
export function overOf(
  { version }: { readonly version: number },
  question: Pick<Checkpoint, "status" | "version">,
): ReadingOver | null {
  if (question.status !== "pending") return "settled";
  return version === question.version ? null : "changed";
}

/** A reply, how it was read, and what happened to the reading. */
export interface ReadingFacts {
  readonly replyId: string;
  readonly actor: string;
  readonly text: string;
  readonly compiled: CompiledReply | null;
  readonly status: ReadingStatus;
  readonly settledBy: string | null;
  /** What happened to its question, so that a press no longer decides anything. Null when the question is still open as it was read. */
  readonly over: ReadingOver | null;
  /** Unconfirmed readings of other people's replies to the same question. */
  readonly others: readonly { readonly actor: string; readonly compiled: CompiledReply }[];
}

/**
 * Reads a reply back before it has any effect: one press confirms it. Different replies of several people are shown as such. The first one
 * that is confirmed counts.
 */
export function readingCard(facts: ReadingFacts): Card {
  const { compiled, actor, status } = facts;
  const words = compiled === null ? "" : readBackWords(compiled);
  const isOpen = status === "proposed" && facts.over === null;
  const title = titleOf(facts);
  return {
    kind: "notice",
    tone: isOpen ? "asking" : status === "confirmed" ? "good" : "neutral",
    title,
    summary: isOpen ? `${title}: ${words} Confirm?` : `${title}. ${words}`.trim(),
    blocks: [
      ...(words === "" ? [] : [text(words, ...(isOpen ? [" Confirm?"] : []))]),
      ...(isOpen ? conflictBlocks(facts) : []),
      ...(status === "unclear" ? [note(`${actor} wrote: ${shorten(facts.text, 300)}`)] : []),
    ],
    actions: isOpen ? [action(facts, "confirm", "Confirm", "primary"), action(facts, "dismiss", "No", "default")] : [],
    state: stateOf(facts),
  };
}

function titleOf({ status, actor }: ReadingFacts): string {
  switch (status) {
    case "unread":
      return `Reading ${actor}'s reply`;
    case "unclear":
      return `${actor}'s reply is not clear yet`;
    case "proposed":
    case "confirmed":
    case "dismissed":
    case "replaced":
    case "edited":
    case "withdrawn":
      return `${actor}'s reply`;
  }
}

function stateOf({ status, settledBy, over }: ReadingFacts): string {
  switch (status) {
    case "unread":
      return "being read";
    case "unclear":
      return "nothing decided";
    case "proposed":
      if (over === null) return "waiting for confirmation";
      return over === "settled" ? "not applied: its question is over" : "not applied: its question has changed";
    case "confirmed":
      return `confirmed by ${settledBy ?? "somebody"}`;
    case "dismissed":
      return `put aside by ${settledBy ?? "somebody"}`;
    case "replaced":
      return "not applied: another reply counts";
    case "edited":
      return "not applied: edited by its writer";
    case "withdrawn":
      return "not applied: deleted by its writer";
  }
}

/** Shows different readings of other people's replies: no reply is taken for the whole group's. */
function conflictBlocks({ compiled, others }: ReadingFacts): CardBlock[] {
  const differing = others.filter((other) => JSON.stringify(other.compiled) !== JSON.stringify(compiled));
  if (differing.length === 0) return [];
  return [
    text({ strong: "Replies differ. " }, "Nothing is merged: the one that is confirmed counts."),
    { type: "list", items: differing.map((other) => [{ strong: `${other.actor}: ` }, readBackWords(other.compiled)]) },
  ];
}

function action(
  facts: ReadingFacts,
  choice: "confirm" | "dismiss",
  label: string,
  style: CardAction["style"],
): CardAction {
  const about = `${facts.actor}'s reply: ${facts.compiled === null ? "" : readBackWords(facts.compiled)}`;
  const call = { command: choice, id: facts.replyId } as const;
  return { choice, label, style, call, about: shorten(about, 200), until: null };
}
