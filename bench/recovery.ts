import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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
import { readOptions } from "./options.ts";

/**
 * How many goals come through scripted failures of ten kinds without a human: `npm run bench:recovery`, with `--goals N`
 * (default 200) and `--json`. The whole engine, real git and real children; only the clock is moved by hand, over the
 * waits. Whoever is asked skips. Exit 1 when something was retried that must not be, or when rung 2 tried one approach
 * twice under one failure.
 */
interface Kind {
  readonly name: string;
  /** No machine may try it again. */
  readonly isFinal: boolean;
}

const kinds: readonly Kind[] = [
  { name: "transient", isFinal: false },
  { name: "systematic", isFinal: false },
  { name: "stubborn", isFinal: false },
  { name: "missing", isFinal: false },
  { name: "crash", isFinal: false },
  { name: "limit", isFinal: false },
  { name: "login", isFinal: true },
  { name: "refusal", isFinal: true },
  { name: "ceiling", isFinal: true },
  { name: "criteria", isFinal: true },
];

/** An agent that reads its goal's kind from the prompt and fails as that kind does. */
const agentScript = `
prompt=$(cat)
kind=$(printf '%s' "$prompt" | sed -n 's/.*Bench \\([a-z]*\\) .*/\\1/p' | head -1)
name=$(printf '%s' "$prompt" | sed -n 's/.*Bench [a-z]* \\([0-9]*\\).*/\\1/p' | head -1)
finish() { echo "$name" > "note-$name.txt"; echo done; exit 0; }
says() { printf '%s' "$prompt" | grep -q "$1"; }
case "$kind" in
  transient) says "Earlier attempts" && finish; echo "connection hiccup"; exit 7 ;;
  systematic) says "Go about it differently" && finish; echo "the wrong way"; exit 3 ;;
  stubborn) says "smallest steps" && finish; echo "harder than it looks $name"; exit 3 ;;
  missing) says "answer by" && finish; echo "config file MISSING for $name"; exit 4 ;;
  crash) says "2. as asked" && finish; kill -9 $$ ;;
  limit) test -e "$0.$name" && finish; touch "$0.$name"; echo "API Error: 429 rate_limit_error, retry-after: 600" >&2; exit 1 ;;
  login) echo "Invalid API key. Please run /login" >&2; exit 1 ;;
  refusal) echo "I can't help with that." >&2; exit 1 ;;
  *) finish ;;
esac
`;

const here = dirname(fileURLToPath(import.meta.url));

interface Bench {
  readonly deps: Deps;
  readonly dataDir: string;
  advance(ms: number): void;
  call(...words: string[]): Promise<unknown>;
  close(): Promise<void>;
}

async function openBench(): Promise<Bench> {
  const dataDir = await makeDataDir("cos-bench");
  // Its agent lies in the data directory and leaves marks there, which nobody sees from a room.
  const parsed = parseConfig({ COS_DATA_DIR: dataDir, COS_TIMEZONE: "UTC", COS_ISOLATION: "off" });
  if (parsed.type === "invalid") throw new Error(parsed.problems.join("; "));
  const { ceilings, recovery } = parsed.config.policy;
  const policy = {
    ...parsed.config.policy,
    ceilings: { ...ceilings, sessionMicroUsd: dollars(100_000), dayMicroUsd: dollars(100_000) },
    thresholds: { singleMicroUsd: dollars(100_000), dayMicroUsd: dollars(100_000) },
    // Everything that ends is skipped by hand here, which is not what the breaker is for.
    recovery: { ...recovery, breakerAfter: Number.MAX_SAFE_INTEGER },
  };
  const config = { ...parsed.config, policy };
  const world = await openWorld(config, openLog("silent"), {
    listens: false,
    serves: true,
    mayStart: true,
    onProgress: () => undefined,
  });
  let now = new Date();
  const deps: Deps = { ...world.deps, policy, config, now: () => now, ring: async () => undefined };
  return {
    deps,
    dataDir,
    advance(ms) {
      now = new Date(now.getTime() + ms);
    },
    call: (...words) => call(deps, ...words),
    async close() {
      await world.close();
      await removeDataDir(dataDir);
    },
  };
}

const files = {
  "README.md": "A repository.\n",
  "spec.md":
    '#### AC-1: Nobody can look\n\n**Verification**:\n```yaml\nmethod: subagent\nchecks: ["it is good"]\n```\n',
};

/** Two repositories: a plain command as the agent, and one that reports what it costs. */
async function addGoals(bench: Bench, total: number): Promise<void> {
  const script = join(bench.dataDir, "agent.sh");
  await writeFile(script, agentScript);
  const costly = join(bench.dataDir, "costly.json");
  await writeFile(costly, JSON.stringify([{ costUsd: 6 }, { sleepMs: 60_000 }]));
  const acp = `acp:"${process.execPath}" "${join(here, "../examples/scripted-agent/agent.mjs")}" --script "${costly}"`;
  for (const [name, agent] of [
    ["plain", `command:sh ${script}`],
    ["costly", acp],
  ] as const) {
    const path = join(bench.dataDir, name);
    await makeRepository(path, files);
    await bench.call("repo", "add", path, "--name", name, "--setup", "", "--check", "", "--agent", agent);
  }
  for (let number = 0; number < total; number += 1) {
    const { name } = kinds[number % kinds.length] ?? { name: "transient" };
    const more = name === "criteria" ? ["--criteria", "spec.md"] : [];
    const repository = name === "ceiling" ? "costly" : "plain";
    await bench.call("goal", "add", `Bench ${name} ${number} please`, "--repo", repository, ...more);
  }
}

