/** How a goal came to the ladder's end. */
interface LadderEnd {
  /** The work is done, and where it goes to refused it or did not answer: nothing was climbed for that. */
  readonly isNotPushed: boolean;
  /** How often its own command was run, in words; null: an agent climbed the ladder. */
  readonly runs: string | null;
  readonly content: string;
  readonly error: string;
}

/** Why the ladder's end is asked about (S4-RM-10); a goal's own command climbed no levels (D50). */
export function ladderContext({ isNotPushed, runs, content, error }: LadderEnd): string {
  const climbed = runs === null ? "Recovery failed after 4 levels" : `The command was ${runs}`;
  return `${isNotPushed ? "Its push failed" : climbed}. Goal: ${content}. Error: ${error}`;
}
