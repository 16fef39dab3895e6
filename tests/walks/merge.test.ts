import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/core/cards/card.ts";
import { type Bot, eventually, startBot } from "../fakes/bot.ts";
import { untilOneWaits } from "../fakes/database.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";
import { wordsOf } from "../fakes/slack/server.ts";
import { ana, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

let world: TestWorld;
let path: string;
beforeEach(async () => {
  world = await testWorld();
  path = await makeRepository(join(world.dataDir, "a folder", "person"), { "a.txt": "one\n", "b.txt": "one\n" });
  await world.command("repo", "add", path, "--setup", "", "--check", "");
});
afterEach(() => world.close());

/** A goal that is complete; its id. */
async function finished(run = "echo two > a.txt"): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Change a", "--run", run));
  await world.command("autopilot", "start");
  await world.work();
  return goalId;
}

async function cardOf(goalId: string): Promise<Card> {
  const { rows } = await world.deps.database.pool.query<{ card: Card }>(
    "select card from cos.messages where subject = $1 and platform = 'console'",
    [goalId],
  );
  const card = rows[0]?.card;
  if (card === undefined) throw new Error("no card");
  return card;
}

const criterion = "#### AC-1: There is c\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: test -f c.txt\n```\n";

const labels = (card: Card) => card.actions.map((action) => action.label);

/** Commits a file on the person's main, as they would. */
async function theyCommit(file: string, text: string): Promise<void> {
  await writeFile(join(path, file), text);
  await gitIn(path, "add", "--all");
  await gitIn(path, "-c", "user.name=ana", "-c", "user.email=ana@x", "commit", "--quiet", "--message", `their ${file}`);
}

interface ConflictQuestion {
  checkpointId: string;
  context: string;
  recommendation: string;
  options: { label: string; description: string; isRecommended: boolean }[];
}

