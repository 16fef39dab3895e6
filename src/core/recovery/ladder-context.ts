/** How a goal came to the ladder's end. */
interface LadderEnd {
  /** The work is done, and where it goes to refused it or did not answer: nothing was climbed for that. */
  readonly isNotPushed: boolean;
  /** How often its own command was run, in words; null: an agent climbed the ladder. */
  readonly runs: string | null;
  /** The program that was not there, in words; null or left away: that is not why it failed. */
  readonly missing?: string | null;
  /** It was asked about before anything was climbed. */
  readonly isAtOnce?: boolean;
  readonly content: string;
  readonly error: string;
}

/** Why the ladder's end is asked about (S4-RM-10); a goal's own command climbed no levels (D50). */
export function ladderContext({
  isNotPushed,
  runs,
  missing = null,
  isAtOnce = false,
  content,
  error,
}: LadderEnd): string {
  const climbed = runs === null ? "Recovery failed after 4 levels" : `The command was ${runs}`;
  if (missing !== null && !isNotPushed) {
    const tried = isAtOnce ? "" : ` ${climbed}.`;
    return `${missing}. Goal: ${content}.${tried} Error: ${error}`;
  }
  return `${isNotPushed ? "Its push failed" : climbed}. Goal: ${content}. Error: ${error}`;
}
