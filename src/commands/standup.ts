import { withChangedGoals } from "../core/cards/changed-output.ts";
import { standupCard } from "../core/cards/standup-card.ts";
import { newsWords, repositoryTroubleWords } from "../core/cards/news-words.ts";
import { recommendationWords } from "../core/cards/recommendation-words.ts";
import { toUsd } from "../core/money.ts";
import { recommend } from "../core/reports/recommendation.ts";
import { type StandupFacts, standupSince } from "../core/reports/standup-facts.ts";
import { localDate } from "../core/time.ts";
import { lastRunAt } from "../db/schedules.ts";
import type { Deps } from "../deps.ts";
import { gatherGit } from "../facts/git-state.ts";
import { goalsWithChanged } from "../facts/kept-output.ts";
import { gatherStandup } from "../turns/reports/standup.ts";
import { command, type CommandResult } from "./command.ts";

export const standup = command({
  name: "standup",
  summary:
    "Since the last one: done, failed, parked, waiting on whom, today's plan, campaigns, spend, git, what first.",
  access: "read",
  run: showStandup,
});

async function showStandup(deps: Deps): Promise<CommandResult> {
  const { db } = deps.database;
  const now = deps.now();
  const since = standupSince(await lastRunAt(db, "standup", now), now, "a day");
  const git = await gatherGit(deps, since);
  const facts = await gatherStandup(db, deps, { date: localDate(now, deps.config.timezone), since, git });
  const told = [...facts.done, ...facts.unmerged].map(({ goalId }) => goalId);
  const changedOutput = await goalsWithChanged({ db, dataDir: deps.config.dataDir }, told);
  const value = { ...valueOf(facts, deps.config.timezone), changedOutput };
  const drawn = (shown: StandupFacts) => withChangedGoals(standupCard(shown), changedOutput);
  return { type: "done", value, card: drawn(facts), shared: drawn({ ...facts, isPosted: true }) };
}

/** Returns the facts for scripts, with amounts in dollars beside micro-dollars. */
function valueOf(facts: StandupFacts, zone: string) {
  const { date, since, done: finished, failed, parked, planned, limited, spend } = facts;
  const others = {
    deferred: facts.deferred,
    manual: facts.manual,
    working: facts.working,
    older: facts.older,
    unmerged: facts.unmerged,
    unmergedLate: facts.lateMerges.number,
  };
  return {
    date,
    from: localDate(since, zone),
    to: date,
    since,
    done: finished,
    failed,
    parked,
    waiting: facts.questions.map((question) => ({ ...question, waitsFor: facts.askedOf })),
    ...others,
    planned,
    campaigns: facts.campaigns.map((campaign) => ({
      ...campaign,
      spentUsd: toUsd(campaign.spentMicroUsd),
      budgetUsd: toUsd(campaign.budgetMicroUsd),
    })),
    limited,
    spend: {
      ...spend,
      sinceUsd: toUsd(spend.sinceMicroUsd),
      todayUsd: toUsd(spend.todayMicroUsd),
      dayCeilingUsd: toUsd(spend.dayCeilingMicroUsd),
    },
    git: {
      news: facts.news.map((each) => ({
        goalId: each.goalId,
        content: each.content,
        repository: each.repository.name,
        ...each.news,
        ...newsWords(each),
      })),
      troubles: facts.troubles.map((each) => ({
        repository: each.repository.name,
        ...each.trouble,
        ...repositoryTroubleWords(each),
      })),
    },
    preferences: Object.fromEntries(facts.learnt.map(({ key, reading }) => [key, reading])),
    recommendation: recommendationWords(recommend(facts)),
  };
}
