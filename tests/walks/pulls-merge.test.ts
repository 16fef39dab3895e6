import { describe, expect, it } from "vitest";
import { cardWords, type TestWorld, valueOf } from "../fakes/deps.ts";
import { forgeScene, goalAtWork, proven, pullOf, shownPull } from "../fakes/forges/scene.ts";
import { type FakeForge, mergeThere, ourUser } from "../fakes/forges/server.ts";

/** Merge, pressed here, merges the pull request there; what was merged there is merged here. */

const merges = (forge: FakeForge) => forge.asked.filter((line) => /^(?:PUT|POST) .*\/merge$/.test(line)).length;
const isMerge = /^(?:PUT|POST) .*\/merge$/;
const isRead = /^GET .*\/(?:pulls|merge_requests)\/1$/;

/** Presses Merge, and lets the time pass in which it can be undone. */
async function merge(world: TestWorld, goalId: string): Promise<void> {
  valueOf(await world.command("goal", "merge", goalId));
  world.advance(31_000);
  await world.tick();
}

async function decided(world: TestWorld, goalId: string) {
  const { rows } = await world.deps.database.pool.query<{
    status: string;
    requested_by: string;
    result_commit: string;
  }>("select status, requested_by, result_commit from cos.merges where goal_id = $1 order by merge_id", [goalId]);
  return rows;
}

describe.each(["github", "gitlab", "gitea"] as const)(
  "Merge of a goal with a pull request at %s [F-605]",
  (provider) => {
    it("merges there, and nothing is pushed to the base", async () => {
      const { world, forge } = await forgeScene(provider);
      const goalId = await goalAtWork(world, "Write b", ...proven);
      await world.tick();
      await merge(world, goalId);

      const pull = pullOf(forge);
      expect(pull).toMatchObject({ state: "merged", endedBy: ourUser });
      expect(pull.mergedWith).toContain(`Cos-Goal: ${goalId}`);
      expect(await forge.git("rev-parse", "refs/heads/main")).toBe(pull.mergedAs);
      expect(await decided(world, goalId)).toMatchObject([{ status: "merged", result_commit: pull.mergedAs }]);
      await world.tick();
      expect(await shownPull(world, goalId)).toMatchObject({ state: "merged", endedBy: ourUser });
      expect(await cardWords(world, goalId)).toContain("Merged into main");
    });

    it("makes a draft ready that a person wants merged, and squashes where the repository allows nothing else", async () => {
      const { world, forge } = await forgeScene(provider);
      forge.mayMergeCommit = false;
      const goalId = await goalAtWork(world, "Write b", "--run", "echo b > b.txt");
      await world.tick();
      expect(pullOf(forge).draft).toBe(true);
      await merge(world, goalId);

      expect(pullOf(forge)).toMatchObject({ state: "merged", draft: false });
      expect(await forge.git("rev-list", "--parents", "-1", "refs/heads/main")).toMatch(/^\w+ \w+$/);
      expect(await decided(world, goalId)).toMatchObject([{ status: "merged" }]);
    });

    it("whose answer is lost is found by reading, and not asked for twice", async () => {
      const { world, forge } = await forgeScene(provider);
      const goalId = await goalAtWork(world, "Write b", ...proven);
      await world.tick();
      // A squashed one cannot be found by git.
      forge.mayMergeCommit = false;
      forge.next.push({ matches: isMerge, answer: "cut" });
      await merge(world, goalId);
      expect(await decided(world, goalId)).toMatchObject([{ status: "merging" }]);
      expect(await cardWords(world, goalId)).toContain("Asked again in");

      world.advance(60_000);
      await world.tick();
      expect(await decided(world, goalId)).toMatchObject([{ status: "merged", result_commit: pullOf(forge).mergedAs }]);
      expect(merges(forge)).toBe(1);
      expect(await forge.git("rev-parse", "refs/heads/main")).toBe(pullOf(forge).mergedAs);
    });

    it.each([
      ["reviews", /wants a review first/],
      ["checks", /wants its checks to pass first/],
      ["rights", /our token may not merge into main/],
    ] as const)("says why the forge refuses, and what to do: %s", async (rule, words) => {
      const { world, forge } = await forgeScene(provider);
      const goalId = await goalAtWork(world, "Write b", ...proven);
      await world.tick();
      const before = await forge.git("rev-parse", "refs/heads/main");
      forge.blocked = rule;
      await merge(world, goalId);

      expect(await decided(world, goalId)).toMatchObject([{ status: "refused" }]);
      const card = await cardWords(world, goalId);
      expect(card).toMatch(words);
      expect(card).toContain(`cos goal merge ${goalId}`);
      expect(await forge.git("rev-parse", "refs/heads/main")).toBe(before);

      forge.blocked = null;
      await merge(world, goalId);
      expect(pullOf(forge).state).toBe("merged");
    });

    it("merges nothing but the commit that was verified, and nothing that was closed there", async () => {
      const { world, forge } = await forgeScene(provider);
      const goalId = await goalAtWork(world, "Write b", ...proven);
      await world.tick();
      const verified = await forge.git("rev-parse", `refs/heads/cos/${goalId}`);
      const tree = await forge.git("rev-parse", `${verified}^{tree}`);
      const theirs = await forge.git("commit-tree", tree, "-p", verified, "-m", "theirs");
      // They push after the bot has read it and before it asks.
      forge.next.push({
        matches: isRead,
        answer: "answered",
        after: () => forge.git("update-ref", `refs/heads/cos/${goalId}`, theirs),
      });
      await merge(world, goalId);
      expect(await cardWords(world, goalId)).toContain("other commits there than those that were verified here");
      expect(pullOf(forge).state).toBe("open");

      await forge.git("update-ref", `refs/heads/cos/${goalId}`, verified);
      Object.assign(pullOf(forge), { state: "closed", endedBy: null });
      await merge(world, goalId);
      expect(await cardWords(world, goalId)).toContain("shows it closed");
    });

    it("is done by whoever is first: a second click and a merge there are told who won", async () => {
      const { world, forge } = await forgeScene(provider);
      const goalId = await goalAtWork(world, "Write b", ...proven);
      await world.tick();
      valueOf(await world.command("goal", "merge", goalId));
      const second = await world.command("goal", "merge", goalId);
      expect(JSON.stringify(second)).toContain("is being merged already: ana asked for it");

      await mergeThere(forge, pullOf(forge), "bob");
      world.advance(61_000);
      await world.tick();
      await world.tick();
      expect(merges(forge)).toBe(0);
      expect(await decided(world, goalId)).toMatchObject([{ status: "merged", result_commit: pullOf(forge).mergedAs }]);
    });

    it("that somebody merged there, also squashed, is merged here, and says by whom", async () => {
      const { world, forge } = await forgeScene(provider);
      const goalId = await goalAtWork(world, "Write b", ...proven);
      await world.tick();
      await mergeThere(forge, pullOf(forge), "bob", true);
      world.advance(61_000);
      await world.tick();
      await world.tick();

      expect(await decided(world, goalId)).toMatchObject([{ status: "merged", result_commit: pullOf(forge).mergedAs }]);
      expect(await cardWords(world, goalId)).toMatch(/Merged into main, by bob/);
      expect(JSON.stringify(await world.command("goal", "merge", goalId))).toContain(`${goalId} was merged by bob`);
    });

    it("waits for a forge that does not answer, can be undone until it was asked, and gives up after an hour", async () => {
      const { world, forge } = await forgeScene(provider);
      const goalId = await goalAtWork(world, "Write b", ...proven);
      await world.tick();
      const broken = { status: 502, body: "<html>Bad gateway</html>" };
      forge.next.push({ matches: isRead, answer: broken });
      await merge(world, goalId);
      expect(await decided(world, goalId)).toMatchObject([{ status: "due" }]);
      valueOf(await world.command("goal", "undo", goalId));

      for (let times = 0; times < 200; times += 1) forge.next.push({ matches: isRead, answer: broken });
      await merge(world, goalId);
      for (let looks = 0; looks < 14; looks += 1) {
        world.advance(10 * 60_000);
        await world.tick();
      }
      expect(await decided(world, goalId)).toMatchObject([{ status: "undone" }, { status: "refused" }]);
      expect(await cardWords(world, goalId)).toContain("Nothing is lost");
      expect(merges(forge)).toBe(0);
    });
  },
);

