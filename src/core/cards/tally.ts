import { placeWords } from "../chat-platforms.ts";
import type { TallyLine } from "../checkpoints/answering.ts";
import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import { firstLine } from "../text.ts";
import { briefPair, type LineWidth } from "./brief-pair.ts";
import { type Card, type CardBlock, type Text, text } from "./card.ts";

/** The votes on a question that several people have to agree to. */
export interface Tally {
  readonly lines: readonly TallyLine[];
  /** The votes for this version of the question, in the order in which they were given. */
  readonly votes: readonly { readonly actor: string; readonly via: string }[];
}

/** The question's card with its votes, which stand below the first block. */
export function withTally(card: Card, { status }: Pick<Checkpoint, "status">, { lines, votes }: Tally): Card {
  const who = votes.map(({ actor, via }) => `${actor} ${placeWords(via)}`).join(", ");
  const isOpen = status === "pending";
  if (!isOpen && votes.length === 0) return card;
  const soFar = who === "" ? "" : `: ${who}`;
  const words = isOpen ? `${tallyWords(lines)}${soFar}. Skip needs no others.` : who;
  const [first, ...rest] = card.blocks;
  const block = text({ strong: "Votes: " }, words);
  const blocks = first === undefined ? [block] : [first, block, ...rest];
  // The brief leaves out whose votes count; Details shows it.
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

/** Puts the votes before what a press does. The beginning of the two together is always shown, however many people voted. */
function withVotes(brief: readonly CardBlock[], votes: Text): CardBlock[] {
  const kept = brief.find((block) => block.type === "text" && block.isKept === true);
  if (kept?.type !== "text") return [text(...votes), ...brief];
  return brief.map((block) => (block === kept ? { ...kept, text: [...votes, ". ", ...kept.text] } : block));
}

/** "1 of 2 (of ana, slack:S1)": how many of the required people have agreed. */
export function tallyWords(lines: readonly TallyLine[]): string {
  return lines.map((line) => `${line.votes} of ${line.needed}${whoseWords(line)}`).join("; ");
}

/** Whose votes count, in brackets. Empty when everybody's count. */
export function whoseWords({ of, withoutRequester }: Pick<TallyLine, "of" | "withoutRequester">): string {
  const parts = [
    ...(of.length === 0 ? [] : [`of ${of.join(", ")}`]),
    ...(withoutRequester ? ["without who asked for it"] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Why one person's command is not enough. */
export function severalWords({ checkpointId }: Pick<Checkpoint, "checkpointId">): string {
  return `several people have to agree to that (COS_QUORUM): ${checkpointId} asks them`;
}
