/** How long the agents of one call have worked, that may work side by side. */
export interface WorkClock {
  /** All together, in milliseconds. */
  workedMs(): number;
  /** One begins. Call what is returned once, when it has ended; `counts`: it had begun. */
  begin(): (counts: boolean) => void;
}

/** `hold` is begun anew, with what is worked by then and how many work from then on, whenever one begins or ends. */
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
