import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { recordShownHere } from "../../src/db/delivered-messages.ts";
import type { Deps } from "../../src/deps.ts";
import { projectMarked } from "../../src/projection/project.ts";
import { openDice, sentence } from "./words.ts";

/** How much is on the pages: whole numbers. */
export interface Busy {
  /** Questions that wait for an answer. */
  readonly questions: number;
  /** Days of the campaign, with ten goals each. */
  readonly days: number;
  /** What happened to one goal, and half as often what was kept of it. */
  readonly events: number;
}

export interface BusyWorld {
  readonly deps: Deps;
  /** The folder and the id of the repository that the history is of. */
  readonly repository: string;
  readonly repositoryId: string;
  /** Calls a command; its value. Throws when it is refused. */
  readonly call: (...words: string[]) => Promise<unknown>;
}

/**
 * Gives a bot with a history (`fillHistory`) what makes its pages long: open questions, cards of which no two are alike, a goal
 * to which much happened and which changes much, a long campaign. Returns the pages of its console by their names.
 */
export async function makeBusy(world: BusyWorld, { questions, days, events }: Busy): Promise<[string, string][]> {
  const { deps, repositoryId } = world;
  const { pool } = deps.database;
  const newest = await varyNewest(pool, 400);
  const longest = newest.at(-1) ?? "";
  await lengthen(pool, longest, events);
  await recordDifference(world, longest);
  const campaignId = await addCampaign(pool, repositoryId, days);
  await addQuestions(world, questions);
  await projectMarked(deps);
  await recordShownHere(deps.database.db, "console", "main", deps.now());
  const [asked] = (await world.call("checkpoints")) as { goalId: string }[];
  const { rows } = await pool.query<{ id: string }>(
    "select max(message_id) - 300 as id from cos.messages where platform = 'console'",
  );
  return [
    ["channel", "/"],
    ["older cards", `/older/${rows[0]?.id ?? ""}`],
    ["goals", "/goals"],
    ["goals, late page", "/goals?page=500"],
    ["goals, one status", "/goals?status=complete"],
    ["goals, a search", "/goals?search=page"],
    ["a goal", `/goals/${newest[0] ?? ""}`],
    ["a goal that is asked about", `/goals/${asked?.goalId ?? ""}`],
    ["a goal, much happened", `/goals/${longest}`],
    ["a difference", `/goals/${longest}/diff`],
    ["campaigns", "/campaigns"],
    ["a campaign", `/campaigns/${campaignId}`],
    ["week", "/weekly"],
    ["spend", "/spend"],
    ["preferences", "/preferences"],
    ["health", "/health"],
    ["access", "/access"],
    ["app.css", "/app.css"],
    ["app.js", "/app.js"],
    ["keys.js", "/keys.js"],
  ];
}

/** Gives the newest goals that were completed texts of their own, and has their cards drawn from their rows. Oldest first. */
async function varyNewest(pool: pg.Pool, number: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    "select goal_id as id from cos.goals where status = 'complete' order by created_at desc limit $1",
    [number],
  );
  const ids = rows.map(({ id }) => id).reverse();
  const dice = openDice(1);
  const texts = ids.map(() => sentence(dice, 6 + dice(30)));
  await pool.query(
    `update cos.goals g set content = told.content from unnest($1::text[], $2::text[]) told (goal_id, content)
     where g.goal_id = told.goal_id`,
    [ids, texts],
  );
  await pool.query("insert into cos.marks (subject, id, urgency) select 'goal', unnest($1::text[]), 'soon'", [ids]);
  return ids;
}

/** What was found and kept over many attempts. */
async function lengthen(pool: pg.Pool, goalId: string, events: number): Promise<void> {
  const dice = openDice(2);
  const words = Array.from({ length: events }, () => sentence(dice, 4 + dice(16)));
  const of = "from cos.goals, unnest($2::text[]) with ordinality told (words, place) where goal_id = $1";
  await pool.query(
    `insert into cos.timeline (goal_id, run_id, event, detail, at)
     select goal_id, run_id, case place % 2 when 0 then 'goal.failed' else 'goal.manual_followup' end,
       jsonb_build_object('outcome', words), updated_at + place * interval '7 seconds' ${of}`,
    [goalId, words],
  );
  const half = [goalId, words.slice(0, Math.floor(events / 2))];
  await pool.query(
    `insert into cos.evidence (goal_id, run_id, turn, kind, criterion, command, exit_code, commit, duration_ms, output_file,
       output_bytes, sha256, tag, detail, at)
     select goal_id, run_id, 2 + place, 'check', words, 'npm test -- ' || words, place % 3, md5(words), 900, 'runs/' || place, 4000,
       encode(sha256(words::bytea), 'hex'), 'verified', '{"end":"finished"}', updated_at + place * interval '7 seconds' ${of}`,
    half,
  );
  await pool.query(
    `insert into cos.phase_reports (goal_id, run_id, iteration, task_id, report, at)
     select goal_id, run_id, place, 't' || place % 7, jsonb_build_object('schemaVersion', 1, 'phase', 'implement', 'outcome', words,
       'statusUpdates', '{}'::jsonb, 'reasons', jsonb_build_array(words, reverse(words)), 'evidenceRefs', '[]'::jsonb,
       'source', 'agent', 'validationErrors', '[]'::jsonb), updated_at + place * interval '7 seconds' ${of}`,
    half,
  );
}

