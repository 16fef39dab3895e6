import { askModel, type ModelAnswer } from "../../agent/llm/ask.ts";
import { priceOf, worstCase } from "../../agent/llm/price.ts";
import type { ModelSettings } from "../../agent/llm/settings.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { tightestCeiling } from "../../core/goals/budget.ts";
import type { ModelQuestion } from "../../core/prompts/question.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { shorten } from "../../core/text.ts";
import { lockCampaign } from "../../db/campaigns.ts";
import type { Db } from "../../db/connection/client.ts";
import { insertConsultation } from "../../db/consultations.ts";
import { lockGoal } from "../../db/goals.ts";
import { lockSession } from "../../db/sessions.ts";
import { appendSpend, type LedgerCall, lockDay, type PlanningCall } from "../../db/spend.ts";
import { campaignTotal, dayTotal } from "../../db/totals.ts";
import type { Deps } from "../../deps.ts";
import { gatherMoney, lockMoney, todayOf } from "./money.ts";

export type Consulted<Value> = { readonly type: "no-model" } | ModelAnswer<Value>;

/** The subject of a question to the model, which also decides what pays for it: a goal or a campaign. */
export type ConsultationSubject =
  | { readonly goal: Goal; readonly runId: string }
  | { readonly campaign: { readonly campaignId: string } }
  /** Asked by a command of a person. The day's ceiling applies. */
  | { readonly nobody: true };

/**
 * Asks the configured model. Its highest possible cost is reserved before the call, under the locks of the ceilings (D22). Secrets in the
 * prompt are masked, and the answer is stored with the version of its prompt. `no-model`: none is configured, and the caller uses a
 * built-in rule. The cost counts like all other spending. An unknown price counts as an estimated cost of 0, and totals that contain it
 * are marked as estimated.
 */
export async function consult<Value>(
  deps: Deps,
  about: ConsultationSubject,
  asked: ModelQuestion<Value>,
  signal: AbortSignal,
): Promise<Consulted<Value>> {
  const { model } = deps.config;
  if (model === null) return { type: "no-model" };
  const question = masked(asked, deps.config.secrets);
  const consultationId = deps.newId("ask");
  const call = callOf(deps, about, consultationId);
  const capMicroUsd = await reserve(deps, about, call, await worstOf(model, question));
  const { timeoutMs, retries, longestWaitMs } = deps.policy.model;
  const answer: ModelAnswer<Value> =
    capMicroUsd === null
      ? overBudget
      : await askModel(model, question, { capMicroUsd, signal, timeoutMs, retries, longestWaitMs });
  await keep(deps, { about, call, consultationId, question, answer, model, isReserved: capMicroUsd !== null });
  deps.log.info("model.asked", {
    ...idsOf(about),
    use: question.use,
    outcome: answer.type === "answered" ? "answered" : answer.reason,
  });
  return answer;
}

const overBudget = {
  type: "failed",
  reason: "over-budget",
  words: "not enough is left under the ceilings",
  tokens: { input: 0, cached: 0, output: 0 },
  costMicroUsd: 0,
  isAssumed: false,
  calls: 0,
} as const;

function masked<Value>(question: ModelQuestion<Value>, secrets: readonly string[]): ModelQuestion<Value> {
  return { ...question, prompt: safeOutput(question.prompt, secrets) };
}

function idsOf(about: ConsultationSubject): { goalId: string | null; runId: string | null; campaignId: string | null } {
  if ("nobody" in about) return { goalId: null, runId: null, campaignId: null };
  if ("campaign" in about) return { goalId: null, runId: null, campaignId: about.campaign.campaignId };
  return { goalId: about.goal.goalId, runId: about.runId, campaignId: null };
}

function callOf(deps: Deps, about: ConsultationSubject, callId: string): LedgerCall | PlanningCall {
  const day = todayOf(deps);
  if ("nobody" in about) return { callId, day, campaignId: null };
  if ("campaign" in about) return { callId, day, campaignId: about.campaign.campaignId };
  const { goalId, sessionId } = about.goal;
  return { callId, goalId, runId: about.runId, sessionId, day };
}

