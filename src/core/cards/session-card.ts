import type { GoalStatus } from "../goals/goal.ts";
import { formatUsd } from "../money.ts";
import { count, firstLine } from "../text.ts";
import { type Card, plainCard, text } from "./card.ts";

/** What a session is for: a day of a campaign, a night contract, or what somebody started. */
export type SessionPurpose =
  | { readonly type: "campaign"; readonly campaignId: string; readonly name: string; readonly day: number }
  | { readonly type: "night" }
  | { readonly type: "plain" };

export interface SessionCardFacts {
  readonly session: {
    readonly sessionId: string;
    readonly status: "running" | "paused" | "ended";
    readonly stopping: boolean;
    readonly budgetMicroUsd: number;
    readonly pausedBy: string | null;
    readonly endReason: string | null;
  };
  readonly purpose: SessionPurpose;
  readonly repositoryName: string;
  readonly goals: readonly { readonly goalId: string; readonly content: string; readonly status: GoalStatus }[];
  readonly spentMicroUsd: number;
  readonly isEstimated: boolean;
}

/** A session's card: what it works on, how far it is, what it cost. */
export function sessionCard(facts: SessionCardFacts): Card {
  const { session, goals, purpose } = facts;
  const state = sessionState(session);
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
        items: goals
          .slice(0, 20)
          .map((goal) => [
            { strong: `${statusWords(goal.status)}: ` },
            { link: firstLine(goal.content, 90), to: `/goals/${goal.goalId}` },
          ]),
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
      ...(session.pausedBy === null || session.status !== "paused" ? [] : [text(`Paused by ${session.pausedBy}.`)]),
      ...(session.endReason === null ? [] : [text(session.endReason)]),
    ],
    state,
  });
}

function purposeWords({ purpose, repositoryName }: SessionCardFacts): string {
  switch (purpose.type) {
    case "campaign":
      return `Day ${purpose.day} of ${firstLine(purpose.name, 60)}`;
    case "night":
      return "Night";
    case "plain":
      return `Session on ${repositoryName}`;
  }
}

export function sessionState(session: Pick<SessionCardFacts["session"], "status" | "stopping">): string {
  if (session.status === "running" && session.stopping) return "stopping after this goal";
  return session.status;
}

/** A goal's status as people read it. */
export function statusWords(status: GoalStatus): string {
  switch (status) {
    case "pending":
      return "pending";
    case "in_progress":
      return "working";
    case "blocked":
      return "waits for a person";
    case "complete":
      return "complete";
    case "failed":
      return "failed";
    case "deferred":
      return "deferred";
    case "manual_followup":
      return "manual follow-up";
  }
}
