import { setTimeout as sleep } from "node:timers/promises";
import { tickBranches, tickForges, tickTimers, tickWork } from "./tick.ts";
import type { World } from "./world.ts";

const tickEveryMs = 10_000;

/** The parts of a tick, each on its own. Their names are those of their spans, by which who reads traces finds them. */
const parts = { timers: tickTimers, work: tickWork, branches: tickBranches, forges: tickForges };
const names = ["timers", "work", "branches", "forges"] as const;

/** So many looks of a part may be under way at once: each that stands still in a repository holds a connection to the database. */
const mostAtOnce = { timers: 1, work: 1, branches: 3, forges: 1 } as const;

/** What waits for somebody outside, such as a push with a person's hooks, is left alone after so long. */
const longestEndMs = 3_000;

/**
 * This process's own look at what is due, on its own timer (D6). The answer ends it: what has not begun does not, and what has is
 * waited for, not for ever. All of it is safe to cut short anywhere. `onReady` is called when a look has left goals that are ready.
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
    // Once a minute: clocks drift slowly, and one that is set changes nothing until then.
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
