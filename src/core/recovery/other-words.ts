/** Texts that look like a provider's error but have another cause: neither waiting nor a login helps. */

const own =
  "context|window|input|output|prompt|completion|conversation|turn|tool|tool call|recursion|iteration|step|open|file|watch|watcher|memory|heap|stack|size|depth|length|nesting|redirect|retry|time|thread|process|line|character";
const counted = "token|count|size|length|use|depth|window";

/**
 * Limits of one session, one request or one tool: "Session token limit", "context window limit", "tool call limit", "the limit of
 * 200,000 tokens". Not limits of an account: "Daily input token limit", "tokens per minute".
 */
const ownLimits = new RegExp(
  String.raw`(?<!\b(?:rate|daily|hourly|weekly|monthly|minute|hour|day)[ -])\b(?:session[ -]tokens?|(?:(?:${own})s?|max(?:imum)?[ -]tokens?)(?:[ -](?:${own}|${counted})s?){0,3})[ -]limits?\b(?! (?:per|for this (?:day|week|month))\b)|\blimit of [\d,._]{1,12} ?(?:k|m)? ?(?:(?:input|output|context|prompt) )?(?:tokens?|turns?|steps?|iterations?|tool calls?|characters?|bytes?|[kmg]b|files?|lines?)\b(?! ?(?:per|a|\/))|\bdisk[ -]quotas?\b`,
  "gi",
);

/** Words that only limits of an account have: a reset time, a plan or a price. */
const accountWords =
  /\bresets?\b|\bregain access\b|\b(?:again|retry|available|renews?) (?:in|at|on|after)\b|\b(?:your|the) plan\b|\bupgrade\b/i;

/** Returns the text without limits that are not a provider's. */
export function withoutOwnLimits(text: string): string {
  return accountWords.test(text) ? text : text.replace(ownLimits, " ");
}

const elsewhere =
  /\bnpm (?:ERR!|error\b)|\b(?:npmjs|pypi|rubygems|crates|maven|docker|ghcr|quay|nuget|packagist)\.(?:org|com|io)\b|\bDocker ?Hub\b|\bpull rate limit\b|\berror response from daemon\b|\bfatal: (?:authentication failed for|could not read)\b|\b(?:npm|yarn|pnpm|docker|podman|git|pip|cargo|helm|terraform|gh)(?: auth)? (?:login|push|pull)\b/i;

/** Programs named in a sentence that reports their error. Not advice: "to upgrade, run npm install -g …". */
const inPassing =
  /\bregistry\b|(?<!\b(?:run|with|by|via|using|try):? [`'"]?)\b(?:npm|yarn|pnpm|docker|podman|git|pip|cargo|helm|terraform|gh) (?:fetch|clone|install|publish)\b/i;

/** Returns the text without sentences that pass on an error of a registry, a forge or another program. "" when nothing is left. */
export function withoutOthers(text: string): string {
  if (elsewhere.test(text)) return "";
  if (!inPassing.test(text)) return text;
  return text
    .split(/(?<=[.!?;])\s|\n/)
    .filter((sentence) => !inPassing.test(sentence))
    .join("\n");
}
