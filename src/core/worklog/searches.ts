import { startedIn, type StartedProgram } from "../shell/started.ts";
import { afterOptions, nameOf } from "../shell/words.ts";

const searches = /^([ef]?grep|zgrep|rgrep|pcre2?grep|rg|ugrep|ag|ack|find|fd|fdfind|ls|tree|cat|bat|head|tail|awk)$/;
/** Programs that read their input when no file is named. */
const filters = /^([ef]?grep|zgrep|pcre2?grep|rg|ugrep|ag|ack|sed|cat|bat|head|tail|awk)$/;
const walksFolders = /^-[A-Za-z]*[rR]|^--(recursive|dereference-recursive)$/;

/** True when a program that a shell line starts searches, lists or prints files: `rg`, `git grep`, `sed -n`. */
export function isSearch(command: string): boolean {
  return startedIn(command).some(searchesWith);
}

/** A program that reads the output of another command (`npm test | tail`), or a text of the line (`cat > FILE <<END`), does not search. */
function searchesWith({ words: [program = "", ...after], isFed }: StartedProgram): boolean {
  const name = nameOf(program);
  if (isFed && filters.test(name)) return after.some((each) => walksFolders.test(each));
  if (name === "git") return /^(grep|ls-files|ls-tree)$/.test(afterOptions(after, /^-[cC]$/)[0] ?? "");
  return searches.test(name) || (name === "sed" && /^-\w*n/.test(after[0] ?? ""));
}
