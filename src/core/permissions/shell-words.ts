/** A word of a line, as its program gets it. */
export interface ShellWord {
  readonly text: string;
  /** The same, with underscores for whatever has a meaning of its own outside of the quotes in which it stands. */
  readonly plain: string;
}

/**
 * A line from left to right as a shell reads it: blanks, a text in either quotes, plain characters, and whatever means more
 * than itself. Whichever quote opens first holds all up to its like; double quotes still expand `$`, backticks and backslashes.
 * `~` is a home folder at the beginning of a word, and behind `=` and `:`.
 */
const pieces = /([ \t]+)|'([^']*)'|"([^"$`\\]*)"|((?:[^\s\p{Cc};&|<>$`(){}\\'"#!~]|(?<=[\w@^~])~)+)|[^]/gu;

/** The words of a line that is one plain command; null when a shell would do more with it than run it. */
export function shellWords(line: string): readonly ShellWord[] | null {
  const words: ShellWord[] = [];
  /** Null between words: an empty text in quotes is a word too. */
  let word: ShellWord | null = null;
  for (const [, blanks, single, double, plain] of line.matchAll(pieces)) {
    const quoted = single ?? double;
    if (blanks !== undefined) {
      if (word !== null) words.push(word);
      word = null;
    } else if (quoted !== undefined) {
      word = joined(word, quoted, quoted.replaceAll(/[^\w./=@:-]/g, "_"));
    } else if (plain === undefined || mayBecomeOption(word?.plain ?? "", plain)) {
      return null;
    } else {
      word = joined(word, plain, plain);
    }
  }
  if (word !== null) words.push(word);
  return words.length === 0 ? null : words;
}

function joined(before: ShellWord | null, text: string, plain: string): ShellWord {
  return { text: (before?.text ?? "") + text, plain: (before?.plain ?? "") + plain };
}

/** Names of files stand in a pattern's place, and one of them may begin as an option does. */
function mayBecomeOption(before: string, plain: string): boolean {
  return /[*?[]/.test(plain) && /^[-*?[]/.test(before + plain);
}
