import { confirmationCard } from "../core/cards/lists.ts";
import { policyCard } from "../core/cards/tuning-card.ts";
import { policyKeys, thresholdsWith, valueAt } from "../core/memory/tuning.ts";
import { toUsd } from "../core/money.ts";
import { count } from "../core/text.ts";
import { recentPolicyChanges, tunedNow } from "../db/tuning.ts";
import type { Deps } from "../deps.ts";
import { rollBackPolicy } from "../turns/answers/answer-tuning.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { wholeNumber } from "./fields.ts";

export const policy = command({
  name: "policy",
  summary: "Above which costs people are asked, and what was changed about it by whom.",
  access: "read",
  chatName: "policy show",
  options: { limit: wholeNumber("how many changes are shown, 20 when left away", 1, 1000).optional() },
  run: (deps, _caller, { limit = 20 }) => showPolicy(deps, limit),
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

async function rollBackTo(deps: Deps, { actor, via }: Caller, changeNo: number): Promise<CommandResult> {
  const rolled = await deps.database.transaction((tx) => rollBackPolicy(tx, deps, changeNo, { actor, via }));
  if (rolled.type === "unknown") return refused(`no change of the policy has the number ${changeNo}`, "cos policy");
  if (rolled.type === "asked") {
    const { checkpointId } = rolled;
    const asked = "Asking less often is for several people to agree to (COS_QUORUM): they are asked";
    const value = { rolledBackTo: changeNo, changed: 0, checkpointId };
    return done(value, confirmationCard(asked, [`Agree to it: cos approve ${checkpointId}`]));
  }
  const { changed } = rolled;
  const line = `${count(changed, "threshold")} ${changed === 1 ? "is" : "are"} what ${changed === 1 ? "it was" : "they were"} before change ${changeNo}`;
  return done({ rolledBackTo: changeNo, changed }, confirmationCard(line, ["See them: cos policy"]));
}
