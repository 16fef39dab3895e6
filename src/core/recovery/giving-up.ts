/** An agent that wanted to give up without evidence is sent back once (D19). */

const begin = "You wanted to give up.";

/** Returns the message to the agent in that case. */
export function sentBackWords(missing: readonly string[]): string {
  return `${begin} A person is asked only with evidence; missing: ${missing.join("; ")}. Go on, or write it all.`;
}

/** Returns the feedback for the next attempt. Null when it is the message above, which was meant for the earlier attempt only. */
export function withoutSentBack(feedback: string | null): string | null {
  return feedback?.startsWith(begin) === true ? null : feedback;
}
