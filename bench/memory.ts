import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runGoals } from "../jobs/run-goal.ts";
import { parseConfig } from "../src/config.ts";
import { dollars } from "../src/core/money.ts";
import type { Deps } from "../src/deps.ts";
import { openLog } from "../src/log.ts";
import { tick } from "../src/tick.ts";
import { processIdentity } from "../src/turns/shared/process-identity.ts";
import { openWorld } from "../src/world.ts";
import { makeDataDir, removeDataDir } from "./data-dir.ts";
import { call, makeRepository } from "./engine.ts";
import { measureRetrieval, mostP99Ms, type Retrieval } from "./memory/retrieval.ts";
import { readOptions } from "./options.ts";

/**
 * Does memory help? `npm run bench:memory` replays the same goals twice, with what past runs taught and without: ten kinds of
 * failure, each of which heals only when the prompt holds the fact that it needs. A person who is asked gives that fact once and
 * the goal goes on. For three of the kinds the fact changes half-way, so that the old lesson misleads; half of all goals have
 * nothing to do with any kind. Exit 1 when memory makes a kind worse. With `--episodes N` it measures how long it takes to find
 * what is related among so many instead; exit 1 when that is too long.
 */
const kinds = [
  "cache",
  "schema",
  "proxy",
  "locale",
  "encoding",
  "timeout",
  "quota",
  "moved",
  "renamed",
  "replaced",
] as const;
/** Of these the fact is another one in the second half. */
const misleading: readonly string[] = ["moved", "renamed", "replaced"];

/** An agent that succeeds when its prompt holds the fact of its goal's kind, and has no other way. */
const agentScript = `
prompt=$(cat)
wanted=$(printf '%s' "$prompt" | sed -n 's/.*Bench [a-z]* [0-9]* needs \\([a-z0-9]*\\).*/\\1/p' | tail -1)
name=$(printf '%s' "$prompt" | sed -n 's/.*Bench [a-z]* \\([0-9]*\\).*/\\1/p' | tail -1)
if [ -z "$wanted" ]; then echo x > "noise-$$.txt"; echo done; exit 0; fi
fact=$(cat "$(dirname "$0")/fact-$wanted")
if printf '%s' "$prompt" | grep -q "$fact"; then echo "$name" > "note-$name.txt"; echo done; exit 0; fi
echo "the $wanted is not as expected"; exit 3
`;

interface Line {
  readonly kind: string;
  readonly goals: number;
  /** Done without a person. */
  readonly healed: number;
  readonly attempts: number;
  readonly costUsd: number;
}

async function openBench(lessons: number) {
  const dataDir = await makeDataDir("cos-bench");
  // Its agent lies in the data directory, which nobody sees from a room.
  const parsed = parseConfig({ COS_DATA_DIR: dataDir, COS_TIMEZONE: "UTC", COS_ISOLATION: "off" });
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
  const { ceilings, recovery } = parsed.config.policy;
  const policy = {
    ...parsed.config.policy,
    memory: { lessons },
    ceilings: { ...ceilings, sessionMicroUsd: dollars(100_000), dayMicroUsd: dollars(100_000) },
    thresholds: { singleMicroUsd: dollars(100_000), dayMicroUsd: dollars(100_000) },
    recovery: {
      ...recovery,
      rungs: [{ attempts: 2, backoffMs: 1 }],
      breakerAfter: Number.MAX_SAFE_INTEGER,
    },
  };
  const config = { ...parsed.config, policy };
  const opening = { listens: false, serves: true, mayStart: true, onProgress: () => undefined };
  const world = await openWorld(config, openLog("silent"), opening);
  let now = new Date();
  const deps: Deps = { ...world.deps, policy, config, now: () => now, ring: async () => undefined };
  const advance = (ms: number): void => {
    now = new Date(now.getTime() + ms);
  };
  const close = async (): Promise<void> => {
    await world.close();
    await removeDataDir(dataDir);
  };
  return { deps, dataDir, advance, close };
}

type Bench = Awaited<ReturnType<typeof openBench>>;

const needOf = (kind: string, isLate: boolean): string => (isLate && misleading.includes(kind) ? `${kind}2` : kind);
const factOf = (need: string): string => `FACT-${need.toUpperCase()}-${need.length * 7919}`;

