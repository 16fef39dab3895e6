/** How a goal came to the ladder's end. */
interface LadderEnd {
  /** How often its own command was run, in words; null: an agent climbed the ladder. */
  readonly runs: string | null;
  readonly content: string;
  readonly error: string;
}

/** Why the ladder's end is asked about (S4-RM-10); a goal's own command climbed no levels (D50). */
export function ladderContext({ runs, content, error }: LadderEnd): string {
  const what = runs === null ? "Recovery failed after 4 levels" : `The command was ${runs}`;
  return `${what}. Goal: ${content}. Error: ${error}`;
}
