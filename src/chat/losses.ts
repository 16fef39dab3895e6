/** How often each platform was lost in the last hour. A connection that breaks and returns looks well whenever somebody looks. */
export interface Losses {
  /** Records a new status of a platform: "connected", or what is wrong. */
  heard(platform: string, status: string): void;
  /** Returns the platforms that were lost at least once in the last hour, with the number of times. */
  inLastHour(): Readonly<Record<string, number>>;
}

const hourMs = 3_600_000;

/** Counts in this process, from now on. */
export function openLosses(now: () => Date): Losses {
  const connected = new Set<string>();
  const lost = new Map<string, readonly number[]>();
  const recent = (times: readonly number[]) => times.filter((at) => now().getTime() - at < hourMs);
  return {
    heard(platform, status) {
      if (status === "connected") connected.add(platform);
      else if (connected.delete(platform)) lost.set(platform, [...recent(lost.get(platform) ?? []), now().getTime()]);
    },
    inLastHour() {
      const counted = [...lost].map(([platform, times]) => [platform, recent(times).length] as const);
      return Object.fromEntries(counted.filter(([, times]) => times > 0));
    },
  };
}
