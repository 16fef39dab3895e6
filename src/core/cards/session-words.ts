import type { SessionKind } from "../goals/next.ts";
import { count } from "../text.ts";
import { shellWord } from "../text/shell-word.ts";
import { pausedByWords, resumeCommand } from "./paused-words.ts";

/** The answers when somebody starts, joins, stops, pauses or resumes a session. */

/** The facts of a session that its words need. */
export interface SessionNamed {
  readonly sessionId: string;
  readonly kind: SessionKind;
  readonly status: "running" | "paused" | "ended";
  readonly pausedBy: string | null;
  /** The campaign whose day it is. Null for other sessions. */
  readonly campaignId: string | null;
  readonly campaignDay: number | null;
}

/** The command, without `cos`, that starts a session of one repository. Without `--repo`, every repository would start one. */
export function startCommand(repositoryName: string): string {
  return `autopilot start --repo ${shellWord(repositoryName)}`;
}

/** "no questions before you go", "3 questions before you go: cos checkpoints" (D16). */
export function questionsWords(questions: number): string {
  return questions === 0
    ? "no questions before you go"
    : `${count(questions, "question")} before you go: cos checkpoints`;
}

/** The plan that the session works: a campaign's day, a night's contract, or none. */
export function contractWords({ kind, campaignId, campaignDay }: SessionNamed): string {
  switch (kind) {
    case "campaign":
      return `day ${campaignDay ?? "?"} of ${campaignId ?? "a campaign"}`;
    case "night":
      return "a night's contract";
    case "plain":
      return "a session";
  }
}

/** True when another run of a finished goal joins this open session. */
export function isJoined({ kind, status, stopping }: SessionNamed & { readonly stopping: boolean }): boolean {
  return kind === "plain" && status !== "paused" && !stopping;
}

/**
 * Why another run of a finished goal does not join this open session, such as "session-1a2b3c4d is paused by anna: cos autopilot resume
 * --repo shop". Null when it joins (`isJoined`). `until`: the end of its night.
 */
export function notJoinedWords(
  session: SessionNamed & { readonly stopping: boolean },
  { repositoryName, until }: { readonly repositoryName: string; readonly until: string | null },
): string | null {
  const { sessionId, status, pausedBy, stopping } = session;
  if (status === "paused")
    return `${sessionId} is paused ${pausedByWords(pausedBy)}: cos ${resumeCommand({ ...session, repositoryName })}`;
  if (stopping) return `${sessionId} stops after its current goal`;
  if (isJoined(session)) return null;
  return `${sessionId} works ${contractWords(session)}${until === null ? "" : ` until ${until}`}`;
}

/** Goals that joined a session: their positions, and the questions that hold them. */
export interface JoinedFacts {
  readonly session: SessionNamed;
  readonly repositoryName: string;
  readonly places: readonly { readonly goalId: string; readonly position: number }[];
  readonly goals: number;
  readonly questions: number;
}

/** "goal-1a2b3c4d at position 3 of 5; no questions before you go" */
export function joinedWords({ session, repositoryName, places, goals, questions }: JoinedFacts): string {
  const where = places.map((each) => `${each.goalId} at position ${each.position}`).join(", ");
  return `${where} of ${goals}; ${questionsWords(questions)}${pausedWords(session, repositoryName)}`;
}

/** What happens to a goal that was added: it joins the open session or waits. Also how it can be worked sooner. */
export type AddedPlace =
  | ({
      readonly type: "joined";
      /** Goals that cannot begin for lack of money, with the amounts that are left and needed. */
      readonly cannotBegin: readonly { readonly goalId: string; readonly reason: string }[];
    } & JoinedFacts)
  | { readonly type: "no-session"; readonly repositoryName: string }
  | { readonly type: "stopping"; readonly session: SessionNamed; readonly repositoryName: string }
  | { readonly type: "contract"; readonly session: SessionNamed };

const mostUnpaid = 5;

/** One line for each of the first goals that cannot begin for lack of money. */
export function cannotBeginLines(goals: readonly { readonly goalId: string; readonly reason: string }[]): string[] {
  const left = goals.length - mostUnpaid;
  const lines = goals.slice(0, mostUnpaid).map(({ goalId, reason }) => `${goalId} cannot begin: ${reason}`);
  return left > 0 ? [...lines, `and ${left} more cannot begin`] : lines;
}

/** What is said about goals that were added, one line for each point. */
export function addedWords(place: AddedPlace, goalIds: readonly string[]): string[] {
  const [they, wait] = goalIds.length === 1 ? ["It", "waits"] : ["They", "wait"];
  switch (place.type) {
    case "no-session":
      return [`${they} ${wait} for the next session: cos ${startCommand(place.repositoryName)}`];
    case "stopping":
      return [
        `${place.session.sessionId} stops after its current goal. ${they} ${wait} for the next session: cos ${startCommand(place.repositoryName)}`,
      ];
    case "contract": {
      const named = goalIds.map((goalId) => ` --goal ${goalId}`).join("");
      return [
        `${place.session.sessionId} is ${contractWords(place.session)} and works its own plan. ${they} ${wait} for the next session; into this one by name: cos autopilot start${named}`,
      ];
    }
    case "joined": {
      const { session, repositoryName, places, goals, questions } = place;
      const [only] = places;
      const unpaid = cannotBeginLines(place.cannotBegin);
      const after = `${questionsWords(questions)}${pausedWords(session, repositoryName)}`;
      if (places.length === 1 && only !== undefined)
        return [
          `It joins the session that is open (${session.sessionId}): position ${only.position} of ${goals}; ${after}`,
          ...unpaid,
        ];
      const where = places.map((each) => `${each.goalId} at position ${each.position}`).join(", ");
      return [`They join the session that is open (${session.sessionId}): ${where} of ${goals}; ${after}`, ...unpaid];
    }
  }
}

function pausedWords(session: SessionNamed, repositoryName: string): string {
  if (session.status !== "paused") return "";
  return `; it is paused ${pausedByWords(session.pausedBy)}: cos ${resumeCommand({ ...session, repositoryName })}`;
}
