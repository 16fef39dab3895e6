import { describe, expect, it } from "vitest";
import { cardWords, type TestWorld, valueOf } from "../fakes/deps.ts";
import { forgeScene, goalAtWork, proven, pullOf, shownPull } from "../fakes/forges/scene.ts";
import { type FakeForge, mergeThere } from "../fakes/forges/server.ts";

/** Pull requests that somebody sent elsewhere, or that are over: what opens them again, and what comes after them. */

const reads = (forge: FakeForge) =>
  forge.asked.filter((line) => /^GET .*\/(?:pulls|merge_requests)\/1$/.test(line)).length;
const stamped = ["--run", "echo b > b.txt; date +%N > stamp", "--done-when", "test -f b.txt"];

async function look(world: TestWorld, ms = 61_000): Promise<void> {
  world.advance(ms);
  await world.tick();
}

async function merge(world: TestWorld, goalId: string): Promise<void> {
  valueOf(await world.command("goal", "merge", goalId));
  await look(world, 31_000);
}

async function workAgain(world: TestWorld, goalId: string): Promise<string> {
  valueOf(await world.command("goal", "resume", goalId));
  await world.command("autopilot", "start");
  await world.work();
  return `refs/heads/cos/${goalId}`;
}

async function merges(world: TestWorld, goalId: string) {
  const { rows } = await world.deps.database.pool.query<{ status: string; into: string; result_commit: string }>(
    'select status, into_branch as "into", result_commit from cos.merges where goal_id = $1 order by merge_id',
    [goalId],
  );
  return rows;
}

