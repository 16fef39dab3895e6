import { generatedFiles, settingFiles } from "../files/patterns.ts";
import { testFiles } from "../files/test-patterns.ts";

/** How work is verified, and the merges and pull requests that follow. */
export interface ProofPolicy {
  readonly verification: {
    /** Number of criteria verified in parallel: one command, and examinations beside it. */
    readonly parallel: number;
    /** Verification rounds of one run before it fails with what is still failing (D21). */
    readonly rounds: number;
    /** Consecutive runs in which a criterion must have failed before its session may be escalated (S2-ES-05). */
    readonly failuresBeforeEscalation: number;
    /** Time limit for the repository's own checks. */
    readonly checkTimeoutSeconds: number;
    /** Whether the proof of the work is put on trial before a goal is complete (D38). */
    readonly trials: boolean;
    /** Whether a person is asked when nothing proves a change and all criteria only guard. For a bug, always. */
    readonly guardsOnly: "say" | "ask";
    /** Whether a person is asked about a criterion that passed and failed on the same work (F-205). */
    readonly unsteady: "say" | "ask";
    /** How long results of checks at a base commit, and of trials, are kept. */
    readonly keepBaseResultsMs: number;
    /** Files that prove something. They are verified as they were when the run began (D26). New files are not restricted. */
    readonly proofFiles: readonly string[];
    /** Files that configure how things are proven. New ones are absent during verification. */
    readonly settingFiles: readonly string[];
    /** Files that a program generates. */
    readonly generatedFiles: readonly string[];
  };
  readonly merging: {
    /** How long a merge can be undone before it happens (D24). */
    readonly undoMs: number;
    /** How long a merge is retried while the forge does not answer or does not know whether it may be merged. */
    readonly longestWaitMs: number;
    /** How often a branch of a merge queue is rebased on a new tip before it is left out. */
    readonly rounds: number;
    /** How long a discarded branch is kept as a ref. */
    readonly keepDiscardedMs: number;
  };
  readonly pulls: {
    /** How often an open pull request is polled, and the extra time for each other open one at the forge. */
    readonly lookEveryMs: number;
    readonly lookEachMs: number;
    /** How often a closed pull request is polled, and for how long: someone may reopen it. */
    readonly lookClosedEveryMs: number;
    readonly lookClosedForMs: number;
    /** Time limit for starting new requests to one forge in one poll. */
    readonly lookForMs: number;
    /** How often comments are read even when the forge shows no change, and how often finished checks are read again. */
    readonly listenEveryMs: number;
    readonly checksEveryMs: number;
    /** Checks that have not appeared by then are polled as rarely as finished ones. */
    readonly appearWithinMs: number;
    /** How often failed checks are sent back to the agent. */
    readonly checkRounds: number;
    /** After this time a person is asked about a goal whose required checks have not reported. */
    readonly requiredWithinMs: number;
    /** The delay after a failed poll, and the longest delay after many failures. */
    readonly firstRetryMs: number;
    readonly longestRetryMs: number;
  };
}

export const defaultProofPolicy: ProofPolicy = {
  verification: {
    parallel: 2,
    rounds: 5,
    failuresBeforeEscalation: 3,
    checkTimeoutSeconds: 600,
    trials: true,
    guardsOnly: "say",
    unsteady: "ask",
    keepBaseResultsMs: 30 * 24 * 60 * 60_000,
    proofFiles: testFiles,
    settingFiles,
    generatedFiles,
  },
  merging: { undoMs: 30_000, longestWaitMs: 60 * 60_000, rounds: 5, keepDiscardedMs: 30 * 24 * 60 * 60_000 },
  pulls: {
    lookEveryMs: 60_000,
    lookEachMs: 4_000,
    lookClosedEveryMs: 60 * 60_000,
    lookClosedForMs: 7 * 24 * 60 * 60_000,
    lookForMs: 20_000,
    listenEveryMs: 15 * 60_000,
    checksEveryMs: 15 * 60_000,
    appearWithinMs: 30 * 60_000,
    checkRounds: 2,
    requiredWithinMs: 2 * 60 * 60_000,
    firstRetryMs: 15_000,
    longestRetryMs: 30 * 60_000,
  },
};
