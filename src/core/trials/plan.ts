import type { FileKind } from "../files/kind.ts";
import { namesOf } from "./report.ts";
import { type TestReport, titleOf } from "./report.ts";

/** A changed file of the work, as git tells it. */
export interface ChangedSource {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "renamed";
  readonly oldPath: string | null;
}

/** What of a work is its proof: laid on the base's source, it is the work without its source. */
export interface ProofOfWork {
  /** Taken from the work. */
  readonly laid: readonly string[];
  /** Not there any more. */
  readonly removed: readonly string[];
  /** The changed files that are no proof, as they are called now; those that are gone are none. */
  readonly source: readonly string[];
  /** Of what is laid, what was not there before under any name. */
  readonly added: readonly string[];
}

/** `frozen`: changed files that prove something although their kind does not say so; `wanted`: settings that are what the goal is about. */
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

/** What was done, as far as its files say: what a proof that only guards says of it depends on that. */
export type WorkNature = "documents" | "tests" | "settings" | "moved" | "source";

/** What kind of work changed files are: of the roles among them the one that weighs most. */
export function natureOf(changed: readonly ChangedSource[], kindOf: (path: string) => FileKind): WorkNature {
  const ofRole = (...roles: readonly FileKind["role"][]): readonly ChangedSource[] =>
    changed.filter(({ path }) => roles.includes(kindOf(path).role));
  const source = ofRole("source", "unsure");
  if (source.length > 0) return source.every(({ status }) => status === "renamed") ? "moved" : "source";
  if (ofRole("setting", "generated").length > 0) return "settings";
  return ofRole("test", "proof").length > 0 ? "tests" : "documents";
}

/** At most so many tests are looked for by their titles. */
const mostTitles = 3;

/**
 * Titles by which the files of tests are found that matter most: those that prove, else those that pass; longest first. Where
 * only numbers are known of the work, those that fail without its source, as far as they are named.
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

/** Git marks the end of a path that holds blanks by a tab. */
function pathIn(name: string): string {
  const [path = ""] = name.split("\t");
  return path.startsWith("b/") ? path.slice(2) : path;
}
