import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import { openDatabaseClient } from "../../src/db/connection/connections.ts";
import { memoryReader } from "../../src/turns/memory/reader.ts";
import { countsReader } from "../../src/turns/reports/count.ts";
import { worklogReader } from "../../src/turns/worklog/read-events.ts";
import { dropIndexes } from "./indexes.ts";
import { keepTotals } from "./totals.ts";

/** What a database is filled with, as if the bot had worked for long: whole numbers. */
export interface History {
  /** Goals that have ended, ten a day until now, with everything that each of them left. */
  readonly finished: number;
  /** Goals that wait for a session. */
  readonly waiting: number;
  /** Goals that nobody answered about, and that wait for a person to resume them. */
  readonly parked: number;
  /** The repository that all of them are of. */
  readonly repositoryId: string;
  /** Where all of it is shown. */
  readonly channels: readonly { readonly platform: string; readonly channel: string }[];
  readonly now: Date;
}

/**
 * Fills a migrated database by a few statements, each for all goals, in the order in which things happened. Triggers and
 * foreign keys are not asked: the address must be a superuser's. What triggers would have kept is filled in at the end, and
 * the planner gets its figures; at last all of it is written to disk, so that nobody pays for that later. One in twelve goals
 * failed, one in twenty was deferred, one in twenty left to a person; who finished had one question answered, and branches were
 * merged but for those of the last ten days. Each goal has a word that one in 499 has, as texts of people do: by these the planner judges
 * how rare a word is. A million goals take a few minutes and 14 GB.
 */
export async function fillHistory(url: string, history: History): Promise<void> {
  const client = await openDatabaseClient({ url, onError: () => undefined, longestStatementMs: null });
  try {
    await keepVacuumAway(client);
    const indexes = await dropIndexes(client);
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await client.query("set local synchronous_commit = off");
    await client.query("set local work_mem = '256MB'");
    await client.query("select setseed(0.5)");
    for (const statement of statementsOf(history)) await client.query(statement);
    const { rows } = await client.query<{ own: string }>("select pg_current_xact_id()::xid::text as own");
    await client.query("commit");
    await othersEnded(client, rows[0]?.own ?? "0");
    await client.query("set maintenance_work_mem = '512MB'");
    for (const index of indexes) await client.query(index);
    // The planner's figures, of every row (of 600,000 where a table has more) instead of some by chance.
    await client.query("set default_statistics_target = 2000");
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}

/** Nobody else clears tables up or makes figures of them, meanwhile and later: plans are the same each time. */
async function keepVacuumAway(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'cos'",
  );
  for (const { name } of rows) await client.query(`alter table cos."${name}" set (autovacuum_enabled = false)`);
}

/** So long it is waited for others. */
const longestWaitMs = 5 * 60_000;

/** Who may still see rows as they were before a transaction: whoever writes since then in the server, or reads since then in this database. */
const olderThan = `select pid from pg_stat_activity where pid <> pg_backend_pid()
  and (age(backend_xid) >= age($1::xid) or datname = current_database() and age(backend_xmin) >= age($1::xid))`;

/**
 * Waits until nobody sees rows as they were before `transaction` is over. For who does, rows that the fill has changed are alive: until
 * then nothing clears these away, and an index that is built over them is not used. Throws with the processes that are at work for too long.
 */
async function othersEnded(client: pg.ClientBase, transaction: string): Promise<void> {
  const until = Date.now() + longestWaitMs;
  while (true) {
    const { rows } = await client.query<{ pid: number }>(olderThan, [transaction]);
    if (rows.length === 0) return;
    const who = rows.map(({ pid }) => pid).join(", ");
    if (Date.now() > until)
      throw new Error(`transactions that began before the fill ended are still open: processes ${who}`);
    await setTimeout(100);
  }
}

/** A card of the usual size, of a `kind` and a `title`. */
function cardOf(): string {
  const filler = "What it came to, what it cost and where its branch lies. ".repeat(8);
  return `jsonb_build_object('kind', kind, 'tone', 'good', 'title', title, 'summary', title,
    'blocks', jsonb_build_array(jsonb_build_object('type', 'text', 'text', jsonb_build_array('${filler}'))),
    'actions', '[]'::jsonb, 'state', 'complete')`;
}

