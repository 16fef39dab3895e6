/** Leases, disk space, and how long files are kept. */
export interface UpkeepPolicy {
  readonly lease: { readonly forMs: number; readonly renewEveryMs: number; readonly giveUpAfterMs: number };
  readonly space: {
    /** Free space in the data directory, and where the embedded database is stored. Below it no goal starts. */
    readonly floorBytes: number;
    /** The same for the temporary folder, where tools write during their work. */
    readonly temporaryFloorBytes: number;
    /** After a shortage, goals start again when this multiple of the floor is free. */
    readonly enoughFactor: number;
    /** How long a goal waits after a write found no space. */
    readonly retryMs: number;
  };
  readonly housekeeping: {
    /** How often each data directory is cleaned. */
    readonly everyMs: number;
    /** The same while too little space is free for goals to start. */
    readonly everyMsWithoutSpace: number;
    /** How long a worktree is kept after its goal ended. Without space it is removed at once. */
    readonly keepWorktreesMs: number;
    /** The same for stored output. */
    readonly keepOutputMs: number;
    /** The same for commits that did not become the goal's work: of attempts, and of replaced branches. */
    readonly keepAttemptsMs: number;
    /** The maximum duration of a backup; after it, what the backup left in a mirror is removed. */
    readonly longestBackupMs: number;
    /** How long mirrors and copies of a repository are kept after a person removed it. */
    readonly keepMirrorsMs: number;
    /** Maximum compressed size of all outputs stored in the database. Beyond it the oldest are removed. */
    readonly mostStoredBytes: number;
    /** How long nothing is written to a store that did not answer. The time doubles up to the longest. */
    readonly storeRestMs: number;
    readonly longestStoreRestMs: number;
  };
}

export const defaultUpkeepPolicy: UpkeepPolicy = {
  lease: { forMs: 20_000, renewEveryMs: 5_000, giveUpAfterMs: 15_000 },
  space: { floorBytes: 500_000_000, temporaryFloorBytes: 50_000_000, enoughFactor: 1.2, retryMs: 30_000 },
  housekeeping: {
    everyMs: 60 * 60_000,
    everyMsWithoutSpace: 60_000,
    keepWorktreesMs: 24 * 60 * 60_000,
    keepOutputMs: 30 * 24 * 60 * 60_000,
    keepAttemptsMs: 30 * 24 * 60 * 60_000,
    longestBackupMs: 24 * 60 * 60_000,
    keepMirrorsMs: 30 * 24 * 60 * 60_000,
    mostStoredBytes: 2 * 1024 * 1024 * 1024,
    storeRestMs: 60_000,
    longestStoreRestMs: 10 * 60_000,
  },
};
