/** Folders under a data directory that grow with goals and repositories. */
export const folders = {
  worktrees: "worktrees",
  places: "places",
  output: "output",
  mirrors: "mirrors",
  copies: "remotes",
  downloads: "downloads",
} as const;

/** The same folders, with names for people. */
export const growingFolders: readonly { readonly what: string; readonly folder: string }[] = [
  { what: "worktrees", folder: folders.worktrees },
  { what: "places of verification", folder: folders.places },
  { what: "kept output", folder: folders.output },
  { what: "mirrors", folder: folders.mirrors },
  { what: "copies of repositories elsewhere", folder: folders.copies },
  { what: "downloads of setups", folder: folders.downloads },
];

/**
 * Returns the folder for files that agents' git creates for a mirror, with one subfolder for each room:
 * `/data/mirrors/repo-x.rooms` for `/data/mirrors/repo-x.git`.
 */
export function roomsDirOf(mirrorDir: string): string {
  return `${mirrorDir.replace(/\.git$/, "")}.rooms`;
}

/** A file that lists the folders into which backups were written, one per line. They are hidden from rooms. */
export const backupFolders = "backup-folders";

/** Prefixes of our temporary files, by which leftovers of a killed process are recognised. */
export const temporaryNames = {
  room: "cos-room-",
  wayOut: "cos-reach-",
  snapshot: "cos-snapshot-",
  examination: "cos-examine-",
  writable: "cos-try-",
  selfTest: "cos-isolation-",
  migrations: "cos-migrations-",
  cheats: "cos-cheats-",
} as const;
