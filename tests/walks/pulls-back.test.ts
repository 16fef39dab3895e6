import { describe, expect, it } from "vitest";
import { cardWords, type TestWorld, valueOf } from "../fakes/deps.ts";
import { forgeScene, goalAtWork, pullOf, shownPull } from "../fakes/forges/scene.ts";
import { type FakeForge, type FakePull, headOf, ourUser, say } from "../fakes/forges/server.ts";
import { type Script, writes } from "../fakes/scripted.ts";

/** What comes back from a pull request: what people say waits for who may decide, failed checks go to the agent. */

/** The agent does another thing for each prompt, by what it was told. */
const scripts: readonly Script[] = [
  { match: ["continuous integration failed", "build ended", "failed checks"], ...writes("mended.txt", "m\n") },
  { match: ["remark by bob about b.txt:1", "say hello here"], ...writes("hello.txt", "h\n") },
  { match: ["b wanted"], ...writes("b.txt", "b\n") },
];
const done = ["--done-when", "test -f b.txt"];

async function look(world: TestWorld, ms = 61_000): Promise<void> {
  world.advance(ms);
  await world.tick();
}

async function filesOf(forge: FakeForge, pull: FakePull): Promise<string[]> {
  return (await forge.git("ls-tree", "--name-only", `refs/heads/${pull.branch}`)).split("\n");
}

async function checked(forge: FakeForge, state: "pending" | "success" | "failure"): Promise<void> {
  const head = await headOf(forge, pullOf(forge));
  forge.checks.set(head ?? "", [
    { name: "lint", state: "success" },
    { name: "build", state, isStatus: true },
  ]);
}

const waiting = async (world: TestWorld, goalId: string) => (await shownPull(world, goalId))?.["remarksWaiting"];

describe.each(["github", "gitlab", "gitea"] as const)(
  "what comes back from a pull request at %s [F-605]",
  (provider) => {
    it("from the first commit to the merge: failed checks go to the agent, a remark waits for a person, and it is merged", async () => {
      const { world, forge } = await forgeScene(provider, { scripts });
      const goalId = await goalAtWork(world, "b wanted", ...done);
      await world.tick();
      const pull = pullOf(forge);
      await checked(forge, "pending");
      await look(world);
      expect(await shownPull(world, goalId)).toMatchObject({ checks: { state: "pending", all: 2 } });

      await checked(forge, "failure");
      await look(world);
      await world.work();
      await world.tick();
      expect(await filesOf(forge, pull)).toContain("mended.txt");
      await checked(forge, "success");
      await look(world);
      expect(await shownPull(world, goalId)).toMatchObject({
        state: "open",
        isDraft: false,
        checks: { state: "passed" },
      });

      say(pull, "bob", "Please say hello here.", { kind: "line" });
      await look(world);
      await world.work();
      expect(await waiting(world, goalId)).toBe(1);
      expect(await cardWords(world, goalId)).toContain('1 remark to decide about; bob: "Please say hello here."');
      expect(await filesOf(forge, pull)).not.toContain("hello.txt");

      valueOf(await world.command("goal", "rework", goalId));
      await world.work();
      await world.tick();
      expect(await filesOf(forge, pull)).toContain("hello.txt");
      expect(await waiting(world, goalId)).toBe(0);

      await checked(forge, "success");
      valueOf(await world.command("goal", "merge", goalId));
      await look(world);
      expect(pull).toMatchObject({ state: "merged", endedBy: ourUser });
      expect(forge.pulls).toHaveLength(1);
    });

    it("leaves out bots, ourselves and the forge, and hears everybody else once, however often it looks", async () => {
      const { world, forge } = await forgeScene(provider, { scripts });
      const goalId = await goalAtWork(world, "b wanted", ...done);
      await world.tick();
      const pull = pullOf(forge);
      say(pull, "ci", "coverage went down", { isBot: true });
      say(pull, ourUser, "I am ourselves");
      say(pull, "bob", "   ");
      if (provider === "gitlab") say(pull, "bob", "changed the description", { kind: "system" });
      say(pull, "bob", "one");
      await look(world);
      await look(world);
      await look(world, 16 * 60_000);
      expect(await waiting(world, goalId)).toBe(1);

      say(pull, "eve", "", { kind: "changes" });
      await look(world);
      expect(await waiting(world, goalId)).toBe(2);
      expect(await cardWords(world, goalId)).toContain("eve asks for changes");
    });

    it("asks what has not changed by its mark, and nothing of what is over", async () => {
      const { world, forge } = await forgeScene(provider, { scripts });
      const goalId = await goalAtWork(world, "b wanted", ...done);
      await world.tick();
      await look(world);
      const asked = forge.asked.length;
      await look(world);
      expect(forge.unchanged.length).toBeGreaterThan(0);
      expect(forge.asked.length - asked).toBeLessThanOrEqual(3);

      valueOf(await world.command("goal", "discard", goalId));
      await look(world);
      const over = forge.asked.length;
      await look(world);
      expect(forge.asked).toHaveLength(over);
    });

    it("gives failed checks back so often and no more, then says them on the card", async () => {
      const { world, forge } = await forgeScene(provider, { scripts: [writes("b.txt", "b\n")] });
      const goalId = await goalAtWork(world, "b wanted", ...done);
      await world.tick();
      for (let rounds = 0; rounds < 5; rounds += 1) {
        await checked(forge, "failure");
        await look(world);
        await world.work();
        await world.tick();
      }
      const { rows } = await world.deps.database.pool.query("select 1 from cos.runs where goal_id = $1", [goalId]);
      // The same work again is the same commit, whose failures went back already.
      expect(rows.length).toBeLessThanOrEqual(3);
      expect(await cardWords(world, goalId)).toContain("Failed: build");
    });
  },
);
