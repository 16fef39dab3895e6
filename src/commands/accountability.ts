import { accountCard } from "../core/cards/account-card.ts";
import { worklogAccount } from "../core/worklog/account.ts";
import { firstKeptDay } from "../core/worklog/retention.ts";
import { leavingOutBetween } from "../db/goals-worklogs.ts";
import { daysSince } from "../db/worklog-days.ts";
import { worklogsWithEntries } from "../db/worklogs.ts";
import type { Deps } from "../deps.ts";
import { type CommandResult, done } from "./command.ts";

/** `cos status --accountability`: the success criteria of seed 000 §1.3 over the days whose summaries are kept. */
export async function showAccount(deps: Deps): Promise<CommandResult> {
  const { db } = deps.database;
  const policy = deps.policy.worklog;
  const since = firstKeptDay(deps.now(), policy.retention);
  const rows = await daysSince(db, since);
  // The end is exclusive, so one millisecond is added to include goals that are added right now.
  const time = { from: new Date(`${since}T00:00:00Z`), to: new Date(deps.now().getTime() + 1) };
  const goals = await leavingOutBetween(db, time);
  const active = (await worklogsWithEntries(db)).length;
  const account = worklogAccount(
    rows,
    { all: goals.denominator, skipping: goals.numerator, active, mix: null },
    policy,
  );
  const days = Math.round(policy.retention.summariesMs / 86_400_000);
  const value = {
    since,
    ...account,
    days: rows.map(({ day, ...numbers }) => ({ key: `_worklog_summary/${day}`, day, ...numbers })),
  };
  return done(value, accountCard(account, days));
}
