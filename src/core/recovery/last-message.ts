/**
 * Lines that agents print instead of a result when their provider stops them, although they exit normally: `claude -p` prints them to
 * standard output. A line counts only when it is the whole message and is machine-made. It must not quote another text ("The
 * banner says …"). Any other message of an agent is about the work.
 */
const shapes: readonly RegExp[] = [
  // "Claude AI usage limit reached|1795972945"
  /^(?:[A-Z][\w-]{0,20} ){1,3}(?:usage )?limit reached\|\d{10}$/,
  // "You've hit your limit · resets 3am (Europe/Berlin)", "5-hour limit reached ∙ resets 3pm"
  /^You['’]ve (?:hit|reached|used up) your [\w -]{0,40}(?:limit|quota)\.? ?[·∙•|] ?(?:resets|upgrade|try again)\b[^\n]{1,80}$/i,
  /^(?:(?:Claude|Opus|Sonnet|Haiku) )?(?:5-hour|hourly|daily|weekly|monthly|session|usage|spend|spending|Opus|Sonnet) limit reached\.? ?[·∙•|] ?(?:resets|upgrade|try again)\b[^\n]{1,80}$/i,
  /^You['’]re out of extra usage ?[·∙•] ?resets\b[^\n]{1,80}$/i,
  // "Invalid API key · Please run /login"
  /^(?:(?:Invalid|Missing|Expired|OAuth|API|Auth|Access|Authentication|Session|Token|Login|Credentials?|Not|Your)\b[^\n·∙•:]{0,60}) ?[·∙•] ?Please run \/login[.!]?$/,
  /^Credit balance is too low[.!]?$/,
  // "API Error: 500 {"type":"error",…}", "API Error: Connection error."
  /^API Error: (?:\d{3} )?\{"type": ?"error"[^\n]{1,2000}$/,
  /^API Error: (?:Connection error|Request timed out)\.?$/,
];

const longest = 4_000;

/** Returns the line with which an agent ended when it says nothing else. Null for any other message. `message`: all of its last message. */
export function endingLine(message: string): string | null {
  const line = message.trim();
  // A cut message would not be the whole message.
  if (line.length > longest) return null;
  return shapes.some((shape) => shape.test(line)) ? line : null;
}
