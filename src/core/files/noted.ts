import { type FileKind, type FileRole, isProgram } from "./kind.ts";

/** A changed file that a person should see by name: neither plain source nor a new test. */
export interface NotedFile {
  readonly path: string;
  /** What it is and what was done to it. */
  readonly what: string;
}

const roleWords: Readonly<Record<FileRole, string>> = {
  source: "source",
  test: "test",
  proof: "test data",
  setting: "setting",
  unsure: "data",
  generated: "generated",
  other: "text or picture",
};

/** Usual names of code that tests load, or of its folder. */
const helpers = /(?:^|[/_.-])(?:(?:fixture|mock|stub|fake|helper|util)s?|support)(?=[/_.-])/i;

/** The word for a file's role. For code among proof files, the path usually does not show whether it is run or loaded. */
function wordOf(path: string, role: FileRole): string {
  if (role !== "proof" || !isProgram(path)) return roleWords[role];
  return helpers.test(path) ? "test helper" : "test";
}

/** Maximum number of words about a file's surroundings. */
const mostWords = 6;

/**
 * The changed files that a person should see by name, with what was done to them (F-201). `around` holds words about how source files look
 * at the environment in which they run. `remarks` holds ways in which test code proves less.
 */
export function notedFiles(
  changed: readonly { readonly path: string; readonly status: string; readonly oldPath: string | null }[],
  kindOf: (path: string) => FileKind,
  around: ReadonlyMap<string, readonly string[]>,
  remarks: ReadonlyMap<string, readonly string[]> = new Map(),
): NotedFile[] {
  return changed.flatMap(({ path, status, oldPath }) => {
    const looks = (around.get(path) ?? []).slice(0, mostWords);
    const { role, isUserFacing, isStructural } = kindOf(path);
    const wasProof = oldPath !== null && kindOf(oldPath).role !== "source";
    const isPlain = role === "source" && !isUserFacing && !isStructural && !wasProof && looks.length === 0;
    const remarked = remarks.get(path) ?? [];
    if (isPlain || (remarked.length === 0 && status === "added" && (role === "test" || role === "proof"))) return [];
    const words = [
      status === "modified" ? "" : status,
      isUserFacing ? "user-facing" : isStructural ? "structural" : "",
      role === "source" && (isUserFacing || isStructural) ? "" : wordOf(path, role),
    ];
    const looking = looks.length === 0 ? [] : [`looks at its surroundings: ${looks.join(", ")}`];
    const what = words.filter((word) => word !== "").join(" ");
    return [{ path, what: [what, ...remarked, ...looking].join(", ") }];
  });
}
