import { confirmationCard } from "../core/cards/lists.ts";
import { cannotBeginLines, joinedWords, questionsWords } from "../core/cards/session-words.ts";
import { count } from "../core/text.ts";
import type { Session } from "../db/sessions.ts";
import type { Joined } from "../turns/goal/sessions.ts";
import type { UnpaidGoal } from "../turns/goal/unpaid.ts";
import { unpaidValues } from "./unpaid.ts";
import { type CommandResult, done, type RefusedCall } from "./command.ts";

/** The answer of `autopilot start`: what was started, what was joined, and what was refused. */

/** The result for one repository. */
export type Started =
  | {
      readonly type: "opened";
      readonly sessionId: string;
      readonly repository: string;
      readonly goals: number;
      readonly questions: number;
      readonly inOrder: boolean;
      /** Goals that could not begin now because the budget is too small. */
      readonly unpaid: readonly UnpaidGoal[];
    }
  | {
      readonly type: "joined";
      readonly repository: string;
      readonly session: Session;
      /** Null when all named goals are in it already. */
      readonly joined: Joined | null;
      readonly already: readonly { readonly goalId: string; readonly position: number }[];
    }
  | RefusedCall;

/**
 * Returns one answer for all repositories; it is refused when nothing was done in any. `parked`: goals that are left as they are;
 * `lackingWorker`: says that goals wait and no worker runs.
 */
export function startedAnswer(
  results: readonly Started[],
  parked: readonly string[],
  lackingWorker: string | null,
): CommandResult {
  const refusals = results.flatMap((each) => (each.type === "refused" ? [each] : []));
  const [refused] = refusals;
  if (refused !== undefined && refusals.length === results.length) return refused;
  const values = results.map(valueOf);
  const value = values.length === 1 ? values[0] : { sessions: values };
  const lacking = lackingWorker === null ? [] : [`No worker runs: ${lackingWorker}`];
  const lines = [...results.flatMap(linesOf), ...parked.map(parkedWords), ...lacking];
  return done(value, confirmationCard(titleOf(results), lines));
}

/** A parked goal is not resumed by itself (F-308). */
function parkedWords(goalId: string): string {
  return `${goalId} stays parked: cos goal resume ${goalId}`;
}

function titleOf(results: readonly Started[]): string {
  const opened = results.filter((each) => each.type === "opened").length;
  const joined = results.flatMap((each) => (each.type === "joined" && each.joined !== null ? [each] : []));
  const [only] = joined;
  const words = [
    ...(opened === 0 ? [] : [`Started ${count(opened, "session")}`]),
    ...(joined.length === 1 && only !== undefined ? [`Joined ${only.session.sessionId}, which is open`] : []),
    ...(joined.length > 1 ? [`Joined ${count(joined.length, "session")} that are open`] : []),
  ];
  return words.length === 0 ? "Nothing to add: it is in the session already" : words.join("; ");
}

function linesOf(result: Started): string[] {
  switch (result.type) {
    case "opened": {
      const order = result.inOrder ? ", in order" : "";
      return [
        `${result.sessionId} on ${result.repository}: ${count(result.goals, "goal")}${order}, ${questionsWords(result.questions)}`,
        ...cannotBeginLines(unpaidValues(result.unpaid)),
      ];
    }
    case "joined": {
      const { session, repository, joined, already } = result;
      const at = `${session.sessionId} on ${repository}`;
      return [
        ...(joined === null ? [] : [`${at}: ${joinedWords({ ...joined, session, repositoryName: repository })}`]),
        ...cannotBeginLines(unpaidValues(joined?.unpaid ?? [])),
        ...already.map((each) => `${at}: ${each.goalId} is in it already, at position ${each.position}`),
      ];
    }
    case "refused":
      return [`${result.reason}${result.next === null ? "" : `: ${result.next}`}`];
  }
}

function valueOf(result: Started) {
  switch (result.type) {
    case "opened": {
      const { sessionId, repository, goals, questions, inOrder, unpaid } = result;
      return { sessionId, repository, goals, questions, joined: false, inOrder, cannotBegin: unpaidValues(unpaid) };
    }
    case "joined": {
      const { session, repository, joined, already } = result;
      return {
        sessionId: session.sessionId,
        repository,
        goals: joined?.places.length ?? 0,
        questions: joined?.questions ?? 0,
        joined: true,
        inOrder: session.inOrder,
        places: joined?.places ?? [],
        already,
        cannotBegin: unpaidValues(joined?.unpaid ?? []),
      };
    }
    case "refused":
      return { refused: { reason: result.reason, next: result.next } };
  }
}
