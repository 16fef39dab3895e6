import { count } from "../text.ts";
import { jsonOrNull } from "../text/json.ts";
import { tokensOf } from "./tokens.ts";

/** A line that a work changed, and whether a run reached it. */
export interface ChangedLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** "partly": a branch of the line, or a function that it creates, never ran. */
  readonly state: LineState;
}

export type LineState = "ran" | "partly" | "missed";

/** A changed file: its text, and the lines (from 0) that the work changed. */
export interface ChangedText {
  readonly path: string;
  /** The path with the extension of its language, when only its first line tells the language. */
  readonly as?: string;
  readonly text: string;
  readonly lines: ReadonlySet<number>;
}

/** Longer files are skipped, and so are longer coverage files of a process. */
const longestText = 200_000;
const longestCounted = 20_000_000;

/**
 * States of the changed lines of a file from the V8 coverage of some processes (`NODE_V8_COVERAGE`), each given as the text of its
 * coverage file. `url` is the address of the file. Null when no process loaded it unchanged: compiled code has other offsets.
 */
export function linesOfV8(
  { path, text, lines }: ChangedText,
  url: string,
  processes: readonly string[],
): ChangedLine[] | null {
  if (text.length > longestText) return null;
  const reached = new Uint8Array(text.length);
  let isLoaded = false;
  for (const each of processes) {
    if (!each.includes(url)) continue;
    for (const functions of scriptsIn(each, url)) {
      if (!functions.some(([first]) => first?.startOffset === 0 && first.endOffset === text.length)) continue;
      isLoaded = true;
      const now = paint(functions.flat(), text.length);
      for (let at = 0; at < now.length; at += 1) if (now[at] === 1) reached[at] = 1;
    }
  }
  if (!isLoaded) return null;
  const byLine = new Map<number, boolean[]>();
  for (const { type, line, start } of tokensOf(text, path)) {
    if (type === "sign" || !lines.has(line)) continue;
    byLine.set(line, [...(byLine.get(line) ?? []), reached[start] === 1]);
  }
  return [...byLine].map(([line, tokens]) => ({ path, line: line + 1, state: stateOf(tokens) }));
}

function stateOf(parts: readonly boolean[]): LineState {
  if (parts.every(Boolean)) return "ran";
  return parts.some(Boolean) ? "partly" : "missed";
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** 1 at each offset whose innermost range ran. */
function paint(ranges: readonly Range[], length: number): Uint8Array {
  const painted = new Uint8Array(length);
  const outerFirst = ranges.toSorted(
    (one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset,
  );
  for (const { startOffset, endOffset, count: times } of outerFirst)
    painted.fill(times > 0 ? 1 : 0, startOffset, endOffset);
  return painted;
}

/** The ranges of each function of the scripts with this address. */
function scriptsIn(text: string, url: string): Range[][][] {
  const { result } = asObject(jsonOrNull(text, longestCounted));
  if (!Array.isArray(result)) return [];
  return result.flatMap((script: unknown) => {
    const { url: address, functions } = asObject(script);
    if (address !== url || !Array.isArray(functions)) return [];
    return [functions.map((each: unknown) => rangesIn(asObject(each)["ranges"]))];
  });
}

function rangesIn(ranges: unknown): Range[] {
  if (!Array.isArray(ranges)) return [];
  return ranges.flatMap((range: unknown) => {
    const { startOffset, endOffset, count: times } = asObject(range);
    return typeof startOffset === "number" && typeof endOffset === "number" && typeof times === "number"
      ? [{ startOffset, endOffset, count: times }]
      : [];
  });
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  // Only a record of unknown values is claimed.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/**
 * States of the changed lines of a file from a coverage report of a runner: lcov or Cobertura XML. Null when it names no line of the file.
 * `place` is the folder where it ran; `changed` are the paths of all changed files.
 */
export function linesOfReport(
  { path, lines }: ChangedText,
  report: { readonly path: string; readonly text: string },
  place: string,
  changed: readonly string[] = [path],
): ChangedLine[] | null {
  const states = report.path.endsWith(".info")
    ? ofLcov(report.text, path, place)
    : ofCobertura(report.text, path, { place, changed });
  const own = [...states].filter(([line]) => lines.has(line - 1));
  return states.size === 0 ? null : own.map(([line, state]) => ({ path, line, state }));
}

function ofLcov(text: string, path: string, place: string): Map<number, LineState> {
  const states = new Map<number, LineState>();
  let isOwn = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("SF:")) isOwn = isSame(line.slice(3).trim(), path, { place, sources: [""], changed: [] });
    if (!isOwn) continue;
    const [, ran, times] = /^DA:(\d{1,9}),(\d{1,15})/.exec(line) ?? [];
    if (ran !== undefined) states.set(Number(ran), times === "0" ? "missed" : (states.get(Number(ran)) ?? "ran"));
    const [, branched, taken] = /^BRDA:(\d{1,9}),[^,]{1,20},[^,]{1,60},(-|\d{1,15})/.exec(line) ?? [];
    if (branched !== undefined && (taken === "-" || taken === "0") && states.get(Number(branched)) !== "missed")
      states.set(Number(branched), "partly");
  }
  return states;
}

function ofCobertura(
  text: string,
  path: string,
  { place, changed }: { readonly place: string; readonly changed: readonly string[] },
): Map<number, LineState> {
  const states = new Map<number, LineState>();
  const sources: string[] = [];
  let isOwn = false;
  for (const tag of text.split("<")) {
    if (tag.startsWith("source>")) sources.push(tag.slice(7, 1000).trim());
    if (tag.startsWith("class "))
      isOwn = isSame(/ filename="([^"]{1,500})"/.exec(tag.slice(0, 2000))?.[1] ?? "", path, {
        place,
        sources,
        changed,
      });
    if (!isOwn || !tag.startsWith("line ")) continue;
    const said = tag.slice(0, 500);
    const [, number = "0"] = / number="(\d{1,9})"/.exec(said) ?? [];
    const isMissed = said.includes(' hits="0"');
    const isPartly = / condition-coverage="\d{1,2}%/.test(said);
    states.set(Number(number), isMissed ? "missed" : isPartly ? "partly" : "ran");
  }
  return states;
}

