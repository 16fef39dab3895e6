import type { GoalWorkers } from "../jobs/worker.ts";
import { mindForges, mindTime, mindWork } from "./tick.ts";
import type { World } from "./world.ts";

const tickEveryMs = 10_000;

/** This process's own look at what is due, on its own timer (D6). */
export function startTicking({ deps, setClock }: World, workers: GoalWorkers | null): () => Promise<void> {
  const looks = [mindTime, mindWork, mindForges];
  const running = new Map<typeof mindTime, Promise<void>>();

  async function once(look: typeof mindTime): Promise<void> {
    try {
      const { ready } = await deps.tracing.span(
        `tick ${look.name}`,
        {},
        () => look(deps),
        (found) => found,
      );
      if (ready > 0) workers?.look();
    } catch (error) {
      deps.log.warn("tick.failed", { error });
    }
  }

  let ticks = 0;
  function tickNow(): void {
    // Once a minute: clocks drift slowly, and one that was set is found soon enough.
    if (ticks % 6 === 5) void setClock();
    ticks += 1;
    for (const look of looks) {
      if (!running.has(look))
        running.set(
          look,
          once(look).finally(() => running.delete(look)),
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
