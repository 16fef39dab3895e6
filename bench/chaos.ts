import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChaos } from "./chaos/run.ts";
import { readOptions } from "./options.ts";

/**
 * A soak under trouble: `npm run chaos`, with `--minutes N` (default 20), `--seed N` and `--json`. Connections are ended twice a second,
 * the server is restarted every three minutes, bot or worker or both are killed every 30 s. Exit 1 when anything was lost, ran twice or
 * was left over, or when a process ended by itself; the files are then kept.
 */

const options = readOptions(
  "npm run chaos",
  { json: "print the numbers as JSON" },
  {
    minutes: { help: "how long there is trouble", byDefault: 20, least: 0.1, most: 1440 },
    seed: { help: "what the troubles are drawn from", byDefault: 1, least: 0, most: 2 ** 31, isWhole: true },
  },
);

async function main(): Promise<void> {
  const { minutes, seed } = options;
  const root = await mkdtemp(join(tmpdir(), "cos-chaos-"));
  const settings = {
    goals: 60,
    repositories: 4,
    questions: 30,
    longestPhaseSeconds: 15,
    troubleMs: minutes * 60_000,
    terminateEveryMs: 500,
    restartEveryMs: 180_000,
    killEveryMs: 30_000,
    parts: 5,
    seed,
  };
  const findings = await runChaos(root, settings, (line) => process.stderr.write(`${line}\n`));
  if (options.json) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else report(findings);
  process.exitCode = findings.wrong.length === 0 ? 0 : 1;
  if (findings.wrong.length === 0) await rm(root, { recursive: true, force: true });
  else process.stderr.write(`The files are kept in ${root}\n`);
}

function report({ wrong, ...numbers }: Awaited<ReturnType<typeof runChaos>>): void {
  for (const [name, value] of Object.entries(numbers)) process.stdout.write(`${name.padEnd(20)} ${value}\n`);
  process.stdout.write(
    wrong.length === 0 ? "Nothing was wrong.\n" : `Wrong:\n${wrong.map((line) => `- ${line}\n`).join("")}`,
  );
}

await main();
