/** An agent that wanted to give up without evidence is sent back once (D19). */

const begin = "You wanted to give up.";

/** What it is told then. */
export function sentBackWords(missing: readonly string[]): string {
  return `${begin} A person is asked only with evidence; missing: ${missing.join("; ")}. Go on, or write it all.`;
}

/** What the next attempt is told: those words were for the one that wanted to give up. */
export function withoutSentBack(feedback: string | null): string | null {
  return feedback?.startsWith(begin) === true ? null : feedback;
}
