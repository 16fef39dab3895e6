import type { FileKind } from "../files/kind.ts";
import { namesOf } from "./report.ts";
import { type TestReport, titleOf } from "./report.ts";

/** A changed file of the work, as git reports it. */
export interface ChangedSource {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "renamed";
  readonly oldPath: string | null;
}

/** The part of a work that is its proof: laid on the base's source, it gives the work without its source. */
export interface ProofOfWork {
  /** Proof files that are taken from the work. */
  readonly laid: readonly string[];
  /** Proof files that the work removed. */
  readonly removed: readonly string[];
  /** The changed files that are no proof, by their present paths, without deleted files. */
  readonly source: readonly string[];
  /** Laid files that did not exist before under any name. */
  readonly added: readonly string[];
}

/**
 * Splits changed files into proof and source. `frozen`: changed files that are proof although their kind does not show it. `wanted`:
 * settings that are the subject of the goal.
 */
export function proofOfWork(
  changed: readonly ChangedSource[],
  frozen: readonly string[],
  kindOf: (path: string) => FileKind,
  wanted: ReadonlySet<string> = new Set(),
): ProofOfWork {
  const known = new Set(frozen);
  const isProof = (path: string): boolean =>
    known.has(path) || (!wanted.has(path) && ["test", "proof", "setting"].includes(kindOf(path).role));
  const laid: string[] = [];
  const removed: string[] = [];
  const source: string[] = [];
  for (const { path, status, oldPath } of changed) {
    if (oldPath !== null && isProof(oldPath)) removed.push(oldPath);
    if (!isProof(path)) {
      if (status !== "deleted") source.push(path);
    } else if (status === "deleted") removed.push(path);
    else laid.push(path);
  }
  const fresh = new Set(changed.flatMap(({ path, status }) => (status === "added" ? [path] : [])));
  return { laid, removed, source, added: laid.filter((path) => fresh.has(path)) };
}

/** What the work did, judged by its files. The wording for a proof that only guards depends on it. */
export type WorkNature = "documents" | "tests" | "settings" | "moved" | "source";

/** The nature of a work: the weightiest role among its changed files decides. */
export function natureOf(changed: readonly ChangedSource[], kindOf: (path: string) => FileKind): WorkNature {
  const ofRole = (...roles: readonly FileKind["role"][]): readonly ChangedSource[] =>
    changed.filter(({ path }) => roles.includes(kindOf(path).role));
  const source = ofRole("source", "unsure");
  if (source.length > 0) return source.every(({ status }) => status === "renamed") ? "moved" : "source";
  if (ofRole("setting", "generated").length > 0) return "settings";
  return ofRole("test", "proof").length > 0 ? "tests" : "documents";
}

/** Maximum number of tests that are looked for by their titles. */
const mostTitles = 3;

/**
 * Titles by which the most important test files are found: tests that prove, else tests that pass; longest first. When only numbers are
 * known, also the named tests that fail without the work's source.
 */
export function titlesToFind(
  work: TestReport | null,
  withoutSource: TestReport | null,
  most: number = mostTitles,
): string[] {
  const passing = namesOf(work, "passed");
  const before = new Set(namesOf(withoutSource, "passed"));
  const proving = passing.filter((name) => !before.has(name));
  const failing = work?.type === "counts" && withoutSource?.type === "counts" ? (withoutSource.failing ?? []) : [];
  const titles = [...(proving.length > 0 ? proving : passing), ...failing].map((name) => titleOf(name));
  return [...new Set(titles)].toSorted((one, other) => other.length - one.length).slice(0, most);
}

/** The lines (from 0) that a patch adds to each of its files. */
export function addedLines(patch: string): ReadonlyMap<string, ReadonlySet<number>> {
  const added = new Map<string, Set<number>>();
  let lines: Set<number> | null = null;
  let at = 0;
  for (const line of patch.split("\n")) {
    if (line.startsWith("+++ ")) {
      lines = new Set();
      added.set(pathIn(line.slice(4)), lines);
    } else if (line.startsWith("@@ ")) at = Number(/^@@ -\S{1,40} \+(\d{1,9})/.exec(line)?.[1] ?? 1) - 1;
    else if (line.startsWith("+")) {
      lines?.add(at);
      at += 1;
    } else if (line.startsWith(" ")) at += 1;
  }
  return added;
}

/** Git ends a path that contains blanks with a tab. */
function pathIn(name: string): string {
  const [path = ""] = name.split("\t");
  return path.startsWith("b/") ? path.slice(2) : path;
}
