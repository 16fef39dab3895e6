import type { AddedPlace } from "../core/cards/session-words.ts";
import type { OnTopOf } from "../core/goals/order.ts";
import type { Db } from "../db/connection/client.ts";
import { whyNotAlone, updateGoal } from "../db/goals.ts";
import { lockRepository, type Repository } from "../db/repositories.ts";
import { findOpenSession, lockSession } from "../db/sessions.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { pinBase } from "../turns/shared/base.ts";
import { whyNotAfter } from "../facts/order.ts";
import { joinSession } from "../turns/goal/sessions.ts";
import { addGoal } from "../turns/shared/new-goal.ts";
import type { Linked } from "../turns/shared/goal-request.ts";
import { accountOf, type Caller, refused, type RefusedCall } from "./command.ts";
import { unpaidValues } from "./unpaid.ts";

/** Inserts new goals and puts them into a session. */

/** The goals to add, and the goals that each of them builds on. */
interface ToAdd {
  readonly repository: Repository;
  readonly linked: readonly Linked[];
  readonly after: readonly (readonly OnTopOf[])[];
}

type Added = { readonly type: "added"; readonly goalIds: readonly string[]; readonly place: AddedPlace } | RefusedCall;

/** Adds the goals for the next session, if no session is open. Null when one was opened in the meantime; nothing was added then. */
export async function addToNone(deps: Deps, caller: Caller, wanted: ToAdd): Promise<Added | null> {
  try {
    return await deps.database.transaction(async (tx): Promise<Added> => {
      const goalIds = await makeGoals(tx, deps, caller, { ...wanted, isLone: true });
      if ("type" in goalIds) return goalIds;
      const place = { type: "no-session", repositoryName: wanted.repository.name } as const;
      return { type: "added", goalIds, place };
    });
  } catch (error) {
    switch (whyNotAlone(error)) {
      case "session-open":
        return null;
      case "repository-removed":
        return wasRemoved(wanted.repository);
      case null:
        throw error;
    }
  }
}

function wasRemoved({ name }: Repository): RefusedCall {
  return refused(`${name} was removed just now`, "cos repo list");
}

/** Adds the goals to the open session, if there still is one. */
export async function addToOpen(deps: Deps, caller: Caller, wanted: ToAdd): Promise<Added> {
  const { repository } = wanted;
  // The tip of the base branch, for questions that are asked ahead (D14).
  const base = await pinBase(deps, repository.repositoryId);
  const baseCommit = base.type === "failed" ? null : base.commit;
  return await deps.database.transaction(async (tx): Promise<Added> => {
    const goalIds = await makeGoals(tx, deps, caller, { ...wanted, isLone: false });
    if ("type" in goalIds) return goalIds;
    return { type: "added", goalIds, place: await placeNew(tx, deps, caller, { repository, goalIds, baseCommit }) };
  });
}

/** Inserts the goals under the repository's lock: a session that is opened at the same time either takes them, or is visible to them. */
async function makeGoals(
  tx: Db,
  deps: Deps,
  caller: Caller,
  { repository, linked, after, isLone }: ToAdd & { readonly isLone: boolean },
): Promise<readonly string[] | RefusedCall> {
  const known = after.flat().flatMap((each) => (each.type === "known" ? [each.goalId] : []));
  // A goal that builds on none and joins no session takes that lock when its row is inserted.
  const isLocking = isLone && known.length === 0;
  if (!isLocking && !(await lockRepository(tx, repository.repositoryId))) return wasRemoved(repository);
  const problem = await whyNotAfter(tx, null, repository, [...new Set(known)]);
  if (problem !== null) return { type: "refused", ...problem };
  const ids: string[] = [];
  const by = { actor: caller.actor, via: caller.via, requester: accountOf(caller) };
  // All are inserted in one transaction, so a problem of one concerns all.
  for (const [index, each] of linked.entries())
    ids.push(await addGoal(tx, deps, by, { repository, linked: each, isLone: isLone && index === 0, nth: index }));
  await putInOrder(tx, deps, ids, after);
  return ids;
}

/** Stores what each new goal builds on, now that all of them have ids. */
async function putInOrder(
  tx: Db,
  deps: Deps,
  goalIds: readonly string[],
  after: readonly (readonly OnTopOf[])[],
): Promise<void> {
  for (const [index, on] of after.entries()) {
    const goalId = goalIds[index];
    if (goalId === undefined || on.length === 0) continue;
    const ids = on.flatMap((each) => (each.type === "known" ? [each.goalId] : (goalIds[each.index] ?? [])));
    await updateGoal(tx, goalId, { after: ids, updatedAt: deps.now() });
    mark(tx, "goal", goalId);
  }
}

interface GoalsToPlace {
  readonly repository: Repository;
  readonly goalIds: readonly string[];
  readonly baseCommit: string | null;
}

/** Adds new goals to the open session of their repository, unless that is stopping or has a plan of its own (D37). */
async function placeNew(tx: Db, deps: Deps, caller: Caller, placed: GoalsToPlace): Promise<AddedPlace> {
  const { repository, goalIds, baseCommit } = placed;
  const open = await findOpenSession(tx, repository.repositoryId);
  const session = open === null ? null : await lockSession(tx, open.sessionId);
  if (session === null || session.status === "ended") return { type: "no-session", repositoryName: repository.name };
  if (session.kind !== "plain") return { type: "contract", session };
  if (session.stopping) return { type: "stopping", session, repositoryName: repository.name };
  const { actor, via } = caller;
  const joined = await joinSession(tx, deps, session, { goalIds, baseCommit, by: { actor, via } });
  const { places, goals, questions, unpaid } = joined;
  const cannotBegin = unpaidValues(unpaid);
  return { type: "joined", session, repositoryName: repository.name, places, goals, questions, cannotBegin };
}
