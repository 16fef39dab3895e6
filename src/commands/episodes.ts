import { episodesCard } from "../core/cards/episode-card.ts";
import type { Episode } from "../core/memory/episode.ts";
import { toUsd } from "../core/money.ts";
import { recentEpisodes } from "../db/episodes.ts";
import { getGoal } from "../db/goals.ts";
import type { Deps } from "../deps.ts";
import { command, type CommandResult, done } from "./command.ts";
import { anyId, type Values, wholeNumber } from "./fields.ts";
import { goalNotFound } from "./goal-change.ts";

const listing = {
  goal: anyId("ID", "only what is remembered of this goal").optional(),
  limit: wholeNumber("how many of the last (default 100)", 1, 10_000).optional(),
};

export const episodes = command({
  name: "episodes",
  summary: "What is remembered of past runs, and what they taught.",
  access: "read",
  options: listing,
  run: (deps, _caller, wanted) => showEpisodes(deps, wanted),
});

async function showEpisodes(deps: Deps, { goal, limit }: Values<typeof listing>): Promise<CommandResult> {
  const { db } = deps.database;
  if (goal !== undefined && (await getGoal(db, goal)) === null) return goalNotFound(goal);
  const found = await recentEpisodes(db, limit, goal);
  return done(found.map(valueOf), episodesCard(found));
}

function valueOf({ costMicroUsd, actions, ...episode }: Episode) {
  return {
    ...episode,
    costUsd: toUsd(costMicroUsd),
    actions: actions.map(({ costMicroUsd: cost, ...action }) => ({ ...action, costUsd: toUsd(cost) })),
  };
}
