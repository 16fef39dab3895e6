import type { Goal } from "../goals/goal.ts";
import { parseReach } from "../isolation/network.ts";
import { parsePassCondition } from "./pass-condition.ts";
import { repositoryCheckId } from "./repository-check.ts";
import { type Criterion, keptSpec } from "./spec.ts";

/** The contract of a goal: its own criteria, and the standing checks of its repository (D25). */
export interface Contract {
  /** Empty when the goal has no criteria, or only words. Such a goal can be complete, but stays claimed (D27). */
  readonly criteria: readonly Criterion[];
  /** As criteria `CHECK-1`, `CHECK-2`, … */
  readonly checks: readonly Criterion[];
}

/** Builds the contract. `checkNetwork` is what the checks may reach, in the form of a criterion's `network:`. */
export function contractOf(
  criteria: string | null,
  checks: readonly string[],
  checkTimeoutSeconds: number,
  checkNetwork: readonly string[] = [],
): Contract {
  const parsed = criteria === null ? null : keptSpec(criteria);
  return {
    criteria: parsed?.type === "ok" ? parsed.spec.criteria : [],
    checks: checks.map((command, index) => {
      const check = checkOf(command, index + 1, checkTimeoutSeconds);
      const reach = parseReach(checkNetwork);
      if (typeof reach === "string" || reach.type === "none" || check.verification.method !== "bash") return check;
      return { ...check, verification: { ...check.verification, network: reach } };
    }),
  };
}

function checkOf(command: string, number: number, timeoutSeconds: number): Criterion {
  const condition = parsePassCondition("exit code 0");
  if (typeof condition === "string") throw new Error(condition);
  return {
    id: repositoryCheckId(number),
    title: command,
    slug: "repository-check",
    line: 0,
    description: "",
    verification: { method: "bash", command, condition, timeoutSeconds },
    accepted: [],
    rejected: [],
  };
}

/** True when a complete goal is only claimed: it has no criterion that anything but a person checks (D27). */
export function isOnlyClaimed({ status, criteria }: Pick<Goal, "status" | "criteria">): boolean {
  if (status !== "complete") return false;
  return contractOf(criteria, [], 1).criteria.every(({ verification }) => verification.method === "manual");
}

/**
 * Why new criteria are refused: they are only words, and would silently replace criteria that can be checked (D27). Null when the new ones
 * can be checked, or the goal had none that can.
 */
export function lostToWords(
  had: string | null,
  wanted: string | null,
): { readonly problem: string; readonly next: string } | null {
  if (wanted === null || contractOf(wanted, [], 1).criteria.length > 0) return null;
  const lost = contractOf(had, [], 1).criteria.map(({ id }) => id);
  if (lost.length === 0) return null;
  return {
    problem: `no criterion is in it that anybody could run or check, and it would take the place of ${namedIds(lost)}`,
    next: "say it as instructions, or name the command that passes when it is done (docs/done.md)",
  };
}

/** The criteria that were parsed, for the answer to their author: "2 criteria: AC-1, AC-2". Null when there are none. */
export function criteriaWordsRead(criteria: string | null): string | null {
  if (criteria === null) return null;
  const ids = contractOf(criteria, [], 1).criteria.map(({ id }) => id);
  if (ids.length === 0) return "words only: nothing is run";
  return `${ids.length} ${ids.length === 1 ? "criterion" : "criteria"}: ${namedIds(ids)}`;
}

function namedIds(ids: readonly string[]): string {
  const shown = ids.slice(0, 3).join(", ");
  return ids.length > 3 ? `${shown} and ${ids.length - 3} more` : shown;
}

/** True when a contract has anything to verify. */
export function hasContract(contract: Contract): boolean {
  return contract.criteria.length + contract.checks.length > 0;
}
