import { contractOf } from "../../core/acceptance/goal-contract.ts";
import { asksForge, type Criterion } from "../../core/acceptance/spec.ts";
import type { GoalCardFacts } from "../../core/cards/goal-facts.ts";
import type { ChecksSeen } from "../../core/forges/checks.ts";
import { providerTitles } from "../../core/forges/forge.ts";
import { nextForRequired, requiredResult } from "../../core/forges/required.ts";
import { lockGoal } from "../../db/goals.ts";
import { getPull, updatePull } from "../../db/pulls.ts";
import { getRun } from "../../db/runs.ts";
import { insertForgeEvidence } from "../shared/forge-evidence.ts";
import { type GoalWithPull, giveBack, hasAgent, type GiveBackDeps, verifyAgain } from "./give-back.ts";

/** Goals whose acceptance criteria include the checks that their forge requires (`ci: required checks`). */

/** Whether one of the goal's criteria is checked at the forge. */
export function isHeldToForge({ criteria }: Pick<GoalCardFacts, "criteria">): boolean {
  return criteria.some(({ method }) => method === "ci");
}

/** `seen` with the reason why a person was asked before, if that was about the same commit. */
export function keptAsks(seen: ChecksSeen, before: ChecksSeen | null): ChecksSeen {
  const asks = before?.commit === seen.commit ? (before.required?.asks ?? null) : null;
  return seen.required === undefined || asks === null ? seen : { ...seen, required: { ...seen.required, asks } };
}

/**
 * Acts on the required checks of a goal's commit, or on their absence: checks that passed are stored as evidence, failed ones go back
 * to the agent, otherwise a person is asked. It may be repeated.
 *
 * @returns false if this must be tried again later
 */
export async function applyRequiredChecks(
  deps: GiveBackDeps,
  finished: GoalWithPull,
  { seen, title }: { readonly seen: ChecksSeen; readonly title: string },
): Promise<boolean> {
  const { row, facts } = finished;
  const { db } = deps.database;
  const run = facts.goal.runId === null ? null : await getRun(db, facts.goal.runId);
  const there = facts.criteria.filter(({ method }) => method === "ci");
  const { checkRounds: mostRounds, requiredWithinMs: withinMs } = deps.policy.pulls;
  const step = nextForRequired(
    {
      seen,
      headCommit: facts.commit,
      isKept: there.every(({ status }) => status === "pass"),
      given: row.checksGiven,
      rounds: row.checkRounds,
      hasAgent: hasAgent(deps, finished),
      since: run?.endedAt ?? run?.startedAt ?? deps.now(),
    },
    deps.now(),
    { mostRounds, withinMs, title },
  );
  switch (step.type) {
    case "rest":
      return true;
    case "keep":
      await keep(deps, finished, seen);
      return true;
    case "work-again":
      await keep(deps, finished, seen);
      return await giveBack(deps, finished, { commit: seen.commit, failed: seen.required?.failed ?? [] });
    case "ask": {
      const commit = facts.commit ?? "";
      const known =
        seen.commit === commit ? seen : ({ commit, since: seen.since, state: "none", all: 0, failed: [] } as const);
      const nothingSeen = { state: "pending", isNamed: false, passed: [], failed: [], waits: [] } as const;
      const required = { ...(known.required ?? nothingSeen), asks: step.why };
      return await verifyAgain(deps, finished, { commit, checks: { ...known, required } });
    }
  }
}

/** Called when the forge did not answer or the pull request is closed: asks a person if the checks have been missing for too long. */
export async function askWhenLate(deps: GiveBackDeps, finished: GoalWithPull): Promise<void> {
  const { facts, goalId } = finished;
  if (facts.goal.status !== "complete" || !isHeldToForge(facts)) return;
  const row = await getPull(deps.database.db, goalId);
  if (row === null) return;
  const none = { commit: "", since: deps.now().toISOString(), state: "none", all: 0, failed: [] } as const;
  await applyRequiredChecks(
    deps,
    { ...finished, row },
    { seen: row.checks ?? none, title: providerTitles[row.provider] },
  );
}

/** Stores the forge's answer as evidence of the run that made this commit. */
async function keep(deps: GiveBackDeps, { goalId, facts }: GoalWithPull, seen: ChecksSeen): Promise<void> {
  const { status, details } = requiredResult(seen, seen.commit);
  await deps.database.transaction(async (tx) => {
    const goal = await lockGoal(tx, goalId);
    const run = goal?.runId == null ? null : await getRun(tx, goal.runId);
    if (goal?.status !== "complete" || run?.headCommit !== seen.commit) return;
    const criteria: readonly Criterion[] = contractOf(goal.criteria, [], 1).criteria.filter((each) =>
      asksForge([each]),
    );
    const by = "the required checks of its pull request";
    for (const criterion of criteria)
      await insertForgeEvidence(tx, {
        goal,
        runId: run.runId,
        turn: goal.turn,
        commit: seen.commit,
        criterion,
        result: { status, details, by },
        mark: `${status}.${deps.now().getTime()}`,
        at: deps.now(),
      });
    // The next look writes the result into the pull request, so it is due now.
    await updatePull(tx, goalId, { dueAt: deps.now() });
  });
  deps.log.info("pull.required", { goalId, status, criteria: facts.criteria.length });
}
