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

/** At most so many words of one file's surroundings are said. */
const mostWords = 6;

/** Of the changed files, those that a person should see by name, with what was done to them (F-201). `around`: what source says of how it is run. */
export function notedFiles(
  changed: readonly { readonly path: string; readonly status: string; readonly oldPath: string | null }[],
  kindOf: (path: string) => FileKind,
  around: ReadonlyMap<string, readonly string[]>,
): NotedFile[] {
  return changed.flatMap(({ path, status, oldPath }) => {
    const looks = (around.get(path) ?? []).slice(0, mostWords);
    const { role, isUserFacing, isStructural } = kindOf(path);
    const wasProof = oldPath !== null && kindOf(oldPath).role !== "source";
    const isPlain = role === "source" && !isUserFacing && !isStructural && !wasProof && looks.length === 0;
    if (isPlain || (status === "added" && (role === "test" || role === "proof"))) return [];
    const words = [
      status === "modified" ? "" : status,
      isUserFacing ? "user-facing" : isStructural ? "structural" : "",
      role === "source" && (isUserFacing || isStructural) ? "" : roleWords[role],
    ];
    const what = words.filter((word) => word !== "").join(" ");
    return [{ path, what: looks.length === 0 ? what : `${what}, looks at its surroundings: ${looks.join(", ")}` }];
  });
}
