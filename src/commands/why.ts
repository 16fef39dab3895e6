import { type Untaken, untakenAdvice, untakenWords } from "../core/lacks.ts";
import { untakenGoal } from "../facts/lacks.ts";
import { linesCard } from "../core/cards/lists.ts";
import { timelineWords } from "../core/cards/timeline-words.ts";
import { asRecommended, questionCommand } from "../core/cards/answer-command.ts";
import type { Span, Text } from "../core/cards/card.ts";
import { type ToldLine, withoutRepeats } from "../core/cards/repeated-lines.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { taughtWords } from "../core/cards/episode-card.ts";
import { mergeHop } from "../core/cards/merge-words.ts";
import { goalDayLine } from "../core/cards/plan-words.ts";
import { waitsForWords } from "../core/cards/ground-words.ts";
import { atWorkWords } from "../core/cards/at-work-words.ts";
import { idleWords, type IdlePlace } from "../core/cards/idle-words.ts";
import { storedEvent } from "../core/events/read.ts";
import { type Goal, type GoalState, stateOf } from "../core/goals/goal.ts";
import { type Ground, unmetOf } from "../core/goals/ground.ts";
import { heldInSession } from "../core/goals/held.ts";
import { firstLine } from "../core/text.ts";
import { listDecisions } from "../db/decisions.ts";
import { listForGoal } from "../db/checkpoints.ts";
import { episodesOf } from "../db/episodes.ts";
import { cutGoals, workedGoals } from "../db/goal-lists.ts";
import { getGoal } from "../db/goals.ts";
import { lastMerge } from "../db/merges.ts";
import type { Db } from "../db/connection/client.ts";
import { groundsOf } from "../db/grounds.ts";
import { getCampaign } from "../db/campaigns.ts";
import { findOpenSession } from "../db/sessions.ts";
import { type ShownWorklog, worklogLine, worklogsUnread } from "../core/cards/worklog-lists.ts";
import { worklogsOfGoal } from "../db/worklogs.ts";
import { orNothing } from "../turns/shared/worklog/within.ts";
import { goalTimeline, type TimelineRow } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { goalDayOf } from "../facts/goal-day.ts";
import { wholeSession } from "../facts/held.ts";
import { spaceLackingNow } from "../facts/space.ts";
import { withTimes } from "../core/cards/times-in.ts";
import { goalNotFound } from "./goal-change.ts";
import { command, type CommandResult, done } from "./command.ts";
import { idOf } from "./fields.ts";
import { repositoryNames } from "./open-sessions.ts";
import { headOf as worklogHead } from "./worklog.ts";

export const why = command({
  name: "why",
  summary: "What happened to a goal, hop by hop, and what it waits for.",
  access: "read",
  positionals: { id: idOf("goal") },
  run: (deps, _caller, { id }) => showWhy(deps, id),
});

/** Maximum number of worklogs in the list of events; the newest are shown. */
const mostWorklogs = 10;

