import { gatherStart, gatherStarts, type Starting } from "./start-facts.ts";
import { reasonsOf } from "../../core/checkpoints/question.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { standingOn, standsAlike } from "../../core/goals/ground.ts";
import { decideStart, type StartDecision } from "../../core/goals/start.ts";
import { formatUsd } from "../../core/money.ts";
import { type Db, readTogether } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import { groundsOf } from "../../db/grounds.ts";
import type { Lease } from "../../db/leases.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import { lockSession } from "../../db/sessions.ts";
import { appendSpend, openCalls } from "../../db/spend.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { applyTransition, recordTurn, type Write } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { askForMore } from "../shared/ask-for-more.ts";
import { countFailure } from "../shared/breaker.ts";
import { inTurn, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { callIdOf, lockMoneyToStart, settleCutCalls, todayOf } from "../shared/money.ts";
import { type Asking, askAbout, beginRun, contentHashOf, type RunStart } from "../shared/park.ts";
import { endGoal } from "../shared/settle.ts";
import { endSession } from "../shared/end-session.ts";
import { asAsked } from "./cut.ts";

/** A claimed goal begins: ask, refuse, hand to a person, or reserve the money and go on with the work. */
export async function startTurn(
  deps: Pick<Deps, "database"> & Asking,
  keeper: LeaseKeeper,
  baseCommit: string,
  // Of a goal on top of others: where those stand (D37).
  start: RunStart = { baseCommit },
): Promise<StepResult> {
  const { lease } = keeper;
  const day = todayOf(deps);
  let isPaid = true;
  const result = await inTurn(
    deps,
    keeper,
    async (tx, claimed, session): Promise<StepResult> => {
      if (session?.status !== "running") {
        // Paused or ended between the claim and now: nothing begins, whoever goes on with it claims it again.
        await recordTurn(tx, lease, claimed, { type: "letsGo" }, deps.now());
        return { type: "over" };
      }
      if (claimed.runCommand === null && !isPaid) {
        // It has an agent by now, which costs money: claimed again, that is locked.
        await recordTurn(tx, lease, claimed, { type: "letsGo", at: deps.now() }, deps.now());
        return { type: "over" };
      }
      const { runId } = claimed;
      const [cut, seen] = await readTogether(tx, (reads) =>
        Promise.all([runId === null ? [] : openCalls(reads, runId), gatherStart(reads, deps, claimed, day)]),
      );
      if (runId !== null && cut.length > 0) await settleCutCalls(tx, deps, runId);
      // What a person asked since it was claimed comes first: nothing begins, and nothing is asked.
      const asked = await asAsked(tx, deps, keeper, claimed);
      if (asked !== null) return asked;
      const stands = standingOn(claimed.after, await groundsOf(tx, claimed.after));
      if (stands === null || (claimed.after.length > 0 && !standsAlike(stands, start.standsOn ?? []))) {
        // What it is on top of has changed since it was looked at: it is claimed again, or waits for that.
        const transition = stands === null ? waits : ({ type: "letsGo", at: deps.now() } as const);
        await recordTurn(tx, lease, claimed, transition, deps.now());
        lookAt(tx, claimed.sessionId);
        return { type: "over" };
      }
      const facts = cut.length === 0 ? seen : await gatherStart(tx, deps, claimed, day);
      const decision = decideStart(facts, deps.policy);
      return await actOnStart(tx, deps, { lease, goal: claimed, decision, facts, day, start });
    },
    {
      before: async (tx) => {
        isPaid = await lockMoneyToStart(tx, day, lease.goalId);
      },
    },
  );
  return result ?? lost;
}

const waits = { type: "waitsForGround" } as const;

interface Start {
  readonly lease: Lease;
  readonly goal: Goal;
  readonly decision: StartDecision;
  readonly facts: Starting;
  readonly day: string;
  /** Where the repository's base branch stands now; a run keeps the one it began with (D14), unless its ground is laid now. */
  readonly start: RunStart;
}

async function actOnStart(tx: Db, deps: Asking, starting: Start): Promise<StepResult> {
  const { lease, goal, decision, day, start } = starting;
  const now = deps.now();
  const { goalId, sessionId } = goal;
  switch (decision.type) {
    case "wait":
      await recordTurn(tx, lease, goal, { type: "asks" }, now);
      return { type: "over" };

    case "refuse":
      return await refuse(tx, deps, { lease, goal, decision, start });

    case "ask": {
      const runId = await askToStart(tx, deps, { ...starting, decision });
      await recordTurn(tx, lease, goal, { type: "asks", runId }, now);
      mark(tx, "goal", goalId);
      lookAt(tx, sessionId);
      return { type: "over" };
    }

    case "manual": {
      const outcome = "Manual goal - no automated execution";
      const write: Write = (transition) => recordTurn(tx, lease, goal, transition, deps.now());
      await endGoal(tx, deps, goal, { status: "manual_followup", outcome }, write);
      lookAt(tx, sessionId);
      return { type: "over" };
    }

    case "run": {
      const runId = goal.runId ?? (await beginRun(tx, deps, goal, start));
      const billing = starting.facts.isFlat ? "flat" : "metered";
      await updateRun(tx, runId, { contentHash: contentHashOf(goal), billing, ...groundOf(start) });
      // Tasks of a goal reserve for themselves, each its share.
      if (decision.executor === "agent" && goal.taskParallel === null) {
        const call = { callId: callIdOf(runId, lease), goalId, runId, sessionId, day };
        const entry = { kind: "reserved", amountMicroUsd: decision.capMicroUsd, isEstimated: true, at: now } as const;
        await appendSpend(tx, call, entry);
      }
      await recordTurn(tx, lease, goal, { type: "begins", runId }, now);
      await appendTimeline(tx, {
        event: "run.started",
        goalId,
        sessionId,
        runId,
        at: now,
        detail: { capMicroUsd: decision.capMicroUsd },
      });
      mark(tx, "goal", goalId);
      if (sessionId !== null) mark(tx, "session", sessionId);
      return { type: "next" };
    }
  }
}

/** A run that was opened to be asked about gets its ground when it begins (D37). */
function groundOf({ baseCommit, headCommit, standsOn }: RunStart): Partial<Run> {
  return standsOn === undefined ? {} : { baseCommit, headCommit: headCommit ?? null, standsOn: [...standsOn] };
}

interface Refusing {
  readonly lease: Lease;
  readonly goal: Goal;
  readonly decision: Extract<StartDecision, { type: "refuse" }>;
  readonly start: RunStart;
}

/** A ceiling leaves too little for a goal to begin, or to go on (C-69). Its run, if it has one, keeps its place. */
export async function refuse(tx: Db, deps: Asking, { lease, goal, decision, start }: Refusing): Promise<StepResult> {
  const now = deps.now();
  const { goalId, sessionId } = goal;
  const outcome = refusalWords(decision);
  await appendTimeline(tx, { event: "goal.refused", goalId, sessionId, at: now, detail: { ...decision } });
  const session = sessionId === null ? null : await lockSession(tx, sessionId);
  const hasBegun = goal.phase !== "start";
  if (session?.kind === "campaign" && decision.ceiling !== "goal") {
    // What the day's money is not enough for is not lost: the campaign takes it up again (C-84, C-89).
    await recordTurn(tx, lease, goal, { type: "isCut", at: null, interruptions: 0, outcome }, now);
    await endSession(tx, deps, session, outcome);
    return { type: "over" };
  }
  if (session?.kind === "night") {
    // Outside of the contract: parked as a question, and the next goal starts.
    const runId = goal.runId ?? (await beginRun(tx, deps, goal, start));
    await askForMore(tx, deps, goal, runId, outcome);
    await recordTurn(tx, lease, goal, { type: "asks", runId }, now);
    mark(tx, "goal", goalId);
    lookAt(tx, sessionId);
    return { type: "over" };
  }
  if (hasBegun) await countFailure(tx, deps, goal, goal.runId);
  const write: Write = (transition) => recordTurn(tx, lease, goal, transition, deps.now());
  await endGoal(tx, deps, goal, { status: "failed", outcome }, write);
  // No goal after this one could start either (C-69): the session ends here, with the reason on its card.
  if (session !== null && decision.ceiling !== "goal") await endSession(tx, deps, session, outcome);
  lookAt(tx, sessionId);
  return { type: "over" };
}

function refusalWords({ ceiling, leftMicroUsd, needMicroUsd }: Extract<StartDecision, { type: "refuse" }>): string {
  const left = `${formatUsd(Math.max(0, leftMicroUsd))} left of the ${ceiling}'s ceiling, ${formatUsd(needMicroUsd)} needed`;
  return `Insufficient budget remaining: ${left}`;
}

type AsksFirst = Extract<StartDecision, { type: "ask" }>;

/** Returns the run that the question is about. */
async function askToStart(
  tx: Db,
  deps: Asking,
  { goal, decision, facts, start }: Pick<Start, "goal" | "facts" | "start"> & { readonly decision: AsksFirst },
): Promise<string> {
  const runId = goal.runId ?? (await beginRun(tx, deps, goal, start));
  await askAbout(tx, deps, goal, runId, {
    kind: "start",
    reasons: reasonsOf(decision.reasons, goal, facts),
    details: [],
    fingerprint: null,
    changed: null,
  });
  return runId;
}

/**
 * Asks before bed (D16): every question of a session that can be foreseen is posted at once. The caller holds the
 * session's lock. Returns how many were asked.
 */
export async function askAhead(
  tx: Db,
  deps: Asking,
  goals: readonly Goal[],
  baseCommit: string | null,
): Promise<number> {
  let asked = 0;
  // What goes on with a run is asked by its turn, about what was not so when it began (D3).
  const toBegin = goals.filter((goal) => goal.phase === "start" && goal.status === "pending");
  const startOf = await gatherStarts(tx, deps, toBegin);
  for (const goal of toBegin) {
    const facts = startOf(goal);
    const decision = decideStart(facts, deps.policy);
    let runId: string;
    if (decision.type === "refuse" && decision.ceiling === "night") {
      // More than the whole night may cost: that can be asked before bed as well.
      runId = goal.runId ?? (await beginRun(tx, deps, goal, { baseCommit }));
      await askForMore(tx, deps, goal, runId, refusalWords(decision));
    } else if (decision.type === "ask") {
      runId = await askToStart(tx, deps, { goal, decision, facts, start: { baseCommit } });
    } else {
      continue;
    }
    await applyTransition(tx, goal, { type: "asks", runId }, deps.now());
    mark(tx, "goal", goal.goalId);
    asked += 1;
  }
  return asked;
}
