import { beforeAll, describe, expect, it } from "vitest";
import { fillHistory } from "../../bench/history/fill.ts";
import { listRepositories } from "../../src/db/repositories.ts";
import { consoleOf } from "./console.ts";
import { oneAttempt, type TestWorld } from "./deps.ts";
import { type Executed, explainedUrl, hearPlans } from "./plans.ts";
import { slackWorld } from "./slack/world.ts";
import { type Both, inBoth, inWords, type Most, mostOf } from "./statements.ts";
import { criteria, twoDays } from "./two-days.ts";

/** Tables that do not grow while the bot works: what a person made known, and set. */
const small = new Set(["repositories", "schedules", "readers", "counts"]);

/** The statements of a bot's two days. */
interface Days {
  readonly all: ReadonlyMap<string, Most>;
  /** Without what lists, reports and pages asked. */
  readonly atWork: ReadonlyMap<string, Most>;
}

type DaysOf = (finished: number) => Days;

/** Every statement of two days after so much history. */
async function daysAfter(ended: number): Promise<Days> {
  const world = await slackWorld({
    policy: oneAttempt,
    environment: { PORT: "0" },
    through: async (databaseUrl) => explainedUrl(databaseUrl),
  });
  const heard = hearPlans(world.deps.database.pool);
  const browser = await consoleOf(world);
  try {
    await world.repository({ "README.md": "x\n", "ac/a.md": criteria });
    await fill(world, ended);
    const from = heard.length;
    const shown = new Set<Executed>();
    await twoDays(world, browser, async (read) => {
      const first = heard.length;
      await read();
      for (const each of heard.slice(first)) shown.add(each);
    });
    const all = heard.slice(from);
    return { all: mostOf(all), atWork: mostOf(all.filter((each) => !shown.has(each))) };
  } finally {
    await browser.stop();
    await world.close();
  }
}

/** Fills the world's database as if it had worked for long. */
export async function fill(
  { databaseUrl, deps }: Pick<TestWorld, "databaseUrl" | "deps">,
  ended: number,
  waiting = 60,
): Promise<void> {
  const [{ repositoryId } = { repositoryId: "" }] = await listRepositories(deps.database.db);
  const { channels } = deps;
  await fillHistory(databaseUrl, { finished: ended, waiting, parked: 10, repositoryId, channels, now: deps.now() });
}

/**
 * As many pages and rows as before: a tenth more at most, and apart from that what is said here. A statement reads few of them, most less
 * than a hundred, so that a tenth is little. What else may differ does so for other reasons than history: versions of rows that nobody
 * has cleared away yet, and the 64 rows that a tally brings together now and then. Both depend on the moment; what grows with history
 * grows by thousands. After 100,000 goals no table is so small that it is read as a whole instead of by an index: from there on, nine
 * statements of ten stay within the tenth and the levels alone.
 */
const floor = { buffers: 300, rows: 250 };
/** Of an index of that many rows, but for its first page: each search goes through them. */
const levels = 2;
/** A row that is written enters each index of its table, and may split a page of each. */
const pagesWritten = 80;

/**
 * What work reads of history, as much of it after 100,000 goals as after a million, but none after none: the standup's and the weekly's
 * last days, with the branches of these days (the fill's are not in git, and each is told to be gone), and the runs of
 * the goals that something was told about, which memory reads.
 */
const looksBack = [
  "select distinct on (goal_id) goal_id, at, timeline_id from cos.timeline where at >= $ and at <",
  "select goal_id from cos.timeline where at >= $ and at < 'infinity' and event in ('goal.manual_followup')",
  'from "cos"."timeline" where ("cos"."timeline"."event" = $ and "cos"."timeline"."at" >= $ and "cos"."timeline"."at" < $)',
  "where r.head_commit is not null and r.ended_at >= $ and g.status = 'complete'",
  "where r.ended_at is not null and r.goal_id = any($::text[]) and r.status = 'ended' and (select e.episode_no",
];

