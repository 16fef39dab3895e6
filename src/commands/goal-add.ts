import { confirmationCard } from "../core/cards/lists.ts";
import { type Understood, understoodBlock, understoodLine } from "../core/cards/understood.ts";
import { sentence, text } from "../core/cards/card.ts";
import { estimateOf, type GoalRequest } from "../core/goals/new-goal.ts";
import { count } from "../core/text.ts";
import { type AddedPlace, addedWords } from "../core/cards/session-words.ts";
import { waitsForWords } from "../core/cards/ground-words.ts";
import { unmetOf } from "../core/goals/ground.ts";
import { criteriaWordsRead } from "../core/acceptance/goal-contract.ts";
import { cleanTags, tagsOfLabels } from "../core/goals/tags.ts";
import { resolveOrder } from "../core/goals/order.ts";
import { readTogether } from "../db/connection/client.ts";
import { goalsById } from "../db/goals.ts";
import { groundsOf } from "../db/grounds.ts";
import { type Repository } from "../db/repositories.ts";
import { findOpenSession, openSessionsOf } from "../db/sessions.ts";
import { fewest } from "../core/text/bounds.ts";
import type { Deps } from "../deps.ts";
import { type Linked, readForGoal } from "../turns/shared/goal-request.ts";
import { repositorySource } from "../turns/shared/source-files.ts";
import { isPageAddress, type IssueRead, readIssueGoal } from "./issue-goal.ts";
import { sourceFor } from "./source-files.ts";
import { chooseForWork } from "./choose-repository.ts";
import { type Caller, command, type CommandResult, done, misused, refused } from "./command.ts";
import { restOfLine } from "./fields.ts";
import { goalFields, type GoalValues, refuseBeside, goalRequest, readEntries } from "./goal-fields.ts";
import { addToNone, addToOpen } from "./add-goals.ts";

export const goalAdd = command({
  name: "goal add",
  summary: "Add a goal; it joins the open session of its repository, or waits for the next one.",
  access: "change",
  positionals: { text: restOfLine().optional() },
  options: goalFields,
  run: addGoals,
});

