import { confirmationCard } from "../core/cards/lists.ts";
import { type Understood, understoodBlock, understoodLine } from "../core/cards/understood.ts";
import { text } from "../core/cards/card.ts";
import { estimateOf, type GoalRequest } from "../core/goals/new-goal.ts";
import { count } from "../core/text.ts";
import { type AddedPlace, addedWords } from "../core/cards/session-words.ts";
import { waitsForWords } from "../core/cards/ground-words.ts";
import { unmetOf } from "../core/goals/ground.ts";
import { type OnTopOf, resolveOrder } from "../core/goals/order.ts";
import { type Db, readTogether } from "../db/connection/client.ts";
import { goalsById, whyNotAlone, updateGoal } from "../db/goals.ts";
import { groundsOf } from "../db/grounds.ts";
import { lockRepository, type Repository } from "../db/repositories.ts";
import { findOpenSession, lockSession, openSessionsOf } from "../db/sessions.ts";
import { mark } from "../db/connection/marks.ts";
import { fewest } from "../core/text/bounds.ts";
import type { Deps } from "../deps.ts";
import { pinBase } from "../turns/shared/base.ts";
import { whyNotAfter } from "../facts/order.ts";
import { joinSession } from "../turns/goal/sessions.ts";
import { addGoal } from "../turns/shared/new-goal.ts";
import { type Linked, readForGoal } from "../turns/shared/goal-request.ts";
import { readingOf } from "../turns/shared/source-files.ts";
import { isAddress, type IssueRead, readIssue } from "./issue-goal.ts";
import { sourceFor } from "./source-files.ts";
import { chooseForWork } from "./choose-repository.ts";
import { type Caller, command, type CommandResult, done, type RefusedCall, refused, requesterOf } from "./command.ts";
import { restOfLine } from "./fields.ts";
import { goalFields, type Adding, requestOf, readEntries } from "./goal-fields.ts";

export const goalAdd = command({
  name: "goal add",
  summary: "Add a goal; it joins the open session of its repository, or waits for the next one.",
  access: "change",
  positionals: { text: restOfLine().optional() },
  options: goalFields,
  run: addGoals,
});

async function addGoals(deps: Deps, caller: Caller, given: Adding): Promise<CommandResult> {
  const { from } = given;
  if (from === undefined || !isAddress(from)) return await addThese(deps, caller, given, null);
  const issue = await readIssue(deps, from);
  if (issue.type === "refused") return issue;
  const repo = given.repo ?? issue.repository ?? undefined;
  if (repo === undefined)
    return refused(
      `no repository of ours is known to be where ${issue.url} is`,
      "name the one that it is about: --repo NAME (cos repo list)",
    );
  const text = (given.text ?? "").trim() === "" ? issue.title : given.text;
  return await addThese(deps, caller, { ...given, repo, text, from: undefined }, issue);
}

