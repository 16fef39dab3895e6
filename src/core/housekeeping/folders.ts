/** What lies under a data directory and grows with goals and repositories, each in a folder of its own. */
export const folders = {
  worktrees: "worktrees",
  places: "places",
  output: "output",
  mirrors: "mirrors",
  copies: "remotes",
  downloads: "downloads",
} as const;

/** The same, by what people call it. */
export const growingFolders: readonly { readonly what: string; readonly folder: string }[] = [
  { what: "worktrees", folder: folders.worktrees },
  { what: "places of verification", folder: folders.places },
  { what: "kept output", folder: folders.output },
  { what: "mirrors", folder: folders.mirrors },
  { what: "copies of repositories elsewhere", folder: folders.copies },
  { what: "downloads of setups", folder: folders.downloads },
];

/** `/data/mirrors/repo-x.git` has what agents' git makes, a folder for each of their rooms, in `/data/mirrors/repo-x.rooms`. */
export function roomsDirOf(mirrorDir: string): string {
  return `${mirrorDir.replace(/\.git$/, "")}.rooms`;
}

/** Names the folders into which backups were written, one a line: nothing of those is seen in rooms. */
export const backupFolders = "backup-folders";

/** How what we make among temporary files begins: what is left of it by a process that was killed is known by that. */
export const temporaryNames = {
  room: "cos-room-",
  wayOut: "cos-reach-",
  snapshot: "cos-snapshot-",
  examination: "cos-examine-",
  writable: "cos-try-",
} as const;
