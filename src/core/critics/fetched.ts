import { lastPart } from "../files/path.ts";

/** Finds a file that one line fetches and another line runs, by its name. Linear in a line. */

const fetcher = /(?:^|[\s"'`$(;&|/@\\+-])(curl|wget)(?:\s|\$\{?IFS)/;
const output =
  /\s(?:-\w{0,8}[oO]|--output|--output-document)[= ]{0,3}["']?([\w./~${}-]{1,200})|>\s{0,3}["']?([\w./~${}-]{1,200})/;
const address = /\bhttps?:\/\/[^\s"'`;|)&]{1,2000}/i;

/** The names under which a line stores what it fetches: file names, and variables with a leading dollar. */
export function fetchedNames(text: string): string[] {
  const added = /^\s{0,60}ADD\s{1,5}(?:--\S{1,100}\s{1,5}){0,5}https?:\/\/\S{1,2000}\s{1,5}(\S{1,200})\s*$/i.exec(
    text,
  )?.[1];
  if (added !== undefined) return [lastPart(added)];
  if (!fetcher.test(text)) return [];
  const [, variable] =
    /(?:^|[\s;&|])(\w{1,60})=["']?(?:\$\(|`)[^\n]{0,200}?\b(?:curl|wget)\s/.exec(text.slice(0, 5000)) ?? [];
  const files = text.split(/[;&|]+/).flatMap((part) => fetchedName(part) ?? []);
  return variable === undefined ? files : [...files, `$${variable}`];
}

/** Null when the command fetches nothing into a file. */
function fetchedName(command: string): string | null {
  const line = command.slice(0, 5000);
  const [, tool] = fetcher.exec(line) ?? [];
  if (tool === undefined) return null;
  const rest = line.slice(line.search(fetcher));
  const named = output.exec(rest);
  const isOwnName = tool === "wget" || /\s-\w{0,8}O\b|--remote-name\b/.test(rest);
  const told = named?.[1] ?? named?.[2];
  const target =
    told !== undefined && !/^https?$/.test(told)
      ? told
      : isOwnName || told !== undefined
        ? address.exec(rest)?.[0]
        : undefined;
  // `curl -LO https://…/install.sh` keeps the file name of the address.
  const own = target !== undefined && /^https?:/.test(target) ? target.replace(/[?#].{0,2000}$/, "") : target;
  const name = own === undefined ? "" : lastPart(own);
  return name === "" || name === "-" || name === "null" ? null : name;
}

const runners = /^(?:(?:ba|z|da|k|fi)?sh|source|\.|python[\d.]{0,5}|perl|ruby|node|php|deno|bun|sudo|exec|env|pwsh)$/;

/** Constructs that run a variable's value as a program. */
const evaluated = /(?:\beval|\bsh\s{1,5}-\w{0,5}c|<<<|\s-[ce])\s{1,5}["']?\$\{?(\w{1,60})/g;

/** True when a line runs the content of a file or variable with that name, or makes the file executable. */
export function runsFetched(text: string, name: string): boolean {
  if (!text.includes(name.replace(/^\$/, ""))) return false;
  if (name.startsWith("$")) return [...text.slice(0, 5000).matchAll(evaluated)].some(([, it]) => `$${it}` === name);
  const words = text
    .slice(0, 5000)
    .split(/[\s"'`();&|]+/)
    .filter((word) => word !== "");
  return words.some((word, index) => {
    if (lastPart(word) !== name) return false;
    const before = words.slice(Math.max(0, index - 4), index).filter((each) => !each.startsWith("-"));
    const runner = before.at(-1) ?? "";
    if (runners.test(lastPart(runner))) return true;
    if (before.some((each) => each === "chmod") && /\+[rw]{0,2}x|[0-7]?[1357][0-7]{2}\b/.test(text)) return true;
    return (
      word.includes("/") &&
      !/^https?:/.test(word) &&
      (index === 0 || /[;&|]\s{0,5}$/.test(text.slice(0, text.indexOf(word))))
    );
  });
}
