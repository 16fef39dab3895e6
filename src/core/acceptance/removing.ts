import { withoutEnding } from "../files/path.ts";

/** What a goal asks to take away (D38): the tests of that go with it. */

/** Which code it is, by its names and by its paths. */
export interface Removal {
  /** A name that has each word of what is removed, and no other: `legacyExporter` and `export_legacy` of *the legacy exporter*. */
  readonly isName: (name: string) => boolean;
  /** A file, or a folder above it, that is called so: `src/legacy/exporter.js`. */
  readonly isPath: (path: string) => boolean;
}

/** What a goal asks to remove. Null: it asks for nothing of the kind, says so in passing, or says what stays, too. */
export function asksToRemove(goal: string): Removal | null {
  if (refusal.test(goal)) return null;
  const items = goal.split(/[.;!?](?=\s|$)|\n/).flatMap(removedIn);
  const paths = new Set(items.flatMap(({ path }) => (path === null ? [] : [path, withoutEnding(path)])));
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

/** Something stays, or it is said what is not to be done. What is not used is none of these. */
const refusal =
  /(?:\b(?:not|never|without)|n['’]t)\b(?!\s{1,3}(?:used|needed|called|wanted)\b)|\b(?:keep|keeps|kept|stay|stays|remain|remains|preserve|except|but|unless|instead)\b/i;

const removing =
  /^[\s>*-]{0,9}(?:please )?(?:remove|delete|drop|retire|purge|get rid of|rip out|take out|throw away)\b(.{0,300})/i;

/** It is taken away from something that stays, or only sometimes. */
const isPartly = /\b(?:from|in|on|at|of|when|if|where|while|until|after|before|only|some)\b/i;

interface Item {
  readonly words: readonly string[];
  readonly path: string | null;
}

/** The things that a sentence which begins with "remove" says, behind it; what follows a comma is about them. */
function removedIn(sentence: string): Item[] {
  const said = removing.exec(sentence)?.[1] ?? "";
  if (isPartly.test(said)) return [];
  const [things = ""] = said.split(/[,:(](?=\s|$)|\s[–—-]\s/);
  return things.split(/\b(?:and|or|with|plus)\b|&/i).flatMap((thing): Item[] => {
    const [path = null] = /[\w@.-]{1,100}\/[\w@./-]{1,200}|\b[\w-]{1,100}\.[a-z]{1,5}\b/.exec(thing) ?? [];
    if (path !== null) return [{ words: [], path: path.replace(/^\.\//, "").replace(/[./]$/, "") }];
    const words = partsOf(thing);
    // "The tests of price" are no price.
    if (words.some((word) => /^tests?$/.test(word))) return [];
    // A rounding error is to be mended, and the class that is called so stays.
    if (words.some((word) => ofDefects.test(word))) return [];
    return [{ words: words.filter((word) => !plain.includes(word)), path: null }];
  });
}

const ofDefects = /^(?:error|bug|crash|warning|leak|typo|mistake|failure|problem|issue|regression)(?:s|es)?$/;

/** Say what kind of thing it is, or that it may go, and not which. */
const plain = "the an a all any its their it code file function class module support for unused".split(" ");

function isEach(parts: readonly string[], of: readonly string[]): boolean {
  return parts.length > 0 && parts.every((part) => of.some((word) => isSame(word, part)));
}

/** `legacy`, `exporter` of `LegacyExporter`, `legacy_exporter` and `legacy-exporter`. */
function partsOf(text: string): string[] {
  const words = text.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ").split(/[^\p{L}\p{N}]+/u);
  return words.flatMap((word) => (word === "" ? [] : [word.toLowerCase()]));
}

/** The same word, or one made of it: `export` and `exporter`; `form` and `format` are two. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (
    short.length > 3 &&
    long.startsWith(short) &&
    /^(?:s|es|e?d|e?rs?|ing|ings|ion|ions)$/.test(long.slice(short.length))
  );
}

/** Each folder, and each run of folders, of a path. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(-8);
  return parts.flatMap((_, from) =>
    parts.slice(from).map((__, length) => parts.slice(from, from + length + 1).join("/")),
  );
}
