import { safeOutput } from "../../core/secrets/mask.ts";
import { firstLine } from "../../core/text.ts";
import type { RunObserver } from "../process/runner.ts";

/** Tells people what an agent does, at most every half second; of what comes faster, the latest. */
export interface Activity {
  say(text: string): void;
  /** Says what still waits. */
  flush(): void;
}

const everyMs = 500;

/** What is read of a text for a line of it: so much that a secret in that line is seen whole. */
const longestRead = 20_000;

/** Lines are masked and shortened before they are passed on. */
export function throttledActivity(observer: Pick<RunObserver, "onActivity">, secrets: readonly string[]): Activity {
  let waiting: string | null = null;
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting === null) return;
    const text = waiting;
    waiting = null;
    observer.onActivity(text);
  }

  function say(text: string): void {
    const line = firstLine(safeOutput(text.slice(0, longestRead), secrets), 300);
    if (line === "") return;
    waiting = line;
    if (timer !== null) return;
    flush();
    timer = setTimeout(() => {
      timer = null;
      if (waiting !== null) say(waiting);
    }, everyMs);
    timer.unref();
  }

  return { say, flush };
}