async function showWhy(deps: Deps, goalId: string): Promise<CommandResult> {
  const { db } = deps.database;
  const goal = await getGoal(db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const rows = await goalTimeline(db, goalId);
  const open = (await listForGoal(db, goalId)).find((each) => each.status === "pending");
  const isCut = (await cutGoals(db, [goal])).has(goalId);
  const state = stateOf(goal, { isAsked: open !== undefined, isCut }, deps.now());
  const decisions = open === undefined ? [] : await listDecisions(db, open.checkpointId);
  const campaign = await goalDayOf(db, goal);
  const taught = await episodesOf(db, goalId);
  const worklogs = await orNothing(deps, (tx) => worklogsOfGoal(tx, goalId));
  const lines: Text[] = [
    ...(campaign === null ? [] : [goalDayLine(campaign)]),
    ...withoutRepeats(happened(rows, worklogs ?? [])),
    ...(worklogs === null ? [[worklogsUnread]] : []),
    ...taught.flatMap((each): Span[][] => (each.reflection === null ? [] : [[taughtWords(each)]])),
  ];
  const noSpace = state === "ready" ? await spaceLackingNow(deps) : null;
  const grounds = await groundsToCome(db, goal);
  const couldGoOn = state === "idle" || state === "ready" || state === "retrying";
  const place = couldGoOn && grounds.length === 0 ? await idlePlace(db, goal) : null;
  const around = { question: open ?? null, grounds, place };
  const isPaused = place?.type === "session" && place.session.status === "paused";
  const merge = state === "ended" && goal.status === "complete" ? await lastMerge(db, goalId) : null;
  const merging = mergeHop(goalId, merge);
  const usual = isPaused
    ? idleWords(place)
    : await inTurn(db, goal, merging ?? whatItWaitsFor(state, goal, around), state);
  const waiting =
    noSpace === null
      ? withUntaken(usual, state, await untakenGoal(db, goalId))
      : { words: `waits for space: ${noSpace}. It begins by itself`, next: "doctor" };
  const value = {
    goalId,
    status: goal.status,
    state,
    campaign,
    waitsFor: inOneLine(waiting),
    checkpointId: open?.checkpointId ?? null,
    decisions,
    worklogs: worklogs?.map(worklogHead) ?? null,
    taught: taught.map(({ episodeId, reflection, reflectedBy }) => ({ episodeId, reflection, reflectedBy })),
    timeline: rows.map(storedEvent),
  };
  const next: Span[][] = [];
  if (waiting.next !== null) next.push([{ strong: "Next: " }, { command: waiting.next }]);
  if (state === "retrying" && goal.wakeAt !== null && !isPaused)
    next.push([{ strong: "Goes on at " }, { at: goal.wakeAt.toISOString(), withSeconds: true }]);
  if (merging !== null && merge !== null && merge.dueAt > deps.now())
    next.push([{ strong: "Is merged at " }, { at: merge.dueAt.toISOString(), withSeconds: true }]);
  return done(value, linesCard(`${firstLine(goal.content, 80)}: ${waiting.words}`, [...next, ...lines]));
}

/** Returns the events and the newest worklogs, in order of time. */
function happened(rows: readonly TimelineRow[], worklogs: readonly ShownWorklog[]): ToldLine[] {
  const told = rows.map((row): ToldLine => {
    const words = timelineWords(row);
    return { at: row.at, words, shown: [{ at: row.at.toISOString(), withSeconds: true }, " ", ...withTimes(words)] };
  });
  const opened = worklogs.slice(-mostWorklogs).map((worklog): ToldLine => {
    return { at: worklog.startedAt, words: worklog.sessionId, shown: worklogLine(worklog) };
  });
  return [...told, ...opened].sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** Returns the goals that a goal builds on and that are not ready yet. */
async function groundsToCome(db: Db, { after }: Goal): Promise<Ground[]> {
  const grounds = await groundsOf(db, after);
  return unmetOf(after, grounds).flatMap((goalId) => grounds.get(goalId) ?? []);
}

/** Returns where an unworked goal is: its open session, and how many goals are before it there. */
async function idlePlace(db: Db, { goalId, sessionId, campaignId, repositoryId }: Goal): Promise<IdlePlace> {
  const whole = sessionId === null ? null : await wholeSession(db, sessionId);
  if (whole === null || whole.session.status === "ended") {
    const campaign = campaignId === null ? null : await getCampaign(db, campaignId);
    if (campaign !== null) return { type: "campaign", campaign };
    const isTaken = (await findOpenSession(db, repositoryId)) !== null;
    return { type: "none", goalId, repositoryName: (await repositoryNames(db))(repositoryId), isTaken };
  }
  const place = heldInSession(whole.holding).goesOn.indexOf(goalId);
  const repositoryName = (await repositoryNames(db))(repositoryId);
  return { type: "session", session: { ...whole.session, repositoryName, before: place === -1 ? null : place } };
}

/** The missing hop, and the command that continues from there, without `cos`. */
interface MissingHop {
  readonly words: string;
  readonly next: string | null;
}

function inOneLine({ words, next }: MissingHop): string {
  return next === null ? words : `${words}${words.endsWith("?") ? "" : ":"} cos ${next}`;
}

/** Adds that no running worker may take the goal; this comes first if the goal waits for nothing else. */
function withUntaken(usual: MissingHop, state: GoalState, untaken: Untaken | null): MissingHop {
  if (untaken === null) return usual;
  const advice = untakenAdvice(untaken);
  const words = `${untakenWords(untaken)}. What to do: ${advice ?? "start a worker with them (COS_LABELS)"}`;
  if (state !== "ready") return { words: `${words}; ${usual.words}`, next: usual.next };
  return { words: `waits: ${words}`, next: advice === null ? "doctor" : null };
}

/** Returns what a ready goal waits for when all workers are busy, which is no fault. */
async function inTurn(db: Db, { leasedBy }: Goal, usual: MissingHop, state: GoalState): Promise<MissingHop> {
  const worked = state === "ready" && leasedBy === null ? await workedGoals(db) : [];
  const [first] = worked;
  if (first === undefined) return usual;
  const which = worked.length === 1 ? `${first.goalId} is` : `${worked.length} goals are`;
  return { words: `is ready and begins when a worker is free; ${which} being worked`, next: "status" };
}

/** The things that a goal may wait for. */
interface Around {
  readonly question: Checkpoint | null;
  readonly grounds: readonly Ground[];
  /** Where the goal is, when nobody works it and it waits for nothing else. */
  readonly place: IdlePlace | null;
}

/** Returns the missing hop in words. */
function whatItWaitsFor(state: GoalState, goal: Goal, { question, grounds, place }: Around): MissingHop {
  const { goalId, status, leasedBy, phase } = goal;
  const outcome = goal.outcome?.replace(/\.$/, "") ?? null;
  switch (state) {
    case "waiting":
      if (question === null) return { words: "waits for an answer to a question", next: "checkpoints" };
      return {
        words: `waits for an answer to ${question.checkpointId}`,
        next: questionCommand(asRecommended(question)),
      };
    case "running":
      return { words: atWorkWords(phase), next: null };
    case "ready":
      return {
        words: `${leasedBy === null ? "is ready and" : "was interrupted: its worker is gone;"} waits for a worker: is one running?`,
        next: "doctor",
      };
    case "retrying":
      return { words: "waits for its time", next: null };
    case "parked":
      return { words: outcome ?? "is parked until a person resumes it", next: `goal resume ${goalId}` };
    case "idle":
      if (grounds.length > 0)
        return { words: `waits for ${waitsForWords(grounds)}`, next: `why ${grounds[0]?.goalId ?? ""}` };
      if (place === null) return { words: "waits for a session", next: `autopilot start --goal ${goalId}` };
      return idleWords(place);
    case "ended":
      return { words: outcome ?? "has ended", next: status === "deferred" ? `goal resume ${goalId}` : null };
  }
}