describe("merging a finished goal (D24)", () => {
  it("waits half a minute, then fast-forwards main where it is checked out clean", async () => {
    const goalId = await finished();
    expect(labels(await cardOf(goalId))).toEqual(["Merge", "Discard", "Add criteria"]);
    const before = await gitIn(path, "rev-parse", "main");

    await world.command("goal", "merge", goalId);
    world.advance(29_000);
    await world.tick();
    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
    expect(labels(await cardOf(goalId))).toEqual(["Undo"]);
    world.advance(2_000);
    await world.tick();

    expect(await gitIn(path, "rev-parse", "main")).toBe(await gitIn(path, "rev-parse", `cos/${goalId}`));
    expect(await readFile(join(path, "a.txt"), "utf8")).toBe("two\n");
    expect(await gitIn(path, "status", "--porcelain")).toBe("");
    expect(await gitIn(path, "for-each-ref", "refs/cos")).toBe("");
    const card = await cardOf(goalId);
    expect(JSON.stringify(card)).not.toContain("had moved");
    expect(labels(card)).toEqual([]);
    expect(JSON.stringify(card.blocks)).toContain("Merged into main");
    expect(await world.command("goal", "merge", goalId)).toMatchObject({
      type: "refused",
      reason: `${goalId} was merged by ana`,
    });
  });

  it("replaces no file of the person's that git ignores", async () => {
    await theyCommit(".gitignore", ".env\n");
    await writeFile(join(path, ".env"), "SECRET=1\n");
    const before = await gitIn(path, "rev-parse", "main");
    const goalId = await finished("echo > .gitignore; echo EXAMPLE=1 > .env");

    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();

    expect(await readFile(join(path, ".env"), "utf8")).toBe("SECRET=1\n");
    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
    expect(JSON.stringify((await cardOf(goalId)).blocks)).toContain(".env");
  });

  it("moves the branch whatever the person's settings of merges say", async () => {
    await gitIn(path, "config", "branch.main.mergeOptions", "--squash");
    const goalId = await finished();

    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();

    expect(await gitIn(path, "rev-parse", "main")).toBe(await gitIn(path, "rev-parse", `cos/${goalId}`));
    expect(await gitIn(path, "status", "--porcelain")).toBe("");
  });

  it("goes where a folder that had main checked out is gone", async () => {
    await gitIn(path, "checkout", "--quiet", "-b", "elsewhere");
    await gitIn(path, "worktree", "add", "--quiet", `${path}-gone`, "main");
    await rm(`${path}-gone`, { recursive: true });
    const goalId = await finished();

    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();

    expect(await gitIn(path, "rev-parse", "main")).toBe(await gitIn(path, "rev-parse", `cos/${goalId}`));
  });

  it("waits where the repository is gone, says so, and is done when it is back", async () => {
    const goalId = await finished();
    const said = async (): Promise<string> => JSON.stringify((await cardOf(goalId)).blocks);
    const waitsFor = async () => valueOf<{ waitsFor: string }>(await world.command("why", goalId)).waitsFor;
    await world.command("goal", "merge", goalId);
    expect(await waitsFor()).toBe(`waits to be merged into main: cos goal undo ${goalId}`);
    await rename(path, `${path}-away`);
    world.advance(31_000);
    await world.tick();
    expect(await said()).toContain("Undo stops it until then.");

    world.advance(60_000);
    await world.tick();
    expect(await said()).toContain(`Waits: person is not at ${path} on `);
    expect(await said()).toContain("cos repo add PATH --name person");
    expect(await waitsFor()).toContain(`waits to be merged into main: person is not at ${path} on `);

    await rename(`${path}-away`, path);
    await world.tick();
    expect(await gitIn(path, "rev-parse", "main")).toBe(await gitIn(path, "rev-parse", `cos/${goalId}`));
    expect(await said()).toContain("Merged into main");
    expect(await waitsFor()).not.toContain("waits");
  });

  it("that is asked for while the repository is gone promises no time", async () => {
    const goalId = await finished();
    await rename(path, `${path}-away`);

    const asked = await world.command("goal", "merge", goalId);

    const said = asked.type === "done" ? JSON.stringify(asked.card) : asked.reason;
    expect(said).toContain("into main as soon as its repository is reached");
    expect(said).toContain(`person is not at ${path} on `);
    expect(said).not.toContain(" in 30 s");
  });

  it("can be undone within that time, and asked for again", async () => {
    const goalId = await finished();
    const before = await gitIn(path, "rev-parse", "main");
    await world.command("goal", "merge", goalId);
    expect(await world.command("goal", "merge", goalId)).toMatchObject({ type: "refused" });
    await world.command("goal", "undo", goalId);
    world.advance(60_000);
    await world.tick();
    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
    expect(await world.command("goal", "undo", goalId)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("nothing to undo") as string,
    });

    await world.command("goal", "merge", goalId);
    world.advance(60_000);
    await world.tick();
    expect(await gitIn(path, "rev-parse", "main")).not.toBe(before);
  });

  it("makes a merge commit when main has moved, also without a checkout of it", async () => {
    const goalId = await finished();
    await theyCommit("b.txt", "theirs\n");
    await gitIn(path, "checkout", "--quiet", "-b", "elsewhere");
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();

    expect(await gitIn(path, "show", "main:a.txt")).toBe("two");
    expect(await gitIn(path, "show", "main:b.txt")).toBe("theirs");
    expect(await gitIn(path, "log", "-1", "--format=%B", "main")).toContain("Cos-Approved-By: ana");
    expect(await gitIn(path, "rev-parse", "--abbrev-ref", "HEAD")).toBe("elsewhere");
    expect(await cardWords(world, goalId)).toContain(
      "main had moved since the work began: the two together were not verified.",
    );
  });

  it("touches nothing where main is checked out with changes, and says how to go on", async () => {
    const goalId = await finished();
    const before = await gitIn(path, "rev-parse", "main");
    await writeFile(join(path, "a.txt"), "my own change\n");
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();

    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
    expect(await readFile(join(path, "a.txt"), "utf8")).toBe("my own change\n");
    const card = await cardOf(goalId);
    expect(JSON.stringify(card.blocks)).toContain(`git -C '${path}' merge cos/${goalId}`);
    expect(labels(card)).toEqual(["Merge", "Discard", "Add criteria"]);
  });

  it("touches nothing where a file of theirs lies where it adds one, and names that", async () => {
    const goalId = await finished("echo new > c.txt");
    const before = await gitIn(path, "rev-parse", "main");
    await writeFile(join(path, "c.txt"), "my own draft\n");
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();

    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
    expect(await readFile(join(path, "c.txt"), "utf8")).toBe("my own draft\n");
    const words = JSON.stringify((await cardOf(goalId)).blocks);
    expect(words).toContain("would be overwritten by merge: c.txt");
    expect(words).not.toContain("moved meanwhile");

    await rm(join(path, "c.txt"));
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();
    expect(await readFile(join(path, "c.txt"), "utf8")).toBe("new\n");
  });

  it("touches nothing where its repository has got another base branch meanwhile, and asks again", async () => {
    const goalId = await finished();
    const before = await gitIn(path, "rev-parse", "main");
    await gitIn(path, "branch", "trunk", "main");
    await world.command("goal", "merge", goalId);
    await world.command("repo", "edit", "person", "--base", "trunk");
    world.advance(31_000);
    await world.tick();

    for (const branch of ["main", "trunk"]) expect(await gitIn(path, "rev-parse", branch)).toBe(before);
    expect(JSON.stringify((await cardOf(goalId)).blocks)).toContain(
      "main is not the base branch of person any more, trunk is",
    );
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();
    expect(await gitIn(path, "show", "trunk:a.txt")).toBe("two");
    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
  });

  it("touches nothing in a conflict, and the branch is safe", async () => {
    const goalId = await finished();
    await theyCommit("a.txt", "theirs\n");
    const [main, branch] = [await gitIn(path, "rev-parse", "main"), await gitIn(path, "rev-parse", `cos/${goalId}`)];
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.tick();

    expect([await gitIn(path, "rev-parse", "main"), await gitIn(path, "rev-parse", `cos/${goalId}`)]).toEqual([
      main,
      branch,
    ]);
    expect(await gitIn(path, "status", "--porcelain")).toBe("");
    expect(JSON.stringify((await cardOf(goalId)).blocks)).toContain(
      "It conflicts with main (changed on this side: a.txt)",
    );
    const [question] = valueOf<ConflictQuestion[]>(await world.command("checkpoints"));
    expect(question?.options.filter(({ isRecommended }) => isRecommended)).toMatchObject([
      { label: "Proceed", description: "Work it again on top of main" },
    ]);
    expect(question).toMatchObject({
      recommendation: "Proceed - it is worked again on top of main, and verified again.",
      context: expect.stringContaining("Merging into main conflicts") as string,
      facts: { details: ["a.txt"] },
    });
    await world.command("reject", question?.checkpointId ?? "");
    expect(await gitIn(path, "rev-parse", `cos/${goalId}`)).toBe(branch);
  });

  it("killed after the branch has moved and before that was recorded, is merged once", async () => {
    const goalId = await finished();
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.deps.database.pool.query("update cos.merges set status = 'merging'");
    await gitIn(path, "merge", "--quiet", "--ff-only", `cos/${goalId}`);
    const main = await gitIn(path, "rev-parse", "main");
    await world.tick();
    await world.tick();

    expect(await gitIn(path, "rev-parse", "main")).toBe(main);
    const { rows } = await world.deps.database.pool.query("select status, result_commit from cos.merges");
    expect(rows).toEqual([{ status: "merged", result_commit: main }]);
  });

  it("merged by hand while it waited, where others went on since, is not called unverified together with them", async () => {
    const goalId = await finished();
    await world.command("goal", "merge", goalId);
    await gitIn(path, "merge", "--quiet", "--ff-only", `cos/${goalId}`);
    await gitIn(path, "commit", "--quiet", "--allow-empty", "--message", "Next");
    world.advance(31_000);
    await world.tick();

    const { rows } = await world.deps.database.pool.query("select status, outcome from cos.merges");
    expect(rows).toEqual([{ status: "merged", outcome: null }]);
    const words = await cardWords(world, goalId);
    expect(words).toContain("Merged into main");
    expect(words).not.toContain("had moved");
  });

  it("killed before the branch has moved, is merged by the next one who looks", async () => {
    const goalId = await finished();
    await world.command("goal", "merge", goalId);
    world.advance(31_000);
    await world.deps.database.pool.query("update cos.merges set status = 'merging'");
    await world.tick();
    expect(await gitIn(path, "rev-parse", "main")).toBe(await gitIn(path, "rev-parse", `cos/${goalId}`));
  });
});

