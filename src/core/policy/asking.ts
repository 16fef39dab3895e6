import { structuralFiles, userFacingFiles } from "../files/patterns.ts";
import { dollars } from "../money.ts";

/** When a person is asked, and how long the system waits for an answer. */
export interface AskingPolicy {
  readonly thresholds: {
    /** A goal estimated above this asks first (S4-TG-02). */
    readonly singleMicroUsd: number;
    /** A day's spend above this asks before the next goal (S4-TG-03). */
    readonly dayMicroUsd: number;
  };
  readonly checkpoints: {
    readonly remindAfterMs: number;
    readonly expireAfterMs: number;
    /** How long an agent's permission request waits for a quick click (D29). */
    readonly permissionWaitMs: number;
    /** How long a batch of answers can be undone before they are recorded (F-411). */
    readonly undoBatchMs: number;
  };
  readonly triggers: {
    readonly uxTags: readonly string[];
    readonly architectureTags: readonly string[];
    /** Changed files that ask before a goal is complete (D28). Letter case is ignored, as in all file lists. */
    readonly uxFiles: readonly string[];
    readonly architectureFiles: readonly string[];
  };
  readonly tuning: {
    /** How far back answers count in a weekly proposal, and the minimum number of answers for one. */
    readonly windowMs: number;
    readonly answers: number;
    /** The share by which a threshold changes, in whole dollars, at least one. */
    readonly step: number;
    /** How long a proposal waits for an answer. It expires before the next one is made. */
    readonly openForMs: number;
  };
}

export const defaultAskingPolicy: AskingPolicy = {
  thresholds: { singleMicroUsd: dollars(5), dayMicroUsd: dollars(15) },
  checkpoints: {
    remindAfterMs: 30 * 60_000,
    expireAfterMs: 24 * 60 * 60_000,
    permissionWaitMs: 60_000,
    undoBatchMs: 15_000,
  },
  triggers: {
    uxTags: ["ui", "ux", "frontend", "user-facing", "screen", "flow"],
    architectureTags: ["architecture", "refactor", "core", "infrastructure", "breaking"],
    uxFiles: userFacingFiles,
    architectureFiles: structuralFiles,
  },
  tuning: { windowMs: 28 * 24 * 60 * 60_000, answers: 5, step: 0.2, openForMs: 6 * 24 * 60 * 60_000 },
};
