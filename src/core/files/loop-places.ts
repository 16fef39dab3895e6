import { folderOf, lastPart } from "./path.ts";

/**
 * Finds paths that a loop body builds from its variable: in `for f in cases/*.in`, `${f%.in}.out` is `cases/*.out`. The values of the
 * variable are usually unknown, so all possible ones are covered.
 */

/** A word in shell syntax, with a redirection that writes to it. */
const word = /(>{1,2}\s{0,9})?["']?((?:[\w./*?@%+:-]|\$\{[^}\s]{1,100}\}|\$\w{1,60}|\$\([^()]{0,200}\)){1,400})/g;
const variable = /\$\{([^}\s]{1,100})\}|\$(\w{1,60})|\$\([^()]{0,200}\)/g;
/** An unknown folder at the start of a path is read as the current folder. */
const beginning = /^(?:\$\{[^}\s]{1,100}\}|\$\w{1,60}|\$\([^()]{0,200}\))\//;
const forEach = /\bfor\s{1,9}(\w{1,60})\s{1,9}in\s{1,9}([^;\n]{1,2000})/g;
const whileRead = /\bwhile\s(?:[^;\n]{0,100}\s)?read\s{1,9}(?:-\w{1,9}\s{1,9})?(\w{1,60})/g;

/** The words that the loops of a line iterate over. */
export function loopLists(line: string): string[] {
  return [...line.matchAll(forEach)].flatMap(([, , list = ""]) => list.split(/[\s"']+/));
}

/**
 * The folders and globs that loop bodies of a line build from their variables, in the form of `foundIn`. The line contains whole loops.
 * Each expansion costs time, so their number is limited to the line's length.
 */
export function loopPlaces(line: string): string[] {
  const loops = [
    ...[...line.matchAll(forEach)].map((found) => ({ name: found[1] ?? "", found, items: itemsOf(found[2] ?? "") })),
    ...[...line.matchAll(whileRead)].map((found) => ({ name: found[1] ?? "", found, items: ["**/*"] })),
  ];
  const words = [...line.matchAll(word)].filter(
    ([, written, said = ""]) => written === undefined && said.includes("$"),
  );
  const places: string[] = [];
  let left = line.length;
  for (const { name, found, items } of loops)
    for (const { 2: said = "" } of words.filter(({ index }) => index >= found.index + found[0].length)) {
      left -= items.length;
      if (left < 0) return places;
      places.push(...items.flatMap((item) => placeOf(said, name, item)));
    }
  return places;
}

/** The items of a loop: globs unchanged, single names as the glob of all similar names. */
function itemsOf(list: string): readonly string[] {
  if (/[$`]/.test(list)) return ["*"];
  const items = list.split(/[\s"']+/).filter((item) => item !== "");
  return [...new Set(items.map((item) => (/[*?[]/.test(item) ? item : anyLike(item))))].slice(0, 20);
}

/** `cases/a.in` becomes `cases/*.in`. */
function anyLike(item: string): string {
  const slash = item.lastIndexOf("/");
  const dot = item.lastIndexOf(".");
  return slash === -1 ? "*" : `${item.slice(0, slash)}/*${dot > slash + 1 ? item.slice(dot) : ""}`;
}

/**
 * The place that a word names. A word with only other variables must contain a slash; those variables may be built from the loop's:
 * `want/${b%.in}`.
 */
function placeOf(said: string, name: string, item: string): string[] {
  const isOfLoop = speaksOf(said, name);
  const [begin = ""] = beginning.exec(said) ?? [];
  const below = speaksOf(begin, name) ? said : said.slice(begin.length);
  const place = writtenOut(below, name, item).replace(/\/{2,}/g, "/");
  return /\w/.test(place) && (isOfLoop || place.includes("/")) ? [place] : [];
}

function speaksOf(said: string, name: string): boolean {
  return [...said.matchAll(variable)].some(([all, braced, plain]) => nameIn(all, braced ?? plain) === name);
}

/** The first variable of an expansion: `f` for `$(basename $f .in)`. */
function nameIn(all: string, inner: string | undefined): string {
  const [, name = ""] = /^(\w+)/.exec(inner ?? "") ?? /\$\{?(\w{1,60})/.exec(all.slice(2)) ?? [];
  return name;
}

/** A word with the loop variable replaced by an item; everything else that is unknown becomes `*`. */
function writtenOut(said: string, name: string, item: string): string {
  return said.replace(variable, (all: string, braced?: string, plain?: string) => {
    if (nameIn(all, braced ?? plain) !== name) return "*";
    if (braced === undefined && plain === undefined) return "*";
    return expanded((braced ?? "").slice(name.length), item);
  });
}

/** Applies a shell expansion to an item: `%.in`, `%.*`, `/.in/.out`, or `##*` with a slash. */
function expanded(how: string, item: string): string {
  const [, cut, ending = ""] = /^(%{1,2})(.*)$/.exec(how) ?? [];
  if (cut !== undefined) return withoutEnding(item, ending);
  if (how.startsWith("#")) return lastPart(item);
  const [, from, to = ""] = /^\/{1,2}([^/]+)(?:\/(.*))?$/.exec(how) ?? [];
  return from === undefined ? item : item.replace(from, () => to);
}

function withoutEnding(item: string, ending: string): string {
  if (!/[*?[]/.test(ending)) return item.endsWith(ending) ? item.slice(0, item.length - ending.length) : item;
  if (ending.startsWith("/")) return folderOf(item);
  const dot = item.lastIndexOf(".");
  return dot > item.lastIndexOf("/") ? item.slice(0, dot) : item;
}