const run = promisify(execFile);

/** Two commits, with hundreds of changed lines between them, as what a goal began at and came to. */
async function recordDifference({ deps, repository }: BusyWorld, goalId: string): Promise<void> {
  const dice = openDice(3);
  const git = async (...words: string[]): Promise<string> =>
    (await run("git", ["-c", "user.name=Bench", "-c", "user.email=bench@localhost", ...words], { cwd: repository }))
      .stdout;
  const base = (await git("rev-parse", "HEAD")).trim();
  for (let file = 0; file < 12; file += 1) {
    const lines = Array.from({ length: 120 }, () => `export const ${name(dice)} = "${sentence(dice, 3 + dice(8))}";`);
    await writeFile(join(repository, `${name(dice)}.ts`), `${lines.join("\n")}\n`);
  }
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Much");
  const head = (await git("rev-parse", "HEAD")).trim();
  await deps.database.pool.query(
    "update cos.runs set base_commit = $1, head_commit = $2 from cos.goals g where g.run_id = runs.run_id and g.goal_id = $3",
    [base, head, goalId],
  );
}

function name(dice: (sides: number) => number): string {
  return sentence(dice, 2).slice(0, -1).replaceAll(" ", "_").toLowerCase();
}

/** A campaign that is nearly over: a milestone a week, ten goals a day, each of which has ended. */
async function addCampaign(pool: pg.Pool, repositoryId: string, days: number): Promise<string> {
  const dice = openDice(4);
  const campaignId = "campaign-0123456789";
  const goals = Array.from({ length: days * 10 }, () => sentence(dice, 6 + dice(20)));
  await pool.query(
    `insert into cos.campaigns (campaign_id, repository_id, name, goal, state, current_day, started_at, original_duration_days,
       total_budget_micro_usd, daily_budget_micro_usd, plan_notes, planned_by, created_by, created_at, updated_at)
     select $1, $2, 'Take card payments', $3, 'paused', $4, at, $4, 500000000, 15000000, '[]', 'outline', 'ana', at, now()
     from (select now() - $4::int * interval '1 day' as at) one`,
    [campaignId, repositoryId, sentence(dice, 60), days],
  );
  await pool.query(
    `insert into cos.goals (goal_id, repository_id, campaign_id, campaign_day, content, tags, priority, linkage, files_allowed,
       proof_allowed, instructions, is_unplanned, "after", status, phase, outcome, created_by, created_at, updated_at)
     select 'goal-c' || substr(md5(content), 1, 9), $2, $1, (place + 9) / 10, content, '[]', 'medium', '{"kind":"none"}', '[]', '[]',
       '[]', false, '[]', 'failed', 'start', 'It did not work.', 'ana', now() - interval '1 day', now() - interval '1 day'
     from unnest($3::text[]) with ordinality told (content, place) on conflict do nothing`,
    [campaignId, repositoryId, goals],
  );
  await pool.query(
    `insert into cos.campaign_days (campaign_id, day_number, date, goals, budget_micro_usd, status, actual_cost_micro_usd, notes)
     select campaign_id, campaign_day, current_date - ($2::int - campaign_day), jsonb_agg(jsonb_build_object('goalId', goal_id,
         'milestoneId', 'm' || (campaign_day + 6) / 7, 'request', jsonb_build_object('content', content))), 15000000, 'done', 9000000, ''
     from cos.goals where campaign_id = $1 group by campaign_id, campaign_day`,
    [campaignId, days],
  );
  await pool.query(
    `insert into cos.milestones (campaign_id, milestone_id, position, name, description, target_day, success_criteria, status)
     select $1, 'm' || week, week, 'Milestone ' || week, words, week * 7, jsonb_build_array(words), 'pending'
     from unnest($2::text[]) with ordinality told (words, week)`,
    [campaignId, Array.from({ length: Math.ceil(days / 7) }, () => sentence(dice, 20))],
  );
  return campaignId;
}

/** Goals that change what people see: each is asked about. */
async function addQuestions({ deps, call, repository }: BusyWorld, number: number): Promise<void> {
  const dice = openDice(5);
  const wanted = Array.from({ length: number }, () => ({ content: sentence(dice, 6 + dice(25)), tags: ["ui"] }));
  const file = join(deps.config.dataDir, "wanted.json");
  await writeFile(file, JSON.stringify(wanted));
  const { goalIds } = (await call("goal", "add", "--from", file, "--repo", repository)) as { goalIds: string[] };
  await call("autopilot", "start", "--repo", repository, ...goalIds.flatMap((each) => ["--goal", each]));
}
