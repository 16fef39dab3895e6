/** A line of shell, read as far as its programs and their words can be told apart. */

export interface Part {
  readonly words: readonly string[];
  /** Whether it reads what the command before it prints: `| head`. */
  readonly isFed: boolean;
}

/** Words of the shell that a command may follow. */
export const shellWords = /^(!|\{|if|elif|else|then|while|until|do)$/;
/** A comment, what ends a command, or a word: text in quotes belongs to it. */
const pieces = /(?<!\S)#[^\n]*|&&|\|\||[|;&\n()]|(?:"(?:\\[^]|[^"\\])*"|'[^']*'|\\[^]|[^\s"'|;&()\\])+/g;

/** The commands of a line. Quoted text is of one word, so that what is in it starts nothing. Linear in the line. */
export function commandParts(command: string): readonly Part[] {
  const words = command.slice(0, 4_000).replaceAll("\\\n", " ").match(pieces) ?? [];
  const found: { words: string[]; isFed: boolean }[] = [{ words: [], isFed: false }];
  for (const [index, word] of words.entries()) {
    const isBothOutputs = word === "&" && words[index - 1] === "|";
    if (/^(&&|\|\||[|;&\n()])$/.test(word)) found.push({ words: [], isFed: word === "|" || isBothOutputs });
    else if (!word.startsWith("#")) found.at(-1)?.words.push(word);
  }
  return found.filter((each) => each.words.length > 0);
}

/** From the first word on that is neither an option nor the word of one. */
export function afterOptions(words: readonly string[], withWord: RegExp): readonly string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (withWord.test(word)) index += 1;
    else if (!word.startsWith("-")) return words.slice(index);
  }
  return [];
}

/** Options, variables and durations. */
export function isInFront(word: string): boolean {
  return /^(-|[A-Za-z_]\w*=|\d+(\.\d+)?[smh]?$)/.test(word);
}

/** Of a program, without its folder, the version that it is asked for (`vitest@3`) and what Windows adds (`npm.cmd`). */
export function nameOf(word: string): string {
  const name = unquoted(word).split(/[\\/]/).at(-1) ?? word;
  return name.replace(/(?<=.)@[\w.^~-]*$/, "").replace(/(?<=.)\.(exe|cmd|bat)$/i, "");
}

/** A word without the quotes around it. */
export function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, "");
}
