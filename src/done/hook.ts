import { readFileSync } from "node:fs";
import { parseConfig, readEnvironment } from "../config.ts";
import { maxBlocksOf } from "../core/acceptance/stop-gate.ts";
import { keepEnvironment } from "../environment.ts";
import { answerStop } from "./stop-hook.ts";

const help = [
  "cos stop-hook < HOOK-INPUT",
  "  For an agent's stop hook: answers whether it may stop (README: Done means verified).",
];

/** The entry of `cos stop-hook`: it runs whenever an agent stops, so it loads nothing that it does not need. */
export async function start(taken: Readonly<Record<string, string>>): Promise<void> {
  keepEnvironment(taken);
  const words = process.argv.slice(3);
  if (words.includes("--help") || words.includes("-h")) {
    process.stdout.write(`${help.join("\n")}\n`);
    return;
  }
  const environment = readEnvironment();
  const read = parseConfig(environment);
  // A configuration that cannot be read is no reason to hold anybody's agent.
  if (read.type === "invalid") return;
  const maxBlocks = maxBlocksOf(environment["IMPLEMENT_MAX_BLOCKS"]);
  const answer = await answerStop(readFileSync(0, "utf8"), { dataDir: read.config.dataDir, maxBlocks });
  if (answer !== null) process.stdout.write(`${JSON.stringify(answer)}\n`);
}