describe("a finished goal that is worked again", () => {
  const mergesOf = async () =>
    (await world.deps.database.pool.query<{ status: string }>("select status from cos.merges order by merge_id")).rows;

  it("is not merged as it was: resuming it takes its merge back", async () => {
    const goalId = await finished();
    const before = await gitIn(path, "rev-parse", "main");
    await world.command("goal", "merge", goalId);
    expect(await world.command("goal", "resume", goalId)).toMatchObject({
      type: "done",
      card: { blocks: expect.arrayContaining([{ type: "text", text: ["Its merge was undone."] }]) as unknown },
    });
    world.advance(61_000);
    await world.tick();

    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
    expect(await mergesOf()).toEqual([{ status: "undone" }]);
  });

  it.each(["merge", "discard"] as const)(
    "is decided about anew when it is complete with another commit: %s",
    async (decision) => {
      const goalId = await finished("echo two > a.txt; echo once more >> c.txt");
      valueOf(await world.command("goal", decision, goalId));
      world.advance(31_000);
      await world.tick();
      if (decision === "merge") await theyCommit("a.txt", "one\n");
      else await theyCommit("b.txt", "theirs\n");
      valueOf(await world.command("goal", "resume", goalId));
      await world.command("autopilot", "start");
      await world.work();
      await world.tick();

      const card = await cardOf(goalId);
      expect(labels(card)).toEqual(expect.arrayContaining(["Merge", "Discard"]));
      expect(JSON.stringify(card)).not.toMatch(/Merged into|Discarded/);
      expect(await world.command("goal", "prove", goalId, "--criteria-text", criterion)).toMatchObject({
        type: "done",
      });
      await world.work();
      valueOf(await world.command("goal", "merge", goalId));
      world.advance(31_000);
      await world.tick();
      const there = await gitIn(path, "rev-parse", `cos/${goalId}`);
      expect(await gitIn(path, "merge-base", "main", there)).toBe(there);
    },
  );

  it("that was merged and reverted begins from the base as it is: what is merged then is all that was verified", async () => {
    const goalId = await finished();
    valueOf(await world.command("goal", "merge", goalId));
    world.advance(31_000);
    await world.tick();
    await gitIn(path, "-c", "user.name=ana", "-c", "user.email=ana@x", "revert", "--no-edit", "-m", "1", "HEAD").catch(
      () => gitIn(path, "-c", "user.name=ana", "-c", "user.email=ana@x", "revert", "--no-edit", "HEAD"),
    );
    await theyCommit("b.txt", "theirs\n");
    expect(await readFile(join(path, "a.txt"), "utf8")).toBe("one\n");

    valueOf(await world.command("goal", "resume", goalId));
    await world.command("autopilot", "start");
    await world.work();
    await world.tick();
    const branch = `cos/${goalId}`;
    expect(await gitIn(path, "diff", "--name-only", `main...${branch}`)).toBe("a.txt");
    expect(await gitIn(path, "show", `${branch}:b.txt`)).toBe("theirs");
    valueOf(await world.command("goal", "merge", goalId));
    world.advance(31_000);
    await world.tick();
    expect(await gitIn(path, "show", "main:a.txt")).toBe("two");
    expect(await gitIn(path, "show", "main:b.txt")).toBe("theirs");
  });

  it("is not resumed while it is being merged", async () => {
    const goalId = await finished();
    await world.command("goal", "merge", goalId);
    await world.deps.database.pool.query("update cos.merges set status = 'merging'");
    expect(await world.command("goal", "resume", goalId)).toMatchObject({
      type: "refused",
      reason: `${goalId} is being merged right now`,
      next: `cos why ${goalId}`,
    });
  });

  it("is not merged by the tick either, whoever has taken it up", async () => {
    const goalId = await finished();
    const before = await gitIn(path, "rev-parse", "main");
    await world.command("goal", "merge", goalId);
    await world.deps.database.pool.query(
      "update cos.goals set status = 'pending', phase = 'start', run_id = null where goal_id = $1",
      [goalId],
    );
    world.advance(61_000);
    await world.tick();

    expect(await gitIn(path, "rev-parse", "main")).toBe(before);
    expect(await mergesOf()).toEqual([{ status: "refused" }]);
  });

  it("is refused when it is taken up between the reading and the lock of the merge that is asked for", async () => {
    const goalId = await finished();
    const client = await world.deps.database.pool.connect();
    try {
      await client.query("begin");
      await client.query("select 1 from cos.goals where goal_id = $1 for update", [goalId]);
      const asked = world.command("goal", "merge", goalId);
      await untilOneWaits(world);
      await client.query("update cos.goals set status = 'pending', phase = 'start', run_id = null where goal_id = $1", [
        goalId,
      ]);
      await client.query("commit");
      expect(await asked).toMatchObject({ type: "refused", reason: `${goalId} has no finished branch` });
    } finally {
      client.release();
    }
    expect(await mergesOf()).toEqual([]);
  });
});

