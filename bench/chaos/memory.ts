import type { Kept } from "../soak/processes.ts";

const everyMs = 5_000;

/** Before this long, a process still grows to its usual size. */
const settledMs = 5 * 60_000;

/** More than this above where it had settled is a leak, in MB. */
const mostGrowthMb = 60;

export interface Memory {
  end(): { readonly words: string; readonly wrong: readonly string[] };
}

/** Looks at the memory of processes that live through everything; a run that is too short for it only prints. */
export function watchMemory(kept: readonly Kept[]): Memory {
  const beganAt = performance.now();
  const seen = kept.map((each) => ({ name: each.name, settled: [] as number[], all: [] as number[], each }));
  const timer = setInterval(() => {
    for (const { each, settled, all } of seen) {
      const now = each.memoryMb();
      if (now === null) continue;
      all.push(now);
      if (performance.now() - beganAt > settledMs) settled.push(now);
    }
  }, everyMs);
  return {
    end() {
      clearInterval(timer);
      const growth = seen.map(({ name, settled, all }) => {
        const looks = settled.length > 20 ? settled : all;
        const tenth = Math.max(1, Math.floor(looks.length / 10));
        return {
          name,
          from: median(looks.slice(0, tenth)),
          to: median(looks.slice(-tenth)),
          isLong: looks === settled,
        };
      });
      return {
        words: growth.map(({ name, from, to }) => `${name} ${from} to ${to}`).join(", "),
        wrong: growth.flatMap(({ name, from, to, isLong }) =>
          isLong && to - from > mostGrowthMb ? [`${name} grew from ${from} to ${to} MB`] : [],
        ),
      };
    },
  };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