async function addGoals(deps: Deps, caller: Caller, given: GoalValues): Promise<CommandResult> {
  const { from } = given;
  if (from === undefined || !isPageAddress(from)) return await addThese(deps, caller, given, null);
  const issue = await readIssueGoal(deps, from);
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
async function addThese(
  deps: Deps,
  caller: Caller,
  given: GoalValues,
  issue: IssueRead | null,
): Promise<CommandResult> {
  const { from } = given;
  if (from !== undefined) refuseBeside(given);
  const { chosen, isOpen } = await chooseWithSession(deps, caller, given.repo);
  if (chosen.type === "refused") return chosen;
  const { repository } = chosen;

  const entries = from === undefined ? null : await readEntries(deps, from);
  if (entries?.type === "unread") return refused(entries.problem, "cos goal add --help");
  const checks = entries?.checks ?? [goalRequest(deps, given)];
  const problems = checks.flatMap((check, index) =>
    check.type === "invalid" ? [from === undefined ? check.problem : `goal ${index + 1}: ${check.problem}`] : [],
  );
  if (problems.length > 0) return misused(fewest(problems).join("\n"), "goal add");

  const requests = checks.flatMap((check) => (check.type === "ok" ? [ofIssue(check.request, issue)] : []));
  const orders = checks.flatMap((check) => (check.type === "ok" ? [check.order] : []));
  const order = resolveOrder(orders);
  if (order.type === "wrong") return misused(order.problems.join("\n"), "goal add");
  const linked: Linked[] = [];
  for (const [index, request] of requests.entries()) {
    const read = await readForGoal(repositorySource(deps, repository), request, sourceFor(caller));
    if (read.type === "wrong") {
      // Of a list, which of them.
      const which = requests.length === 1 ? "" : `goal ${index + 1}: `;
      return refused(`${which}${read.problem}`, read.next);
    }
    linked.push(issue === null ? read.linked : { ...read.linked, linkedText: issue.text });
  }

  const wanted = { repository, linked, after: order.after };
  const added = (isOpen ? null : await addToNone(deps, caller, wanted)) ?? (await addToOpen(deps, caller, wanted));
  if (added.type === "refused") return added;
  const { goalIds, place } = added;
  const waits = order.after.flat().length === 0 ? [] : await waitsWords(deps, goalIds);
  const isLeft = (repository.agent ?? deps.config.agent) === null && requests.some(({ run }) => run === null);
  const said = [
    ...guessedWords(chosen),
    ...labelWords(issue, given),
    ...addedWords(place, goalIds),
    ...waits,
    ...(isLeft ? [`${leftToPerson}. One for this repository: cos repo edit ${repository.name} --agent AGENT`] : []),
  ];
  const words = said.map((line) => text(...sentence(line)));
  const where = place.type === "joined" ? joinedValue(place) : { sessionId: null };
  if (from !== undefined) {
    const items = goalIds.map((id, index) => `${id} ${understoodLine(understoodOf(linked[index]))}`);
    const card = confirmationCard(`Added ${count(goalIds.length, "goal")} for ${repository.name}`);
    return done(
      { goalIds, ...where },
      { ...card, blocks: [{ type: "list", items: items.map((each) => [each]) }, ...words] },
    );
  }
  const [goalId] = goalIds;
  const card = confirmationCard(`Added ${goalId} for ${repository.name}`);
  return done({ goalId, ...where }, { ...card, blocks: [understoodBlock(understoodOf(linked[0])), ...words] });
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

/** Adds an issue's labels as tags (C-68), and links the issue unless the person linked something else. */
function ofIssue(request: GoalRequest, issue: IssueRead | null): GoalRequest {
  if (issue === null) return request;
  const tags = [...request.tags, ...tagsOfLabels(issue.labels, request.tags)];
  if (request.linkage.kind !== "none") return { ...request, tags };
  return { ...request, tags, linkage: { kind: "issue", url: issue.url } };
}

/** Names the tags that came from the issue's labels, because nobody typed them. */
function labelWords(issue: IssueRead | null, given: GoalValues): string[] {
  const typed = cleanTags(given.tag ?? []);
  const tags = tagsOfLabels(issue?.labels ?? [], typeof typed === "string" ? [] : typed);
  return tags.length === 0 ? [] : [`Tags from the issue's labels: ${tags.join(", ")}`];
}

/** Names the repository that was chosen, when nobody named one. */
function guessedWords({ repository, because }: { repository: Repository; because: string | null }): string[] {
  return because === null ? [] : [`In ${repository.name}, ${because}. Another one: --repo NAME.`];
}

const leftToPerson = "No agent is set (COS_AGENT): a goal without a command of its own (--run) is left to a person";

/** Returns which of the goals wait for others. */
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

function joinedValue({ session, places, goals, questions, cannotBegin }: Extract<AddedPlace, { type: "joined" }>) {
  return { sessionId: session.sessionId, places, sessionGoals: goals, questions, cannotBegin };
}

/** Returns the request as it is read back to the person. */
function understoodOf(linked: Linked | undefined): Understood {
  if (linked === undefined) return {};
  const { request } = linked;
  const { run, criteriaPath, doneWhen, tasksPath, ...rest } = request;
  const read = doneWhen == null ? criteriaWordsRead(linked.criteria) : null;
  return {
    ...rest,
    estimateMicroUsd: estimateOf(request),
    tasks: tasksPath,
    ...(run === null ? {} : { command: run }),
    ...(criteriaPath === null && read === null && request.linkage.kind === "spec"
      ? {}
      : { criteria: doneWhen ?? criteriaPath }),
    ...(read === null ? {} : { criteriaRead: read }),
  };
}