describe("a bot killed in the middle of a merge", () => {
  it("its push, which goes on by itself, and that of the next start meet: merged once", async () => {
    const goalId = await finished();
    const commit = await gitIn(path, "rev-parse", `cos/${goalId}`);
    // While ours is received, the other one's ref arrives.
    const other = `env -u GIT_QUARANTINE_PATH git update-ref refs/cos/merging/${goalId} ${commit}`;
    await writeFile(join(path, ".git", "hooks", "pre-receive"), `#!/bin/sh\n${other}\n`, { mode: 0o755 });
    await world.command("goal", "merge", goalId);
    world.advance(60_000);
    await world.tick();

    const { rows } = await world.deps.database.pool.query("select status, outcome from cos.merges");
    expect(rows).toMatchObject([{ status: "merged" }]);
    expect(await gitIn(path, "rev-parse", "main")).toBe(commit);
    expect(await gitIn(path, "for-each-ref", "refs/cos/merging")).toBe("");
  });

  it("kill -9 while the commit is on its way: merged once, by the next start", async () => {
    const goalId = await finished();
    const hook = join(path, ".git", "hooks", "pre-receive");
    const marker = join(world.dataDir, "receiving");
    await writeFile(hook, `#!/bin/sh\ntouch '${marker}'\nsleep 3\n`, { mode: 0o755 });
    await world.command("goal", "merge", goalId);
    await world.deps.database.pool.query("update cos.merges set due_at = now() - interval '1 second'");
    const place = { databaseUrl: world.databaseUrl, dataDir: world.dataDir };
    const bots: Bot[] = [await startBot(place)];
    try {
      await eventually("the push", async () => existsSync(marker));
      bots[0]?.kill("SIGKILL");
      await bots[0]?.exited;
      await rm(hook);
      bots.push(await startBot(place));
      const merged = async () =>
        (await world.deps.database.pool.query("select 1 from cos.merges where status = 'merged'")).rowCount === 1;
      await eventually("the merge", merged);

      expect(await gitIn(path, "rev-parse", "main")).toBe(await gitIn(path, "rev-parse", `cos/${goalId}`));
      expect(await gitIn(path, "status", "--porcelain")).toBe("");
      const why = valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId));
      expect(why.timeline.filter((row) => row.event === "goal.merged").length).toBe(1);
    } finally {
      for (const bot of bots) bot.kill("SIGKILL");
      await Promise.all(bots.map((bot) => bot.exited));
    }
  });
});

