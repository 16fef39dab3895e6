import { expect, it } from "vitest";
import { enginesOf, type Line } from "../../bench/cycles/line.ts";

/** What `npm run bench -- --json` prints for scripts. */
function line(subject: Line["subject"], concurrency: number, perSecond: number, finished = 0): Line {
  return {
    subject,
    finished,
    concurrency,
    cycles: 10,
    perSecond,
    decisionToDoneMs: { p50: 1, p99: 2 },
    statements: 30,
    queueCommands: 0,
    writes: 5,
    rows: 20,
    nodeCpuMs: 6,
    postgresCpuMs: 8,
    share: 0.1,
    shares: [0.1, 0.1],
    ofEmpty: null,
  };
}

it("the figures of a queue are those of sixteen at once, beside its floor, and those of each concurrency", () => {
  const lines = [1, 16].flatMap((concurrency) => [
    line("floor", concurrency, concurrency * 100),
    line("PostgreSQL", concurrency, concurrency * 10),
    line("PostgreSQL", concurrency, 1, 1000),
  ]);
  const figures = { decisionToDoneMs: { p50: 1, p99: 2 }, statements: 30, writeTransactions: 5, nodeCpuMs: 6 };
  const most = { ...figures, cyclesPerSecond: 160, floorCyclesPerSecond: 1600 };
  expect(enginesOf(lines)).toEqual({
    postgres: {
      ...most,
      byConcurrency: { "1": { ...figures, cyclesPerSecond: 10, floorCyclesPerSecond: 100 }, "16": most },
    },
    redis: null,
  });
});