const oneHour = "interval '1 hour'";

function statementsOf({ finished, waiting, parked, repositoryId, channels, now }: History): string[] {
  const at = `timestamptz '${now.toISOString()}'`;
  const repository = `'${repositoryId}'`;
  return [
    `create temporary table old on commit drop as
     select i, 'goal-' || substr(md5('goal' || i), 1, 10) as goal_id, 'run-' || substr(md5('run' || i), 1, 10) as run_id,
       'cp-' || substr(md5('cp' || i), 1, 10) as checkpoint_id, 'session-' || substr(md5('session' || i / 10), 1, 10) as session_id,
       i / 10 as day_number, encode(sha256(('commit' || i)::bytea), 'hex') as commit,
       case when i % 12 = 0 then 'failed' when i % 20 = 1 then 'deferred' when i % 20 = 3 then 'manual_followup' else 'complete' end as status,
       ${at} - (${finished} - i) * interval '144 minutes' - ${oneHour} as ended_at
     from generate_series(1, ${finished}) i`,
    // Read in this order, wide rows need not be sorted.
    "create unique index on old (i)",
    "analyze old",
    `create temporary table waits on commit drop as
     select i, 'goal-w' || substr(md5('waits' || i), 1, 10) as goal_id, i > ${waiting} as is_parked,
       'goal-w' || substr(md5('waits' || (i - 1)), 1, 10) as before_id
     from generate_series(1, ${waiting + parked}) i`,
    `insert into cos.nights (night_id, budget_micro_usd, until_at, allowed, goal_ids, started_by, started_at, ended_at, end_reason)
     select 'night-' || substr(md5('night' || day_number), 1, 10), 5000000, max(ended_at), '[]', jsonb_agg(goal_id), 'ana',
       min(ended_at) - ${oneHour}, max(ended_at), 'Over.'
     from old where day_number % 7 = 0 group by day_number order by day_number`,
    `insert into cos.campaigns (campaign_id, repository_id, name, goal, state, started_at, ended_at, end_reason,
       total_budget_micro_usd, daily_budget_micro_usd, plan_notes, planned_by, created_by, created_at, updated_at)
     select 'campaign-' || day_number, ${repository}, 'Campaign ' || day_number, 'Better', 'completed', min(ended_at) - ${oneHour},
       max(ended_at), 'Done.', 50000000, 15000000, '[]', 'outline', 'ana', min(ended_at) - ${oneHour}, max(ended_at)
     from old where day_number % 5 = 3 group by day_number order by day_number`,
    `insert into cos.milestones (campaign_id, milestone_id, position, name, description, target_day, success_criteria, status, completed_at)
     select campaign_id, 'm1', 1, 'First', '', 1, '[]', 'done', ended_at from cos.campaigns where ended_at is not null`,
    `insert into cos.campaign_days (campaign_id, day_number, goals, budget_micro_usd, status)
     select campaign_id, 1, '[]', 15000000, 'done' from cos.campaigns where ended_at is not null`,
    `insert into cos.sessions (session_id, repository_id, status, budget_micro_usd, end_reason, kind, campaign_id, campaign_day, night_id,
       started_by, started_at, ended_at)
     select session_id, ${repository}, 'ended', 25000000, 'All goals are done.',
       case when day_number % 5 = 3 then 'campaign' when day_number % 7 = 0 then 'night' else 'plain' end,
       case when day_number % 5 = 3 then 'campaign-' || day_number end, case when day_number % 5 = 3 then 1 end,
       case when day_number % 5 <> 3 and day_number % 7 = 0 then 'night-' || substr(md5('night' || day_number), 1, 10) end,
       'ana', min(ended_at) - ${oneHour}, max(ended_at)
     from old group by session_id, day_number order by day_number`,
    `insert into cos.goals (goal_id, repository_id, session_id, campaign_id, campaign_day, content, tags, priority, linkage, files_allowed,
       proof_allowed, instructions, is_unplanned, "after", status, phase, turn, run_id, branch, outcome, created_by, created_at, updated_at)
     select goal_id, ${repository}, session_id, case when day_number % 5 = 3 then 'campaign-' || day_number end,
       case when day_number % 5 = 3 then 1 end, 'Goal ' || i || ': make the header of the page blue, beside ' || substr(md5((i % 499)::text), 1, 6), '["ui"]', 'medium',
       '{"kind":"none"}', '[]', '[]', '[]', false,
       case when i % 30 = 2 then jsonb_build_array('goal-' || substr(md5('goal' || (i - 1)), 1, 10)) else '[]' end, status, 'start', 3, run_id,
       case when status = 'complete' then 'cos/' || goal_id end, 'It is blue.', 'ana', ended_at - ${oneHour} * 3, ended_at
     from old order by i`,
    `insert into cos.goals (goal_id, repository_id, content, tags, priority, linkage, files_allowed, proof_allowed, instructions,
       is_unplanned, "after", status, blocked_on, outcome, phase, created_by, created_at, updated_at)
     select goal_id, ${repository}, 'Goal in waiting ' || i, case when i % 10 = 0 then '["ui"]' else '[]' end::jsonb,
       case when i % 5 = 0 then 'high' else 'medium' end, '{"kind":"none"}', '[]', '[]', '[]', false,
       case when i % 40 = 2 then jsonb_build_array(before_id) else '[]' end, case when is_parked then 'blocked' else 'pending' end,
       case when is_parked then 'person' end, case when is_parked then 'Nobody has answered.' end, 'start', 'ana', ${at} - ${oneHour}, ${at} - ${oneHour}
     from waits order by i`,
    `insert into cos.runs (run_id, goal_id, status, content_hash, settled, approved_by, base_commit, head_commit, started_at, ended_at)
     select run_id, goal_id, 'ended', md5(goal_id), '[]', 'ana', md5('base'), case when status = 'complete' then commit end,
       ended_at - ${oneHour}, ended_at
     from old order by i`,
    `insert into cos.attempts (goal_id, run_id, turn, ladder, rung, number, approach, "end", error, fingerprint, criteria, files,
       cost_micro_usd, cost_is_estimated, at)
     select goal_id, run_id, 2, 1, 1, 1, 'as asked', case when status = 'complete' then 'passed' else 'failed' end, '',
       case when status = 'complete' then '' else md5('failure' || i % 50) end, '[]', '[]', 120000, false, ended_at
     from old order by i`,
    `insert into cos.tasks (goal_id, task_id, position, title, acceptance_criteria, files_allowed, depends_on, status, updated_at)
     select goal_id, 't' || task, task, 'A task', '[]', '[]', '[]', 'passed', ended_at
     from old cross join generate_series(1, 3) task where i % 25 = 0 order by i`,
    `insert into cos.phase_reports (goal_id, run_id, iteration, report, at)
     select goal_id, run_id, wave, '{"schemaVersion":1,"phase":"implement","outcome":"Done.","statusUpdates":{},"reasons":[],
       "evidenceRefs":[],"source":"agent","validationErrors":[]}', ended_at
     from old cross join generate_series(1, 4) wave where i % 25 = 0 order by i`,
    `insert into cos.consultations (consultation_id, use, goal_id, run_id, prompt_version, model, outcome, input_tokens, output_tokens, calls, at)
     select 'consultation-' || i, 'alternative', goal_id, run_id, '1', 'model', 'answered', 900, 100, 1, ended_at from old where i % 10 = 0`,
    `insert into cos.base_results (repository_id, commit, command, hash, environment, result, fingerprint, run_id, at)
     select ${repository}, md5('base' || i / 20), 'npm test', md5('npm test'), md5('environment'), 'pass', '', run_id, ended_at
     from old where i % 10 = 0 and ended_at > ${at} - interval '60 days' order by i`,
    `insert into cos.days (day) select distinct ended_at::date from old on conflict do nothing`,
    `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, goal_id, run_id, session_id, at)
     select run_id || '.2', kind, case when kind = 'reserved' then 2000000 else 120000 end, kind = 'reserved',
       (ended_at - ${oneHour})::date, goal_id, run_id, session_id, ended_at - ${oneHour} / place
     from old cross join (values ('reserved', 1), ('reported', 2), ('settled', 3)) as lines (kind, place) order by i, place`,
    ...keepTotals,
    `insert into cos.evidence (goal_id, run_id, turn, kind, criterion, command, exit_code, commit, duration_ms, output_file, output_bytes,
       sha256, tag, detail, at)
     select goal_id, run_id, 2, kind, criterion, 'npm test', 0, commit, 900, 'runs/' || run_id || '/' || kind, 4000, commit, 'verified',
       '{"end":"finished"}', ended_at
     from old cross join (values ('execution', null), ('check', 'npm test')) as seen (kind, criterion) order by i`,
    `insert into cos.checkpoints (checkpoint_id, kind, subject, goal_id, run_id, trigger, reasons, context, options, recommendation, facts,
       content_hash, status, chosen_option, resolved_by, resolved_via, resolved_at, created_at, asked_at, expires_at)
     select checkpoint_id, 'start', goal_id, goal_id, run_id, 'ux_change', '[]', 'It changes what people see.', '[]', 'proceed', '{}',
       md5(goal_id), 'approved', 'proceed', 'ana', 'slack', ended_at - ${oneHour} * 2, ended_at - ${oneHour} * 3,
       ended_at - ${oneHour} * 3, ended_at
     from old where i % 2 = 0 order by i`,
    `insert into cos.decisions (checkpoint_id, version, choice, effect, settles, actor, actor_id, via, waited_ms, at)
     select checkpoint_id, 1, 'proceed', 'approve', true, 'ana', 'slack:U1', 'slack', 3600000, ended_at - ${oneHour} * 2
     from old where i % 2 = 0 order by i`,
    `insert into cos.replies (reply_id, checkpoint_id, thread, version, actor, via, text, status, settled_by, created_at, settled_at)
     select 'reply-' || i, checkpoint_id, checkpoint_id, 1, 'ana', 'slack', 'Yes, go on', 'confirmed', 'ana', ended_at - ${oneHour} * 2,
       ended_at - ${oneHour} * 2
     from old where i % 10 = 0 order by i`,
    `insert into cos.grants (goal_id, fingerprint, checkpoint_id, used_at)
     select goal_id, md5(goal_id), checkpoint_id, ended_at from old where i % 20 = 0 order by i`,
    `insert into cos.timeline (goal_id, session_id, run_id, checkpoint_id, event, actor, via, detail, at)
     select goal_id, session_id, run_id, case when event like 'checkpoint%' then checkpoint_id end,
       case when event = 'end' then 'goal.' || status else event end,
       case when event = 'checkpoint.answered' then 'ana' end, case when event = 'checkpoint.answered' then 'slack' end,
       case when event = 'end' then '{"outcome":"It is blue."}' else '{}' end::jsonb, ended_at - ${oneHour} * hours
     from old cross join (values ('goal.added', 5), ('goal.queued', 4), ('checkpoint.asked', 3), ('checkpoint.answered', 2),
       ('run.started', 1), ('execution.ended', 0), ('end', 0)) as told (event, hours)
     where event not like 'checkpoint%' or i % 2 = 0 order by i, hours desc`,
    `insert into cos.timeline (goal_id, checkpoint_id, event, detail, at)
     select goal_id, case when i % 2 = 0 then checkpoint_id end, 'message.posted', '{"platform":"console","channel":"main"}',
       ended_at - ${oneHour} * 3
     from old order by i`,
    `insert into cos.timeline (session_id, event, detail, at)
     select session_id, 'session.ended', '{}', ended_at from cos.sessions where status = 'ended' order by ended_at`,
    // What memory has read and thought about: it goes on behind the newest event, and so do worklogs.
    `insert into cos.episodes (episode_id, run_id, goal_id, repository_id, at, goal, actions, outcome, reflection, reflected_by, is_pending,
       recovery_level, cost_micro_usd, cost_is_estimated, duration_seconds, tags, approval_response, original_recommendation)
     select 'ep-' || substr(md5('ep' || i), 1, 10), run_id, goal_id, ${repository}, ended_at,
       jsonb_build_object('content', 'Goal ' || i || ': make the header of the page blue', 'tags', '["ui"]'::jsonb, 'linkage', '{"kind":"none"}'::jsonb),
       '[{"type":"attempt","description":"as asked","result":"passed","costMicroUsd":120000}]',
       jsonb_build_object('isSuccess', status = 'complete', 'goalStatus', status,
         'error', case when status <> 'complete' then 'It is not blue.' end, 'artifacts', '["header.css"]'::jsonb),
       'What it took was one attempt.', 'rule', false, 1, 120000, false, 3600, '["ui"]',
       case when i % 2 = 0 then 'accepted' end, case when i % 2 = 0 then 'proceed' end
     from old order by i`,
    `insert into cos.episode_keys (repository_id, key, episode_no)
     select repository_id, key, episode_no from cos.episodes cross join (values (''), ('ui')) as keys (key) order by episode_no`,
    `insert into cos.readers (reader, xid, timeline_id)
     select reader, xid, timeline_id from (values ('${memoryReader}'), ('${worklogReader}'), ('${countsReader}')) as names (reader)
     cross join (select xid, timeline_id from cos.timeline order by xid desc, timeline_id desc limit 1) newest`,
    ...messageStatements(channels, at),
    `insert into cos.merges (goal_id, status, into_branch, head_commit, requested_by, requested_at, due_at, settled_at, result_commit, purged_at)
     select goal_id, case when i % 15 = 4 then 'discarded' else 'merged' end, 'main', commit, 'ana', ended_at, ended_at, ended_at, commit,
       case when i % 15 = 4 then ended_at end
     from old where status = 'complete' and ended_at < ${at} - interval '10 days' order by i`,
    `insert into cos.merge_queues (queue_id, repository_id, into_branch, requested_by, started_at, ended_at, end_reason)
     select 'queue-' || i, ${repository}, 'main', 'ana', ended_at, ended_at, 'All have landed.' from old where i % 100 = 2 order by i`,
    `insert into cos.queued_merges (queue_id, goal_id, position, state, tip)
     select 'queue-' || (i - i % 100 + 2), goal_id, i % 100, 'merged', md5('tip')
     from old where i % 100 between 2 and 6 and i - i % 100 + 2 <= ${finished} order by i`,
    `insert into cos.schedule_runs (schedule, run_for, at)
     select 'standup', day, day + time '09:00' from cos.days where day < ${at}::date order by day`,
    `insert into cos.shortages (machine, holder, places, since, ended_at)
     select 'this', md5('holder'), '[]', ended_at, ended_at from old where i % 500 = 0 order by i`,
    `insert into cos.tallies (about, number) select 'goal.' || status, count(*) from old group by status`,
    `insert into cos.tallies (about, number) select 'campaign.completed', count(*) from cos.campaigns where ended_at is not null`,
    `insert into cos.open_branches (goal_id)
     select goal_id from old where status = 'complete' and ended_at >= ${at} - interval '10 days'`,
    `insert into cos.seen_events (event_id, at)
     select 'event-' || i, ended_at from old where ended_at > ${at} - interval '1 day'`,
  ];
}

/** What the channels show: goals, their questions, sessions. */
function messageStatements(channels: History["channels"], at: string): string[] {
  const columns = `(platform, channel, subject, card, version, urgent_version, posted_card, posted_version, posted_at,
       address, changed, created_at, updated_at)`;
  const places = channels.map(({ platform, channel }) => `('${platform}', '${channel}')`).join(", ");
  return [
    `insert into cos.messages ${columns}
     select platform, channel, subject, card, 3, 3, card, 3, at, 'here:' || subject, nextval('cos.message_changes'), at, at
     from (
       select * from (
         select goal_id as subject, 'goal' as kind, 'Goal ' || i as title, ended_at as at from old
         union all
         select checkpoint_id, 'checkpoint', 'Question ' || i, ended_at from old where i % 2 = 0
         union all
         select session_id, 'session', session_id, ended_at from cos.sessions where status = 'ended') shown
       order by at, subject) sorted
     cross join lateral (select ${cardOf()} as card) drawn
     cross join (values ${places}) as places (platform, channel)`,
    `update cos.messages set undeliverable = 'channel_not_found', posted_version = null, posted_card = null, address = null
     where message_id in (select min(message_id) from cos.messages where updated_at < ${at})`,
  ];
}