/** Folders that a report's names start from. `place`: where it ran. */
interface ReportRoots {
  readonly place: string;
  /** The report's own source folders, absolute or from where it ran. */
  readonly sources: readonly string[];
  readonly changed: readonly string[];
}

/**
 * True when a report's name means the file. Names are absolute, or start from where it ran or from a source folder. When no source folder
 * is known, the end of the path decides, unless another changed file has the same end.
 */
function isSame(named: string, path: string, { place, sources, changed }: ReportRoots): boolean {
  const own = fromHere(named);
  if (own === "") return false;
  if (own === path || own === `${place}/${path}`) return true;
  if (own.startsWith("/")) return false;
  const folders = sources
    .map(fromHere)
    .map((each) => (each.startsWith(`${place}/`) ? each.slice(place.length + 1) : each));
  const known = folders.filter((each) => !each.startsWith("/") || each === place);
  if (known.length === 0)
    return path.endsWith(`/${own}`) && changed.every((each) => each === path || !`/${each}`.endsWith(`/${own}`));
  return known.some((folder) => path === (folder === "" || folder === place ? own : `${folder}/${own}`));
}

function fromHere(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^\.(?:\/|$)/, "")
    .replace(/(?<=.)\/$/, "");
}

const mostNamed = 3;

/**
 * "1 of 3 changed lines ran only partly (src/price.js:4), 1 did not run (src/price.js:9)"; null when all lines ran, or nothing is known. A
 * line counts as run when one proof ran it.
 */
export function linesWords(found: readonly (readonly ChangedLine[])[]): string | null {
  const best = new Map<string, ChangedLine>();
  const rank = { missed: 0, partly: 1, ran: 2 } as const;
  for (const each of found.flat()) {
    const place = `${each.path}:${each.line}`;
    const known = best.get(place);
    if (known === undefined || rank[each.state] > rank[known.state]) best.set(place, each);
  }
  const named = (state: LineState): string[] =>
    [...best].flatMap(([place, each]) => (each.state === state ? [place] : []));
  const parts = [partWords(named("partly"), "ran only partly"), partWords(named("missed"), "did not run")].filter(
    (part) => part !== "",
  );
  const [first, ...rest] = parts;
  if (first === undefined) return null;
  const [number = "", ...said] = first.split(" ");
  return [`${number} of ${count(best.size, "changed line")} ${said.join(" ")}`, ...rest].join(", ");
}

function partWords(places: readonly string[], what: string): string {
  if (places.length === 0) return "";
  const more = places.length > mostNamed ? `, and ${places.length - mostNamed} more` : "";
  return `${places.length} ${what} (${places.slice(0, mostNamed).join(", ")}${more})`;
}