/** Works the goals one after the other, each to its end; a person who is asked says the fact. */
async function replay(lessons: number, total: number): Promise<Line[]> {
  const bench = await openBench(lessons);
  try {
    const script = join(bench.dataDir, "agent.sh");
    await writeFile(script, agentScript);
    for (const kind of kinds)
      for (const need of [kind, `${kind}2`]) await writeFile(join(bench.dataDir, `fact-${need}`), factOf(need));
    const path = join(bench.dataDir, "repository");
    await makeRepository(path, { "README.md": "A repository.\n" });
    const added = ["--name", "bench", "--setup", "", "--check", "", "--agent", `command:sh ${script}`];
    await call(bench.deps, "repo", "add", path, ...added);
    const lines = new Map<string, Line>();
    for (let number = 0; number < total; number += 1) {
      const kind = kinds[Math.floor(number / 2) % kinds.length] ?? "cache";
      const isNoise = number % 2 === 1;
      const need = needOf(kind, number >= total / 2);
      const content = isNoise ? `Tidy up corner ${number}` : `Bench ${kind} ${number} needs ${need}`;
      const came = await work(bench, content, isNoise ? "noise" : kind, factOf(need));
      const name = isNoise ? "noise" : kind;
      const before = lines.get(name) ?? { kind: name, goals: 0, healed: 0, attempts: 0, costUsd: 0 };
      lines.set(name, {
        kind: name,
        goals: before.goals + 1,
        healed: before.healed + (came.wasAsked ? 0 : 1),
        attempts: before.attempts + came.attempts,
        costUsd: before.costUsd + came.costUsd,
      });
      if (process.stderr.isTTY)
        process.stderr.write(`\r${lessons === 0 ? "without" : "with"}: ${number + 1} of ${total} `);
    }
    if (process.stderr.isTTY) process.stderr.write("\n");
    return [...lines.values()];
  } finally {
    await bench.close();
  }
}

async function work(bench: Bench, content: string, tag: string, fact: string) {
  const { deps } = bench;
  const worker = { leasedBy: processIdentity(deps.config.machine), shutdown: new AbortController().signal };
  const { goalId } = (await call(deps, "goal", "add", content, "--repo", "bench", "--tag", tag)) as { goalId: string };
  await call(deps, "autopilot", "start", "--goal", goalId);
  let wasAsked = false;
  while (true) {
    await runGoals(deps, worker);
    const shown = (await call(deps, "goal", "show", goalId)) as {
      status: string;
      checkpointId: string | null;
      attempts: unknown[];
      costUsd: number;
    };
    if (shown.status === "complete") {
      await tick(deps);
      return { wasAsked, attempts: shown.attempts.length, costUsd: shown.costUsd };
    }
    if (shown.status === "blocked" && shown.checkpointId !== null) {
      wasAsked = true;
      await call(deps, "answer", shown.checkpointId, "Retry", "--instructions", `Use ${fact}`);
    }
    bench.advance(60_000);
    await tick(deps);
  }
}

const options = readOptions(
  "npm run bench:memory",
  { json: "print the numbers as JSON" },
  {
    goals: { help: "how many goals are replayed", byDefault: 200, least: 20, most: 10_000, isWhole: true },
    episodes: {
      help: "measure retrieval among so many episodes",
      byDefault: 0,
      least: 0,
      most: 5_000_000,
      isWhole: true,
    },
  },
);

async function main(): Promise<void> {
  if (options.episodes > 0) {
    const found = await measureRetrieval(options.episodes);
    reportRetrieval(found);
    process.exitCode = found.p99Ms <= mostP99Ms ? 0 : 1;
    return;
  }
  const without = await replay(0, options.goals);
  const withMemory = await replay(3, options.goals);
  const worse = report(without, withMemory);
  process.exitCode = worse === 0 ? 0 : 1;
}

/** How many kinds memory made worse. */
function report(without: readonly Line[], withMemory: readonly Line[]): number {
  const pairs = without.map((before) => ({
    before,
    after: withMemory.find((each) => each.kind === before.kind) ?? before,
  }));
  const worse = pairs.filter(({ before, after }) => after.healed < before.healed || after.attempts > before.attempts);
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ without, with: withMemory, worse: worse.map(({ before }) => before.kind) })}\n`,
    );
    return worse.length;
  }
  const row = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(12) : cell.padStart(20))).join("");
  const both = (of: (line: Line) => string, { before, after }: (typeof pairs)[number]): string =>
    `${of(before)} → ${of(after)}`;
  const share = ({ healed, goals }: Line): string => `${Math.round((healed / goals) * 100)} %`;
  const body = pairs.map((pair) =>
    row([
      pair.before.kind,
      String(pair.before.goals),
      both(share, pair),
      both(({ attempts, goals }) => (attempts / goals).toFixed(1), pair),
      both(({ costUsd }) => `$${costUsd.toFixed(3)}`, pair),
    ]),
  );
  const head = row(["kind", "goals", "without a person", "attempts a goal", "cost"]);
  process.stdout.write(`${[head, ...body, "", `Kinds that memory made worse: ${worse.length}`].join("\n")}\n`);
  return worse.length;
}

function reportRetrieval(found: Retrieval): void {
  if (options.json) process.stdout.write(`${JSON.stringify(found)}\n`);
  else
    process.stdout.write(
      `${found.episodes} episodes, ${found.looks} looks: p50 ${found.p50Ms.toFixed(1)} ms, p99 ${found.p99Ms.toFixed(1)} ms of at most ${mostP99Ms} ms; ${Math.round(found.recall * 100)} % of the true best five found\n`,
    );
}

await main();
