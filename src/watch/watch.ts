import { formatSeconds } from "../core/time.ts";
import { timelineWords } from "../core/cards/timeline-words.ts";
import { plainSentence } from "../core/cards/times-in.ts";
import { storedEvent } from "../core/events/read.ts";
import { type TimelineRow, timelineAfter } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";

/** Prints events as they happen, until Ctrl-C. With `json`, one JSON document per line. */
export async function watch(deps: Pick<Deps, "database" | "signals" | "config">, json: boolean): Promise<number> {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  let wake: () => void = () => undefined;
  deps.signals.on(() => wake());
  controller.signal.addEventListener("abort", () => wake());

  let { rows, place } = await timelineAfter(deps.database.db, null, 20);
  print(deps, rows, json);
  while (!controller.signal.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 1000);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    ({ rows, place } = await timelineAfter(deps.database.db, place, 500));
    print(deps, rows, json);
  }
  return 0;
}

function print(deps: Pick<Deps, "config">, rows: readonly TimelineRow[], json: boolean): void {
  for (const row of rows) {
    const subject = row.goalId ?? row.sessionId ?? "";
    const line = json
      ? JSON.stringify(storedEvent(row))
      : `${formatSeconds(row.at, deps.config.timezone)}  ${subject.padEnd(16)}  ${plainSentence(timelineWords(row), deps.config.timezone)}`;
    process.stdout.write(`${line}\n`);
  }
}
