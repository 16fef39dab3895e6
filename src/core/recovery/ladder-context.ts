/** How a goal reached the end of the ladder. */
interface LadderEnd {
  /** The work is done, and the push target refused it or did not answer. No rungs were climbed for that. */
  readonly isNotPushed: boolean;
  /** How often the goal's own command was run, in words. Null when an agent climbed the ladder. */
  readonly runs: string | null;
  /** The missing program, in words. Null or absent when that is not why it failed. */
  readonly missing?: string | null;
  /** True when the question is asked before any rung was climbed. */
  readonly isAtOnce?: boolean;
  readonly content: string;
  readonly error: string;
}

/** Returns why a person is asked at the ladder's end (S4-RM-10). A goal's own command climbs no levels (D50). */
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
