import { folderOf, lastPart } from "./path.ts";

/**
 * What the body of a loop names by way of its variable: of `for f in cases/*.in`, `${f%.in}.out` is `cases/*.out`. Which names the
 * variable has is mostly not known, so it stands for all of them.
 */

/** A word as a shell writes it, and whether something is written to it. */
const word = /(>{1,2}\s{0,9})?["']?((?:[\w./*?@%+:-]|\$\{[^}\s]{1,100}\}|\$\w{1,60}|\$\([^()]{0,200}\)){1,400})/g;
const variable = /\$\{([^}\s]{1,100})\}|\$(\w{1,60})|\$\([^()]{0,200}\)/g;
/** A folder that is not known is read as this one. */
const beginning = /^(?:\$\{[^}\s]{1,100}\}|\$\w{1,60}|\$\([^()]{0,200}\))\//;
const forEach = /\bfor\s{1,9}(\w{1,60})\s{1,9}in\s{1,9}([^;\n]{1,2000})/g;
const whileRead = /\bwhile\s(?:[^;\n]{0,100}\s)?read\s{1,9}(?:-\w{1,9}\s{1,9})?(\w{1,60})/g;

/** The words that the loops of a line go through. */
export function loopLists(line: string): string[] {
  return [...line.matchAll(forEach)].flatMap(([, , list = ""]) => list.split(/[\s"']+/));
}

/**
 * The folders and globs that the loops of a line name by their variables, as in `foundIn`. A line holds a loop whole. Each try to write
 * out one name costs time, so there are at most as many tries as the line has characters.
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

/** What a loop goes through: globs as they are; of what is named one by one, all that could be named so. */
function itemsOf(list: string): readonly string[] {
  if (/[$`]/.test(list)) return ["*"];
  const items = list.split(/[\s"']+/).filter((item) => item !== "");
  return [...new Set(items.map((item) => (/[*?[]/.test(item) ? item : anyLike(item))))].slice(0, 20);
}

/** `cases/a.in` is `cases/*.in`. */
function anyLike(item: string): string {
  const slash = item.lastIndexOf("/");
  const dot = item.lastIndexOf(".");
  return slash === -1 ? "*" : `${item.slice(0, slash)}/*${dot > slash + 1 ? item.slice(dot) : ""}`;
}

/** Of another variable only what is a path, which may be built of the loop's: `want/${b%.in}`. */
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

/** The first variable of an expansion: of `$(basename $f .in)` that is `f`. */
function nameIn(all: string, inner: string | undefined): string {
  const [, name = ""] = /^(\w+)/.exec(inner ?? "") ?? /\$\{?(\w{1,60})/.exec(all.slice(2)) ?? [];
  return name;
}

/** A word with the variable as one of its names; what else is not known is anything. */
function writtenOut(said: string, name: string, item: string): string {
  return said.replace(variable, (all: string, braced?: string, plain?: string) => {
    if (nameIn(all, braced ?? plain) !== name) return "*";
    if (braced === undefined && plain === undefined) return "*";
    return expanded((braced ?? "").slice(name.length), item);
  });
}

/** `%.in`, `%.*`, `/.in/.out`, `##*` with a slash: what a shell makes of a name. */
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
