/** What of a text its writer says: none of it decides anything by itself. */

/** Without lines that quote somebody else, what is struck out, and mentions. */
export function withoutQuotes(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^(?:>|&gt;)/.test(line.trimStart()))
    .join("\n")
    .replace(/(?<=^|\s)(~~?)(?![\s/~])[^~\n]*[^\s~]\1(?=[\s.,;:!?]|$)/g, " ")
    .replace(/<[@!#][^<>\s]*>|(?<=^|\s)@[\w.-]+/g, " ")
    .trim();
}

/** Longer texts are not one word with marks around it. */
const longestPlain = 200;

/** Its words alone: without what makes all of it bold, code or quoted, and without emoji around it. */
export function plainly(said: string): string {
  if (said.length > longestPlain) return said;
  const emoji =
    /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\s)+|(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\s)+$/gu;
  return said
    .replace(emoji, "")
    .replace(/^(```|\*\*|[*_`"'])\s*([^*_`"']+?)\s*\1$/, "$2")
    .replace(/^[\u201c\u201e]([^\u201c\u201d]+)[\u201d\u201c]$/, "$1");
}
