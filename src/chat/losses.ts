/** How often each platform was lost in the last hour: one that breaks and comes back looks well whenever somebody looks. */
export interface Losses {
  /** A new status of a platform, as it is told: "connected", or what is wrong. */
  heard(platform: string, status: string): void;
  /** Platforms that were lost at least once in the last hour, with how often. */
  inLastHour(): Readonly<Record<string, number>>;
}

const hourMs = 3_600_000;

/** Counts from now on, in this process. */
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
