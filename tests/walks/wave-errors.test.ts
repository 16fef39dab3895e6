import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "../../src/deps.ts";
import { loopTurn } from "../../src/turns/task-loop/loop.ts";
import { claimGoal } from "../fakes/claim.ts";
import { keptLease, startKept, type TestWorld, testWorld } from "../fakes/deps.ts";
import { loopGoal, taskList, work } from "../fakes/loop.ts";

/** Errors of the machine in the middle of an execution: nothing of it is left open or at work. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({
    policy: (policy) => ({ ...policy, triggers: { ...policy.triggers, uxFiles: [], architectureFiles: [] } }),
  });
});
afterEach(() => world.close());

type Room = Deps["places"]["room"];

/** The same places, with the number of rooms that are open. `before` runs before a room is opened. */
function countedRooms(before: (request: Parameters<Room>[0]) => Promise<void>, opened: () => Promise<void>) {
  const open = { count: 0 };
  const room: Room = async (request) => {
    await before(request);
    const made = await world.deps.places.room(request);
    open.count += 1;
    await opened();
    return {
      ...made,
      async close() {
        await made.close();
        open.count -= 1;
      },
    };
  };
  return { open, deps: { ...world.deps, places: { ...world.deps.places, room } } };
}

async function begunTurn() {
  const claim = await claimGoal(world.deps.database.db, {
    leasedBy: "here/1/1",
    forMs: 3_600_000,
    now: world.deps.now(),
  });
  if (claim === null) throw new Error("nothing was ready");
  const keeper = keptLease(world.deps, claim.lease);
  expect(await startKept(world.deps, keeper)).toEqual({ type: "next" });
  return keeper;
}

describe("an error of one worker", () => {
  it("ends the others of its wave, and is thrown when they have ended", async () => {
    const slow = ["T1", "T2"].map((id) => work(id, { run: "sleep 60", quiet: true }));
    await loopGoal(world, taskList(["T1", "T2"], false), slow, { options: ["--parallel", "2"] });
    const keeper = await begunTurn();
    await world.deps.database.pool.query("update cos.runs set base_commit = null");
    let isOpen = (): void => undefined;
    const other = new Promise<void>((resolve) => {
      isOpen = resolve;
    });
    const { open, deps } = countedRooms(
      async ({ worktree }) => {
        if (!worktree.includes("T1")) return;
        await other;
        throw new Error("the disk answers no more");
      },
      async () => isOpen(),
    );

    await expect(loopTurn(deps, keeper, true)).rejects.toThrow("the disk answers no more");

    expect(open.count).toBe(0);
  });
});

describe("an error when the time limit of an agent at a flat rate is read", () => {
  it("leaves no room open", async () => {
    await loopGoal(world, taskList(["T1"], false), [work("T1")]);
    await world.deps.database.pool.query("update cos.repositories set billing = 'flat'");
    const keeper = await begunTurn();
    await world.deps.database.pool.query("update cos.runs set base_commit = null, billing = 'flat'");
    const hide = "alter table cos.evidence rename to evidence_away";
    const { open, deps } = countedRooms(
      async () => undefined,
      async () => void (await world.deps.database.pool.query(hide)),
    );

    await expect(loopTurn(deps, keeper, true)).rejects.toThrow();

    expect(open.count).toBe(0);
  });
});
