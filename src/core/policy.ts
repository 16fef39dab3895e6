import { type AskingPolicy, defaultAskingPolicy } from "./policy/asking.ts";
import { type WorkPolicy, defaultWorkPolicy } from "./policy/work.ts";
import { type ProofPolicy, defaultProofPolicy } from "./policy/proof.ts";
import { type DaysPolicy, defaultDaysPolicy } from "./policy/days.ts";
import { type ShowingPolicy, defaultShowingPolicy } from "./policy/showing.ts";
import { type UpkeepPolicy, defaultUpkeepPolicy } from "./policy/upkeep.ts";
import { defaultWorklogPolicy, type WorklogPolicy } from "./policy/worklog.ts";

/**
 * Every number that a person may want to change, in one place, with one file for each subject. Environment variables override some of
 * them (see `config.ts`); tests pass their own. Money in micro-dollars; names of durations contain their unit.
 */
export interface Policy extends AskingPolicy, WorkPolicy, ProofPolicy, DaysPolicy, ShowingPolicy, UpkeepPolicy {
  readonly worklog: WorklogPolicy;
  readonly text: {
    /** Maximum length of a goal, note or instruction. Longer text is refused with its length. */
    readonly longestInput: number;
  };
}

/** The numbers from the seeds and their resolutions. */
export const defaultPolicy: Policy = {
  ...defaultAskingPolicy,
  ...defaultWorkPolicy,
  ...defaultProofPolicy,
  ...defaultDaysPolicy,
  ...defaultShowingPolicy,
  ...defaultUpkeepPolicy,
  worklog: defaultWorklogPolicy,
  text: { longestInput: 20_000 },
};
