import { globMatcher } from "../text/globs.ts";

/** One change as git reports it. */
export interface FileChange {
  readonly path: string;
  /** Set for a rename or copy; null otherwise. */
  readonly oldPath: string | null;
}

/**
 * The changed paths that no glob allows, with both names of a rename. The changes come from git, not from the agent. `.cos/` is ours and
 * always allowed. Without globs everything is allowed. S3-PS-06.
 */
export function outsideAllowed(changes: readonly FileChange[], allowed: readonly string[]): string[] {
  if (allowed.length === 0) return [];
  const matches = globMatcher(allowed);
  const touched = changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
  return [...new Set(touched)].filter((path) => !path.startsWith(".cos/") && !matches(path)).sort();
}

/**
 * Why a task's changes are refused: the files, and the list that does not allow them, the task's or its goal's. Null when they are
 * accepted.
 */
export function refusalOf(
  changes: readonly FileChange[],
  { task, goal }: { readonly task: readonly string[]; readonly goal: readonly string[] },
): string | null {
  const lists = [
    { whose: "The task", allowed: task, outside: outsideAllowed(changes, task) },
    { whose: "Its goal", allowed: goal, outside: outsideAllowed(changes, goal) },
  ].filter(({ outside }) => outside.length > 0);
  if (lists.length === 0) return null;
  const files = [...new Set(lists.flatMap(({ outside }) => outside))].slice(0, 20);
  const why = lists.map(({ whose, allowed }) => `${whose} allows: ${allowed.join(", ")}.`);
  return `It changed files that it may not: ${files.join(", ")}. ${why.join(" ")}`;
}