/** The highest possible cost of the call and one repair, in micro-dollars. Null when the price is unknown. */
async function worstOf(model: ModelSettings, question: ModelQuestion<unknown>): Promise<number | null> {
  const price = await priceOf(model);
  const first = worstCase(price, question);
  // The prompt of a repair repeats the beginning of the answer and says what is wrong with it.
  const repair = worstCase(price, question, 2000);
  return first === null || repair === null ? null : first + repair;
}

/** Reserves the highest possible cost `worst`. Returns the micro-dollars that may be spent. Null when the ceilings leave too little. */
async function reserve(
  deps: Deps,
  about: ConsultationSubject,
  call: LedgerCall | PlanningCall,
  worst: number | null,
): Promise<number | null> {
  return await deps.database.transaction(async (tx) => {
    const left = await leftOf(tx, deps, about, call.day);
    if (left <= 0 || (worst !== null && worst > left)) return null;
    const entry = { kind: "reserved", amountMicroUsd: worst ?? 0, isEstimated: true, at: deps.now() } as const;
    await appendSpend(tx, call, entry);
    return worst ?? left;
  });
}

async function leftOf(tx: Db, deps: Deps, about: ConsultationSubject, day: string): Promise<number> {
  if ("campaign" in about) return await leftOfCampaign(tx, deps, about.campaign.campaignId, day);
  if ("goal" in about) return await leftOfGoal(tx, deps, about, day);
  await lockDay(tx, day);
  return deps.policy.ceilings.dayMicroUsd - (await dayTotal(tx, day)).committedMicroUsd;
}

async function leftOfGoal(
  tx: Db,
  deps: Deps,
  { goal }: Extract<ConsultationSubject, { goal: Goal }>,
  day: string,
): Promise<number> {
  await lockMoney(tx, day, goal.goalId);
  if (goal.sessionId !== null) await lockSession(tx, goal.sessionId);
  const locked = await lockGoal(tx, goal.goalId);
  if (locked === null) return 0;
  const { ceilings } = await gatherMoney(tx, deps, locked, day);
  return tightestCeiling(ceilings).leftMicroUsd;
}

async function leftOfCampaign(tx: Db, deps: Deps, campaignId: string, day: string): Promise<number> {
  await lockDay(tx, day);
  const campaign = await lockCampaign(tx, campaignId);
  if (campaign === null) return 0;
  const spent = await campaignTotal(tx, campaignId);
  const today = await dayTotal(tx, day);
  return Math.min(
    campaign.totalBudgetMicroUsd - spent.committedMicroUsd,
    deps.policy.ceilings.dayMicroUsd - today.committedMicroUsd,
  );
}

interface AnsweredConsultation {
  readonly about: ConsultationSubject;
  readonly call: LedgerCall | PlanningCall;
  readonly consultationId: string;
  readonly question: ModelQuestion<unknown>;
  readonly answer: ModelAnswer<unknown>;
  readonly model: ModelSettings;
  readonly isReserved: boolean;
}

/** Stores the answer and its cost in one transaction. */
async function keep(deps: Deps, consultation: AnsweredConsultation): Promise<void> {
  const { about, call, answer, question, model } = consultation;
  const { secrets } = deps.config;
  const value = answer.type === "answered" ? safeOutput(JSON.stringify(answer.value), secrets) : null;
  await deps.database.transaction(async (tx) => {
    await insertConsultation(tx, {
      consultationId: consultation.consultationId,
      use: question.use,
      ...idsOf(about),
      promptVersion: question.version,
      model: model.name,
      outcome: answer.type === "answered" ? "answered" : answer.reason,
      answer: value,
      words: answer.type === "failed" ? shorten(safeOutput(answer.words, secrets), 2000) : null,
      inputTokens: answer.tokens.input,
      outputTokens: answer.tokens.output,
      costMicroUsd: answer.costMicroUsd,
      calls: answer.calls,
      at: deps.now(),
    });
    if (!consultation.isReserved) return;
    const amountMicroUsd = answer.costMicroUsd ?? 0;
    const isEstimated = answer.costMicroUsd === null || answer.isAssumed;
    await appendSpend(tx, call, { kind: "settled", amountMicroUsd, isEstimated, at: deps.now() });
  });
}
