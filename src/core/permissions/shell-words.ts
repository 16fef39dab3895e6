/** A word of a command line, as its program receives it. */
export interface PipeWord {
  readonly text: string;
  /** The text with underscores for characters that have a meaning of their own outside the quotes around them. */
  readonly plain: string;
}

/**
 * The parts of a line as a shell reads it, from left to right: errors redirected to the output or to nowhere (read as a blank), blanks,
 * a pipe, quoted text, plain characters, and everything with a special meaning. The quote that opens first ends only at its like.
 * Double quotes still expand `$`, backticks and backslashes. `~` is a home folder at the beginning of a word, and after
 * `=` and `:`.
 */
const pieces =
  /((?:[ \t]2>(?:&1|[ \t]?\/dev\/null)(?=[ \t|]|$)|[ \t])+)|(\|(?![|&]))|'([^']*)'|"([^"$`\\]*)"|((?:[^\s\p{Cc};&|<>$`(){}\\'"#!~]|(?<=[\w@^~])~)+)|[^]/gu;

/**
 * Returns the words of each command of a line that is one plain command, or a pipe of them. Null when a shell would do anything
 * else with the line.
 */
export function shellPipe(line: string): readonly (readonly PipeWord[])[] | null {
  const commands: PipeWord[][] = [[]];
  /** Null between words. An empty quoted text is a word too. */
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

/** True when a pattern may expand to a name that begins like an option. */
function mayBecomeOption(before: string, plain: string): boolean {
  return /[*?[]/.test(plain) && /^[-*?[]/.test(before + plain);
}
