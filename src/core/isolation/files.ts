/** Messages of programs that may not write. */
const noWriting = /read-only file system|\bEROFS\b/i;

/** A hint for the output of a failed command that may write only to its own place. Empty when it failed for another reason. */
export function closedFilesWords(output: string): string[] {
  if (!noWriting.test(output)) return [];
  return ["it writes to its own place only: COS_WRITABLE names other folders that it may write to (docs/isolation.md)"];
}