describe.each(["github", "gitlab", "gitea"] as const)(
  "a pull request at %s that was merged with earlier work [F-605]",
  (provider) => {
    it.each(["is looked at", "is to be merged"] as const)("counts for that alone when it %s", async (when) => {
      const { world, forge } = await forgeScene(provider);
      const stamped = ["--run", "echo b > b.txt; date +%N > stamp", "--done-when", "test -f b.txt"];
      const goalId = await goalAtWork(world, "Write b", ...stamped);
      await world.tick();
      const first = await forge.git("rev-parse", `refs/heads/cos/${goalId}`);
      await mergeThere(forge, pullOf(forge), "bob");
      if (when === "is to be merged") {
        // It is known as merged before the goal is taken up again.
        world.advance(61_000);
        await world.tick();
        expect(await decided(world, goalId)).toMatchObject([
          { status: "merged", result_commit: pullOf(forge).mergedAs },
        ]);
      }
      valueOf(await world.command("goal", "resume", goalId));
      await world.command("autopilot", "start");
      await world.work();
      const later = await forge.git("rev-parse", `refs/heads/cos/${goalId}`);
      expect(later).not.toBe(first);
      world.advance(61_000);
      for (let looks = 0; looks < 3; looks += 1) await world.tick();
      expect(await decided(world, goalId)).toHaveLength(when === "is to be merged" ? 1 : 0);

      await merge(world, goalId);
      const last = (await decided(world, goalId)).at(-1);
      expect(last).toMatchObject({ status: "merged", requested_by: "ana" });
      expect(await forge.git("rev-parse", "refs/heads/main")).toBe(last?.result_commit);
      expect(await forge.git("show", "main:stamp")).toBe(await forge.git("show", `${later}:stamp`));
    });
  },
);