describe("discarding a finished goal", () => {
  it("takes the branch away and keeps its commit for 30 days", async () => {
    const goalId = await finished();
    const commit = await gitIn(path, "rev-parse", `cos/${goalId}`);
    await world.command("goal", "discard", goalId);

    expect(await gitIn(path, "branch", "--list", "cos/*")).toBe("");
    expect(await gitIn(path, "rev-parse", `refs/cos/discarded/${goalId}`)).toBe(commit);
    expect(labels(await cardOf(goalId))).toEqual([]);
    world.advance(29 * 24 * 60 * 60_000);
    await world.tick();
    expect(await gitIn(path, "for-each-ref", "refs/cos")).not.toBe("");
    world.advance(2 * 24 * 60 * 60_000);
    await world.tick();
    expect(await gitIn(path, "for-each-ref", "refs/cos")).toBe("");
  });

  it("touches nothing while it is being merged", async () => {
    const goalId = await finished();
    const commit = await gitIn(path, "rev-parse", `cos/${goalId}`);
    await world.command("goal", "merge", goalId);
    await world.deps.database.pool.query("update cos.merges set status = 'merging'");
    expect(await world.command("goal", "discard", goalId)).toMatchObject({
      type: "refused",
      reason: `${goalId} is being merged right now`,
    });
    expect(await gitIn(path, "rev-parse", `cos/${goalId}`)).toBe(commit);
    expect(await gitIn(path, "for-each-ref", "refs/cos")).toBe("");
  });

  it("takes no branch away that somebody has checked out", async () => {
    const goalId = await finished();
    await gitIn(path, "checkout", "--quiet", `cos/${goalId}`);
    const commit = await gitIn(path, "rev-parse", "HEAD");

    expect(await world.command("goal", "discard", goalId)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("somebody has it checked out") as string,
    });
    expect(await gitIn(path, "rev-parse", "HEAD")).toBe(commit);

    await gitIn(path, "checkout", "--quiet", "main");
    valueOf(await world.command("goal", "discard", goalId));
    expect(await gitIn(path, "branch", "--list", "cos/*")).toBe("");
  });

  it("is recorded before the branch is taken away, and repeated where that was cut off", async () => {
    const goalId = await finished();
    const commit = await gitIn(path, "rev-parse", `cos/${goalId}`);
    await world.command("goal", "merge", goalId);
    const lock = join(path, ".git", "refs", "heads", "cos", `${goalId}.lock`);
    await writeFile(lock, "");
    expect(await world.command("goal", "discard", goalId)).toMatchObject({
      type: "refused",
      reason: `${goalId} is discarded, but cos/${goalId} could not be removed: it has moved, or somebody has it checked out`,
      next: `cos goal discard ${goalId}`,
    });
    world.advance(61_000);
    await world.tick();
    const { rows } = await world.deps.database.pool.query("select status from cos.merges order by merge_id");
    expect(rows).toEqual([{ status: "undone" }, { status: "discarded" }]);

    await rm(lock);
    expect(await world.command("goal", "discard", goalId)).toMatchObject({ type: "done" });
    expect(await gitIn(path, "branch", "--list", "cos/*")).toBe("");
    expect(await gitIn(path, "rev-parse", `refs/cos/discarded/${goalId}`)).toBe(commit);
    expect(await world.command("goal", "discard", goalId)).toMatchObject({
      type: "refused",
      reason: `${goalId} was discarded by ana`,
    });
  });

  it.each([
    { kept: "by git until it is tidied", isPruned: false, hasMirror: true, ref: true },
    { kept: "only by our copy", isPruned: true, hasMirror: true, ref: true },
    { kept: "nowhere", isPruned: true, hasMirror: false, ref: false },
  ])(
    "is done where somebody has deleted the branch, whose commit is kept $kept",
    async ({ isPruned, hasMirror, ref }) => {
      const goalId = await finished();
      const commit = await gitIn(path, "rev-parse", `cos/${goalId}`);
      await gitIn(path, "branch", "-D", `cos/${goalId}`);
      if (isPruned) await gitIn(path, "-c", "gc.reflogExpire=now", "gc", "--quiet", "--prune=now");
      if (!hasMirror) await rm(join(world.dataDir, "mirrors"), { recursive: true });
      const name = `refs/cos/discarded/${goalId}`;

      expect(await world.command("goal", "discard", goalId)).toMatchObject({
        type: "done",
        value: { goalId, ref: ref ? name : null },
      });
      expect(await gitIn(path, "for-each-ref", "--format=%(refname) %(objectname)", "refs/cos")).toBe(
        ref ? `${name} ${commit}` : "",
      );
      const card = await cardOf(goalId);
      expect(labels(card)).toEqual([]);
      const words = ref ? `kept as ",{"code":"${name}"}` : "its branch was gone, and its commit is not on this machine";
      expect(JSON.stringify(card.blocks)).toContain(words);
      expect(await world.command("goal", "discard", goalId)).toMatchObject({
        type: "refused",
        reason: `${goalId} was discarded by ana`,
      });
      world.advance(31 * 24 * 60 * 60_000);
      await world.tick();
      expect(await gitIn(path, "for-each-ref", "refs/cos")).toBe("");
    },
  );

  it("is refused where the repository cannot be read, with that reason", async () => {
    const goalId = await finished();
    await rename(path, `${path}-away`);
    const refusal = await world.command("goal", "discard", goalId);
    await rename(`${path}-away`, path);
    expect(refusal).toMatchObject({
      type: "refused",
      reason: expect.stringContaining(`the repository person cannot be read at ${path}`) as string,
    });
    expect(await world.command("goal", "discard", goalId)).toMatchObject({ type: "done" });
  });

  it("is refused when the branch has moved or is in use", async () => {
    const goalId = await finished();
    await gitIn(path, "branch", "--force", `cos/${goalId}`, "main");
    expect(await world.command("goal", "discard", goalId)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("not where it was left") as string,
    });
  });

  it("only what is finished can be merged or discarded", async () => {
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Later", "--run", "true"));
    for (const command of ["merge", "discard"]) {
      expect(await world.command("goal", command, goalId)).toMatchObject({
        type: "refused",
        reason: `${goalId} has no finished branch`,
      });
    }
    expect(await world.command("goal", "merge", "goal-00000000")).toMatchObject({
      type: "refused",
      reason: "Goal not found: goal-00000000",
    });
  });
});

describe("the same by buttons in Slack", () => {
  let slackish: SlackWorld;
  afterEach(() => slackish.close());

  it("Merge, Undo and Merge again", async () => {
    slackish = await slackWorld();
    const { slack } = slackish;
    const repository = await slackish.repository();
    const { goalId } = valueOf<{ goalId: string }>(
      await slackish.command("goal", "add", "Ship it", "--run", "echo x > x.txt"),
    );
    await slackish.command("autopilot", "start");
    await slackish.work();
    const card = async (words: string) =>
      await eventually(words, async () => {
        await slackish.show();
        const message = slack.messages().findLast((each) => each.text.startsWith("Goal complete"));
        return message !== undefined && wordsOf(message.blocks).includes(words) ? message : null;
      });

    await slack.people.click(ana, await card("Merge"), "merge");
    await slack.people.click(ana, await card("Undo"), "undo");
    await slack.people.click(ana, await card("undone by @ana"), "merge");
    slackish.advance(31_000);
    await slackish.tick();
    await card("*Merged into main*, by @ana");

    expect(existsSync(join(repository, "x.txt"))).toBe(true);
    expect(await gitIn(repository, "rev-parse", "main")).toBe(await gitIn(repository, "rev-parse", `cos/${goalId}`));
  });
});
