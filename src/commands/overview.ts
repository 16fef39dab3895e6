import { waitingItem } from "../core/cards/question-name.ts";
import { linesCard, checkpointsCard } from "../core/cards/lists.ts";
import { type AwaitingGoal, awaitingItems, goalCountWords } from "../core/cards/status-words.ts";
import { campaignItem, noSessionItem } from "../core/cards/campaign-list-card.ts";
import { nightItem } from "../core/cards/night-card.ts";
import type { Span } from "../core/cards/card.ts";
import { adviceSpans } from "../core/cards/standup-lines.ts";
import { headline, recommendationWords } from "../core/cards/recommendation-words.ts";
import { nowWords } from "../core/cards/goal-card.ts";
import { goalStatuses, stateOf } from "../core/goals/goal.ts";
import type { Held } from "../core/goals/held.ts";
import { formatUsd, toUsd } from "../core/money.ts";
import { recommend } from "../core/reports/recommendation.ts";
import { localDate } from "../core/time.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { firstLine, formatDuration } from "../core/text.ts";
import { openCampaigns } from "../db/campaigns.ts";
import { listPending } from "../db/checkpoints.ts";
import { countGoals, cutGoals, goalsAwaitingOthers, listGoals, workedGoals } from "../db/goal-lists.ts";
import { getGoal } from "../db/goals.ts";
import { openNight } from "../db/nights.ts";
import { listOpenSessions } from "../db/sessions.ts";
import { dayTotal, nightTotal } from "../db/totals.ts";
import { firstPosts } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { askedLines } from "../facts/asked-lines.ts";
import { campaignLinesOf } from "../facts/campaign-line.ts";
import { heldByQuestion } from "../facts/held.ts";
import { needsToAdvise } from "../facts/needs.ts";
import { spaceLackingNow } from "../facts/space.ts";
import { showAccount } from "./accountability.ts";
import { answerInTime } from "./worklog.ts";
import { command, type CommandResult, done } from "./command.ts";
import { flag } from "./fields.ts";
import { sessionItems } from "./open-sessions.ts";
import { waitingForNobody } from "./find-workers.ts";

export const checkpoints = command({
  name: "checkpoints",
  summary: "The questions that wait for an answer.",
  access: "read",
  run: showCheckpoints,
});

export const status = command({
  name: "status",
  summary: "What runs, what waits for whom, what today costs.",
  access: "read",
  options: { accountability: flag("instead: what worklogs capture, verify, correct, leave out and cost") },
  run: (deps, _caller, { accountability }) => (accountability ? answerInTime(deps, showAccount) : showStatus(deps)),
});

async function showCheckpoints(deps: Deps): Promise<CommandResult> {
  const { db } = deps.database;
  const shownAt = deps.now();
  const pending = await listPending(db);
  const held = new Map<string, Held>();
  for (const { checkpointId, goalId, kind } of pending) {
    const goal = goalId === null ? null : await getGoal(db, goalId);
    const facts = goal === null ? null : await heldByQuestion(db, { goal, kind });
    if (facts !== null) held.set(checkpointId, facts.held);
  }
  const value = pending.map((each) => ({
    checkpointId: each.checkpointId,
    version: each.version,
    kind: each.kind,
    // For a milestone it is `milestone-<campaign>-<milestone>` (S4-CX-03, C-83).
    goalId: each.goalId ?? each.subject,
    campaignId: each.campaignId,
    triggers: each.reasons.map((reason) => reason.trigger),
    context: each.context,
    reasons: each.reasons,
    options: each.options,
    recommendation: each.recommendation,
    status: each.status,
    facts: each.facts,
    waits: held.get(each.checkpointId)?.waits ?? [],
    goesOn: held.get(each.checkpointId)?.goesOn ?? [],
    createdAt: each.createdAt,
    expiresAt: each.expiresAt,
  }));
  const parked = pending.length > 0 ? [] : await listGoals(db, { status: "blocked" });
  const parkedIds = parked.map(({ goalId }) => goalId);
  return done(value, checkpointsCard(pending, shownAt, parkedIds));
}

