import { html, raw } from "hono/html";
import { listedWords } from "../core/cards/goal-card.ts";
import { awaitedUntil, statusWords } from "../core/cards/status-words.ts";
import { type GoalStatus, goalStatuses, stateOf } from "../core/goals/goal.ts";
import { searchedId, searchWords } from "../core/goals/search.ts";
import { firstLine } from "../core/text.ts";
import { openSubjects } from "../db/checkpoints.ts";
import { cutGoals, listGoals } from "../db/goal-lists.ts";
import { listRepositories, type Repository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { backingsOf } from "../facts/backings.ts";
import { type DrawContext, drawText, drawTime } from "./draw.ts";
import { type Html, page } from "./layout.ts";

/** The goals that a page shows; null and "" do not filter. */
export interface GoalsShown {
  readonly status: GoalStatus | null;
  readonly repository: string | null;
  /** Words of the goals' texts, or an id. */
  readonly search: string;
  /** Counted from 1; the newest goals are on page 1. */
  readonly page: number;
}

const goalsPerPage = 100;
const longestSearch = 200;

/** Reads the filter from a query; invalid values are ignored. */
export function readGoalsShown(asked: (name: string) => string | undefined): GoalsShown {
  const number = Number(asked("page") ?? "1");
  return {
    status: goalStatuses.find((each) => each === asked("status")) ?? null,
    repository: asked("repository") || null,
    search: (asked("search") ?? "").trim().slice(0, longestSearch),
    page: Number.isSafeInteger(number) && number > 0 ? Math.min(number, 10_000) : 1,
  };
}

/** Draws goals in one line each, newest first, a hundred a page (F-503). */
export async function goalsPage(deps: Deps, context: DrawContext, asked: GoalsShown): Promise<Html> {
  const { db } = deps.database;
  const repositories = await listRepositories(db);
  const names = new Map(repositories.map(({ repositoryId, name }) => [repositoryId, name]));
  const repository = repositories.find((each) => each.repositoryId === asked.repository)?.repositoryId ?? null;
  const shown = { ...asked, repository };
  const words = searchWords(shown.search);
  const filter = {
    ...(shown.status === null ? {} : { status: shown.status }),
    ...(repository === null ? {} : { repositoryId: repository }),
    ...(words.length === 0 ? {} : { words, goalId: searchedId(shown.search) }),
  };
  const skip = (shown.page - 1) * goalsPerPage;
  const isNothing = shown.search !== "" && words.length === 0;
  const goals = isNothing ? [] : (await listGoals(db, { ...filter, limit: goalsPerPage, skip })).reverse();
  const next = isNothing ? [] : await listGoals(db, { ...filter, limit: 1, skip: skip + goalsPerPage });
  const open = await openSubjects(
    db,
    goals.map((goal) => goal.goalId),
  );
  const cut = await cutGoals(db, goals);
  const backing = await backingsOf(db, goals);
  return page(
    "Goals",
    "goals",
    html`<h1>Goals</h1>
${drawSearch(shown, repositories)}
${drawStatuses(shown)}
${goals.length === 0 ? drawNone(shown) : ""}
<ul class="goals">${goals.map((goal) => {
      const state = stateOf(goal, { isAsked: open.has(goal.goalId), isCut: cut.has(goal.goalId) }, deps.now());
      return html`<li class="${goal.status}"><a href="/goals/${goal.goalId}"><bdi>${firstLine(goal.content, 140)}</bdi></a>
  <span class="state">${listedWords({ goal, state, backing: backing(goal) })}${state === "retrying" ? drawText(awaitedUntil(goal), context.zone) : ""}</span><span class="note">${goal.goalId} · <bdi>${names.get(goal.repositoryId) ?? ""}</bdi> · ${drawTime(goal.updatedAt, context.zone)}</span></li>`;
    })}</ul>
${drawPaging(shown, next.length > 0)}`,
  );
}

/** Returns the address of a page with this filter; values that do not filter are left out. */
function addressOf(shown: GoalsShown): string {
  const { status, repository, search, page: number } = shown;
  const query = new URLSearchParams({
    ...(status === null ? {} : { status }),
    ...(repository === null ? {} : { repository }),
    ...(search === "" ? {} : { search }),
    ...(number === 1 ? {} : { page: String(number) }),
  });
  return query.size === 0 ? "/goals" : `/goals?${query}`;
}

function drawSearch({ status, repository, search }: GoalsShown, repositories: readonly Repository[]): Html {
  return html`<form class="search" method="get" action="/goals" role="search">
  ${status === null ? "" : html`<input type="hidden" name="status" value="${status}">`}
  <label class="visually-hidden" for="search">Words of a goal, or its id</label>
  <input type="search" id="search" name="search" value="${search}" maxlength="${longestSearch}" placeholder="Words of a goal, or its id">
  ${
    repositories.length < 2
      ? ""
      : html`<label class="visually-hidden" for="of">Repository</label>
  <select id="of" name="repository"><option value="">every repository</option>${repositories.map(
    ({ repositoryId, name }) =>
      html`<option value="${repositoryId}" ${repositoryId === repository ? raw("selected") : ""}>${name}</option>`,
  )}</select>`
  }
  <button>Search</button>
</form>`;
}

function drawStatuses(shown: GoalsShown): Html {
  const link = (name: string, status: GoalStatus | null) =>
    html`<a href="${addressOf({ ...shown, status, page: 1 })}" ${status === shown.status ? raw('aria-current="true"') : ""}>${name}</a>`;
  return html`<nav class="filter" aria-label="By status">${link("all", null)}${goalStatuses.map((each) => link(statusWords(each), each))}</nav>`;
}

function drawNone({ search, status, repository }: GoalsShown): Html {
  if (search === "" && status === null && repository === null)
    return html`<p class="empty">No goal here. Add one in the <a href="/">channel</a>.</p>`;
  return html`<p class="empty">No goal is like that. <a href="/goals">All goals</a></p>`;
}

function drawPaging(shown: GoalsShown, isMore: boolean): Html | string {
  const { page: number } = shown;
  if (number === 1 && !isMore) return "";
  const to = (page: number) => addressOf({ ...shown, page });
  return html`<nav class="paging" aria-label="Pages of goals">${number === 1 ? "" : html`<a href="${to(number - 1)}" rel="prev">Newer</a>`}<span>Page ${number}</span>${isMore ? html`<a href="${to(number + 1)}" rel="next">Older</a>` : ""}</nav>`;
}
