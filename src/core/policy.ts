import { type AskingPolicy, defaultAskingPolicy } from "./policy/asking.ts";
import { type WorkPolicy, defaultWorkPolicy } from "./policy/work.ts";
import { type ProofPolicy, defaultProofPolicy } from "./policy/proof.ts";
import { type DaysPolicy, defaultDaysPolicy } from "./policy/days.ts";
import { type ShowingPolicy, defaultShowingPolicy } from "./policy/showing.ts";
import { type UpkeepPolicy, defaultUpkeepPolicy } from "./policy/upkeep.ts";
import { defaultWorklogPolicy, type WorklogPolicy } from "./policy/worklog.ts";

/**
 * Every number a person may argue about, in one place, one file a subject. Environment variables override some of them (see `config.ts`);
 * tests pass their own. Money in micro-dollars, durations with their unit in the name.
 */
export interface Policy extends AskingPolicy, WorkPolicy, ProofPolicy, DaysPolicy, ShowingPolicy, UpkeepPolicy {
  readonly worklog: WorklogPolicy;
  readonly text: {
    /** Longest goal, note or instruction that is accepted; longer text is refused with its length. */
    readonly longestInput: number;
  };
}

/** The numbers of the seeds and of their resolutions. */
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
