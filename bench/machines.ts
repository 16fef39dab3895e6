import { makeDataDir, removeDataDir } from "./data-dir.ts";
import { runMachines } from "./machines/run.ts";
import { readOptions } from "./options.ts";
import { hasRedis } from "./redis.ts";

/**
 * Many machines: `npm run bench:machines`. Workers with users, homes and data directories of their own and bots on another machine
 * share only PostgreSQL, Redis, a store and repositories over HTTP. Exit 1 when a goal did not end, when anything ran, was pushed or
 * was posted twice, or when an output does not open in every console; the files are then kept.
 */

const options = readOptions(
  "npm run bench:machines",
  {
    json: "print the numbers as JSON",
    postgres: "keep the queue in PostgreSQL, though redis-server is there",
    "lose-disk": "delete the disk of one worker when a third of the goals has ended",
    isolated: "isolate what runs, as the program does by default",
  },
  {
    goals: { help: "how many goals", byDefault: 20, least: 1, most: 100_000, isWhole: true },
    workers: { help: "machines that work", byDefault: 2, least: 1, most: 64, isWhole: true },
    bots: { help: "bots, on one machine more", byDefault: 1, least: 1, most: 16, isWhole: true },
    repositories: { help: "repositories at the remote", byDefault: 5, least: 1, most: 200, isWhole: true },
    questions: { help: "of a hundred goals, so many ask before they begin", byDefault: 10, least: 0, most: 100 },
    parallel: { help: "goals that a worker works at once", byDefault: 3, least: 1, most: 64, isWhole: true },
  },
);

async function main(): Promise<void> {
  const root = await makeDataDir("cos-machines");
  const onRedis = hasRedis() && !options.postgres;
  process.stderr.write(`The queue is ${onRedis ? "on Redis" : "in PostgreSQL"}.\n`);
  if (process.getuid?.() !== 0) process.stderr.write("Not root: all machines have one name and one user.\n");
  const { goals, workers, bots, repositories, questions, parallel, isolated } = options;
  const settings = { goals, workers, bots, repositories, parallel, isolated, onRedis };
  const findings = await runMachines(
    root,
    { ...settings, questions: Math.round((goals * questions) / 100), losesDisk: options["lose-disk"] },
    (line) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`),
  );
  if (options.json) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else report(findings);
  process.exitCode = findings.wrong.length === 0 ? 0 : 1;
  if (findings.wrong.length === 0) await removeDataDir(root);
  else process.stderr.write(`The files are kept in ${root}\n`);
}

function report({ wrong, ...numbers }: Awaited<ReturnType<typeof runMachines>>): void {
  for (const [name, value] of Object.entries(numbers)) process.stdout.write(`${name.padEnd(20)} ${value}\n`);
  process.stdout.write(
    wrong.length === 0 ? "Nothing was wrong.\n" : `Wrong:\n${wrong.map((line) => `- ${line}\n`).join("")}`,
  );
}

await main();
