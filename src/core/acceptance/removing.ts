import { withoutEnding } from "../files/path.ts";

/** Finds what a goal asks to remove (D38). The tests of removed code may be removed with it. */

/** The removed code, by names and by paths. */
export interface Removal {
  /** True for a name made of exactly the words of the removed thing: `legacyExporter` and `export_legacy` for *the legacy exporter*. */
  readonly isName: (name: string) => boolean;
  /** True for a file with such a name, or below a folder with such a name: `src/legacy/exporter.js`. */
  readonly isPath: (path: string) => boolean;
}

/** What a goal asks to remove. Null when the goal asks for no removal, mentions it only in passing, or also names what must stay. */
export function asksToRemove(goal: string): Removal | null {
  if (refusal.test(goal)) return null;
  const items = goal.split(/[.;!?](?=\s|$)|\n/).flatMap(removedIn);
  // As it is written, ending and all: `tax.debug` is a part of `tax.js`.
  const paths = new Set(items.flatMap(({ path }) => path ?? []));
  const wanted = items.flatMap(({ words }) => (words.length === 0 ? [] : [words]));
  if (paths.size === 0 && wanted.length === 0) return null;
  const isName = (name: string): boolean => {
    const parts = partsOf(name);
    return wanted.some((words) => isEach(parts, words) && isEach(words, parts));
  };
  const isPath = (path: string): boolean =>
    [path, withoutEnding(path)].some((each) => paths.has(each)) || foldersOf(withoutEnding(path)).some(isName);
  return { isName, isPath };
}

/** The goal names something that stays, or something that must not be done. "not used" and the like do not count. */
const refusal =
  /(?:\b(?:not|never|without)|n['’]t)\b(?!\s{1,3}(?:used|needed|called|wanted)\b)|\b(?:keep|keeps|kept|stay|stays|remain|remains|preserve|except|but|unless|instead)\b/i;

const removing =
  /^[\s>*-]{0,9}(?:please )?(?:remove|delete|drop|retire|purge|get rid of|rip out|take out|throw away)\b(.{0,300})/i;

/** The thing is removed from something that stays, or only under a condition. */
const isPartly = /\b(?:from|in|on|at|of|when|if|where|while|until|after|before|only|some)\b/i;

interface Item {
  readonly words: readonly string[];
  readonly path: string | null;
}

/** The things named after "remove" at the beginning of a sentence. Words after a comma describe them and are not read. */
function removedIn(sentence: string): Item[] {
  const said = removing.exec(sentence)?.[1] ?? "";
  if (isPartly.test(said)) return [];
  const [things = ""] = said.split(/[,:(](?=\s|$)|\s[–—-]\s/);
  return things.split(/\b(?:and|or|with|plus)\b|&/i).flatMap((thing, index): Item[] => {
    // "Remove the cache and update price" asks for two things.
    if (index > 0 && isVerb.test(thing.trim())) return [];
    const [path = null] = /[\w@.-]{1,100}\/[\w@./-]{1,200}|\b[\w-]{1,100}\.[a-z]{1,5}\b/.exec(thing) ?? [];
    if (path !== null) return [{ words: [], path: path.replace(/^\.\//, "").replace(/[./]$/, "") }];
    const words = partsOf(thing);
    // "The tests of price" does not name `price` itself.
    if (words.some((word) => /^tests?$/.test(word))) return [];
    // "Remove the rounding error" asks for a fix; a class with that name stays.
    if (words.some((word) => ofDefects.test(word))) return [];
    return [{ words: words.filter((word) => !plain.includes(word)), path: null }];
  });
}

const isVerb =
  /^(?:add|adjust|bring|bump|change|check|clean|convert|create|document|drop in|ensure|extract|fix|format|give|have|implement|improve|inline|introduce|let|log|make|merge|migrate|move|pass|port|print|put|raise|refactor|rename|replace|rerun|return|rewrite|run|set|show|simplify|sort|split|start|stop|support|switch|test|tidy|try|tune|turn|update|upgrade|use|validate|write)\b/i;

const ofDefects = /^(?:error|bug|crash|warning|leak|typo|mistake|failure|problem|issue|regression)(?:s|es)?$/;

/** Words that name a kind of thing but do not identify one. */
const plain = "the an a all any its their it code file function class module support for unused".split(" ");

function isEach(parts: readonly string[], of: readonly string[]): boolean {
  return parts.length > 0 && parts.every((part) => of.some((word) => isSame(word, part)));
}

/** Splits into words: `legacy`, `exporter` for `LegacyExporter`, `legacy_exporter` and `legacy-exporter`. */
function partsOf(text: string): string[] {
  const words = text.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ").split(/[^\p{L}\p{N}]+/u);
  return words.flatMap((word) => (word === "" ? [] : [word.toLowerCase()]));
}

/** True for the same word or an inflected form: `export` and `exporter`. `form` and `format` are two words. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (
    short.length > 3 &&
    long.startsWith(short) &&
    /^(?:s|es|e?d|e?rs?|ing|ings|ion|ions)$/.test(long.slice(short.length))
  );
}

/** Every run of consecutive folders of a path, single folders included. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(-8);
  return parts.flatMap((_, from) =>
    parts.slice(from).map((__, length) => parts.slice(from, from + length + 1).join("/")),
  );
}
