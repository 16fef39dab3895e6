import { parseConfig } from "../../src/config.ts";
import { mostRelevant } from "../../src/core/memory/relevance.ts";
import { openDatabaseClient } from "../../src/db/connection/connections.ts";
import { candidatesFor } from "../../src/db/episodes.ts";
import { openLog } from "../../src/log.ts";
import { openWorld } from "../../src/world.ts";
import { makeDataDir, removeDataDir } from "../data-dir.ts";

/** How long it takes to find what is related to a goal, and how much of it is found. */
export interface Retrieval {
  readonly episodes: number;
  readonly looks: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The share of the five best by score, of all episodes, that are among the five that were found. */
  readonly recall: number;
}

/** A look that takes longer makes agents wait: the bench ends with 1 when more than one of a hundred does. */
export const mostP99Ms = 50;

const looks = 300;
/** Goals for which all episodes are scored: that takes long. */
const judged = 5;

/** On an own database with so many episodes of one repository, of five hundred features, fifty areas and a handful of kinds. */
export async function measureRetrieval(episodes: number): Promise<Retrieval> {
  const dataDir = await makeDataDir("cos-bench");
  const parsed = parseConfig({ COS_DATA_DIR: dataDir, COS_TIMEZONE: "UTC" });
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
  const opening = { listens: false, serves: false, mayStart: true, onProgress: () => undefined };
  const world = await openWorld(parsed.config, openLog("silent"), opening);
  // Filling and judging by all rows take longer than any statement of the engine may.
  const slow = await openDatabaseClient({ url: world.databaseUrl, onError: () => undefined, longestStatementMs: null });
  try {
    const { db } = world.deps.database;
    for (const statement of filling(episodes)) await slow.query(statement);
    const times: number[] = [];
    let found = 0;
    for (let look = 0; look < looks; look += 1) {
      const feature = `f${(look * 7) % 500}`;
      const tags = ["feature", feature, `area${(look * 3) % 50}`];
      const wanted = { repositoryId: "repo-1", tags, content: `Repair part ${look % 97} of ${feature}` };
      const startedMs = performance.now();
      const { candidates, words } = await candidatesFor(db, wanted);
      times.push(performance.now() - startedMs);
      if (look >= judged) continue;
      const best = mostRelevant(candidates, { tags, words, now: new Date() }, { most: 5 });
      const { rows } = await slow.query<{ fifth: string }>(trueScores, [JSON.stringify(tags)]);
      const fifth = Number(rows.at(-1)?.fifth ?? 0);
      const scores = await slow.query<{ score: string }>(
        `select ${score} as score from cos.episodes e where episode_id = any($2)`,
        [JSON.stringify(tags), best.map((each) => each.episodeId)],
      );
      found += scores.rows.filter((row) => Number(row.score) >= fifth - 1e-6).length;
    }
    times.sort((one, other) => one - other);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    return { episodes, looks, p50Ms: at(0.5), p99Ms: at(0.99), recall: found / (5 * judged) };
  } finally {
    await slow.end();
    await world.close();
    await removeDataDir(dataDir);
  }
}

/** As `scoreOf` says it, of a row. */
const score = `(
  0.4 * (select count(*) from jsonb_array_elements_text(e.tags) t where $1::jsonb ? t)
  + greatest(0, 0.3 * (1 - floor(extract(epoch from now() - e.at) / 86400) / 7))
  + case when (e.outcome ->> 'isSuccess')::boolean then 0.2 else 0 end + case when e.recovery_level = 1 then 0.1 else 0 end)`;
const trueScores = `select min(score) as fifth from (select ${score} as score from cos.episodes e order by 1 desc limit 5) best`;

function filling(episodes: number): string[] {
  return [
    "select setseed(0.5)",
    `insert into cos.episodes (episode_id, run_id, goal_id, repository_id, at, goal, actions, outcome, reflection, reflected_by, is_pending,
       recovery_level, cost_micro_usd, cost_is_estimated, duration_seconds, tags)
     select 'ep-' || i, 'run-' || i, 'goal-' || i, 'repo-1', now() - (${episodes} - i) * interval '1 minute',
       jsonb_build_object('content', 'Work on part ' || i % 97 || ' of f' || f, 'tags', '[]'::jsonb, 'linkage', '{"kind":"none"}'::jsonb),
       '[{"type":"attempt","description":"as asked","result":"passed","costMicroUsd":0}]',
       jsonb_build_object('isSuccess', random() < 0.8, 'goalStatus', 'complete', 'error', null, 'artifacts', '[]'::jsonb),
       'It was done at the first attempt. It changed src/part.ts.', 'the built-in rule', false, 1 + (random() * 3)::int, 0, false, 60,
       jsonb_build_array('feature', 'f' || f, 'area' || a)
     from (select i, (random() * random() * 500)::int as f, (random() * 50)::int as a from generate_series(1, ${episodes}) i) made`,
    `insert into cos.episode_keys (repository_id, key, episode_no)
     select 'repo-1', key, episode_no from (select episode_no, tags ->> 1 as f, tags ->> 2 as a from cos.episodes) e
     cross join lateral (values (''), ('feature'), (f), (a), (f || chr(31) || 'feature'), (a || chr(31) || 'feature'), (a || chr(31) || f),
       (a || chr(31) || f || chr(31) || 'feature')) as keys (key)`,
    "vacuum analyze cos.episodes",
    "vacuum analyze cos.episode_keys",
  ];
}
