/** Measures how long the agents of one call have worked, also in parallel. */
export interface WorkClock {
  /** The sum of their times, in milliseconds. */
  workedMs(): number;
  /** An agent begins. Call the returned function once, when it has ended. `counts`: false when it never began to work. */
  begin(): (counts: boolean) => void;
}

/** Opens a clock. `hold` is called again whenever an agent begins or ends, with the time worked until then and the number of agents that work. */
export function openWorkClock(
  hold: (workedMs: number, beside: number) => () => void,
  nowMs: () => number = () => performance.now(),
): WorkClock {
  let workedMs = 0;
  let beside = 0;
  let sinceMs = nowMs();
  let rest = (): void => {};

  function change(by: 1 | -1): void {
    const atMs = nowMs();
    workedMs += beside * (atMs - sinceMs);
    sinceMs = atMs;
    beside += by;
    rest();
    rest = beside === 0 ? () => {} : hold(workedMs, beside);
  }

  return {
    workedMs: () => workedMs,
    begin() {
      const beganMs = nowMs();
      change(1);
      return (counts) => {
        if (!counts) workedMs -= nowMs() - beganMs;
        change(-1);
      };
    },
  };
}
