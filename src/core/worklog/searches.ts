import { startedIn, type StartedProgram } from "../shell/started.ts";
import { afterOptions, nameOf } from "../shell/words.ts";

const searches = /^([ef]?grep|zgrep|rgrep|pcre2?grep|rg|ugrep|ag|ack|find|fd|fdfind|ls|tree|cat|bat|head|tail|awk)$/;
/** Those that read what they are fed where no file is named. */
const filters = /^([ef]?grep|zgrep|pcre2?grep|rg|ugrep|ag|ack|sed|cat|bat|head|tail|awk)$/;
const walksFolders = /^-[A-Za-z]*[rR]|^--(recursive|dereference-recursive)$/;

/** Whether one of the programs that a line of shell starts searches, lists or prints files: `rg`, `git grep`, `sed -n`. */
export function isSearch(command: string): boolean {
  return startedIn(command).some(searchesWith);
}

/** What it does with what another command prints (`npm test | tail`), or with a text of the line (`cat > FILE <<END`), searches nothing. */
function searchesWith({ words: [program = "", ...after], isFed }: StartedProgram): boolean {
  const name = nameOf(program);
  if (isFed && filters.test(name)) return after.some((each) => walksFolders.test(each));
  if (name === "git") return /^(grep|ls-files|ls-tree)$/.test(afterOptions(after, /^-[cC]$/)[0] ?? "");
  return searches.test(name) || (name === "sed" && /^-\w*n/.test(after[0] ?? ""));
}
