import { defaultPolicy, type Policy } from "../core/policy.ts";
import type { Reader } from "./reader.ts";

const minuteMs = 60_000;

/** Reads the policy: the defaults with the limits that are set. */
export function readPolicy(reader: Reader): Policy {
  const { ceilings, verification } = defaultPolicy;
  return {
    ...defaultPolicy,
    ceilings: {
      ...ceilings,
      goalMicroUsd: reader.usd("COS_BUDGET_GOAL_USD", ceilings.goalMicroUsd),
      sessionMicroUsd: reader.usd("COS_BUDGET_SESSION_USD", ceilings.sessionMicroUsd),
      dayMicroUsd: reader.usd("COS_BUDGET_DAY_USD", ceilings.dayMicroUsd),
    },
    goals: readGoalLimits(reader),
    verification: {
      ...verification,
      failuresBeforeEscalation: reader.integer(
        "COS_FAILURES_BEFORE_ESCALATION",
        verification.failuresBeforeEscalation,
        0,
        100,
      ),
    },
    space: readSpace(reader),
  };
}

function readGoalLimits({ integer }: Reader): Policy["goals"] {
  const { goals } = defaultPolicy;
  const mostMinutes = 24 * 60;
  return {
    ...goals,
    startMs: integer("COS_AGENT_START_SECONDS", goals.startMs / 1000, 1, 3600) * 1000,
    timeoutMs: integer("COS_AGENT_MINUTES", goals.timeoutMs / minuteMs, 1, mostMinutes) * minuteMs,
    inactivityMs: integer("COS_AGENT_SILENCE_MINUTES", goals.inactivityMs / minuteMs, 1, mostMinutes) * minuteMs,
  };
}

/** Reads the minimum of free space. The minimum of the temporary folder is never larger than the other one: 0 turns both off. */
function readSpace({ integer }: Reader): Policy["space"] {
  const { floorBytes: floor, temporaryFloorBytes: temporary } = defaultPolicy.space;
  const floorBytes = integer("COS_MIN_FREE_MB", floor / 1_000_000, 0, 1_000_000_000) * 1_000_000;
  return { ...defaultPolicy.space, floorBytes, temporaryFloorBytes: Math.min(temporary, floorBytes) };
}
