/** What of a text its writer says: none of it decides anything by itself. */

/** What takes no width around a text: marks of direction, which keyboards of Arabic and Hebrew add, and what was pasted along. */
const invisible = /^[\s\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]$/;

/**
 * As it is read: without what takes no width around it; and where an input method made wide letters and figures of all of it
 * (`ｐｒｏｃｅｅｄ`, `＄１０`), with the usual ones. A text in the writing of Chinese, Japanese or Korean stays.
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
 * What is judged: without lines that quote somebody else, and mentions, which are one word each; names of packages (`@types/node`)
 * stay.
 */
export function withoutQuotes(text: string): string {
  return ownLines(text).replace(addressed, "").replace(mentions, " ").trim();
}

/** The same with each mention as a name, where it matters who is meant: "ask @bob". */
export function withNames(text: string): string {
  return ownLines(text).replace(addressed, "").replace(mentions, named).trim();
}

/** What stands for a mention there. */
export const named = "@somebody";

/** Of such a text, whether it says what somebody else should do: "@bob should skip". */
export function isOfSomebody(said: string): boolean {
  return ofSomebody.test(said);
}

const ofSomebody = /^@somebody (?:should|must|will|would|wants? to|has to|needs to|may|might)\b/i;

/**
 * What is told: the same with every `@word`, which may be an annotation or a folder (`use @Transactional on save()`). Those at the
 * beginning go that are spoken to: those that the chat marks, and others before a comma, or where what follows is a sentence of its
 * own. Those that the chat marks elsewhere are a part of what is said.
 */
export function asTold(text: string, isSentence: (rest: string) => boolean): string {
  const own = ownLines(text).replace(addressed, "").trim().replace(firstMarked, "").replace(marked, inWords).trim();
  const rest = own.replace(first, "").trim();
  return rest !== own && isSentence(rest) ? rest : own;
}

/** What a reader who does not see the chat is told of a mention: a channel's name where it came along. */
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

/** Without what is struck out in Slack (`~skip~`) or Discord (`~~skip~~`): it decides nothing. */
export function withoutStruck(text: string): string {
  return text.replace(/(?<=^|\s)(~~?)(?![\s/~])[^~\n]*[^\s~]\1(?=[\s.,;:!?]|$)/g, " ").trim();
}

/** Without what stands in code or in quotes, which names something. */
export function withoutCode(text: string): string {
  return text.replace(/`[^`\n]{1,200}`|"[^"\n]{1,200}"|“[^”\n]{1,200}”/g, " ");
}

/** What a reply says: without a greeting, a signature and a code block around it, a no with its comma, and a 👍 before "but" as a yes. */
export function asPutPlainly(text: string): string {
  return withYes(withComma(withoutFence(withoutFrame(text))));
}

/** "👍 but add a test" says what "yes, but add a test" does. A lone emoji stays: what it means depends on the question. */
function withYes(text: string): string {
  return text
    .replace(/^(?:[👍👌][\u{1F3FB}-\u{1F3FF}]?\ufe0f?\s{0,9}){1,5}(?=[,;:]|(?:but|and)\b)/u, "yes ")
    .replace(/^yes (?=[,;:])/, "yes");
}

/** Without a greeting in the first line, and without what mail programs and people write below what they say. */
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

/** "no - use postgres" says what "no, use postgres" does. */
function withComma(text: string): string {
  return text.replace(/^(no|nope|nah) ?[–—-]{1,2} /i, "$1, ");
}

/** Without the marks of a code block around all of it. */
function withoutFence(text: string): string {
  const isFenced = text.length > 6 && text.startsWith("```") && text.endsWith("```");
  return isFenced && !text.slice(3, -3).includes("```") ? text.slice(3, -3).trim() : text;
}

/** Longer texts are not one word with marks around it. */
const longestPlain = 200;

/** Bold, code and quotes, as they begin and end. */
const marks = ["```", "**", "*", "_", "`", '"', "'"].map((mark) => [mark, mark] as const);
const pairs = [...marks, ["\u201c", "\u201d"] as const, ["\u201e", "\u201c"] as const];

/** Its words alone: without what makes all of it bold, code or quoted, and without emoji around it. */
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

/** The same without full stops and exclamation marks at its end. */
export function bareWords(said: string): string {
  return withoutStops(plainly(withoutStops(said.trim())));
}

function withoutStops(said: string): string {
  let end = said.length;
  while (end > 0 && ".!".includes(said[end - 1] ?? "")) end -= 1;
  return said.slice(0, end);
}

/** Such as say yes, thanks or nothing; one that doubts or refuses stays, and what holds it decides nothing. */
const emoji = /^(?:[👍✅✔☑🎉🚀🙏👌💯🙂😀😃😄😁😊😎🥳🔥⭐✨🌟🤝👏💪🫡❤💚]|\p{Emoji_Modifier}|\u200d|\ufe0f|\s)$/u;

function withoutEmoji(said: string): string {
  const letters = Array.from(said);
  const isWord = (letter: string): boolean => !emoji.test(letter);
  return letters.slice(letters.findIndex(isWord), letters.findLastIndex(isWord) + 1).join("");
}
