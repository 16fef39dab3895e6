import { setTimeout as sleep } from "node:timers/promises";
import { tickBranches, tickForges, tickTimers, tickWork } from "./tick.ts";
import type { World } from "./world.ts";

const tickEveryMs = 10_000;

/** The parts of a tick, run independently. Their names are also the names of their spans. */
const parts = { timers: tickTimers, work: tickWork, branches: tickBranches, forges: tickForges };
const names = ["timers", "work", "branches", "forges"] as const;

/** Maximum number of looks of one part at the same time: each that hangs in a repository holds a database connection. */
const mostAtOnce = { timers: 1, work: 1, branches: 3, forges: 1 } as const;

/** Time limit at the end, for parts that wait for somebody outside, such as a push with a person's hooks. */
const longestEndMs = 3_000;

/**
 * Starts this process's own ticks on a timer (D6). Returns a function that ends them: steps that have not begun are skipped, running
 * ones are waited for, up to a limit. Every step may be interrupted anywhere. `onReady` is called after a look that leaves ready goals.
 */
export function startTicking(
  { deps, setClock }: Pick<World, "deps" | "setClock">,
  onReady: () => void,
): () => Promise<void> {
  const running: { readonly name: keyof typeof parts; readonly look: Promise<void> }[] = [];
  const stopping = new AbortController();

  async function once(name: keyof typeof parts): Promise<void> {
    try {
      const { ready } = await deps.tracing.span(
        `tick ${name}`,
        {},
        () => parts[name](deps, stopping.signal),
        (found) => found,
      );
      if (ready > 0 && !stopping.signal.aborted) onReady();
    } catch (error) {
      deps.log.warn("tick.failed", { error });
    }
  }

  let ticks = 0;
  function tickNow(): void {
    // Once a minute: clocks drift slowly, and a clock that is set has no effect until then.
    if (ticks % 6 === 5) void setClock();
    ticks += 1;
    for (const name of names) {
      if (running.filter((each) => each.name === name).length >= mostAtOnce[name]) continue;
      const begun = { name, look: once(name).finally(() => running.splice(running.indexOf(begun), 1)) };
      running.push(begun);
    }
  }

  tickNow();
  const timer = setInterval(tickNow, tickEveryMs);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    const limit = new AbortController();
    const isOver = await Promise.race([
      Promise.all(running.map(({ look }) => look)).then(() => true),
      sleep(longestEndMs, false, { signal: limit.signal }).catch(() => false),
    ]);
    limit.abort();
    if (!isOver) deps.log.warn("stop.tick-left", { parts: running.map(({ name }) => name) });
  };
}
