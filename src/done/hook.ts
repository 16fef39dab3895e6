import { maxBlocksOf } from "../core/acceptance/stop-gate.ts";
import { startHook } from "./start-hook.ts";
import { answerStop } from "./stop-hook.ts";

const help = ["cos stop-hook < HOOK-INPUT", "  For an agent's stop hook: answers whether it may stop (docs/done.md)."];

/** The entry of `cos stop-hook`. It runs whenever an agent stops, so it loads only what it needs. */
export async function start(taken: Readonly<Record<string, string>>): Promise<void> {
  const call = startHook(taken, help);
  if (call === null) return;
  const { input, dataDir, environment } = call;
  const answer = await answerStop(input, { dataDir, maxBlocks: maxBlocksOf(environment["IMPLEMENT_MAX_BLOCKS"]) });
  if (answer !== null) process.stdout.write(`${JSON.stringify(answer)}\n`);
}
