import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { runGoals } from "../jobs/run-goal.ts";
import { repositories, trialResults } from "../src/db/schema/index.ts";
import { openLog } from "../src/log.ts";
import { processIdentity } from "../src/turns/shared/process-identity.ts";
import { openWorld } from "../src/world.ts";
import { parseConfig } from "../src/config.ts";
import { removeTree } from "../src/agent/git/tree.ts";
import { fillShelf, honestSetup, honestSpec, layHonest } from "../tests/fakes/honest-shelf.ts";
import { honestGoals } from "../tests/fixtures/honest.ts";
import { call } from "./engine.ts";
import { readOptions } from "./options.ts";

/**
 * What putting proofs on trial costs beside the criteria themselves: `npm run bench:trials`, with `--json`. Honest work on
 * packages of others, downloaded with the tests that they carry; every number is of this machine now.
 */
interface Measured {
  readonly title: string;
  readonly of: string;
  /** The criterion's own run that decides. */
  readonly criterionMs: number;
  /** While at least one trial ran; two go at a time. */
  readonly trialsMs: number;
  readonly setupMs: number;
  readonly runs: number;
  readonly trials: readonly Trial[];
}

interface Trial {
  readonly what: string;
  readonly result: string;
  readonly durationMs: number;
  readonly setupMs?: number;
  readonly isKept: boolean;
}

interface Shown {
  readonly evidence: readonly { readonly kind: string; readonly durationMs?: number }[];
  readonly trials: readonly { readonly trials: readonly Trial[] }[];
}

const options = readOptions(
  "npm run bench:trials",
  { json: "print one JSON document", trials: "print every run, too" },
  {},
);
const shelf = await fillShelf();
const dataDir = await mkdtemp(join(tmpdir(), "cos-bench-"));
const parsed = parseConfig({ COS_DATA_DIR: dataDir, COS_WRITABLE: shelf });
if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
const opening = { listens: false, serves: false, mayStart: true, onProgress: () => undefined } as const;
const world = await openWorld(parsed.config, openLog("silent"), opening);
const worker = { leasedBy: processIdentity("bench"), shutdown: new AbortController().signal };
const measured: Measured[] = [];
try {
  for (const [index, goal] of honestGoals.entries()) {
    const repo = `honest-${index}`;
    const path = await layHonest(shelf, goal, join(shelf, repo));
    const spec = join(shelf, `${repo}.md`);
    await writeFile(spec, honestSpec(goal));
    await call(world.deps, "repo", "add", path, "--name", repo, "--setup", honestSetup(shelf, goal), "--check", "");
    const words = ["goal", "add", "Some work", "--repo", repo, "--criteria", spec, "--run", goal.work];
    const { goalId } = (await call(world.deps, ...words, ...(goal.options ?? []))) as { goalId: string };
    await call(world.deps, "autopilot", "start", "--repo", repo);
    await runGoals(world.deps, worker);
    const shown = (await call(world.deps, "goal", "show", goalId)) as Shown;
    measured.push(measure(goal, shown, await lastedMs(repo)));
  }
} finally {
  await world.close();
  await removeTree(shelf);
  await removeTree(dataDir);
}
print(measured.filter(({ runs }) => runs > 0));

/** While at least one trial of this repository ran: its runs, as they lay in time. */
async function lastedMs(repo: string): Promise<number> {
  const { db } = world.deps.database;
  const kept = await db
    .select({ at: trialResults.at, durationMs: trialResults.durationMs })
    .from(trialResults)
    .innerJoin(repositories, eq(repositories.repositoryId, trialResults.repositoryId))
    .where(eq(repositories.name, repo));
  const spans = kept.map(({ at, durationMs }) => ({ from: at.getTime() - durationMs, to: at.getTime() }));
  let [total, end] = [0, 0];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return Math.round(total);
}

function measure({ title, of }: (typeof honestGoals)[number], { evidence, trials }: Shown, trialsMs: number): Measured {
  const runs = trials.flatMap((each) => each.trials).filter(({ isKept }) => !isKept);
  const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
  const own = evidence.filter(({ kind }) => kind === "criterion").map(({ durationMs = 0 }) => durationMs);
  return {
    title,
    of,
    criterionMs: own[0] ?? 0,
    trialsMs,
    setupMs: sum(runs.map(({ setupMs = 0 }) => setupMs)),
    runs: runs.length,
    trials: runs,
  };
}

function print(rows: readonly Measured[]): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  for (const { title, of, criterionMs, trialsMs, setupMs, runs, trials } of rows) {
    const times = (trialsMs / Math.max(1, criterionMs)).toFixed(1);
    process.stdout.write(
      `${title} (${of}): criterion ${criterionMs} ms; ${runs} runs, two at a time ${trialsMs} ms, ${times} times that; setup ${setupMs} ms\n`,
    );
    if (!options.trials) continue;
    for (const { what, result, durationMs } of trials) process.stdout.write(`  ${durationMs} ms ${result} ${what}\n`);
  }
}