describe.each(["github", "gitlab", "gitea"] as const)("a pull request at %s [F-605]", (provider) => {
  it("whose base somebody changed is merged by nobody but them, and is merged into that then", async () => {
    const { world, forge } = await forgeScene(provider);
    await forge.git("branch", "release", "main");
    const before = await forge.git("rev-parse", "refs/heads/release");
    const goalId = await goalAtWork(world, "Write b", ...proven);
    await world.tick();
    const pull = pullOf(forge);
    pull.into = "release";
    await merge(world, goalId);
    expect(await merges(world, goalId)).toMatchObject([{ status: "refused", into: "main" }]);
    expect(await cardWords(world, goalId)).toContain("goes into release, not into main");
    expect(await forge.git("rev-parse", "refs/heads/release", "refs/heads/main")).toBe(`${before}\n${before}`);

    await mergeThere(forge, pull, "bob");
    await look(world);
    await world.tick();
    expect((await merges(world, goalId)).at(-1)).toEqual({
      status: "merged",
      into: "release",
      result_commit: pull.mergedAs,
    });
    expect(await cardWords(world, goalId)).toContain("Merged into release, by bob");
  });

  it("that was merged elsewhere while its merge was under way says where it went", async () => {
    const { world, forge } = await forgeScene(provider);
    await forge.git("branch", "release", "main");
    const goalId = await goalAtWork(world, "Write b", ...proven);
    await world.tick();
    const pull = pullOf(forge);
    pull.into = "release";
    valueOf(await world.command("goal", "merge", goalId));
    await mergeThere(forge, pull, "bob");
    await look(world, 31_000);
    await world.tick();
    expect(await merges(world, goalId)).toMatchObject([{ status: "merged", into: "release" }]);
    expect(await cardWords(world, goalId)).toContain("Merged into release");
  });

  it("that was closed and is opened again is open, and is asked for once an hour until then, for a week", async () => {
    const { world, forge } = await forgeScene(provider);
    const goalId = await goalAtWork(world, "Write b", ...proven);
    await world.tick();
    const pull = pullOf(forge);
    pull.state = "closed";
    await look(world);
    expect(await shownPull(world, goalId)).toMatchObject({ state: "closed" });
    const before = reads(forge);
    for (let looks = 0; looks < 10; looks += 1) await look(world);
    expect(reads(forge)).toBe(before);

    pull.state = "open";
    await look(world, 60 * 60_000);
    expect(await shownPull(world, goalId)).toMatchObject({ state: "open", number: 1 });
    expect(JSON.stringify(await world.command("why", goalId))).toContain("opened again");
    await merge(world, goalId);
    expect(await merges(world, goalId)).toMatchObject([{ status: "merged", into: "main" }]);

    const other = await goalAtWork(world, "Write c", "--run", "echo c > c.txt");
    await world.tick();
    Object.assign(forge.pulls[1] ?? {}, { state: "closed" });
    await look(world);
    const asked = forge.asked.length;
    await look(world, 8 * 24 * 60 * 60_000);
    expect(await shownPull(world, other)).toMatchObject({ state: "closed" });
    expect(forge.asked.slice(asked).filter((line) => line.endsWith("/2"))).toEqual([]);
  });

  it("that was closed and opened again is merged by Merge before anybody looked", async () => {
    const { world, forge } = await forgeScene(provider);
    const goalId = await goalAtWork(world, "Write b", ...proven);
    await world.tick();
    pullOf(forge).state = "closed";
    await look(world);
    pullOf(forge).state = "open";
    await merge(world, goalId);
    expect(await merges(world, goalId)).toMatchObject([{ status: "merged" }]);
    for (let looks = 0; looks < 2; looks += 1) await look(world);
    expect(await shownPull(world, goalId)).toMatchObject({ state: "merged" });
  });

  it.each([
    ["at its commit", false],
    ["at a newer base, where its branch was taken away", true],
  ])("that was merged %s counts for that alone: later work has the next one", async (_, isUpdated) => {
    const { world, forge } = await forgeScene(provider);
    const goalId = await goalAtWork(world, "Write b", ...stamped);
    await world.tick();
    const first = await forge.git("rev-parse", `refs/heads/cos/${goalId}`);
    if (isUpdated) {
      const tree = await forge.git("rev-parse", `${first}^{tree}`);
      const updated = await forge.git("commit-tree", tree, "-p", first, "-p", "refs/heads/main", "-m", "Update");
      await forge.git("update-ref", `refs/heads/cos/${goalId}`, updated);
    }
    await mergeThere(forge, pullOf(forge), "bob");
    if (isUpdated) await forge.git("update-ref", "-d", `refs/heads/cos/${goalId}`);
    await look(world);
    expect(await merges(world, goalId)).toMatchObject([{ status: "merged", result_commit: pullOf(forge).mergedAs }]);

    const branch = await workAgain(world, goalId);
    const later = await forge.git("rev-parse", branch);
    expect(later).not.toBe(first);
    for (let looks = 0; looks < 2; looks += 1) await look(world);
    expect(forge.pulls.map(({ state }) => state)).toEqual(["merged", "open"]);
    expect(await shownPull(world, goalId)).toMatchObject({ state: "open", number: 2, endedBy: null });
    await merge(world, goalId);
    expect(forge.pulls[1]).toMatchObject({ state: "merged" });
    expect((await merges(world, goalId)).at(-1)).toMatchObject({
      status: "merged",
      result_commit: forge.pulls[1]?.mergedAs,
    });
    expect(await forge.git("show", "main:stamp")).toBe(await forge.git("show", `${later}:stamp`));
    for (let looks = 0; looks < 2; looks += 1) await look(world);
    expect(forge.pulls).toHaveLength(2);
  });

  it("of a discarded goal that is worked again has a next one; one that a person closed has none", async () => {
    const { world, forge } = await forgeScene(provider);
    const goalId = await goalAtWork(world, "Write b", ...stamped);
    await world.tick();
    valueOf(await world.command("goal", "discard", goalId));
    await look(world);
    expect(pullOf(forge).state).toBe("closed");
    await workAgain(world, goalId);
    for (let looks = 0; looks < 2; looks += 1) await look(world);
    expect(forge.pulls.map(({ state }) => state)).toEqual(["closed", "open"]);

    Object.assign(forge.pulls[1] ?? {}, { state: "closed" });
    await look(world);
    await workAgain(world, goalId);
    for (let looks = 0; looks < 2; looks += 1) await look(world);
    expect(forge.pulls.map(({ state }) => state)).toEqual(["closed", "closed"]);
  });
});
