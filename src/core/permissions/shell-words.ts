/** A word of a line, as its program gets it. */
export interface PipeWord {
  readonly text: string;
  /** The same, with underscores for whatever has a meaning of its own outside of the quotes in which it stands. */
  readonly plain: string;
}

/**
 * A line from left to right as a shell reads it: errors that go where the rest of the output goes, or nowhere, as a blank is; blanks,
 * a pipe, a text in either quotes, plain characters, and whatever means more than itself. Whichever quote opens first holds all up to
 * its like; double quotes still expand `$`, backticks and backslashes. `~` is a home folder at the beginning of a word, and behind
 * `=` and `:`.
 */
const pieces =
  /((?:[ \t]2>(?:&1|[ \t]?\/dev\/null)(?=[ \t|]|$)|[ \t])+)|(\|(?![|&]))|'([^']*)'|"([^"$`\\]*)"|((?:[^\s\p{Cc};&|<>$`(){}\\'"#!~]|(?<=[\w@^~])~)+)|[^]/gu;

/**
 * The words of each command of a line that is one plain command, or several of which each reads what the one before it prints; null
 * when a shell would do more with it than run them.
 */
export function shellPipe(line: string): readonly (readonly PipeWord[])[] | null {
  const commands: PipeWord[][] = [[]];
  /** Null between words: an empty text in quotes is a word too. */
  let word: PipeWord | null = null;
  function end(): void {
    if (word !== null) commands.at(-1)?.push(word);
    word = null;
  }
  for (const [, blanks, pipe, single, double, plain] of line.matchAll(pieces)) {
    const quoted = single ?? double;
    if (blanks !== undefined) {
      end();
    } else if (pipe !== undefined) {
      end();
      commands.push([]);
    } else if (quoted !== undefined) {
      word = joined(word, quoted, quoted.replaceAll(/[^\w./=@:-]/g, "_"));
    } else if (plain === undefined || mayBecomeOption(word?.plain ?? "", plain)) {
      return null;
    } else {
      word = joined(word, plain, plain);
    }
  }
  end();
  return commands.every((words) => words.length > 0) ? commands : null;
}

function joined(before: PipeWord | null, text: string, plain: string): PipeWord {
  return { text: (before?.text ?? "") + text, plain: (before?.plain ?? "") + plain };
}

/** Names of files stand in a pattern's place, and one of them may begin as an option does. */
function mayBecomeOption(before: string, plain: string): boolean {
  return /[*?[]/.test(plain) && /^[-*?[]/.test(before + plain);
}
