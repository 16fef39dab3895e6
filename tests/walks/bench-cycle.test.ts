import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type Live, openLive } from "../../bench/live.ts";
import { nothing } from "../../bench/nothing.ts";
import { type FreshDatabase, freshDatabase } from "../fakes/database.ts";

let database: FreshDatabase;
let dataDir: string;

afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function open(by: { readonly byAgent: boolean; readonly doors?: Partial<typeof nothing> }): Promise<Live> {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "cos-cycle-"));
  return await openLive({
    databaseUrl: database.url,
    ownUrl: database.url,
    redisUrl: null,
    dataDir,
    parallel: 1,
    byAgent: by.byAgent,
    doors: () => ({ ...nothing, ...by.doors }),
  });
}

it.each([
  { whose: "a command's", byAgent: false },
  { whose: "an agent's", byAgent: true },
])(
  "$whose goal of the bench is done, one after the other, though git and executors do nothing",
  async ({ byAgent }) => {
    const live = await open({ byAgent });
    const lane = await live.lane("one");
    const first = await live.cycle(lane);
    const second = await live.cycle(lane);
    expect(first.goalId).not.toBe(second.goalId);
    await live.close();
  },
);

it("what the bench's git does not answer ends the bench with its name, and is no figure", async () => {
  const { filesAt: _, ...git } = nothing.git;
  const refuse = async (): Promise<never> => {
    throw new Error("filesAt is not answered");
  };
  const live = await open({ byAgent: false, doors: { git: { ...git, filesAt: refuse } } });
  const lane = await live.lane("one");
  await expect(live.cycle(lane)).rejects.toThrow("filesAt is not answered");
  await expect(live.close()).rejects.toThrow("1 goals are not complete");
});
