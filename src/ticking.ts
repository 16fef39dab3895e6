import { setTimeout as sleep } from "node:timers/promises";
import type { GoalWorkers } from "../jobs/worker.ts";
import { tickForges, tickTimers, tickWork } from "./tick.ts";
import type { World } from "./world.ts";

const tickEveryMs = 10_000;

/** The parts of a tick, each on its own. Their names are those of their spans, by which who reads traces finds them. */
const parts = { mindTime: tickTimers, mindWork: tickWork, mindForges: tickForges };
const names = ["mindTime", "mindWork", "mindForges"] as const;

/** What waits for somebody outside, such as a push with a person's hooks, is left alone after so long. */
const longestEndMs = 3_000;

/**
 * This process's own look at what is due, on its own timer (D6). The answer ends it: what has not begun does not, and what has is
 * waited for, not for ever. All of it is safe to cut short anywhere.
 */
export function startTicking({ deps, setClock }: World, workers: GoalWorkers | null): () => Promise<void> {
  const running = new Map<keyof typeof parts, Promise<void>>();
  const stopping = new AbortController();

  async function once(name: keyof typeof parts): Promise<void> {
    try {
      const { ready } = await deps.tracing.span(
        `tick ${name}`,
        {},
        () => parts[name](deps, stopping.signal),
        (found) => found,
      );
      if (ready > 0 && !stopping.signal.aborted) workers?.look();
    } catch (error) {
      deps.log.warn("tick.failed", { error });
    }
  }

  let ticks = 0;
  function tickNow(): void {
    // Once a minute: clocks drift slowly, and one that is set changes nothing until then.
    if (ticks % 6 === 5) void setClock();
    ticks += 1;
    for (const name of names) {
      if (!running.has(name))
        running.set(
          name,
          once(name).finally(() => running.delete(name)),
        );
    }
  }

  tickNow();
  const timer = setInterval(tickNow, tickEveryMs);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    const limit = new AbortController();
    const isOver = await Promise.race([
      Promise.all(running.values()).then(() => true),
      sleep(longestEndMs, false, { signal: limit.signal }).catch(() => false),
    ]);
    limit.abort();
    if (!isOver) deps.log.warn("stop.tick-left", { parts: [...running.keys()] });
  };
}
