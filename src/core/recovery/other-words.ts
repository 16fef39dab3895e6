/** Words that sound like a provider's and are about something else: waiting mends none of it, and no login. */

const own =
  "context|window|input|output|prompt|completion|conversation|turn|tool|tool call|recursion|iteration|step|open|file|watch|watcher|memory|heap|stack|size|depth|length|nesting|redirect|retry|time|thread|process|line|character";
const counted = "token|count|size|length|use|depth|window";

/**
 * "Session token limit", "context window limit", "tool call limit", "the limit of 200,000 tokens": what one session, one request or
 * one tool may take. "Daily input token limit" and "tokens per minute" are what an account may.
 */
const ownLimits = new RegExp(
  String.raw`(?<!\b(?:rate|daily|hourly|weekly|monthly|minute|hour|day)[ -])\b(?:session[ -]tokens?|(?:(?:${own})s?|max(?:imum)?[ -]tokens?)(?:[ -](?:${own}|${counted})s?){0,3})[ -]limits?\b(?! (?:per|for this (?:day|week|month))\b)|\blimit of [\d,._]{1,12} ?(?:k|m)? ?(?:(?:input|output|context|prompt) )?(?:tokens?|turns?|steps?|iterations?|tool calls?|characters?|bytes?|[kmg]b|files?|lines?)\b(?! ?(?:per|a|\/))|\bdisk[ -]quotas?\b`,
  "gi",
);

/** What no session, request or tool has: a time at which it is over, and a price. */
const accountWords =
  /\bresets?\b|\bregain access\b|\b(?:again|retry|available|renews?) (?:in|at|on|after)\b|\b(?:your|the) plan\b|\bupgrade\b/i;

/** The same without limits that are no provider's. */
export function withoutOwnLimits(text: string): string {
  return accountWords.test(text) ? text : text.replace(ownLimits, " ");
}

const elsewhere =
  /\bnpm (?:ERR!|error\b)|\b(?:npmjs|pypi|rubygems|crates|maven|docker|ghcr|quay|nuget|packagist)\.(?:org|com|io)\b|\bDocker ?Hub\b|\bpull rate limit\b|\berror response from daemon\b|\bfatal: (?:authentication failed for|could not read)\b|\b(?:npm|yarn|pnpm|docker|podman|git|pip|cargo|helm|terraform|gh)(?: auth)? (?:login|push|pull)\b/i;

/** Told of somebody else in the sentence in which they stand; "to upgrade, run npm install -g …" is advice. */
const inPassing =
  /\bregistry\b|(?<!\b(?:run|with|by|via|using|try):? [`'"]?)\b(?:npm|yarn|pnpm|docker|podman|git|pip|cargo|helm|terraform|gh) (?:fetch|clone|install|publish)\b/i;

/** A text without the sentences in which a registry, a forge or a program at work says it, which is passed on; "" where all of it is. */
export function withoutOthers(text: string): string {
  if (elsewhere.test(text)) return "";
  if (!inPassing.test(text)) return text;
  return text
    .split(/(?<=[.!?;])\s|\n/)
    .filter((sentence) => !inPassing.test(sentence))
    .join("\n");
}
