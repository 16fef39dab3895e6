import { endedStatuses, type GoalStatus } from "../goals/goal.ts";
import type { Held } from "../goals/held.ts";
import { formatUsd } from "../money.ts";
import { count, firstLine } from "../text.ts";
import { briefPair, type LineWidth } from "./brief-pair.ts";
import { type Card, type CardBlock, plainCard, type Text, text } from "./card.ts";
import { questionsHold } from "./held-words.ts";
import { pausedSpans } from "./paused-words.ts";
import { awaitedUntil } from "./status-words.ts";

/** The purpose of a session: a day of a campaign, or goals that somebody started. A night has a card of its own. */
export type SessionPurpose =
  | { readonly type: "campaign"; readonly campaignId: string; readonly name: string; readonly day: number }
  | { readonly type: "plain" };

export interface SessionCardFacts {
  readonly session: {
    readonly sessionId: string;
    readonly status: "running" | "paused" | "ended";
    readonly stopping: boolean;
    readonly inOrder: boolean;
    readonly budgetMicroUsd: number;
    readonly pausedBy: string | null;
    readonly endReason: string | null;
  };
  readonly purpose: SessionPurpose;
  readonly repositoryName: string;
  readonly goals: readonly SessionCardGoal[];
  /** Goals of the whole session that wait or go on. The goals that are asked about count as waiting. */
  readonly held: Held;
  readonly spentMicroUsd: number;
  readonly isEstimated: boolean;
}

export interface SessionCardGoal {
  readonly goalId: string;
  readonly content: string;
  readonly status: GoalStatus;
  /** Its current state, in the words of lists and of the status command (`nowWords`). */
  readonly now: string;
  /** True when a question about it is open. */
  readonly isAsked: boolean;
  /** The goals that it builds on and that are not ready. */
  readonly waitsFor: readonly string[];
  /** True when it was added while the session was open. */
  readonly hasJoined: boolean;
  /** When it is tried again. Null when it waits for no time. */
  readonly retriesAt: Date | null;
}

/** A session's card: its goals, its progress, its cost. */
export function sessionCard(facts: SessionCardFacts): Card {
  const { session, goals, purpose } = facts;
  const asked = goals.filter((goal) => goal.isAsked).length;
  const state = cardState(facts, asked);
  const complete = goals.filter((goal) => goal.status === "complete").length;
  const title = `${purposeWords(facts)}: ${complete} of ${count(goals.length, "goal")} complete`;
  const spent = `${formatUsd(facts.spentMicroUsd)} of ${formatUsd(session.budgetMicroUsd)}${facts.isEstimated ? " (estimated)" : ""}`;
  return plainCard({
    kind: "session",
    tone: session.status === "running" ? "working" : "neutral",
    title,
    summary: `${title}, ${state}, ${spent} spent.${session.endReason === null ? "" : ` ${session.endReason}`}`,
    blocks: [
      {
        type: "list",
        items: goals.slice(0, 20).map(sessionGoalLine),
      },
      ...(goals.length > 20 ? [text(`and ${goals.length - 20} more`)] : []),
      {
        type: "fields",
        fields: [
          { label: "Spent", value: [spent] },
          ...(purpose.type === "plain" ? [] : [{ label: "Repository", value: [facts.repositoryName] }]),
          ...(purpose.type === "campaign"
            ? [{ label: "Campaign", value: [{ link: purpose.campaignId, to: `/campaigns/${purpose.campaignId}` }] }]
            : []),
          { label: "Session", value: [{ code: session.sessionId }] },
        ],
      },
      ...(asked === 0 || session.status === "ended" ? [] : [text(holdsWords(facts, asked))]),
      ...(session.inOrder ? [text("In order: a question holds what comes after its goal.")] : []),
      ...(session.pausedBy === null || session.status !== "paused"
        ? []
        : [text("Paused", ...pausedSpans({ ...facts, ...session, campaignId: campaignOf(purpose) }))]),
      ...(session.endReason === null ? [] : [text(session.endReason)]),
    ],
    ...briefPair((width) => [
      // The lines of the goals say it already when all of them were worked.
      ...(session.endReason === null || session.endReason === allWorked
        ? []
        : [text(firstLine(session.endReason, 70 * width))]),
      ...goalsBrief(goals, spent, width),
    ]),
    state,
  });
}

/** Goals that need attention come first: those with a question, then these statuses in order, then the others. */
const urgency: readonly GoalStatus[] = ["in_progress", "failed", "blocked", "pending", "manual_followup", "deferred"];

