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