/** `issue`: what the goal comes from; null: a person's own words, or a file's. */
async function addThese(deps: Deps, caller: Caller, given: Adding, issue: IssueRead | null): Promise<CommandResult> {
  const { from } = given;
  const { chosen, isOpen } = await chooseWithSession(deps, caller, given.repo);
  if (chosen.type === "refused") return chosen;
  const { repository } = chosen;

  const checks = from === undefined ? [requestOf(deps, given)] : await readEntries(deps, from);
  const problems = checks.flatMap((check, index) =>
    check.type === "invalid" ? [from === undefined ? check.problem : `goal ${index + 1}: ${check.problem}`] : [],
  );
  if (problems.length > 0) return refused(fewest(problems).join("\n"), "cos goal add --help");

  const requests = checks.flatMap((check) => (check.type === "ok" ? [ofIssue(check.request, issue)] : []));
  const orders = checks.flatMap((check) => (check.type === "ok" ? [check.order] : []));
  const order = resolveOrder(orders);
  if (order.type === "wrong") return refused(order.problems.join("\n"), "cos goal add --help");
  const linked: Linked[] = [];
  for (const request of requests) {
    const read = await readForGoal(readingOf(deps, repository), request, sourceFor(caller));
    if (read.type === "wrong") return refused(read.problem, read.next);
    linked.push(issue === null ? read.linked : { ...read.linked, linkedText: issue.text });
  }

  const wanted = { repository, linked, after: order.after };
  const added = (isOpen ? null : await addToNone(deps, caller, wanted)) ?? (await addToOpen(deps, caller, wanted));
  if (added.type === "refused") return added;
  const { goalIds, place } = added;
  const waits = order.after.flat().length === 0 ? [] : await waitsWords(deps, goalIds);
  const isLeft = (repository.agent ?? deps.config.agent) === null && requests.some(({ run }) => run === null);
  const said = [...guessedWords(chosen), ...addedWords(place, goalIds), ...waits, ...(isLeft ? [leftToPerson] : [])];
  const words = said.map((line) => text(line));
  const where = place.type === "joined" ? joinedValue(place) : { sessionId: null };
  if (from !== undefined) {
    const items = goalIds.map((id, index) => `${id} ${understoodLine(understoodOf(requests[index]))}`);
    const card = confirmationCard(`Added ${count(goalIds.length, "goal")} for ${repository.name}`);
    return done(
      { goalIds, ...where },
      { ...card, blocks: [{ type: "list", items: items.map((each) => [each]) }, ...words] },
    );
  }
  const [goalId] = goalIds;
  const card = confirmationCard(`Added ${goalId} for ${repository.name}`);
  return done({ goalId, ...where }, { ...card, blocks: [understoodBlock(understoodOf(requests[0])), ...words] });
}

/** The repository for new work, and whether a session is open there as it is looked up. */
async function chooseWithSession(deps: Deps, caller: Caller, named: string | undefined) {
  const name = named ?? deps.config.repository;
  const [chosen, open] = await readTogether(deps.database.db, (db) =>
    Promise.all([
      chooseForWork({ ...deps, database: { ...deps.database, db } }, caller, named),
      name === null ? null : openSessionsOf(db, name),
    ]),
  );
  if (chosen.type === "refused") return { chosen, isOpen: false };
  const { repositoryId } = chosen.repository;
  if (open !== null) return { chosen, isOpen: open.some((session) => session.repositoryId === repositoryId) };
  return { chosen, isOpen: (await findOpenSession(deps.database.db, repositoryId)) !== null };
}

/** Goals that are to be made, and what each of them is on top of. */
interface ToAdd {
  readonly repository: Repository;
  readonly linked: readonly Linked[];
  readonly after: readonly (readonly OnTopOf[])[];
}

type Added = { readonly type: "added"; readonly goalIds: readonly string[]; readonly place: AddedPlace } | RefusedCall;

