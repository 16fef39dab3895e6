/** Leases, space on the disks, and what is kept how long. */
export interface UpkeepPolicy {
  readonly lease: { readonly forMs: number; readonly renewEveryMs: number; readonly giveUpAfterMs: number };
  readonly space: {
    /** Below this much free in the data directory, or where the embedded database lies, no goal starts. */
    readonly floorBytes: number;
    /** The same of the temporary folder, where tools write while they work. */
    readonly temporaryFloorBytes: number;
    /** Times the floor: so much is enough again once it was short. */
    readonly enoughFactor: number;
    /** How long a goal waits that was interrupted because a write found no space. */
    readonly retryMs: number;
  };
  readonly housekeeping: {
    /** How often each data directory is looked through. */
    readonly everyMs: number;
    /** The same while there is too little space for goals to start. */
    readonly everyMsWithoutSpace: number;
    /** How long after its goal was over a worktree stays; without space it goes at once. */
    readonly keepWorktreesMs: number;
    /** The same of kept output. */
    readonly keepOutputMs: number;
    /** The same of commits that did not become the goal's work: of attempts, and of branches that were replaced. */
    readonly keepAttemptsMs: number;
    /** No backup takes longer: what one has left in a mirror goes then. */
    readonly longestBackupMs: number;
    /** How long mirrors and copies of a repository stay after a person has removed it. */
    readonly keepMirrorsMs: number;
    /** Of outputs that are stored in the database, together, compressed: beyond that the oldest go. */
    readonly mostStoredBytes: number;
    /** After a store did not answer nothing is put there for so long, doubling up to the longest. */
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
