/** Extracts the writer's own words from a text. Nothing here decides by itself. */

/** Characters of zero width around a text: direction marks that Arabic and Hebrew keyboards add, and pasted ones. */
const invisible = /^[\s\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]$/;

/**
 * Normalises typed text. Removes zero-width characters around it. Replaces full-width letters and digits (`ｐｒｏｃｅｅｄ`,
 * `＄１０`) with the usual ones, unless the text contains Chinese, Japanese or Korean script.
 */
export function asKeyed(typed: string): string {
  let [start, end] = [0, typed.length];
  while (start < end && invisible.test(typed[start] ?? "")) start += 1;
  while (end > start && invisible.test(typed[end - 1] ?? "")) end -= 1;
  const text = typed.slice(start, end).replace(/[\u200b\u200e\u200f\u202c\u2069]{1,4}(?=[.!]{1,9}$)/, "");
  const isWide = /[\uff01-\uff5e]/.test(text) && !/[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text);
  if (!isWide) return text;
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll("\u3000", " ");
}

const marked = /<[@!#][^<>\s]*>/g;
const firstMarked = /^(?:<[@!#][^<>\s]*>\s*)+/;
const mentions = /<[@!#][^<>\s]*>|(?<=^|\s)@[\p{L}\p{M}\p{N}_.-]+(?![\p{L}\p{M}\p{N}_./(-])/gu;
const first = /^(?:@[\p{L}\p{M}\p{N}_.-]+\s+)+/u;
const addressed = /^(?:<[@!#][^<>\s]*>|@[\p{L}\p{M}\p{N}_.-]+)[,:](?=\s)/u;

/**
 * Returns the text to judge: without lines that quote others, and with each mention replaced by a space. Names of packages
 * (`@types/node`) stay.
 */
export function withoutQuotes(text: string): string {
  return ownLines(text).replace(addressed, "").replace(mentions, " ").trim();
}

/** Like `withoutQuotes`, with each mention replaced by `named`, for texts where the person matters: "ask @bob". */
export function withNames(text: string): string {
  return ownLines(text).replace(addressed, "").replace(mentions, named).trim();
}

/** The placeholder for a mention. */
export const named = "@somebody";

/** True when such a text says what another person should do: "@bob should skip". */
export function isOfSomebody(said: string): boolean {
  return ofSomebody.test(said);
}

const ofSomebody = /^@somebody (?:should|must|will|would|wants? to|has to|needs to|may|might)\b/i;

/**
 * Returns the text for the agent. It keeps each `@word`, which may be an annotation or a folder (`use @Transactional on save()`).
 * Removes addressed names at the beginning: those that the chat marks, and others before a comma or before a complete sentence.
 * Mentions that the chat marks elsewhere stay as words.
 */
export function asTold(text: string, isSentence: (rest: string) => boolean): string {
  const own = ownLines(text).replace(addressed, "").trim().replace(firstMarked, "").replace(marked, inWords).trim();
  const rest = own.replace(first, "").trim();
  return rest !== own && isSentence(rest) ? rest : own;
}

/** Returns a mention as text for a reader outside the chat: a channel's name when it is known. */
function inWords(mention: string): string {
  const [, sign = "@", name] = /^<([@!#])[^|>]*(?:\|([^>]*))?>$/.exec(mention) ?? [];
  return sign === "#" ? `#${name ?? "channel"}` : named;
}

function ownLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^(?:>|&gt;)/.test(line.trimStart()))
    .join("\n")
    .trim();
}

/** Returns the text without words struck out in Slack (`~skip~`) or Discord (`~~skip~~`): they decide nothing. */
export function withoutStruck(text: string): string {
  return text.replace(/(?<=^|\s)(~~?)(?![\s/~])[^~\n]*[^\s~]\1(?=[\s.,;:!?]|$)/g, " ").trim();
}

/** Returns the text without code and quoted text, which are names. */
export function withoutCode(text: string): string {
  return text.replace(/`[^`\n]{1,200}`|"[^"\n]{1,200}"|“[^”\n]{1,200}”/g, " ");
}

/** Returns the words of a reply: without a greeting, a signature and a code block around it. "no - x" becomes "no, x", "👍 but x" "yes but x". */
export function asPutPlainly(text: string): string {
  return withYes(withComma(withoutFence(withoutFrame(text))));
}

/** "👍 but add a test" says what "yes, but add a test" does. A lone emoji stays: what it means depends on the question. */
function withYes(text: string): string {
  return text
    .replace(/^(?:[👍👌][\u{1F3FB}-\u{1F3FF}]?\ufe0f?\s{0,9}){1,5}(?=[,;:]|(?:but|and)\b)/u, "yes ")
    .replace(/^yes (?=[,;:])/, "yes");
}

/** Removes a greeting in the first line, and signatures and closings below the text. */
function withoutFrame(text: string): string {
  const lines = text.trim().split("\n");
  while (lines.length > 1 && (lines[0]?.trim() === "" || greeting.test(lines[0]?.trim() ?? ""))) lines.shift();
  while (lines.length > 1 && isClosing(lines.at(-1)?.trim() ?? "")) lines.pop();
  return lines.join("\n").trim();
}

const greeting = /^(?:hi|hey|hello|dear|good (?:morning|afternoon|evening))(?: [\p{L}.-]{1,30}){0,3}[,!.]?$/iu;

function isClosing(line: string): boolean {
  return (
    line === "" ||
    /^(?:sent from (?:my|mail|outlook)\b.{0,60}|get outlook for .{1,30}|--|(?:(?:best|kind|warm|many)(?: regards| wishes| thanks)?|regards|cheers|br|thanks|thank you|thx)[,.!]?(?: [\p{L}.-]{1,30}){0,2})$/iu.test(
      line,
    ) ||
    /^\(thanks[^()]{0,40}\)$/i.test(line)
  );
}

/** Replaces "no - use postgres" with "no, use postgres". */
function withComma(text: string): string {
  return text.replace(/^(no|nope|nah) ?[–—-]{1,2} /i, "$1, ");
}

/** Removes the marks of a code block that contains the whole text. */
function withoutFence(text: string): string {
  const isFenced = text.length > 6 && text.startsWith("```") && text.endsWith("```");
  return isFenced && !text.slice(3, -3).includes("```") ? text.slice(3, -3).trim() : text;
}

/** A longer text is not one word with marks around it. */
const longestPlain = 200;

/** Opening and closing marks of bold, code and quotes. */
const marks = ["```", "**", "*", "_", "`", '"', "'"].map((mark) => [mark, mark] as const);
const pairs = [...marks, ["\u201c", "\u201d"] as const, ["\u201e", "\u201c"] as const];

/** Returns the words without marks that make the whole text bold, code or quoted, and without emoji around them. */
export function plainly(said: string): string {
  if (said.length > longestPlain) return said;
  const words = withoutEmoji(said);
  for (const [begin, end] of pairs) {
    const isMarked = words.length > begin.length + end.length && words.startsWith(begin) && words.endsWith(end);
    const inner = isMarked ? words.slice(begin.length, -end.length) : "";
    if (inner !== "" && !inner.includes(end)) return inner.trim();
  }
  return words;
}

/** Like `plainly`, also without full stops and exclamation marks at the end. */
export function bareWords(said: string): string {
  return withoutStops(plainly(withoutStops(said.trim())));
}

function withoutStops(said: string): string {
  let end = said.length;
  while (end > 0 && ".!".includes(said[end - 1] ?? "")) end -= 1;
  return said.slice(0, end);
}

/** Emoji that mean yes, thanks or nothing. One that doubts or refuses is kept, and a text with it decides nothing. */
const emoji = /^(?:[👍✅✔☑🎉🚀🙏👌💯🙂😀😃😄😁😊😎🥳🔥⭐✨🌟🤝👏💪🫡❤💚]|\p{Emoji_Modifier}|\u200d|\ufe0f|\s)$/u;

function withoutEmoji(said: string): string {
  const letters = Array.from(said);
  const isWord = (letter: string): boolean => !emoji.test(letter);
  return letters.slice(letters.findIndex(isWord), letters.findLastIndex(isWord) + 1).join("");
}
