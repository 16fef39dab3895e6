import { count, firstLine } from "../text.ts";
import { type CardBlock, note, type Span, text } from "./card.ts";

/** Words about the agent that worked a goal. */

export interface AgentNotes {
  /** Actions that policy would have asked about, but that the agent did without asking (F-306). */
  readonly unasked: readonly string[];
  /** An impossible cost, in the agent's own words (F-309). */
  readonly odd: string | null;
  /** Set while the agent reports nothing. */
  readonly silence: AgentSilence | null;
}

export interface AgentSilence {
  readonly minutes: number;
  /** What the agent wrote about its provider's limit. */
  readonly limit?: string | undefined;
  /** When the limit resets, ISO 8601. */
  readonly until?: string | undefined;
}

/** "silent for 5 min: no word, tool or tokens; it waits for its provider's limit (429 …)". */
export function agentSilenceWords({ minutes, limit }: AgentSilence): string {
  const why = limit === undefined ? "" : `; it waits for its provider's limit (${firstLine(limit, 160)})`;
  return `the agent is silent for ${minutes} min: no word, tool or tokens${why}`;
}

/** The agent's part of a card: its silence, actions that it did not ask about, and an impossible cost that it reported. */
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
