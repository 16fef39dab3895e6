import { generatedFiles, settingFiles } from "../files/patterns.ts";
import { testFiles } from "../files/test-patterns.ts";

/** How work is verified, and what becomes of it then: merges and pull requests. */
export interface ProofPolicy {
  readonly verification: {
    /** Criteria that are looked at at the same time: one command, and examinations beside it. */
    readonly parallel: number;
    /** Verification rounds of one run before it fails with what is still failing (D21). */
    readonly rounds: number;
    /** Runs in a row in which a criterion must have failed before a session may be escalated about it (S2-ES-05). */
    readonly failuresBeforeEscalation: number;
    /** For the repository's own checks. */
    readonly checkTimeoutSeconds: number;
    /** What proves the work is put on trial before a goal is complete (D38). */
    readonly trials: boolean;
    /** Whether a person is asked when nothing proves a change and everything guards; about a bug, always. */
    readonly guardsOnly: "say" | "ask";
    /** Whether a person is asked about a criterion that passed and failed on the same work (F-205). */
    readonly unsteady: "say" | "ask";
    /** How long it is remembered how the checks end at a base, and trials. */
    readonly keepBaseResultsMs: number;
    /** Files that prove something: verified as they were when the run began (D26). New ones are free. */
    readonly proofFiles: readonly string[];
    /** Files that decide how things are proven; new ones are not there while the work is verified. */
    readonly settingFiles: readonly string[];
    /** Files that a program writes. */
    readonly generatedFiles: readonly string[];
  };
  readonly merging: {
    /** How long a merge can be undone before it happens (D24). */
    readonly undoMs: number;
    /** How long a forge is asked again that does not answer, or does not know yet whether it may be merged. */
    readonly longestWaitMs: number;
    /** How often a branch of a merge queue is put on another tip before it is left out. */
    readonly rounds: number;
    /** How long a discarded branch is kept as a ref. */
    readonly keepDiscardedMs: number;
  };
  readonly pulls: {
    /** How often an open pull request is read, and how much longer for each other one that is open there. */
    readonly lookEveryMs: number;
    readonly lookEachMs: number;
    /** How often one that was closed there is read, for so long: somebody may open it again. */
    readonly lookClosedEveryMs: number;
    readonly lookClosedForMs: number;
    /** Longer than that nothing new is begun at one forge in one look. */
    readonly lookForMs: number;
    /** How often what was said is read also where the forge shows no change; how often checks that ended are read again. */
    readonly listenEveryMs: number;
    readonly checksEveryMs: number;
    /** Checks that do not appear by then are looked for as seldom as those that ended. */
    readonly appearWithinMs: number;
    /** How often failed checks go back to the agent. */
    readonly checkRounds: number;
    /** After that a person is asked about a goal whose required checks are not in. */
    readonly requiredWithinMs: number;
    /** After a look that failed, and the longest pause after many. */
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