/** Adds them for the next session, as long as none is open; null: one was opened meanwhile, and nothing was added. */
async function addToNone(deps: Deps, caller: Caller, wanted: ToAdd): Promise<Added | null> {
  try {
    return await deps.database.transaction(async (tx): Promise<Added> => {
      const goalIds = await makeGoals(tx, deps, caller, { ...wanted, isLone: true });
      return "type" in goalIds ? goalIds : { type: "added", goalIds, place: { type: "no-session" } };
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
  return { type: "refused", reason: `${name} was removed just now`, next: "cos repo list" };
}

/** Adds them to the session that is open, if one is by then. */
async function addToOpen(deps: Deps, caller: Caller, wanted: ToAdd): Promise<Added> {
  const { repository } = wanted;
  // Where the base branch stands, for questions that are asked ahead (D14).
  const base = await pinBase(deps, repository.repositoryId);
  const baseCommit = base.type === "failed" ? null : base.commit;
  return await deps.database.transaction(async (tx): Promise<Added> => {
    const goalIds = await makeGoals(tx, deps, caller, { ...wanted, isLone: false });
    if ("type" in goalIds) return goalIds;
    return { type: "added", goalIds, place: await placeNew(tx, deps, caller, { repository, goalIds, baseCommit }) };
  });
}

/** Their rows, under the repository's lock: a session that is being opened on it takes them, or is there for them to join. */
async function makeGoals(
  tx: Db,
  deps: Deps,
  caller: Caller,
  { repository, linked, after, isLone }: ToAdd & { readonly isLone: boolean },
): Promise<readonly string[] | RefusedCall> {
  const known = after.flat().flatMap((each) => (each.type === "known" ? [each.goalId] : []));
  // A goal that is on top of none and joins no session locks it with its row.
  const isLocking = isLone && known.length === 0;
  if (!isLocking && !(await lockRepository(tx, repository.repositoryId))) return wasRemoved(repository);
  const problem = await whyNotAfter(tx, null, repository, [...new Set(known)]);
  if (problem !== null) return { type: "refused", ...problem };
  const ids: string[] = [];
  const by = { actor: caller.actor, via: caller.via, requester: requesterOf(deps, caller) };
  // What one of them meets, all meet: they are one transaction.
  for (const [index, each] of linked.entries())
    ids.push(await addGoal(tx, deps, by, { repository, linked: each, isLone: isLone && index === 0 }));
  await putInOrder(tx, deps, ids, after);
  return ids;
}

/** An issue is linked where the person has linked nothing else. */
function ofIssue(request: GoalRequest, issue: IssueRead | null): GoalRequest {
  if (issue === null || request.linkage.kind !== "none") return request;
  return { ...request, linkage: { kind: "issue", url: issue.url } };
}

/** Which repository it was taken for, where nobody had named one. */
function guessedWords({ repository, because }: { repository: Repository; because: string | null }): string[] {
  return because === null ? [] : [`In ${repository.name}, ${because}. Another one: --repo NAME.`];
}

/** What each new goal is on top of, now that all of them have ids. */
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

/** Which of them wait for others. */
const leftToPerson = "No agent is set (COS_AGENT): a goal without a command of its own (--run) is left to a person";

async function waitsWords(deps: Deps, goalIds: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const goal of await goalsById(deps.database.db, goalIds)) {
    const grounds = await groundsOf(deps.database.db, goal.after);
    const unmet = unmetOf(goal.after, grounds).flatMap((goalId) => grounds.get(goalId) ?? []);
    if (unmet.length > 0)
      lines.push(`${goal.goalId} begins when what it is on top of is complete: ${waitsForWords(unmet)}`);
  }
  return lines;
}

function joinedValue({ session, places, goals, questions }: Extract<AddedPlace, { type: "joined" }>) {
  return { sessionId: session.sessionId, places, sessionGoals: goals, questions };
}

interface Placing {
  readonly repository: Repository;
  readonly goalIds: readonly string[];
  readonly baseCommit: string | null;
}

/** New goals join the open session of their repository, unless it is stopping or has a plan of its own (D37). */
async function placeNew(tx: Db, deps: Deps, caller: Caller, placing: Placing): Promise<AddedPlace> {
  const { repository, goalIds, baseCommit } = placing;
  const open = await findOpenSession(tx, repository.repositoryId);
  const session = open === null ? null : await lockSession(tx, open.sessionId);
  if (session === null || session.status === "ended") return { type: "no-session" };
  if (session.kind !== "plain") return { type: "contract", session };
  if (session.stopping) return { type: "stopping", session };
  const { actor, via } = caller;
  return {
    type: "joined",
    session,
    ...(await joinSession(tx, deps, session, { goalIds, baseCommit, by: { actor, via } })),
  };
}

/** The request in the words of its read-back. */
function understoodOf(request: GoalRequest | undefined): Understood {
  if (request === undefined) return {};
  const { run, criteriaPath, doneWhen, tasksPath, ...rest } = request;
  return {
    ...rest,
    estimateMicroUsd: estimateOf(request),
    tasks: tasksPath,
    ...(run === null ? {} : { command: run }),
    ...(criteriaPath === null && request.linkage.kind === "spec" ? {} : { criteria: doneWhen ?? criteriaPath }),
  };
}
