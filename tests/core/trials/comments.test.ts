import { expect, it } from "vitest";
import { commentsOf, tokensOf } from "../../../src/core/trials/tokens.ts";

/** Where a comment begins, by the language of a file: text that is no comment is not hidden from those who read code. */

const wordsOf = (text: string, path: string) =>
  tokensOf(text, path)
    .filter(({ type }) => type === "word")
    .map((token) => token.text);
const comments = (text: string, path: string) => commentsOf(text, path).map((comment) => comment.text);

it.each<[string, string, string]>([
  ["a.sh", '[ $# -gt 0 ] && eval "$x"', "eval"],
  ["a.bash", "n=${#list}; eval $n", "eval"],
  ["a.zsh", "x=a#b; exit 0", "exit"],
  ["a.bats", "(( 16#ff )) && exit 0", "exit"],
  ["a.yaml", "run: a#b && exit", "exit"],
  ["a.pl", "if ($#list > 0) { exit }", "exit"],
  ["a.php", "#[Pure] function f() { eval($x); }", "eval"],
])("in %s: %s", (path, text, word) => {
  expect(wordsOf(text, path)).toContain(word);
  expect(comments(text, path)).toEqual([]);
});

it.each<[string, string, string]>([
  ["a.sh", "exit 0 # eval", "# eval"],
  ["a.sh", "run;# eval", "# eval"],
  ["a.bats", "# eval", "# eval"],
  ["a.yml", "a: 1 # eval", "# eval"],
  ["a.py", "x=1# eval", "# eval"],
  ["a.rb", "x=1# eval", "# eval"],
  ["a.pl", "$x = 1;# eval", "# eval"],
  ["a.php", "# phpcs:ignore eval", "# phpcs:ignore eval"],
  ["a.php", "$x = 1; // eval", "// eval"],
  ["a.php", "/* eval */ $x = 1;", "/* eval */"],
  ["a.ts", "x = 1 // eval", "// eval"],
])("in %s a comment: %s", (path, text, comment) => {
  expect(comments(text, path)).toEqual([comment]);
  expect(wordsOf(text, path)).not.toContain("eval");
});
