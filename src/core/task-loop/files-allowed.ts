import { globMatcher } from "../text/globs.ts";

/** One change as git tells it. */
export interface FileChange {
  readonly path: string;
  /** Of a rename or copy; null otherwise. */
  readonly oldPath: string | null;
}

/**
 * The changed paths that no glob allows, both names of a rename; git says what was changed, not the agent. `.cos/` is
 * ours. No globs: everything is allowed. S3-PS-06.
 */
export function outsideAllowed(changes: readonly FileChange[], allowed: readonly string[]): string[] {
  if (allowed.length === 0) return [];
  const matches = globMatcher(allowed);
  const touched = changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]));
  return [...new Set(touched)].filter((path) => !path.startsWith(".cos/") && !matches(path)).sort();
}

/** Why what a task changed is not taken: the files, and the list that does not have them, of its own and of its goal. Null: it is. */
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
