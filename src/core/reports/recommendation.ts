import { takeable } from "../goals/ground.ts";
import { breakerName } from "../recovery/ladder.ts";
import type { OpenQuestion, SessionView } from "./open-questions.ts";
import type {
  StandupCampaign,
  DoneLine,
  GoalNews,
  StandupNeeds,
  OlderWork,
  RepositoryNews,
  UnmergedLine,
} from "./standup-facts.ts";
import type { ReportLine } from "./report-facts.ts";

type GoalLine = Pick<UnmergedLine, "goalId" | "content">;
type FinishedLine = UnmergedLine | DoneLine;

/** The one thing to do first. `goals`, `branches`: how many there are of this kind, including this one. */
export type Recommendation =
  | { readonly type: "free-space"; readonly places: string }
  | { readonly type: "answer"; readonly question: OpenQuestion; readonly questions: number }
  | { readonly type: "resume-session"; readonly session: SessionView; readonly goals: number }
  | { readonly type: "resume-campaign"; readonly campaign: StandupCampaign }
  | { readonly type: "replan-campaign"; readonly campaign: StandupCampaign }
  | { readonly type: "rework"; readonly goal: GoalNews }
  | { readonly type: "restore"; readonly goal: GoalNews }
  | { readonly type: "look"; readonly goal: ReportLine; readonly goals: number }
  | { readonly type: "repair"; readonly trouble: RepositoryNews }
  | { readonly type: "merge"; readonly goal: GoalLine; readonly goals: number; readonly branches: number }
  | { readonly type: "start"; readonly goals: number }
  | { readonly type: "start-campaign"; readonly campaign: StandupCampaign }
  | { readonly type: "resume-goal"; readonly goal: GoalLine; readonly goals: number }
  /** Finished but not proven: a person merges or discards it by their own judgement. */
  | { readonly type: "review"; readonly goal: FinishedLine; readonly branches: number }
  /** Another finished goal builds on it and can only be merged after it (D37). */
  | { readonly type: "merge-below"; readonly goal: GoalLine; readonly above: GoalLine; readonly branches: number }
  | { readonly type: "take-over"; readonly goal: GoalLine; readonly goals: number }
  | { readonly type: "look-back"; readonly older: OlderWork }
  /** Nothing needs a person. */
  | {
      readonly type: "wait";
      readonly goals: number;
      /** Number of branches that are being merged, in addition to the goals. */
      readonly merging: number;
      readonly campaign: StandupCampaign | null;
    }
  | { readonly type: "add" }
  /** No repository is known, so nothing else can be done yet. */
  | { readonly type: "add-repository" };

/**
 * The most urgent thing, for standup, morning card, status, home and campaigns. The order: what holds most goals, what went wrong, what is
 * ready, what was left, what is empty. Nothing that needs a person is skipped, so `wait` and `add` are true.
 */
export function recommend(facts: StandupNeeds): Recommendation {
  return whatHolds(facts) ?? whatWentWrong(facts) ?? whatIsReady(facts) ?? whatWasLeft(facts) ?? whatIsEmpty(facts);
}

/** True when the recommendation is about finished branches. Their state in git may differ from our rows. */
export function isAboutFinished({ type }: Recommendation): boolean {
  return type === "merge" || type === "review" || type === "merge-below";
}

function whatHolds({ questions, sessions, campaigns, noSpace, ...facts }: StandupNeeds): Recommendation | null {
  if (noSpace !== null) return { type: "free-space", places: noSpace };
  const question = mostHeld(questions);
  if (question !== null) return { type: "answer", question, questions: questions.length };
  const tripped = sessions.find((session) => session.isPaused && session.pausedBy === breakerName);
  if (tripped !== undefined) return resume(tripped, facts);
  // A campaign that waits for answers goes on when they are given, or by itself if none is open any more.
  const paused = campaigns.find((campaign) => campaign.state === "paused" && campaign.pausedBy !== null);
  if (paused !== undefined) return { type: "resume-campaign", campaign: paused };
  const late = campaigns.toSorted((one, other) => other.daysBehind - one.daysBehind)[0];
  return late !== undefined && late.daysBehind > 0 ? { type: "replan-campaign", campaign: late } : null;
}

