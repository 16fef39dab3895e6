import { setMaxListeners } from "node:events";
import type { Deps } from "../src/deps.ts";
import { isForgottenJob } from "../src/queue-failures.ts";
import { startWorkers } from "../src/queue.ts";
import { processIdentity } from "../src/turns/shared/process-identity.ts";
import { beginWorking, endWorking } from "../src/turns/shared/working.ts";
import { readReplies } from "./read-replies.ts";
import { reflect } from "./reflect.ts";
import { runCampaignDay } from "./run-campaign-day.ts";
import { runGoals, type Worker } from "./run-goal.ts";

export interface GoalWorkers {
  /** Looks for ready goals now. For the tick, which does not depend on the queue (D6). Returns at once. */
  look(): void;
  /** Interrupts running turns, which continue later (D8). Resolves when everything is recorded. */
  stop(): Promise<void>;
}

/** Starts the BullMQ workers of this process: at most COS_PARALLEL goals at once. */
export async function startGoalWorkers(deps: Deps, databaseUrl: string): Promise<GoalWorkers> {
  const controller = new AbortController();
  // Every running goal adds a listener, so more than ten are not a leak.
  setMaxListeners(0, controller.signal);
  const worker: Worker = { leasedBy: processIdentity(deps.config.machine), shutdown: controller.signal };
  const { parallel } = deps.config;
  await beginWorking(deps);
  const running = new Set<Promise<void>>();
  let rungMeanwhile = false;

  /** Starts one more loop. If all are busy, the running loops look once more before they end (D6). */
  async function work(): Promise<void> {
    if (running.size >= parallel) {
      rungMeanwhile = true;
      return;
    }
    const loop = loopUntilNothingIsLeft();
    running.add(loop);
    await loop.finally(() => running.delete(loop));
  }

  async function loopUntilNothingIsLeft(): Promise<void> {
    do {
      rungMeanwhile = false;
      try {
        await runGoals(deps, worker);
      } catch (error) {
        deps.log.error("worker.failed", { error });
        return;
      }
    } while (rungMeanwhile && !controller.signal.aborted);
  }

  const onError = (error: Error) => {
    if (!isForgottenJob(error)) deps.log.warn("queue.error", { error });
  };
  const workers = await startWorkers(
    { databaseUrl, redisUrl: deps.config.redisUrl, onError },
    {
      "run-goal": work,
      "retry-goal": work,
      "run-campaign-day": () => runCampaignDay(deps, controller.signal),
      "read-replies": () => readReplies(deps, controller.signal),
      reflect: () => reflect(deps, controller.signal),
    },
    parallel,
  );
  const stopHearing = deps.hearFirst(() => {
    const isFree = running.size < parallel;
    if (isFree) void work();
    return isFree;
  });
  return {
    look: () => void work(),
    async stop() {
      stopHearing();
      controller.abort();
      await Promise.allSettled(running);
      await workers.close();
      await endWorking(deps);
    },
  };
}
