import { gatherStart, gatherStarts, hasSameFacts } from "./start-facts.ts";
import { type Goal, notExecuted } from "../../core/goals/goal.ts";
import { standingOn, standsAlike } from "../../core/goals/ground.ts";
import { decideStart } from "../../core/goals/start.ts";
import type { Db } from "../../db/connection/client.ts";
import { lookAt } from "../../db/connection/looks.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Payers } from "../../db/goals.ts";
import { groundsOf } from "../../db/grounds.ts";
import { type Run, updateRun } from "../../db/runs.ts";
import type { Session } from "../../db/sessions.ts";
import { appendSpend, openCalls } from "../../db/spend.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { recordTurn, turnWrite } from "../../db/transitions.ts";
import type { Deps } from "../../deps.ts";
import { workedIn } from "../../facts/worked.ts";
import { inTurnSeeing, lost, type StepResult } from "../shared/in-turn.ts";
import type { LeaseKeeper } from "../shared/lease-keeper.ts";
import { callIdOf, lockMoneyToStart, settleInterruptedCalls, todayOf } from "../shared/money.ts";
import type { AskDeps } from "../shared/ask-about.ts";
import { beginRun, contentHashOf, type RunStart } from "../shared/begin-run.ts";
import { endGoal } from "../shared/end-goal.ts";
import { beginTasksAnew } from "../shared/tasks-anew.ts";
import { asAsked } from "./cut.ts";
import { askToStart, known, type StartToAsk } from "./ask-to-start.ts";
import { refuseStart } from "./refuse.ts";

/** Begins a claimed goal: asks, refuses, hands it to a person, or reserves money and continues with the work. */
export async function startTurn(
  deps: Pick<Deps, "database"> & AskDeps,
  keeper: LeaseKeeper,
  goal: Goal,
  { start, payers }: Known,
): Promise<StepResult> {
  const { lease } = keeper;
  const day = todayOf(deps);
  const result = await inTurnSeeing<Seen, StepResult>(
    deps,
    keeper,
    async (tx, claimed, session, { cut, startOf }: Seen): Promise<StepResult> => {
      const { runId } = claimed;
      const isSeen = cut.length === 0 && hasSameFacts(goal, claimed);
      const isPaid = session !== null && arePayers(payers, claimed, session);
      if (isPaid && runId !== null && !isSeen) await settleInterruptedCalls(tx, deps, runId, lease.unheldMs);
      // A person's request since the claim comes first: nothing begins, and nothing is asked. Open calls are settled by who locks their payers.
      const asked = isPaid || cut.length === 0 ? await asAsked(tx, deps, keeper, { goal: claimed }) : null;
      if (asked !== null) return asked;
      if (session?.status !== "running") {
        // The session was paused or ended since the claim: nothing begins. The goal is claimed again later.
        await recordTurn(tx, { lease, goal: claimed }, { type: "letsGo" }, deps.now());
        return { type: "over" };
      }
      if (!isPaid) {
        // Another budget pays for it now, or it has an agent, which costs money. The next claim locks the right rows.
        await recordTurn(tx, { lease, goal: claimed }, { type: "letsGo", at: deps.now() }, deps.now());
        return { type: "over" };
      }
      const stands = standingOn(claimed.after, await groundsOf(tx, claimed.after));
      if (stands === null || (claimed.after.length > 0 && !standsAlike(stands, start.standsOn ?? []))) {
        // A goal that it builds on has changed since the read: it is claimed again, or waits.
        const transition = stands === null ? waits : ({ type: "letsGo", at: deps.now() } as const);
        await recordTurn(tx, { lease, goal: claimed }, transition, deps.now());
        lookAt(tx, claimed.sessionId);
        return { type: "over" };
      }
      const facts = isSeen ? startOf(claimed) : await gatherStart(tx, deps, claimed, day);
      const decision = decideStart(facts, deps.policy);
      return await actOnStart(tx, deps, { lease, goal: claimed, decision, facts, day, start });
    },
    {
      before: async (tx) => {
        await lockMoneyToStart(tx, day, payers);
      },
      sees: (reads) => readStart(reads, deps, goal, day),
    },
  );
  return result ?? lost;
}

