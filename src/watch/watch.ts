import { formatTime } from "../core/cards/card.ts";
import { timelineWords } from "../core/cards/timeline-words.ts";
import { timelineAfter } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";

/** Prints what happens as it happens, until Ctrl-C. One JSON document a line with `json`. */
export async function watch(deps: Pick<Deps, "database" | "signals" | "config">, json: boolean): Promise<number> {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  let wake: () => void = () => undefined;
  deps.signals.on(() => wake());
  controller.signal.addEventListener("abort", () => wake());

  let after = await timelineAfter(deps.database.db, null, 20);
  let last = print(deps, after, json, 0);
  while (!controller.signal.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 1000);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    after = await timelineAfter(deps.database.db, last, 500);
    last = print(deps, after, json, last);
  }
  return 0;
}

function print(
  deps: Pick<Deps, "config">,
  rows: Awaited<ReturnType<typeof timelineAfter>>,
  json: boolean,
  last: number,
): number {
  for (const row of rows) {
    const subject = row.goalId ?? row.sessionId ?? "";
    const line = json
      ? JSON.stringify(row)
      : `${formatTime(row.at, deps.config.timezone)}  ${subject.padEnd(16)}  ${timelineWords(row)}`;
    process.stdout.write(`${line}\n`);
  }
  return rows.at(-1)?.timelineId ?? last;
}
