import { readJson } from "../text/json.ts";

/** Where repositories leave what their tests cover, as files of the tree that was checked. */
export const coverageReports = ["coverage/coverage-summary.json", "coverage/lcov.info", "lcov.info", "coverage.xml"];

/** "79.9 %": cut and not rounded, so that what is below a limit never reads as having reached it. */
export function coveredWords(share: number): string {
  return `${wholeParts(share, 1000) / 10} %`;
}

/** How many whole parts of one a share has, where one has so many. */
export function wholeParts(share: number, parts: number): number {
  // What only the arithmetic of fractions has taken away is not missing.
  return Math.floor(share * parts + 1e-9);
}

/** The share of lines that a report says are covered, from 0 to 1; null when it says nothing that is understood. */
export function coverageIn(path: string, text: string): number | null {
  if (path.endsWith(".json")) return ofSummary(text);
  return path.endsWith(".info") ? ofLcov(text) : ofCobertura(text);
}

function ofSummary(text: string): number | null {
  const read = readJson(text);
  if (read.type === "wrong") return null;
  const { total } = asObject(read.value);
  const { lines } = asObject(total);
  const { pct } = asObject(lines);
  return typeof pct === "number" && pct >= 0 && pct <= 100 ? pct / 100 : null;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  // A record of unknowns is all that is claimed.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function ofLcov(text: string): number | null {
  let [found, hit] = [0, 0];
  for (const line of text.split("\n")) {
    const [, kind, digits] = /^(LF|LH):(\d{1,9})\s*$/.exec(line) ?? [];
    if (kind === "LF") found += Number(digits);
    if (kind === "LH") hit += Number(digits);
  }
  return found === 0 ? null : Math.min(1, hit / found);
}

function ofCobertura(text: string): number | null {
  const rate = /<coverage\b[^>]{0,500}\bline-rate="(0(?:\.\d{1,20})?|1(?:\.0{1,20})?)"/.exec(text.slice(0, 5000))?.[1];
  return rate === undefined ? null : Number(rate);
}