/** Whether it touches as much as before, but for what is said above; `written`: how many rows it may have written. */
function isAsBefore({ young, old }: Both, written = young.written): boolean {
  // Each row may lie on a page of its own, and each search may go down a tree where it found a page among few before.
  const pages = Math.max(young.buffers, young.rows) + written * pagesWritten;
  const allowedBuffers = pages * 1.1 + floor.buffers + old.descents * levels;
  return old.rows <= young.rows * 1.1 + floor.rows && old.buffers <= allowedBuffers;
}

/** Whether it touches a tenth more at most, and two pages for each search in an index, which may have grown by levels. */
function isWithinTenth({ young, old }: Both): boolean {
  return old.rows <= young.rows * 1.1 && old.buffers <= young.buffers * 1.1 + old.descents * levels;
}

/**
 * The statements that both bots have asked, and those of them that touch more than they should. An empty bot has nothing to
 * show: lists, reports and pages are not compared with it, nor what looks back, and it may have written fewer rows.
 */
function compare(
  daysOf: DaysOf,
  before: number,
  goals: number,
): { readonly both: readonly Both[]; readonly grown: readonly Both[] } {
  const [young, old] = [daysOf(before), daysOf(goals)];
  if (before > 0) {
    const both = inBoth(young.all, old.all);
    return { both, grown: both.filter((each) => !isAsBefore(each)) };
  }
  const both = inBoth(young.atWork, old.atWork);
  const others = both.filter(({ statement }) => !looksBack.some((words) => statement.includes(words)));
  return { both, grown: others.filter((each) => !isAsBefore(each, each.old.written)) };
}

function report(both: readonly Both[], about: string): void {
  const others = both.filter((each) => !isWithinTenth(each));
  const lines = others.map((each) => `  ${inWords(each, true)}`);
  const counts = `${both.length} statements in both, ${both.length - others.length} within a tenth, the others:`;
  process.stdout.write(`${[`${about}: ${counts}`, ...lines].join("\n")}\n`);
}

/**
 * Compares the same days in the life of bots that have worked for longer and longer. `finished`: how many goals each of them has
 * finished, ascending; each is compared with the one before it.
 */
export function compareDays(finished: readonly number[], isReported = false): void {
  const days = new Map<number, Days>();
  const daysOf: DaysOf = (goals) => days.get(goals) ?? { all: new Map(), atWork: new Map() };
  const pairs = finished.slice(1).map((goals, index) => ({ before: finished[index] ?? 0, goals }));

  beforeAll(
    async () => {
      for (const goals of finished) days.set(goals, await daysAfter(goals));
    },
    6 * 60 * 60_000,
  );

  describe.each(pairs)("after $goals finished goals", ({ before, goals }) => {
    it("no statement reads a table that grows from end to end [F-602]", () => {
      const { all } = daysOf(goals);
      const scanning = [...all].flatMap(([statement, { scanned, rows }]) =>
        [...scanned].filter((table) => !small.has(table)).map((table) => `${table} (${rows} rows): ${statement}`),
      );
      expect(all.size).toBeGreaterThan(200);
      expect(scanning).toEqual([]);
    });

    it(`every statement touches as many pages and rows as after ${before} [F-602]`, () => {
      const { both, grown } = compare(daysOf, before, goals);
      if (isReported) report(both, `${goals} finished goals beside ${before}`);
      expect(both.length).toBeGreaterThan(200);
      expect(grown.map((each) => inWords(each))).toEqual([]);
    });

    it.runIf(before >= 100_000)(`nine statements of ten touch a tenth more at most than after ${before}`, () => {
      const { both } = compare(daysOf, before, goals);
      expect(both.filter(isWithinTenth).length / both.length).toBeGreaterThan(0.9);
    });

    it.runIf(before === 0)("what looks back is asked", () => {
      const { both } = compare(daysOf, before, goals);
      const isAsked = (words: string): boolean => both.some(({ statement }) => statement.includes(words));
      expect(looksBack.filter((words) => !isAsked(words))).toEqual([]);
    });
  });
}
