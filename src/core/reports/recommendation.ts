import { breakerName } from "../recovery/ladder.ts";
import type { OpenQuestion, SessionView } from "./open-questions.ts";
import type { CampaignLine, GoalNews, PlannedLine, StandupFacts, UnmergedLine } from "./standup-facts.ts";
import type { ReportLine } from "./standup.ts";

/** The one thing to do first. */
export type Recommendation =
  | { readonly type: "answer"; readonly question: OpenQuestion }
  | { readonly type: "resume-session"; readonly session: SessionView; readonly goals: number }
  | { readonly type: "resume-campaign"; readonly campaign: CampaignLine }
  | { readonly type: "replan-campaign"; readonly campaign: CampaignLine }
  | { readonly type: "rework"; readonly goal: GoalNews }
  | { readonly type: "look"; readonly goal: ReportLine }
  | { readonly type: "merge"; readonly goal: Pick<UnmergedLine, "goalId" | "content">; readonly goals: number }
  | { readonly type: "start"; readonly goals: number }
  /** Nothing needs a person. */
  | { readonly type: "wait"; readonly goals: number }
  | { readonly type: "add" };

type Facts = Pick<
  StandupFacts,
  "questions" | "sessions" | "campaigns" | "news" | "failed" | "done" | "unmerged" | "planned"
>;

/**
 * The most useful next step: what holds most comes first, then what went wrong, then what is ready, then what is empty.
 */
export function recommend(facts: Facts): Recommendation {
  const question = mostHeld(facts.questions);
  if (question !== null) return { type: "answer", question };

  const tripped = facts.sessions.find((session) => session.isPaused && session.pausedBy === breakerName);
  if (tripped !== undefined) return resume(tripped, facts.planned);

  const paused = facts.campaigns.find((campaign) => campaign.state === "paused");
  if (paused !== undefined) return { type: "resume-campaign", campaign: paused };
  const late = facts.campaigns.toSorted((one, other) => other.daysBehind - one.daysBehind)[0];
  if (late !== undefined && late.daysBehind > 0) return { type: "replan-campaign", campaign: late };

  const reverted = facts.news.find(({ news }) => news.type === "reverted");
  if (reverted !== undefined) return { type: "rework", goal: reverted };

  const [failed] = facts.failed;
  if (failed !== undefined) return { type: "look", goal: failed };

  const verified = [...facts.unmerged, ...facts.done.filter((line) => line.branch === "not-merged")].filter(
    (line) => line.tag === "verified",
  );
  const [oldest] = verified;
  if (oldest !== undefined) return { type: "merge", goal: oldest, goals: verified.length };

  const held = facts.sessions.find((session) => session.isPaused);
  if (held !== undefined) return resume(held, facts.planned);
  const pending = facts.planned.filter((line) => line.state === "pending");
  if (pending.length > 0) return { type: "start", goals: pending.length };
  if (facts.planned.length > 0) return { type: "wait", goals: facts.planned.length };
  return { type: "add" };
}

/** The answer that most goals wait for; of the same number the one that waits longest. */
function mostHeld(questions: readonly OpenQuestion[]): OpenQuestion | null {
  const order = questions.toSorted((one, other) => other.goalsBehind - one.goalsBehind || other.sinceMs - one.sinceMs);
  return order[0] ?? null;
}

function resume(session: SessionView, planned: readonly PlannedLine[]): Recommendation {
  const mine = new Set(session.goals.map((goal) => goal.goalId));
  return { type: "resume-session", session, goals: planned.filter((line) => mine.has(line.goalId)).length };
}
