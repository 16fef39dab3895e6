import type { GoalWorkers } from "../jobs/worker.ts";
import { tickForges, tickTimers, tickWork } from "./tick.ts";
import type { World } from "./world.ts";

const tickEveryMs = 10_000;

/** The parts of a tick, each on its own. Their names are those of their spans, by which who reads traces finds them. */
const parts = { mindTime: tickTimers, mindWork: tickWork, mindForges: tickForges };
const names = ["mindTime", "mindWork", "mindForges"] as const;

/** This process's own look at what is due, on its own timer (D6). */
export function startTicking({ deps, setClock }: World, workers: GoalWorkers | null): () => Promise<void> {
  const running = new Map<keyof typeof parts, Promise<void>>();

  async function once(name: keyof typeof parts): Promise<void> {
    try {
      const { ready } = await deps.tracing.span(
        `tick ${name}`,
        {},
        () => parts[name](deps),
        (found) => found,
      );
      if (ready > 0) workers?.look();
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
    await Promise.all(running.values());
  };
}