function whatWentWrong({ news, failed, troubles }: StandupNeeds): Recommendation | null {
  const reverted = news.find((each) => each.news.type === "reverted");
  if (reverted !== undefined) return { type: "rework", goal: reverted };
  const lost = news.find((each) => each.news.type === "lost");
  if (lost !== undefined) return { type: "restore", goal: lost };
  const [goal] = failed;
  if (goal !== undefined) return { type: "look", goal, goals: failed.length };
  // Branches for which there was no time are read at the next look.
  const trouble = troubles.find((each) => each.trouble.type !== "slow");
  return trouble === undefined ? null : { type: "repair", trouble };
}

function whatIsReady(facts: StandupNeeds): Recommendation | null {
  const finished = undecided(facts);
  const verified = finished.filter(isProven);
  const [goal] = nextToMerge(facts);
  if (goal !== undefined) return { type: "merge", goal, goals: verified.length, branches: finished.length };
  const held = facts.sessions.find((session) => session.isPaused);
  if (held !== undefined) return resume(held, facts);
  const startable = startableOf(facts);
  if (startable > 0) return { type: "start", goals: startable };
  const campaign = facts.campaigns.find((each) => each.state === "planning");
  return campaign === undefined ? null : { type: "start-campaign", campaign };
}

function whatWasLeft(facts: StandupNeeds): Recommendation | null {
  const { parked, manual, older } = facts;
  if (parked[0] !== undefined) return { type: "resume-goal", goal: parked[0], goals: parked.length };
  const finished = undecided(facts);
  const branches = finished.length;
  const next = finished.find(isNext);
  if (next !== undefined) return { type: "review", goal: next, branches };
  for (const above of finished) {
    const goal = above.mergeFirst?.find((each) => !each.isUnderWay);
    if (goal !== undefined) return { type: "merge-below", goal, above, branches };
  }
  const toDo = manual.filter((line) => line.isAway !== true);
  if (toDo[0] !== undefined) return { type: "take-over", goal: toDo[0], goals: toDo.length };
  return older === null || older.branches + older.manual === 0 ? null : { type: "look-back", older };
}

function whatIsEmpty({ planned, working, merging, campaigns, isWithoutRepository }: StandupNeeds): Recommendation {
  const goals = planned.length + working.filter((line) => !line.isMerging).length;
  const campaign = campaigns.find((each) => each.state === "active" || each.state === "paused") ?? null;
  if (goals + merging > 0 || campaign !== null) return { type: "wait", goals, merging, campaign };
  return { type: isWithoutRepository === true ? "add-repository" : "add" };
}

/** Proven branches that nobody has decided about and that can be merged now, oldest first. */
export function nextToMerge(facts: StandupNeeds): readonly FinishedLine[] {
  return undecided(facts).filter((line) => isProven(line) && isNext(line));
}

/** Finished branches that nobody has decided about, oldest first. */
function undecided({ unmerged, done }: StandupNeeds): FinishedLine[] {
  return [...unmerged, ...done.filter((line) => line.branch === "not-merged")];
}

/** True when it is verified by something that would have failed without the work, and not just accepted by a person. */
function isProven({ tag, guardsOnly, accepted }: FinishedLine): boolean {
  return tag === "verified" && guardsOnly !== true && accepted === undefined;
}

/** True when no other branch has to be merged before it. */
function isNext({ mergeFirst }: FinishedLine): boolean {
  return mergeFirst === undefined;
}

/** How many pending goals a new session would take: goals that wait for nothing, or only for goals that it works too (D37). */
function startableOf({ planned, working }: StandupNeeds): number {
  const pending = planned.filter((line) => line.state === "pending");
  const inSessions = [...planned.filter((line) => line.state !== "pending"), ...working];
  return takeable(
    pending.map(({ goalId, waitsFor = [] }) => ({ goalId, unmet: waitsFor })),
    new Set(inSessions.map((line) => line.goalId)),
  ).length;
}

/** The question that most goals wait for. If several are equal, the one that has waited longest. */
function mostHeld(questions: readonly OpenQuestion[]): OpenQuestion | null {
  const order = questions.toSorted((one, other) => other.goalsBehind - one.goalsBehind || other.sinceMs - one.sinceMs);
  return order[0] ?? null;
}

function resume(session: SessionView, { planned, working }: Pick<StandupNeeds, "planned" | "working">): Recommendation {
  const mine = new Set(session.goals.map((goal) => goal.goalId));
  const goals = [...planned, ...working].filter((line) => mine.has(line.goalId)).length;
  return { type: "resume-session", session, goals };
}
