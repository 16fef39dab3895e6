import { statusWords } from "../../core/cards/status-words.ts";
import type { Goal, GoalStatus } from "../../core/goals/goal.ts";
import type { TimeSpan } from "../../core/reports/outcomes.ts";
import type { ReportFacts, ReportLine } from "../../core/reports/report-facts.ts";
import type { EndedGoal } from "../../core/reports/week-rows.ts";
import { listPending } from "../../db/checkpoints.ts";
import type { Db } from "../../db/connection/client.ts";
import { evidenceOf } from "../../db/evidence.ts";
import { goalsById } from "../../db/goals.ts";
import { listGoals } from "../../db/goal-lists.ts";
import { periodTotal } from "../../db/totals.ts";
import { eventsBetween } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";
import { backingOnly } from "../../core/acceptance/backing.ts";
import { backingOf } from "../../facts/criteria-status.ts";
import { repositoriesOf } from "../../facts/repository-names.ts";

/** The time span of a report as local dates (both inclusive) and as instants, and how goals ended in it. */
export interface Reported {
  readonly from: string;
  readonly to: string;
  readonly time: TimeSpan;
  readonly ended: readonly EndedGoal[];
}

/** The lists of a report, for a person who asks for it and for the posted report. */
export async function gatherReport(
  db: Db,
  deps: Pick<Deps, "now">,
  { from, to, time, ended }: Reported,
): Promise<ReportFacts> {
  const pending = await listPending(db);
  const limited = await limitedIn(db, time);
  const goals = await goalsById(
    db,
    [...ended, ...pending, ...limited].flatMap(({ goalId }) => goalId ?? []),
  );
  const byId = new Map(goals.map((goal) => [goal.goalId, goal]));
  const of = (type: EndedGoal["type"]): ReportLine[] =>
    ended.flatMap((each) => {
      const goal = byId.get(each.goalId);
      return goal === undefined || each.type !== type ? [] : [{ ...endedLine(goal, each), ...named(goal.goalId) }];
    });
  const listed = new Set([...ended, ...pending].map(({ goalId }) => goalId));
  const isListed = (goal: Goal): boolean => listed.has(goal.goalId);
  const parked = (await listGoals(db, { status: "blocked" })).filter((goal) => !isListed(goal));
  const planned = (await listGoals(db, { status: "pending" })).filter((goal) => !isListed(goal));
  const repositories = await repositoriesOf(db, [...goals, ...parked, ...planned]);
  const named = (goalId: string | null): { readonly repositoryName?: string } => {
    const repositoryName = repositories.get(goalId ?? "");
    return repositoryName === undefined ? {} : { repositoryName };
  };
  const kept = await evidenceOf(
    db,
    [...parked, ...planned].map((goal) => goal.goalId),
  );
  const line = (goal: Goal): ReportLine => {
    const { goalId, content, outcome } = goal;
    return { goalId, content, outcome, ...backingOf(goal, kept), ...named(goalId) };
  };
  const spent = await periodTotal(db, from, to);
  return {
    limited: limited.map((each) => ({ ...each, ...named(each.goalId) })),
    from,
    to,
    done: of("complete"),
    failed: of("failed"),
    deferred: of("deferred"),
    manual: of("manual"),
    parked: parked.map(line),
    waiting: pending.map((each) => ({
      checkpointId: each.checkpointId,
      content: each.context,
      sinceMs: deps.now().getTime() - each.createdAt.getTime(),
      ...named(each.goalId),
    })),
    planned: planned.map(line),
    spentMicroUsd: spent.spentMicroUsd,
    spentIsEstimated: spent.isEstimated,
  };
}

/**
 * A goal's line. For a failed goal that was set aside later: what went wrong, and in brackets what was decided. Otherwise: how it ended.
 */
function endedLine({ goalId, content, status, outcome }: Goal, ended: EndedGoal): ReportLine {
  const { type, words } = ended;
  const isSetAside = status === "deferred" || status === "manual_followup" || status === "blocked";
  const isLater = type === "failed" && isSetAside && outcome !== null && outcome !== words;
  return {
    ...backingOnly(ended),
    goalId,
    content,
    outcome: isLater && words !== null ? `${words} (${sinceThen(words, outcome, status)})` : (words ?? outcome),
  };
}

/** What became of a goal after it failed. Only its status when its outcome repeats the failure. */
function sinceThen(words: string, outcome: string, status: GoalStatus): string {
  return outcome.includes(words.slice(0, 100)) ? statusWords(status) : outcome;
}

/** The waits for a provider's limit that began in a time span. Waits to push are left out. */
export async function limitedIn(db: Db, { from, to }: TimeSpan): Promise<ReportFacts["limited"]> {
  const waits = (await eventsBetween(db, "recovery.limited", from, to)).filter(({ detail }) => detail.kind !== "push");
  const waiters = await goalsById(
    db,
    waits.flatMap(({ goalId }) => goalId ?? []),
  );
  return waits.flatMap(({ goalId, at, detail: { until } }) => {
    const goal = waiters.find((each) => each.goalId === goalId);
    if (goal === undefined) return [];
    return [{ goalId: goal.goalId, content: goal.content, from: at, until }];
  });
}
