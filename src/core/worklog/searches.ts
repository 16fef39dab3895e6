import { afterOptions, isInFront, nameOf, type Part, commandParts, shellWords } from "./shell-line.ts";
import { deepestLine, handedLine } from "./handed-lines.ts";

/** Launchers that run what stands behind them, and what they are told by options. */
const searchLaunchers = /^(env|sudo|time|exec|command|timeout|nice|ionice|nohup|stdbuf|setsid|xargs)$/;
const searches = /^([ef]?grep|zgrep|rgrep|pcre2?grep|rg|ugrep|ag|ack|find|fd|fdfind|ls|tree|cat|bat|head|tail|awk)$/;
/** Those that read what they are fed where no file is named. */
const filters = /^([ef]?grep|zgrep|pcre2?grep|rg|ugrep|ag|ack|sed|cat|bat|head|tail|awk)$/;
const walksFolders = /^-[A-Za-z]*[rR]|^--(recursive|dereference-recursive)$/;

/** Whether one of the programs that a line of shell starts searches, lists or prints files: `rg`, `git grep`, `sed -n`. */
export function isSearch(command: string): boolean {
  return searchesIn(command, 0);
}

function searchesIn(command: string, depth: number): boolean {
  if (depth > deepestLine) return false;
  // Agents show a command in backticks, and a shell runs what is in them.
  return commandParts(command.replaceAll("`", "\n")).some((part) => searchesWith(part, depth));
}

/** What it does with what another command prints, as in `npm test | tail`, searches nothing. */
function searchesWith({ words, isFed }: Part, depth: number): boolean {
  for (const [index, word] of words.entries()) {
    const name = nameOf(word);
    const after = words.slice(index + 1);
    if (isFed && filters.test(name) && !words.slice(0, index).some((each) => nameOf(each) === "xargs"))
      return after.some((each) => walksFolders.test(each));
    // `cat > FILE <<END` writes.
    if (name === "cat" && after.some((each) => each.startsWith("<<"))) return false;
    if (searches.test(name)) return true;
    if (name === "git") return /^(grep|ls-files|ls-tree)$/.test(afterOptions(after, /^-[cC]$/)[0] ?? "");
    if (name === "sed") return /^-\w*n/.test(after[0] ?? "");
    const line = handedLine(words.slice(index));
    if (line !== null) return searchesIn(line, depth + 1);
    if (!searchLaunchers.test(name) && !shellWords.test(word) && !isInFront(word)) return false;
  }
  return false;
}
