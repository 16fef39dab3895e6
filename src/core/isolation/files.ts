/** What programs say where nothing may be written. */
const noWriting = /read-only file system|\bEROFS\b/i;

/** For whoever reads why a command failed that may write to its own place only: where more is said. Empty: it is about something else. */
export function closedFilesWords(output: string): string[] {
  if (!noWriting.test(output)) return [];
  return ["it writes to its own place only: COS_WRITABLE names other folders that it may write to (docs/isolation.md)"];
}