interface Question {
  readonly checkpointId: string;
  readonly kind: string;
  readonly goalId: string;
}

/** Works until everything has ended; whoever is asked skips. Returns the goals about which a person was asked. */
async function workAll(bench: Bench): Promise<Set<string>> {
  const { deps } = bench;
  const asked = new Set<string>();
  const worker = { leasedBy: processIdentity(deps.config.machine), shutdown: new AbortController().signal };
  await bench.call("autopilot", "start");
  while (true) {
    await runGoals(deps, worker);
    for (const question of (await bench.call("checkpoints")) as Question[]) {
      asked.add(question.goalId);
      // The question of rung 3 waits by itself; a paused session goes on without the goal that cannot.
      if (question.kind === "breaker") {
        await bench.call("goal", "skip", question.goalId);
        await bench.call("answer", question.checkpointId, "Resume");
      } else if (question.kind === "escalation") await bench.call("reject", question.checkpointId);
    }
    const goals = (await bench.call("goals")) as { status: string }[];
    const open = goals.filter((goal) => ["pending", "in_progress", "blocked"].includes(goal.status)).length;
    if (process.stderr.isTTY) process.stderr.write(`\r${goals.length - open} of ${goals.length} goals have ended `);
    if (open === 0) break;
    bench.advance(60_000);
    await tick(deps);
  }
  if (process.stderr.isTTY) process.stderr.write("\n");
  return asked;
}

interface Line {
  readonly kind: string;
  readonly goals: number;
  readonly withoutHuman: number;
  readonly attempts: number;
  readonly retriedThoughFinal: number;
}

async function measure(bench: Bench, asked: ReadonlySet<string>): Promise<{ lines: Line[]; repeated: number }> {
  const { rows: goals } = await bench.deps.database.pool.query<{ goal_id: string; content: string; status: string }>(
    "select goal_id, content, status from cos.goals",
  );
  const { rows: runs } = await bench.deps.database.pool.query<{ goal_id: string; executed: number }>(
    "select goal_id, count(*)::int as executed from cos.timeline where event = 'run.executed' group by goal_id",
  );
  const executed = new Map(runs.map((row) => [row.goal_id, row.executed]));
  const { rows: repeats } = await bench.deps.database.pool.query(
    `select 1 from cos.attempts where rung = 2 and goal_id in (select goal_id from cos.goals where run_command is null)
     group by run_id, fingerprint, approach having count(*) > 1`,
  );
  const lines = kinds.map(({ name, isFinal }): Line => {
    const mine = goals.filter((goal) => goal.content.startsWith(`Bench ${name} `));
    const attempts = mine.reduce((sum, goal) => sum + (executed.get(goal.goal_id) ?? 0), 0);
    return {
      kind: name,
      goals: mine.length,
      withoutHuman: mine.filter((goal) => goal.status === "complete" && !asked.has(goal.goal_id)).length,
      attempts,
      retriedThoughFinal: isFinal ? mine.filter((goal) => (executed.get(goal.goal_id) ?? 0) > 1).length : 0,
    };
  });
  return { lines, repeated: repeats.length };
}

const options = readOptions(
  "npm run bench:recovery",
  { json: "print the numbers as JSON" },
  { goals: { help: "how many goals fail", byDefault: 200, least: 1, most: 10_000, isWhole: true } },
);

async function main(): Promise<void> {
  const total = options.goals;
  const bench = await openBench();
  try {
    await addGoals(bench, total);
    const startedMs = performance.now();
    const asked = await workAll(bench);
    const { lines, repeated } = await measure(bench, asked);
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    report(lines, repeated, seconds);
    const retried = lines.reduce((sum, line) => sum + line.retriedThoughFinal, 0);
    process.exitCode = retried === 0 && repeated === 0 ? 0 : 1;
  } finally {
    await bench.close();
  }
}

function report(lines: readonly Line[], repeated: number, seconds: number): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ kinds: lines, repeatedOnRung2: repeated, seconds })}\n`);
    return;
  }
  const row = (cells: readonly (string | number)[]): string =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(12) : String(cell).padStart(16))).join("");
  const body = lines.map((line) =>
    row([
      line.kind,
      line.goals,
      `${line.goals === 0 ? 0 : Math.round((line.withoutHuman / line.goals) * 100)} %`,
      line.goals === 0 ? "–" : (line.attempts / line.goals).toFixed(1),
      line.retriedThoughFinal,
    ]),
  );
  const head = row(["kind", "goals", "without a human", "attempts a goal", "wrongly retried"]);
  process.stdout.write(
    `${[head, ...body, "", `One approach tried twice under one failure on rung 2: ${repeated}`, `${seconds} s`].join("\n")}\n`,
  );
}

await main();
