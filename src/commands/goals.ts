import { isOnlyClaimed } from "../core/acceptance/goal-contract.ts";
import { goalsCard } from "../core/cards/lists.ts";
import { statusNamed } from "../core/cards/status-words.ts";
import { goalStatuses, stateOf } from "../core/goals/goal.ts";
import { toUsd } from "../core/money.ts";
import { openSubjects } from "../db/checkpoints.ts";
import { cutGoals, listGoals } from "../db/goal-lists.ts";
import { findRepository } from "../db/repositories.ts";
import { totalsOf } from "../db/totals.ts";
import { searchedId, searchWords } from "../core/goals/search.ts";
import type { Deps } from "../deps.ts";
import { backingsOf } from "../facts/backings.ts";
import { repoOption } from "./open-sessions.ts";
import { command, type CommandResult, done, refused } from "./command.ts";
import { choice, freeText, type Values, wholeNumber } from "./fields.ts";
import { noRepository } from "./not-known.ts";

const also = ", or as lists call it: skipped, waiting, done";
const listing = {
  status: choice("S", goalStatuses, `${goalStatuses.join(", ")}${also}`, { named: statusNamed, also }).optional(),
  repo: repoOption,
  search: freeText("WORDS", "only goals whose text has words that begin like these, or with this id").optional(),
  limit: wholeNumber("how many of the newest are shown (default 1000)", 1, 10_000).optional(),
};

export const goals = command({
  name: "goals",
  summary: "The goals, in the order in which they were added.",
  access: "read",
  options: listing,
  run: (deps, _caller, wanted) => showGoals(deps, wanted),
});

async function showGoals(deps: Deps, wanted: Values<typeof listing>): Promise<CommandResult> {
  const { db } = deps.database;
  const { status, repo, search, limit = 1000 } = wanted;
  if (search !== undefined && searchWords(search).length === 0)
    return refused("there is no word to look for", "cos goals --search header");
  const repository = repo === undefined ? null : await findRepository(db, repo);
  if (repo !== undefined && repository === null) return await noRepository(deps, repo);
  const found = await listGoals(db, {
    limit: limit + 1,
    ...(status === undefined ? {} : { status }),
    ...(repository === null ? {} : { repositoryId: repository.repositoryId }),
    ...(search === undefined ? {} : { words: searchWords(search), goalId: searchedId(search) }),
  });
  const rows = found.slice(-limit);
  const open = await openSubjects(
    db,
    rows.map((goal) => goal.goalId),
  );
  const cut = await cutGoals(db, rows);
  const backing = await backingsOf(db, rows);
  const costs = await totalsOf(
    db,
    "goal",
    rows.map((goal) => goal.goalId),
  );
  const lines = rows.map((goal) => ({
    goal,
    state: stateOf(goal, { isAsked: open.has(goal.goalId), isCut: cut.has(goal.goalId) }, deps.now()),
    backing: backing(goal),
    costMicroUsd: costs.get(goal.goalId)?.spentMicroUsd ?? 0,
    costIsEstimated: costs.get(goal.goalId)?.isEstimated ?? false,
  }));
  const value = lines.map(({ goal, state, costMicroUsd }) => ({
    goalId: goal.goalId,
    content: goal.content,
    status: goal.status,
    state,
    isOnlyClaimed: isOnlyClaimed(goal),
    priority: goal.priority,
    tags: goal.tags,
    costUsd: toUsd(costMicroUsd),
    sessionId: goal.sessionId,
    after: goal.after,
  }));
  const whereNone = search === undefined ? "Add one: cos goal add TEXT" : "None has these words: cos goals";
  return done(value, goalsCard(lines, { emptyHint: whereNone, hasOlder: rows.length < found.length }));
}