/** Facts about a goal that begins. */
interface Known {
  /** The start of its run. For a goal that builds on others, with their commits (D37). */
  readonly start: RunStart;
  readonly payers: Payers;
}

type Seen = Awaited<ReturnType<typeof readStart>>;

/** The facts of its start, and interrupted calls of its run. */
async function readStart(reads: Db, deps: AskDeps, goal: Goal, day: string) {
  const [cut, startOf] = await Promise.all([
    goal.runId === null ? [] : openCalls(reads, goal.runId),
    gatherStarts(reads, deps, [goal], day),
  ]);
  return { cut, startOf };
}

/** True when the rows of all budgets that pay for it now are locked. */
function arePayers({ campaignId, nightId, runsCommand }: Payers, goal: Goal, session: Session): boolean {
  const isLocked = !runsCommand || goal.runCommand !== null;
  return isLocked && goal.campaignId === campaignId && session.nightId === nightId;
}

const waits = { type: "waitsForGround" } as const;

async function actOnStart(tx: Db, deps: AskDeps, asked: StartToAsk): Promise<StepResult> {
  const { lease, goal, decision, day, start, facts } = asked;
  const now = deps.now();
  const { goalId, sessionId } = goal;
  switch (decision.type) {
    case "wait":
      await recordTurn(tx, { lease, goal }, { type: "asks" }, now);
      return { type: "over" };

    case "refuse":
      return await refuseStart(tx, deps, { lease, goal, decision, start, ceilings: facts.ceilings, day });

    case "ask": {
      const runId = await askToStart(tx, deps, { ...asked, decision });
      await recordTurn(tx, { lease, goal }, { type: "asks", runId }, now);
      mark(tx, "goal", goalId);
      lookAt(tx, sessionId);
      return { type: "over" };
    }

    case "manual": {
      const write = turnWrite(tx, { lease, goal }, deps.now);
      await endGoal(tx, deps, { goal, write }, { status: "manual_followup", outcome: notExecuted });
      lookAt(tx, sessionId);
      return { type: "over" };
    }

    case "run": {
      const runId = goal.runId ?? (await beginRun(tx, deps, goal, { ...start, ...known(facts) }));
      const billing: Run["billing"] = facts.isFlat ? "flat" : "metered";
      const begun = { contentHash: contentHashOf(goal), billing, ...groundOf(start) };
      // Without a commit, its tasks begin from nothing.
      const isAnew = goal.taskParallel !== null && start.headCommit === null;
      if (isAnew) await beginTasksAnew(tx, goalId, now);
      await updateRun(tx, runId, { ...begun, ...(isAnew ? { loop: null } : {}) });
      // The tasks of a goal reserve money themselves.
      const isReserving = decision.executor === "agent" && goal.taskParallel === null;
      const reservation = { callId: callIdOf(runId, lease), capMicroUsd: decision.capMicroUsd };
      if (isReserving) {
        const call = { callId: reservation.callId, goalId, runId, sessionId, day };
        const entry = { kind: "reserved", amountMicroUsd: decision.capMicroUsd, isEstimated: true, at: now } as const;
        await appendSpend(tx, call, entry);
      }
      await recordTurn(tx, { lease, goal }, { type: "begins", runId }, now);
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
      const run = facts.run === null ? null : { ...facts.run, ...begun };
      const reserved = isReserving ? reservation : undefined;
      return { type: "next", worked: workedIn(tx, goalId, { run, repository: facts.repository, reserved }) };
    }
  }
}

/** A run that was opened for a question gets its ground when it begins (D37). */
function groundOf({ baseCommit, headCommit, standsOn }: RunStart): Partial<Run> {
  return standsOn === undefined ? {} : { baseCommit, headCommit: headCommit ?? null, standsOn: [...standsOn] };
}