async function showStatus(deps: Deps): Promise<CommandResult> {
  const { db } = deps.database;
  const sessions = await listOpenSessions(db);
  const pending = await listPending(db);
  const asking = await askedLines(db, pending);
  const numbers = await countGoals(db);
  const today = await dayTotal(db, localDate(deps.now(), deps.config.timezone));
  const posted = await firstPosts(
    db,
    pending.filter((each) => each.kind === "escalation").map((each) => each.checkpointId),
  );
  const campaigns = await campaignLinesOf(db, await openCampaigns(db));
  const night = await showNight(deps);
  const noSpace = await spaceLackingNow(deps);
  const noWorker = await waitingForNobody(deps);
  const running = await workedGoals(db);
  const awaiting = await goalsAwaitingOthers(db, deps.now());
  const spent = `${formatUsd(today.spentMicroUsd)} of ${formatUsd(deps.policy.ceilings.dayMicroUsd)}${today.isEstimated ? " (estimated)" : ""}`;
  const first = recommend(await needsToAdvise(deps));
  const advice = recommendationWords(first);
  const asked = new Set(pending.flatMap(({ goalId }) => goalId ?? [])).size;
  const lines: Span[][] = [
    ...(noSpace === null ? [] : [[{ strong: "no goal starts " }, noSpace]]),
    ...(noWorker === null ? [] : [[{ strong: "no worker runs: " }, noWorker]]),
    [{ strong: "First: " }, ...adviceSpans(advice)],
    ...(await sessionItems(db, sessions, advice.command)),
    ...(sessions.length === 0 ? [noSessionItem(campaigns, numbers.get("pending") ?? 0)] : []),
    ...(night === null ? [] : [nightItem(night)]),
    ...campaigns.map(campaignItem),
    ...running.map((goal) => [
      { strong: "working " },
      { link: goal.goalId, to: `/goals/${goal.goalId}` },
      ` ${firstLine(goal.content, 80)}`,
    ]),
    ...awaitingItems(awaiting),
    ...pending.map((each) => [
      { strong: "waits for you " },
      ...waitingItem(each, asking(each), askedWords(deps, each, posted.get(each.checkpointId))),
    ]),
    [`Goals: ${goalCountWords(numbers, { asked, open: await openWords(deps) })}`],
    [`Spent today: ${spent}`],
  ];
  const value = {
    sessions: sessions.map(({ sessionId, status, repositoryId }) => ({ sessionId, status, repositoryId })),
    night: night === null ? null : { nightId: night.nightId, untilAt: night.untilAt, goals: night.goals },
    campaigns: campaigns.map(({ campaignId, name, state }) => ({ campaignId, name, state })),
    running: running.map((goal) => goal.goalId),
    ...awaitingValue(awaiting),
    pendingCheckpoints: pending.map((each) => each.checkpointId),
    escalations: pending
      .filter((each) => each.kind === "escalation")
      .map((each) => ({
        checkpointId: each.checkpointId,
        reachedAt: each.createdAt,
        askedAt: posted.get(each.checkpointId) ?? null,
        isInTime: askedInTime(deps, each, posted.get(each.checkpointId)),
        acknowledgedBy: each.acknowledgedBy,
      })),
    goals: Object.fromEntries(goalStatuses.map((each) => [each, numbers.get(each) ?? 0])),
    lackingSpace: noSpace,
    lackingWorker: noWorker,
    spentTodayUsd: toUsd(today.spentMicroUsd),
    dayCeilingUsd: toUsd(deps.policy.ceilings.dayMicroUsd),
    recommendation: advice,
  };
  const urgent = pending.length === 0 ? headline(first) : `${pending.length} waiting for you`;
  return done(value, linesCard(urgent === null ? "Status" : `Status: ${urgent}`, lines));
}

/** Returns what each goal with an open run does now; it may only be the next in line. */
async function openWords({ database: { db }, now }: Pick<Deps, "database" | "now">): Promise<string[]> {
  const open = await listGoals(db, { status: "in_progress" });
  const cut = await cutGoals(db, open);
  return open.map((goal) => {
    const state = stateOf(goal, { isAsked: false, isCut: cut.has(goal.goalId) }, now());
    return nowWords({ goal, state, backing: null });
  });
}

/** Returns the goals that wait for others, as `--json` prints them. */
export function awaitingValue(awaiting: readonly AwaitingGoal[]) {
  const untilWhen = ({ goalId, wakeAt }: AwaitingGoal) => ({ goalId, until: wakeAt });
  return {
    awaitingProvider: awaiting.filter(({ phase }) => phase !== "finish").map(untilWhen),
    awaitingPush: awaiting.filter(({ phase }) => phase === "finish").map(untilWhen),
  };
}

/** Returns the night under contract with its cost; null when there is none. */
async function showNight({ database }: Pick<Deps, "database">) {
  const night = await openNight(database.db);
  if (night === null) return null;
  const { nightId, untilAt, goalIds, budgetMicroUsd } = night;
  const { spentMicroUsd } = await nightTotal(database.db, nightId);
  return { nightId, untilAt, goals: goalIds.length, budgetMicroUsd, spentMicroUsd };
}

/** True when a person was asked within 30 minutes of an escalation (S4-RM-15); null while there is still time. */
function askedInTime(
  deps: Deps,
  { createdAt }: Pick<Checkpoint, "createdAt">,
  askedAt: Date | undefined,
): boolean | null {
  const dueAt = createdAt.getTime() + deps.policy.recovery.escalateWithinMs;
  if (askedAt !== undefined) return askedAt.getTime() <= dueAt;
  return deps.now().getTime() > dueAt ? false : null;
}

function askedWords(deps: Deps, checkpoint: Checkpoint, askedAt: Date | undefined): string {
  if (checkpoint.kind !== "escalation") return "";
  const within = formatDuration(deps.policy.recovery.escalateWithinMs);
  const seen = checkpoint.acknowledgedBy === null ? "" : `, seen by ${checkpoint.acknowledgedBy}`;
  if (askedAt === undefined)
    return askedInTime(deps, checkpoint, askedAt) === false
      ? `; NOT asked within ${within}${seen}`
      : `; not asked yet${seen}`;
  const afterMs = askedAt.getTime() - checkpoint.createdAt.getTime();
  const asked = afterMs < 1000 ? "" : `; asked ${formatDuration(afterMs)} after it was escalated`;
  return `${asked}${askedInTime(deps, checkpoint, askedAt) === false ? `, later than ${within}` : ""}${seen}`;
}
