import { startCommand } from "../core/cards/session-words.ts";
import { type Goal, notExecuted, stateOf } from "../core/goals/goal.ts";
import { nowWords } from "../core/cards/goal-card.ts";
import type { Span } from "../core/cards/card.ts";
import { linesCard } from "../core/cards/lists.ts";
import { pausedSpans } from "../core/cards/paused-words.ts";
import { sessionState, goalStandingWords } from "../core/cards/session-card.ts";
import { awaitedUntil } from "../core/cards/status-words.ts";
import { heldInSession } from "../core/goals/held.ts";
import { dollars, formatUsd, toUsd } from "../core/money.ts";
import { firstLine } from "../core/text.ts";
import { cutGoals } from "../db/goal-lists.ts";
import { openSubjects } from "../db/checkpoints.ts";
import { sessionGoals } from "../db/goals.ts";
import { listSessions, type Session } from "../db/sessions.ts";
import { goalTotal, sessionTotal } from "../db/totals.ts";
import type { Deps } from "../deps.ts";
import { holdingWith } from "../facts/held.ts";
import { backingsOf } from "../facts/backings.ts";
import { chooseRepository } from "./choose-repository.ts";
import { openSessions, repoOption, repositoryNames } from "./open-sessions.ts";
import { command, type CommandResult, done } from "./command.ts";

export const autopilotStatus = command({
  name: "autopilot status",
  summary: "The open sessions (or the last one) with the result of every goal.",
  access: "read",
  options: { repo: repoOption },
  run: (deps, _caller, { repo }) => status(deps, repo),
});

async function status(deps: Deps, repo: string | undefined): Promise<CommandResult> {
  const { db } = deps.database;
  const chosen = repo === undefined ? null : await chooseRepository(deps, repo);
  if (chosen?.type === "refused") return chosen;
  const open = await openSessions(deps, repo);
  const shown = open.length > 0 ? open : await listSessions(db, 1, chosen?.repository.repositoryId);
  const values = [];
  const goOn = new Map<string, Span[][]>();
  const nameOf = await repositoryNames(db);
  for (const session of shown) {
    const repositoryName = nameOf(session.repositoryId);
    values.push({ ...(await resultsOf(deps, session)), repository: repositoryName });
    if (session.status === "paused")
      goOn.set(session.sessionId, [["Paused", ...pausedSpans({ ...session, repositoryName })]]);
  }
  const begin = repo === undefined ? "autopilot start" : startCommand(repo);
  if (values.length === 0)
    return done({ sessions: [] }, linesCard("No session yet", [[{ command: begin }, " begins one."]]));
  const lines = values.flatMap((value) => [
    [
      { strong: value.sessionId },
      ` on ${value.repository}: ${value.state}${value.inOrder ? ", in order" : ""}, ${formatUsd(dollars(value.totalCostUsd))} of ${formatUsd(dollars(value.budgetUsd))}`,
    ],
    ...(goOn.get(value.sessionId) ?? []),
    ...value.results.map((each) => [
      `${goalStandingWords({ ...each, isAsked: each.checkpointPending })}: `,
      { link: each.goalId, to: `/goals/${each.goalId}` },
      ` ${firstLine(each.content, 80)}`,
      ...awaitedUntil({ wakeAt: each.retriesAt }),
    ]),
  ]);
  return done({ sessions: values }, linesCard(open.length > 0 ? "Open sessions" : "The last session", lines));
}

/** Returns a session's result, goal by goal (S4-AP-06). Waiting is not success (S4-AP-10, C-60); manual work is not done (C-73). */
async function resultsOf(deps: Deps, session: Session) {
  const { db } = deps.database;
  const goals = await sessionGoals(db, session.sessionId);
  const open = await openSubjects(
    db,
    goals.map((goal) => goal.goalId),
  );
  const isOver = session.status === "ended";
  const holding = await holdingWith(db, session, goals, open);
  const held = isOver ? { waits: [], goesOn: [] } : heldInSession(holding);
  const cut = await cutGoals(db, goals);
  const backing = await backingsOf(db, goals);
  const results = [];
  for (const goal of goals) {
    const cost = await goalTotal(db, goal.goalId);
    const waits = open.has(goal.goalId);
    const state = stateOf(goal, { isAsked: waits, isCut: cut.has(goal.goalId) }, deps.now());
    results.push({
      goalId: goal.goalId,
      content: goal.content,
      status: goal.status,
      now: nowWords({ goal, state, backing: backing(goal) }),
      retriesAt: state === "retrying" ? goal.wakeAt : null,
      success: goal.status === "complete" || isManual(goal),
      error: errorOf(goal, waits),
      output: goal.outcome,
      costUsd: toUsd(cost.spentMicroUsd),
      checkpointPending: waits,
      after: goal.after,
      waitsFor: holding.goals.find((each) => each.goalId === goal.goalId)?.unmet ?? [],
    });
  }
  const total = await sessionTotal(db, session.sessionId);
  return {
    sessionId: session.sessionId,
    state: sessionState(session),
    startedAt: session.startedAt,
    endedAt: session.endedAt,
    endReason: session.endReason,
    inOrder: session.inOrder,
    ...held,
    budgetUsd: toUsd(session.budgetMicroUsd),
    totalCostUsd: toUsd(total.spentMicroUsd),
    goalsCompleted: goals.filter((goal) => goal.status === "complete").length,
    results,
  };
}

/** True for a goal that was not executed, so that nothing failed (C-73). A goal that a person took over from a question is not done. */
function isManual({ status, outcome }: Goal): boolean {
  return status === "manual_followup" && outcome === notExecuted;
}

/** Returns a goal's error (S4-AP-10, S4-AP-16); at the end of the recovery ladder the error itself (S4-RM-12). */
function errorOf(goal: Goal, waits: boolean): string | null {
  if (goal.status === "manual_followup") return isManual(goal) ? null : goal.outcome;
  if (goal.status === "failed" || (goal.status === "blocked" && goal.recoveryLevel === 4)) return goal.outcome;
  return waits ? "Awaiting human approval" : null;
}
