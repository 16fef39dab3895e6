/**
 * True when a word is a typing slip of another: one letter doubled or missing, one letter repeated in place of the next, or two
 * letters swapped. Never with a different letter: `cause` is no slip of `pause`. Both words in lower case.
 */
export function isSlipOf(word: string, known: string): boolean {
  if (word[0] !== known[0]) return false;
  const at = firstDifference(word, known);
  const [typed, before] = [word[at], word[at - 1]];
  if (word.length === known.length + 1) return typed === before && cut(word, at) === known;
  if (word.length === known.length - 1) return word === cut(known, at);
  if (word.length !== known.length || at === word.length) return false;
  const isSwapped = typed === known[at + 1] && word[at + 1] === known[at];
  if (isSwapped) return word.slice(at + 2) === known.slice(at + 2);
  return typed === before && word.slice(at + 1) === known.slice(at + 1);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function cut(word: string, at: number): string {
  return word.slice(0, at) + word.slice(at + 1);
}
