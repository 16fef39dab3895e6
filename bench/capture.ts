import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { captureOf, type ShownEntry } from "./capture/capture.ts";
import type { Tier } from "../src/core/goals/goal.ts";

/**
 * `npm run bench:capture -- GOAL TRANSCRIPT`: how much of what an agent did is in the goal's worklog, against the agent's own messages
 * as `bench/capture/tap.mjs` wrote them. Works with every agent that speaks the Agent Client Protocol. Exit 1 below 95 %.
 */
const least = 0.95;

const { values, positionals } = parseArgs({ options: { json: { type: "boolean" } }, allowPositionals: true });
const [goal, file] = positionals;
if (goal === undefined || file === undefined) {
  process.stderr.write(
    'use: npm run bench:capture -- GOAL TRANSCRIPT [--json]\nThe transcript: cos repo add PATH --agent "acp:node bench/capture/tap.mjs TRANSCRIPT -- AGENT …"\n',
  );
  process.exit(2);
}
const cos = join(dirname(fileURLToPath(import.meta.url)), "../bin/cos.mjs");
const { stdout } = await promisify(execFile)(process.execPath, [cos, "worklog", "show", goal, "--json"], {
  maxBuffer: 20_000_000,
});
// As `worklog show --json` prints it.
const worklog = JSON.parse(stdout) as {
  readonly tier: Tier;
  readonly session_id: string;
  readonly entries: readonly ShownEntry[];
};
const capture = captureOf(await readFile(file, "utf8"), worklog);
const share = capture.told === 0 ? 1 : capture.found / capture.told;
if (values.json === true)
  process.stdout.write(`${JSON.stringify({ ...capture, share, worklog: worklog.session_id })}\n`);
else {
  for (const { action, told, found, missing } of capture.lines)
    process.stdout.write(
      `${action.padEnd(10)} ${String(found).padStart(5)} of ${String(told).padStart(5)}${missing.length === 0 ? "" : `   missing: ${missing.join("; ")}`}\n`,
    );
  process.stdout.write(
    `${worklog.session_id} (${worklog.tier}): ${(share * 100).toFixed(1)} % captured, ${least * 100} % wanted\n`,
  );
}
process.exitCode = share >= least && capture.told > 0 ? 0 : 1;
