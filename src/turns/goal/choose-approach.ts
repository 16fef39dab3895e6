import { ofGoal } from "../../core/events/write.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { alternativeQuestion } from "../../core/prompts/alternative.ts";
import { builtInAlternative, clarifyingQuestion, needsClarification } from "../../core/recovery/alternative.ts";
import { nextRung } from "../../core/recovery/ladder.ts";
import { normalApproach, saysOfWork, type Tried } from "../../core/recovery/tried.ts";
import { attemptsOfRun, type Remedy, remediesFor, triedUnder } from "../../db/attempts.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { getGoal } from "../../db/goals.ts";
import { getRun, openRunOf, type Run, updateRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { recordTurn } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { lessonsOf } from "../../facts/lessons.ts";
import { isAtNight } from "../../facts/night-contract.ts";
import { askAbout } from "../shared/ask-about.ts";
import { consult } from "../shared/consult.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { asAsked, recordCut } from "./cut.ts";

/**
 * The phase between two attempts on rungs 2 and 3. It chooses another approach (S4-RM-07) or a question (S4-RM-08). The choice is committed
 * before any work, so a crash does not replace it by another one.
 */
export async function chooseApproachTurn(deps: Deps, keeper: LeaseKeeper): Promise<StepResult> {
  const { lease } = keeper;
  const goal = await getGoal(deps.database.db, lease.goalId);
  const run = await openRunOf(deps.database.db, lease.goalId);
  if (goal === null || run === null) throw new Error(`goal ${lease.goalId} recovers without an open run`);
  const attempts = await attemptsOfRun(deps.database.db, run.runId);
  const approach = await approachOf(deps, { goal, run, attempts }, keeper.signal);
  // When interrupted, nothing is chosen and the phase begins again (D8).
  const why = keeper.cutReason();
  if (why !== null) return await recordCut(deps, keeper, run, why);
  return await record(deps, keeper, { goal, run, attempts }, approach);
}

interface ApproachFacts {
  readonly goal: Goal;
  readonly run: Run;
  readonly attempts: readonly Tried[];
}

type Approach =
  /** Keeps the approach: it has not been tried under this failure, or the rung changes nothing. */
  | { readonly type: "go-on" }
  | { readonly type: "other"; readonly approach: string; readonly source: string; readonly instruction: string }
  /** All known approaches have been tried under this failure. */
  | { readonly type: "none" }
  | { readonly type: "ask"; readonly question: string };

async function approachOf(deps: Deps, facts: ApproachFacts, signal: AbortSignal): Promise<Approach> {
  const { goal, run, attempts } = facts;
  const last = attempts.at(-1);
  // The goal was changed to a command of its own meanwhile. There is no other way to run a command (D50).
  if (goal.runCommand !== null) return { type: "go-on" };
  if (last === undefined || last.end === "passed") return { type: "go-on" };
  // At night nobody answers, so the attempt of rung 3 runs without an answer (D19).
  if (run.rung === 3)
    return (await isAtNight(deps.database.db, goal.sessionId)) ? { type: "go-on" } : clarification(deps, facts, last);

  const isOfWork = saysOfWork(last);
  const under = isOfWork
    ? await triedUnder(deps.database.db, { fingerprint: last.fingerprint, repositoryId: goal.repositoryId })
    : attempts.filter((each) => each.fingerprint === last.fingerprint);
  const isTried = (approach: string): boolean =>
    under.some((each) => normalApproach(each.approach) === normalApproach(approach));
  // The alternative of this rung is kept until it has met this same failure.
  if (run.approach !== null && !isTried(run.approach)) return { type: "go-on" };
  const remedy = (isOfWork ? await remedies(deps, facts, last) : []).find((each) => !isTried(each.approach));
  if (remedy !== undefined) {
    return { type: "other", ...remedy, source: `helped ${remedy.goalId} out of the same failure` };
  }
  return (await modelsAlternative(deps, facts, { last, under }, signal)) ?? builtIn(last, under);
}

async function remedies(deps: Deps, { goal }: ApproachFacts, { fingerprint }: Tried): Promise<Remedy[]> {
  const { repositoryId, goalId } = goal;
  return await remediesFor(deps.database.db, { fingerprint, repositoryId, goalId });
}

/** The model's alternative. Null without a model, without an answer, or when the approach was already tried. */
async function modelsAlternative(
  deps: Deps,
  { goal, run }: ApproachFacts,
  { last, under }: { readonly last: Tried; readonly under: readonly Tried[] },
  signal: AbortSignal,
): Promise<Approach | null> {
  const question = alternativeQuestion({
    content: goal.content,
    kind: last.end,
    error: last.error,
    criteria: last.criteria,
    tried: under,
    lessons: deps.config.model === null ? [] : await lessonsOf(deps, goal),
  });
  const answer = await consult(deps, { goal, runId: run.runId }, question, signal);
  if (answer.type !== "answered") return null;
  const { approach, instruction } = answer.value;
  if (under.some((each) => normalApproach(each.approach) === normalApproach(approach))) return null;
  return { type: "other", approach, instruction, source: `${deps.config.model?.name ?? "model"}, ${question.version}` };
}

function builtIn(last: Tried, under: readonly Tried[]): Approach {
  const failure = { kind: last.end === "passed" ? "work" : last.end, error: last.error } as const;
  const found = builtInAlternative(failure, under, last);
  if (found.type === "none") return found;
  return { type: "other", approach: found.approach, source: found.source, instruction: found.instruction };
}

function clarification(deps: Deps, { goal, run }: ApproachFacts, last: Tried): Approach {
  const isAsked = run.clarification !== null;
  if (isAsked || deps.policy.recovery.clarifyWaitMs === 0) return { type: "go-on" };
  if (!needsClarification(last.error)) return { type: "go-on" };
  return { type: "ask", question: clarifyingQuestion(last, goal.content) };
}

async function record(
  deps: Deps,
  keeper: LeaseKeeper,
  { run: seen, attempts }: ApproachFacts,
  chosen: Approach,
): Promise<StepResult> {
  const { lease } = keeper;
  const result = await inTurn(deps, keeper, async (tx, goal): Promise<StepResult> => {
    const asked = await asAsked(tx, deps, keeper, { goal, run: seen });
    if (asked !== null) return asked;
    const run = (await getRun(tx, seen.runId)) ?? seen;
    const now = deps.now();
    const about = ofGoal({ ...goal, runId: run.runId }, now);
    switch (chosen.type) {
      case "none": {
        // The rung has nothing left to try, so the next one begins. Nothing is repeated only to reach a number of attempts.
        const rung = nextRung(run.rung);
        await updateRun(tx, run.runId, { rung, rungAttempt: 1 });
        await appendTimeline(tx, { event: "recovery.no-alternative", ...about });
        await recordTurn(tx, { lease, goal }, { type: "entersPhase", phase: "recover", recoveryLevel: rung }, now);
        return { type: "next" };
      }
      case "other": {
        const { approach, source, instruction } = chosen;
        await updateRun(tx, run.runId, { approach, approachSource: source, approachInstruction: instruction });
        await appendTimeline(tx, { event: "recovery.alternative", ...about, detail: { approach, source } });
        break;
      }
      case "ask": {
        await updateRun(tx, run.runId, { clarification: { question: chosen.question, answer: null, by: null } });
        await askAbout(tx, deps, {
          goal,
          runId: run.runId,
          kind: "clarify",
          reasons: [{ trigger: "hiccup", context: chosen.question }],
          details: [attempts.at(-1)?.error ?? ""],
          fingerprint: `${run.runId}.${run.ladder}`,
          changed: null,
          openForMs: deps.policy.recovery.clarifyWaitMs,
        });
        await recordTurn(tx, { lease, goal }, { type: "asks", phase: "implement" }, now);
        mark(tx, "goal", goal.goalId);
        lookAt(tx, goal.sessionId);
        return { type: "over" };
      }
      case "go-on":
        break;
    }
    await recordTurn(tx, { lease, goal }, { type: "entersPhase", phase: "implement" }, now);
    mark(tx, "goal", goal.goalId);
    return { type: "next" };
  });
  return result ?? lost;
}
