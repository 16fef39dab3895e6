import { placeWords } from "../chat-platforms.ts";
import type { TallyLine } from "../checkpoints/answering.ts";
import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import { firstLine } from "../text.ts";
import { briefPair, type LineWidth } from "./brief-pair.ts";
import { type Card, type CardBlock, type Text, text } from "./card.ts";

/** A question that several people have to agree to: how far they are. */
export interface Tally {
  readonly lines: readonly TallyLine[];
  /** Who has voted for this version, in their order. */
  readonly votes: readonly { readonly actor: string; readonly via: string }[];
}

/** The question's card with its votes, below what it is about. */
export function withTally(card: Card, { status }: Pick<Checkpoint, "status">, { lines, votes }: Tally): Card {
  const who = votes.map(({ actor, via }) => `${actor} ${placeWords(via)}`).join(", ");
  const isOpen = status === "pending";
  if (!isOpen && votes.length === 0) return card;
  const soFar = who === "" ? "" : `: ${who}`;
  const words = isOpen ? `${tallyWords(lines)}${soFar}. Skip needs no others.` : who;
  const [first, ...rest] = card.blocks;
  const block = text({ strong: "Votes: " }, words);
  const blocks = first === undefined ? [block] : [first, block, ...rest];
  // Whose votes count is behind Details.
  const soMany = isOpen ? lines.map((line) => `${line.votes} of ${line.needed}`).join("; ") : "";
  const votesAt = (width: LineWidth): Text => {
    const shown = [soMany, firstLine(who, 24 * width)].filter((part) => part !== "");
    return [{ strong: "Votes: " }, shown.join(": ")];
  };
  const { brief, wideBrief = brief } = card;
  const briefs =
    brief === undefined || wideBrief === undefined
      ? {}
      : briefPair((width) => withVotes(width === 1 ? brief : wideBrief, votesAt(width)));
  return { ...card, blocks, ...briefs, ...(isOpen ? { state: tallyWords(lines) } : {}) };
}

/** In front of what a press does: of both together the beginning is shown, however many people a card names. */
function withVotes(brief: readonly CardBlock[], votes: Text): CardBlock[] {
  const kept = brief.find((block) => block.type === "text" && block.isKept === true);
  if (kept?.type !== "text") return [text(...votes), ...brief];
  return brief.map((block) => (block === kept ? { ...kept, text: [...votes, ". ", ...kept.text] } : block));
}

/** "1 of 2 (of ana, slack:S1)": how many have agreed of those who have to. */
export function tallyWords(lines: readonly TallyLine[]): string {
  return lines.map((line) => `${line.votes} of ${line.needed}${whoseWords(line)}`).join("; ");
}

/** Whose votes count, in brackets; nothing where everybody's do. */
export function whoseWords({ of, withoutRequester }: Pick<TallyLine, "of" | "withoutRequester">): string {
  const parts = [
    ...(of.length === 0 ? [] : [`of ${of.join(", ")}`]),
    ...(withoutRequester ? ["without who asked for it"] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Why a command of one person does not do it. */
export function severalWords({ checkpointId }: Pick<Checkpoint, "checkpointId">): string {
  return `several people have to agree to that (COS_QUORUM): ${checkpointId} asks them`;
}
