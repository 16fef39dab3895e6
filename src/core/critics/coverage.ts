import { readJson } from "../text/json.ts";

/** The usual paths of coverage reports in the checked tree. */
export const coverageReports = ["coverage/coverage-summary.json", "coverage/lcov.info", "lcov.info", "coverage.xml"];

/** "79.9 %": rounded down, so that a value below a limit never reads as having reached it. */
export function coveredWords(share: number): string {
  return `${wholeParts(share, 1000) / 10} %`;
}

/** The number of whole parts in a share, of `parts` in all. */
export function wholeParts(share: number, parts: number): number {
  // Compensates for floating-point errors.
  return Math.floor(share * parts + 1e-9);
}

/** The share of covered lines in a report, from 0 to 1. Null when the report cannot be parsed. */
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
  // The cast claims only a record of unknown values.
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
  const rate = /<coverage\b[^>]{0,500}\bline-rate=["'](0(?:\.\d{1,20})?|1(?:\.0{1,20})?)["']/.exec(
    text.slice(0, 5000),
  )?.[1];
  return rate === undefined ? null : Number(rate);
}