const linesShown = 4;

function campaignOf(purpose: SessionPurpose): string | null {
  return purpose.type === "campaign" ? purpose.campaignId : null;
}

/** The state of the goals: the most important ones as lines, the others counted (F-407, F-408). */
export function goalsBrief(goals: readonly SessionCardGoal[], spent: string, width: LineWidth): CardBlock[] {
  const rank = (goal: SessionCardGoal): number => {
    const place = urgency.indexOf(goal.status);
    return goal.isAsked ? -1 : place === -1 ? urgency.length : place;
  };
  const sorted = goals.toSorted((one, other) => rank(one) - rank(other));
  const items = sorted.slice(0, linesShown).map((goal): Text => {
    const standing = standingShort(goal);
    // Of many goals, each gets one line where that leaves some of its words.
    const length = goals.length > 3 ? Math.max(12 * width, 33 * width - standing.length) : 30 * width;
    const link = { link: firstLine(goal.content, length), to: `/goals/${goal.goalId}` };
    return [{ strong: `${standing}: ` }, link, ...awaitedUntil({ wakeAt: goal.retriesAt })];
  });
  return [{ type: "list", items, standings: sorted.map(standingShort) }, text(`${spent} spent`)];
}

/** The goal's standing, without the ids of the goals that it waits for. */
function standingShort(goal: SessionCardGoal): string {
  return goal.waitsFor.length > 0 && !goal.isAsked && !endedStatuses.includes(goal.status)
    ? "waits for another goal"
    : goalStandingWords(goal);
}

/** A goal as one line of the card of its session or night. */
export function sessionGoalLine(goal: SessionCardGoal): Text {
  return [
    { strong: `${goalStandingWords(goal)}: ` },
    { link: firstLine(goal.content, 90), to: `/goals/${goal.goalId}` },
    ...awaitedUntil({ wakeAt: goal.retriesAt }),
    ...(goal.hasJoined ? [" · joined later"] : []),
  ];
}

function purposeWords({ purpose, repositoryName }: SessionCardFacts): string {
  switch (purpose.type) {
    case "campaign":
      return `Day ${purpose.day} of ${firstLine(purpose.name, 60)}`;
    case "plain":
      return `Session on ${repositoryName}`;
  }
}

/**
 * The session's state. `asked`: number of its goals with an open question. If nothing can go on without an answer, it waits for an answer.
 */
export function cardState(
  {
    session,
    held,
  }: { readonly session: Pick<SessionCardFacts["session"], "status" | "stopping">; readonly held: Held },
  asked: number,
): string {
  const waits = session.status === "running" && asked > 0 && held.goesOn.length === 0;
  return waits ? "waiting for an answer" : sessionState(session);
}

function holdsWords({ session, held }: SessionCardFacts, asked: number): string {
  return questionsHold(asked, held.waits.length - asked, held.goesOn.length, session.status === "paused");
}

const allWorked = "All goals have been worked.";

/** Why a session ended that nobody stopped: everything was worked, or the remaining goals are parked (D12). */
export function sessionOverWords(goals: readonly { readonly status: GoalStatus }[]): string {
  const left = goals.filter((goal) => !endedStatuses.includes(goal.status));
  if (left.length === 0) return allWorked;
  const parked = left.filter((goal) => goal.status === "blocked").length;
  const waiting = left.length - parked;
  const words = [
    ...(parked === 0 ? [] : [`${count(parked, "goal")} ${parked === 1 ? "is" : "are"} parked`]),
    ...(waiting === 0 ? [] : [`${count(waiting, "goal")} ${waiting === 1 ? "waits" : "wait"} for another one`]),
  ];
  return `What is left needs a person: ${words.join(", ")}.`;
}

/** The word for a session's state. A session that is stopping still has a goal at work. */
export function sessionState(session: Pick<SessionCardFacts["session"], "status" | "stopping">): string {
  if (session.status === "running" && session.stopping) return "stopping after this goal";
  return session.status;
}

/** A goal's standing in its session: what it waits for, or its current state (D18). */
export function goalStandingWords({
  status,
  now,
  isAsked,
  waitsFor,
}: Pick<SessionCardGoal, "status" | "now" | "isAsked" | "waitsFor">): string {
  if (isAsked) return "waits for an answer";
  if ((status === "pending" || status === "in_progress") && waitsFor.length > 0)
    return `waits for ${waitsFor.join(", ")}`;
  return now;
}
