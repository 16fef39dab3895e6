import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runMachines } from "../../bench/machines/run.ts";
import { hasRedis } from "../../bench/redis.ts";

/** The short form of `npm run bench:machines`. */
it("two machines that share only servers end every goal once, though the disk of one is deleted meanwhile [F-605]", async () => {
  const root = await mkdtemp(join(tmpdir(), "cos-machines-"));

  const found = await runMachines(
    root,
    {
      goals: 12,
      workers: 2,
      bots: 1,
      repositories: 3,
      questions: 2,
      parallel: 2,
      onRedis: hasRedis(),
      losesDisk: true,
      isolated: false,
    },
    () => undefined,
  );

  expect(found.wrong).toEqual([]);
  expect(found).toMatchObject({ goals: 12, complete: 12, questionsAnswered: 2 });
  expect(found.ranOnLostDisk).toBeGreaterThan(0);
  expect(found.opened).toBe(found.outputs - found.outputsLost);
  await rm(root, { recursive: true, force: true });
});
