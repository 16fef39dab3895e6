/** Programs that print, count or compare the content of files, and start no other program whatever their arguments. */
const readers: ReadonlySet<string> = new Set(
  "grep egrep fgrep test [ cat head tail wc cmp diff comm ls stat jq true false".split(" "),
);

/** Longer commands are not read. */
const longestCommand = 10_000;

/**
 * True when a command only reads files: none of its programs starts another. It runs no script of the repository, so no code of the
 * repository can decide how it ends. False in case of doubt: substitutions, variables, redirections, groups.
 */
export function readsOnly(command: string): boolean {
  if (command.length > longestCommand) return false;
  const words = wordsIn(command);
  if (words === null) return false;
  let isFirst = true;
  for (const word of words) {
    if (word === null) isFirst = true;
    else if (isFirst && word !== "!") {
      if (!readers.has(word)) return false;
      isFirst = false;
    }
  }
  return words.some((word) => word !== null);
}

/**
 * The words of a command, with null where a new command begins (`&&`, `||`, `|`, `;`). Null as a whole when the command is more than plain
 * words. Linear.
 */
function wordsIn(command: string): readonly (string | null)[] | null {
  const words: (string | null)[] = [];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  for (let at = 0; at < command.length; at += 1) {
    const letter = command[at] ?? "";
    if (letter === "'" || letter === '"') {
      const end = command.indexOf(letter, at + 1);
      const inside = command.slice(at + 1, end);
      if (end === -1 || (letter === '"' && /[$`\\]/.test(inside))) return null;
      word = (word ?? "") + inside;
      at = end;
    } else if (letter === " " || letter === "\t") endWord();
    else if (letter === "|" || letter === ";" || command.startsWith("&&", at)) {
      endWord();
      words.push(null);
      if (letter === "&" || command.startsWith("||", at)) at += 1;
    } else if (/[\w.,:/+=@%*?!^~[\]-]/.test(letter)) word = (word ?? "") + letter;
    else return null;
  }
  endWord();
  return words;
}
