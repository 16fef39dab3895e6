import type { FileKind, FileRole } from "./kind.ts";

/** A changed file that a person should see by name: it is neither plain source nor a new test. */
export interface NotedFile {
  readonly path: string;
  /** What it is, in words. */
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

/** Of the changed files, those that a person should see by name, with what was done to them (F-201). */
export function notedFiles(
  changed: readonly { readonly path: string; readonly status: string; readonly oldPath: string | null }[],
  kindOf: (path: string) => FileKind,
): NotedFile[] {
  return changed.flatMap(({ path, status, oldPath }) => {
    const { role, isUserFacing, isStructural } = kindOf(path);
    const wasProof = oldPath !== null && kindOf(oldPath).role !== "source";
    const isPlain = role === "source" && !isUserFacing && !isStructural && !wasProof;
    if (isPlain || (status === "added" && (role === "test" || role === "proof"))) return [];
    const words = [
      status === "modified" ? "" : status,
      isUserFacing ? "user-facing" : isStructural ? "structural" : "",
      role === "source" && (isUserFacing || isStructural) ? "" : roleWords[role],
    ];
    return [{ path, what: words.filter((word) => word !== "").join(" ") }];
  });
}
