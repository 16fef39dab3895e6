import type { Tier } from "../goals/goal.ts";
import type { WorklogPolicy } from "../policy/worklog.ts";
import { isNearLimit } from "./retention.ts";
import { weightedMean } from "./tokens.ts";

/** The rows behind the success criteria of seed 000 §1.3: how much is captured, checked, corrected and left out, and what it costs. */
export interface AccountDay {
  readonly worklogs: number;
  readonly operations: number;
  readonly unstored: number;
  readonly verified: number;
  readonly unverified: number;
  readonly summaries: number;
  readonly corrections: number;
  readonly tokens: number;
}

export interface AccountLine {
  readonly name: "capture" | "verification" | "corrections" | "skipping" | "tokens";
  /** A share from 0 to 1, or tokens for each worklog. Null when there is nothing to measure. */
  readonly value: number | null;
  /** Numerator and denominator. */
  readonly of: readonly [number, number];
  readonly target: string;
  /** Null when there is nothing to measure. */
  readonly isMet: boolean | null;
}

export interface Account {
  readonly lines: readonly AccountLine[];
  /** Number of worklogs whose entries are kept, and the maximum. */
  readonly active: number;
  readonly mostActive: number;
  readonly isNearLimit: boolean;
  /** What the usual mix of tiers may cost, in tokens for each goal. */
  readonly tokensOfUsualMix: number;
}

/** Computes the account. `goals`: the goals added in the same time, and how many of them leave something out. */
export function worklogAccount(
  days: readonly AccountDay[],
  goals: { readonly all: number; readonly skipping: number; readonly active: number; readonly mix: Mix | null },
  policy: WorklogPolicy,
): Account {
  const sum = (key: keyof AccountDay): number => days.reduce((total, day) => total + day[key], 0);
  const share = (
    name: AccountLine["name"],
    of: readonly [number, number],
    target: string,
    meets: Meets,
  ): AccountLine => {
    const value = of[1] === 0 ? null : of[0] / of[1];
    return { name, value, of, target, isMet: value === null ? null : meets(value) };
  };
  const operations = sum("operations");
  const checks = sum("verified") + sum("unverified");
  return {
    lines: [
      share("capture", [operations, operations + sum("unstored")], "95 % or more", (value) => value >= 0.95),
      share("verification", [sum("verified"), checks], "98 % or more", (value) => value >= 0.98),
      share("corrections", [sum("corrections"), sum("summaries")], "10 % or more", (value) => value >= 0.1),
      share("skipping", [goals.skipping, goals.all], "12 % or less", (value) => value <= policy.skipTarget),
      share("tokens", [sum("tokens"), sum("worklogs")], "300 or fewer a worklog", (value) => value <= 300),
    ],
    active: goals.active,
    mostActive: policy.retention.mostActive,
    isNearLimit: isNearLimit(goals.active, policy.retention),
    tokensOfUsualMix: weightedMean(goals.mix),
  };
}

type Meets = (value: number) => boolean;
export type Mix = Readonly<Partial<Record<Tier, number>>>;
