import { runChaos } from "./chaos/run.ts";
import { makeDataDir, removeDataDir } from "./data-dir.ts";
import { readOptions } from "./options.ts";
import { hasRedis } from "./redis.ts";

/**
 * A soak under trouble: `npm run chaos`, with `--minutes N` (default 20), `--seed N`, `--postgres` and `--json`. Two bots and
 * two workers work goals while connections are ended twice a second, networks are cut or slow, PostgreSQL and Redis are restarted, the
 * queue is emptied, clocks jump, the disk is full, the platform refuses, and a bot, a worker or both are killed every 30 s, or stand still for longer than a lease. Exit 1 when
 * anything was lost, ran or was shown twice or was left over, when a process ended by itself, or when memory grew; the files are then kept.
 */

const options = readOptions(
  "npm run chaos",
  { json: "print the numbers as JSON", postgres: "keep the queue in PostgreSQL, though redis-server is there" },
  {
    minutes: { help: "how long there is trouble", byDefault: 20, least: 0.1, most: 1440 },
    seed: { help: "what the troubles are drawn from", byDefault: 1, least: 0, most: 2 ** 31, isWhole: true },
  },
);

async function main(): Promise<void> {
  const { minutes, seed } = options;
  const root = await makeDataDir("cos-chaos");
  const withRedis = hasRedis() && !options.postgres;
  const settings = {
    goals: Math.max(12, Math.round(3 * minutes)),
    repositories: 4,
    questions: Math.max(6, Math.round(1.5 * minutes)),
    longestPhaseSeconds: 15,
    troubleMs: minutes * 60_000,
    troubles: {
      terminate: 500,
      cut: 47_000,
      slow: 31_000,
      restart: 180_000,
      kill: 30_000,
      freeze: 40_000,
      clock: 53_000,
      full: 71_000,
      platform: 11_000,
      ...(withRedis ? { redisFlush: 37_000, redisRestart: 120_000 } : {}),
    },
    parts: 5,
    seed,
  };
  process.stderr.write(`The queue is ${withRedis ? "on Redis" : "in PostgreSQL"}.\n`);
  const findings = await runChaos(root, settings, (line) => process.stderr.write(`${line}\n`));
  if (options.json) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else report(findings);
  process.exitCode = findings.wrong.length === 0 ? 0 : 1;
  if (findings.wrong.length === 0) await removeDataDir(root);
  else process.stderr.write(`The files are kept in ${root}\n`);
}

function report({ wrong, ...numbers }: Awaited<ReturnType<typeof runChaos>>): void {
  for (const [name, value] of Object.entries(numbers)) process.stdout.write(`${name.padEnd(20)} ${value}\n`);
  process.stdout.write(
    wrong.length === 0 ? "Nothing was wrong.\n" : `Wrong:\n${wrong.map((line) => `- ${line}\n`).join("")}`,
  );
}

await main();
