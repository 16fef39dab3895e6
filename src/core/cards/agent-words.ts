import { count, firstLine } from "../text.ts";
import { type CardBlock, note, type Span, text } from "./card.ts";

/** What people are told of the agent that worked a goal. */

export interface AgentNotes {
  /** What it did without asking, that policy would have asked about (F-306). */
  readonly unasked: readonly string[];
  /** A cost that cannot be, as the agent said it (F-309). */
  readonly odd: string | null;
  /** It says nothing at the moment. */
  readonly silence: AgentSilence | null;
}

export interface AgentSilence {
  readonly minutes: number;
  /** What it wrote of its provider's limit. */
  readonly limit?: string | undefined;
  /** When that is over, ISO 8601. */
  readonly until?: string | undefined;
}

/** "silent for 5 min: no word, tool or tokens; it waits for its provider's limit (429 …)". */
export function agentSilenceWords({ minutes, limit }: AgentSilence): string {
  const why = limit === undefined ? "" : `; it waits for its provider's limit (${firstLine(limit, 160)})`;
  return `the agent is silent for ${minutes} min: no word, tool or tokens${why}`;
}

/** What a card says of its agent: its silence, what it did without asking, and an impossible cost that it reported. */
export function agentBlocks({ unasked, odd, silence }: AgentNotes): CardBlock[] {
  const blocks: CardBlock[] = [];
  if (silence !== null) {
    const until: Span[] = silence.until === undefined ? [] : [", until ", { at: silence.until }];
    blocks.push(text({ strong: "Silent: " }, agentSilenceWords(silence), ...until, "."));
  }
  const [first] = unasked;
  if (first !== undefined) {
    const more = unasked.length === 1 ? "" : ` and ${count(unasked.length - 1, "other action")}`;
    blocks.push(
      text({ strong: "Not asked: " }, "the agent did not ask before ", { code: firstLine(first, 100) }, more, "."),
    );
  }
  if (odd !== null)
    blocks.push(
      note(`The agent reported an impossible cost (${odd}): what it cost beside that is estimated by the minute.`),
    );
  return blocks;
}
