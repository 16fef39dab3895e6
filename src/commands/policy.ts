import { confirmationCard } from "../core/cards/lists.ts";
import { policyCard } from "../core/cards/tuning-card.ts";
import {
  ceilingOver,
  policyKeys,
  policySetWords,
  thresholdOf,
  thresholdsWith,
  valueAt,
} from "../core/memory/tuning.ts";
import { formatUsd, toUsd } from "../core/money.ts";
import { capitalised, count } from "../core/text.ts";
import { recentPolicyChanges, tunedNow } from "../db/tuning.ts";
import type { Deps } from "../deps.ts";
import { rollBackPolicy, setPolicy } from "../turns/answers/answer-tuning.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { choice, usd, wholeNumber } from "./fields.ts";

export const policy = command({
  name: "policy",
  summary: "Above which costs people are asked, and what was changed about it by whom.",
  access: "read",
  chatName: "policy show",
  options: { limit: wholeNumber("how many changes are shown (default 20)", 1, 1000).optional() },
  run: (deps, _caller, { limit = 20 }) => showPolicy(deps, limit),
});

/** S4-TG-11. */
export const policySet = command({
  name: "policy set",
  summary: "Say above which cost people are asked.",
  access: "change",
  positionals: {
    what: choice("goal|day", ["goal", "day"], "the cost of a goal, or of a day"),
    usd: usd("people are asked above it"),
  },
  run: (deps, caller, { what, usd: microUsd }) => setTo(deps, caller, what, microUsd),
});

export const policyRollback = command({
  name: "policy rollback",
  summary: "Make the thresholds what they were before change N of their history.",
  access: "change",
  positionals: { n: wholeNumber("the number of the change", 1, Number.MAX_SAFE_INTEGER) },
  run: (deps, caller, { n }) => rollBackTo(deps, caller, n),
});

async function showPolicy(deps: Pick<Deps, "database" | "policy">, limit: number): Promise<CommandResult> {
  const { db } = deps.database;
  const inEffect = thresholdsWith(deps.policy, await tunedNow(db));
  const lines = policyKeys.map((key) => ({
    key,
    microUsd: valueAt(inEffect, key),
    defaultMicroUsd: valueAt(deps.policy.thresholds, key),
  }));
  const changes = await recentPolicyChanges(db, limit);
  const value = {
    policy: lines.map(({ key, microUsd, defaultMicroUsd }) => ({
      key,
      usd: toUsd(microUsd),
      defaultUsd: toUsd(defaultMicroUsd),
    })),
    history: changes.map(({ wasMicroUsd, nowMicroUsd, ...change }) => ({
      ...change,
      wasUsd: toUsd(wasMicroUsd),
      nowUsd: toUsd(nowMicroUsd),
    })),
  };
  return done(value, policyCard(lines, changes));
}

async function setTo(
  deps: Deps,
  { actor, via }: Caller,
  what: "goal" | "day",
  microUsd: number,
): Promise<CommandResult> {
  const key = thresholdOf(what === "goal" ? "cost_single" : "cost_cumulative");
  const most = ceilingOver(key, deps.policy);
  if (microUsd > most) {
    const [name, setting] = what === "goal" ? ["session", "COS_BUDGET_SESSION_USD"] : ["day", "COS_BUDGET_DAY_USD"];
    const why = `nothing would be asked: work stops at the ceiling of a ${name}, ${formatUsd(most)}`;
    return refused(why, `cos policy set ${what} ${toUsd(most)}, or a higher ${setting}`);
  }
  const found = await deps.database.transaction((tx) => setPolicy(tx, deps, { [key]: microUsd }, { actor, via }));
  if (found.type === "asked") return theirsToAgree(found.checkpointId, { changed: 0 });
  const { changes } = found;
  const [line = "It is already set so", ...more] = changes.map((change) => capitalised(policySetWords(change)));
  const holds =
    changes.length === 0 ? "See it: cos policy" : "It holds for what begins from now on. Take it back: cos policy";
  return done({ changed: changes.length }, confirmationCard(line, [...more, holds]));
}

function theirsToAgree(
  checkpointId: string,
  value: { readonly changed: 0; readonly rolledBackTo?: number },
): CommandResult {
  const asked = "Asking less often is for several people to agree to (COS_QUORUM): they are asked";
  return done({ ...value, checkpointId }, confirmationCard(asked, [`Agree to it: cos approve ${checkpointId}`]));
}

async function rollBackTo(deps: Deps, { actor, via }: Caller, changeNo: number): Promise<CommandResult> {
  const rolled = await deps.database.transaction((tx) => rollBackPolicy(tx, deps, changeNo, { actor, via }));
  if (rolled.type === "unknown") return refused(`no change of the policy has the number ${changeNo}`, "cos policy");
  if (rolled.type === "asked") return theirsToAgree(rolled.checkpointId, { changed: 0, rolledBackTo: changeNo });
  const changed = rolled.changes.length;
  const line = `${count(changed, "threshold")} ${changed === 1 ? "is" : "are"} what ${changed === 1 ? "it was" : "they were"} before change ${changeNo}`;
  return done({ rolledBackTo: changeNo, changed }, confirmationCard(line, ["See them: cos policy"]));
}
