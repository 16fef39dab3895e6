import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasRedis } from "../../bench/redis.ts";
import { runChaos } from "../../bench/chaos/run.ts";

/** The short form of `npm run chaos`. */
it("nothing is lost, doubled or left over while connections, servers and processes die, clocks jump and the disk is full [F-101] [F-102]", async () => {
  const root = await mkdtemp(join(tmpdir(), "cos-chaos-"));

  const found = await runChaos(
    root,
    {
      goals: 8,
      repositories: 2,
      questions: 4,
      longestPhaseSeconds: 3,
      troubleMs: 40_000,
      troubles: {
        terminate: 500,
        cut: 13_000,
        slow: 11_000,
        restart: 15_000,
        kill: 9_000,
        clock: 10_000,
        full: 17_000,
        platform: 7_000,
        ...(hasRedis() ? { redisFlush: 8_000, redisRestart: 19_000 } : {}),
      },
      parts: 2,
      seed: 7,
    },
    () => undefined,
  );

  expect(found.wrong).toEqual([]);
  expect(found).toMatchObject({ goals: 8, complete: 8, questionsAnswered: 4 });
  expect(
    Math.min(found.terminated, found.restarts, found.kills, found.cutNetworks, found.clockJumps, found.fullTimes),
  ).toBeGreaterThan(0);
  await rm(root, { recursive: true, force: true });
});
