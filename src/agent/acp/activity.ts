import { safeOutput } from "../../core/secrets/mask.ts";
import { firstLine } from "../../core/text.ts";
import type { RunObserver } from "../process/runner.ts";

/** Reports an agent's activity at most every half second. Of several texts within that time only the latest is reported. */
export interface Activity {
  say(text: string): void;
  /** Reports the text that is still waiting, if there is one. */
  flush(): void;
}

const everyMs = 500;

/** Characters of a text that are masked before its first line is cut: enough that a secret in that line is seen whole. */
const longestRead = 20_000;

/** Returns an activity whose lines are masked and shortened before they reach the observer. */
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
