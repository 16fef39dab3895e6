import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../../src/commands/command.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { claimGoal } from "../fakes/claim.ts";
import { eventually } from "../fakes/bot.ts";
import { cardWords, oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** Goals on top of others (`--after`, D37), on real git. */

interface Shown {
  status: string;
  state: string;
  outcome: string | null;
  branch: string | null;
  baseCommit: string | null;
  commit: string | null;
  checkpointId: string | null;
  runId: string;
  after: string[];
  waitsFor: string[];
  parkedFor: string | null;
  onTopOf: { goalId: string; standing: string }[];
  mergeFirst: string[];
  builders: string[];
  tag: string;
  sessionId: string | null;
  criteria: { id: string; status: string }[];
}

let world: TestWorld;
let path: string;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
  path = await makeRepository(join(world.dataDir, "shop"), {
    "a.txt": "one\n",
    "spec.md": '#### AC-1: B is there\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "test -f b.txt"\n```\n',
    "tests/check.sh": "test -f a.txt\n",
  });
  valueOf(await world.command("repo", "add", path, "--setup", "", "--check", ""));
});
afterEach(() => world.close());

const add = async (text: string, run: string, ...options: string[]): Promise<string> =>
  valueOf<{ goalId: string }>(await world.command("goal", "add", text, "--run", run, ...options)).goalId;
const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const start = async (...options: string[]) => valueOf(await world.command("autopilot", "start", ...options));
const wordsOf = (result: CommandResult): string =>
  result.type === "refused" ? `no: ${result.reason} > ${result.next}` : terminalLines(result.card, "UTC").join("\n");
const say = async (...words: string[]): Promise<string> => wordsOf(await world.command(...words));
const events = async (goalId: string) =>
  valueOf<{ timeline: { event: string }[] }>(await world.command("why", goalId)).timeline.map((row) => row.event);
const asked = async () =>
  valueOf<{ checkpointId: string; goalId: string; kind: string; waits: string[]; goesOn: string[] }[]>(
    await world.command("checkpoints"),
  );

const cardOf = (subject: string): Promise<string> => cardWords(world, subject);

/** A worker claims a goal and is killed; its lease runs out. */
async function claimed(): Promise<string | undefined> {
  return (await claimGoal(world.deps.database.db, { leasedBy: "elsewhere/1/1", forMs: 60_000, now: world.deps.now() }))
    ?.goal.goalId;
}
async function leaseEnds(): Promise<void> {
  await world.deps.database.pool.query(
    "update cos.goals set leased_until = now() - interval '1 s' where leased_by is not null",
  );
  await world.tick();
  await world.work();
}

async function merge(goalId: string): Promise<void> {
  valueOf(await world.command("goal", "merge", goalId));
  world.advance(31_000);
  await world.tick();
}

/** A goal on top of another one, both complete. */
async function bothComplete(): Promise<{ a: string; b: string }> {
  const a = await add("Change a", "echo two > a.txt");
  const b = await add("Add b", "cp a.txt b.txt", "--after", a, "--criteria", "spec.md");
  await start();
  await world.work();
  expect(await shown(b)).toMatchObject({ status: "complete" });
  return { a, b };
}

describe("a goal on top of another one", () => {
  it("begins on its commit when that is complete, whatever comes first, and says so [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt", "--priority", "low");
    const b = await add("Add b", "cp a.txt b.txt", "--priority", "high", "--after", a, "--criteria", "spec.md");
    const c = await add("Add c", "cat b.txt b.txt > c.txt", "--priority", "high", "--after", b);
    expect(await shown(b)).toMatchObject({ after: [a], waitsFor: [a] });
    expect(await say("plan")).toContain(`${b} Add b: after ${a}, runs`);
    await start();

    await world.work();

    const [one, two, three] = [await shown(a), await shown(b), await shown(c)];
    expect([one.status, two.status, three.status]).toEqual(["complete", "complete", "complete"]);
    expect(two).toMatchObject({ baseCommit: one.commit, tag: "verified", waitsFor: [] });
    expect(three.baseCommit).toBe(two.commit);
    expect(await gitIn(path, "show", `cos/${b}:b.txt`)).toBe("two");
    expect(await gitIn(path, "show", `cos/${c}:c.txt`)).toBe("two\ntwo");
    expect(await gitIn(path, "diff", "--name-only", `cos/${a}`, `cos/${b}`)).toBe("b.txt");
    expect(await say("diff", b)).not.toContain("a.txt");
    expect(await cardOf(b)).toMatch(/On top of +Change a \(complete, claimed\)/);
    expect(await cardOf(c)).toMatch(/On top of +Add b \(complete, verified\)/);
    expect((await shown(a)).builders).toEqual([b]);
  });

  it("takes its frozen contract from there: a proof that the other one brought is proof for it [F-116]", async () => {
    valueOf(await world.command("repo", "add", path, "--setup", "", "--check", "sh tests/check.sh"));
    const a = await add("A stricter check", "echo 'test ! -f b.txt' > tests/check.sh", "--allow-proof", "tests/**");
    const b = await add("Add b", "echo x > b.txt", "--after", a);
    await start();

    await world.work();

    expect(await shown(a)).toMatchObject({ status: "complete" });
    const told = await shown(b);
    expect(told.status).toBe("blocked");
    expect(told.outcome).toContain("check 1 of the repository: ");
  });

  it("waits for its answer: the cards say what builds on it, and what goes on [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt", "--tag", "ui");
    const b = await add("Add b", "cp a.txt b.txt", "--after", a);
    const c = await add("Add c", "echo c > c.txt", "--after", b);
    const d = await add("Add d", "echo d > d.txt");
    await start();
    const [question] = await asked();
    const { sessionId } = await shown(a);

    expect(question).toMatchObject({ goalId: a, waits: [b, c], goesOn: [d] });
    expect(await cardOf(question?.checkpointId ?? "")).toContain(
      "2 goals wait for this answer (they build on it); 1 goes on.",
    );
    expect(await cardOf(question?.checkpointId ?? "")).toContain(
      "Skip: the goal ends as skipped; 2 goals that build on it are parked.",
    );
    expect(await cardOf(sessionId ?? "")).toContain("1 question is open: 2 goals wait for it; 1 goes on.");
    expect(await cardOf(sessionId ?? "")).toContain(`waits for ${a}: Add b`);
    expect(await cardOf(b)).toContain(`Waits for ${a}.`);
    const told = await say("why", b);
    expect(told).toContain(`waits for ${a} (waits for a person)`);
    expect(told).toContain(`Next: cos why ${a}`);
    await world.work();
    expect(await shown(d)).toMatchObject({ status: "complete" });
    expect(await shown(b)).toMatchObject({ status: "pending" });
    valueOf(await world.command("approve", question?.checkpointId ?? ""));
    await world.work();
    expect(await shown(c)).toMatchObject({ status: "complete" });
  });

  it("on top of several stands on all of them; of one that is merged in the base branch [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt");
    const b = await add("Add b", "echo b > b.txt");
    await start();
    await world.work();
    await merge(a);
    const c = await add("Both", "cat a.txt b.txt > c.txt", "--after", a, "--after", b);
    await start();
    await world.work();

    expect(await shown(c)).toMatchObject({ status: "complete", after: [a, b] });
    expect(await gitIn(path, "show", `cos/${c}:c.txt`)).toBe("two\nb");
    await merge(b);
    const d = await add("Base", "cat c.txt a.txt b.txt > d.txt 2>&1; true", "--after", b);
    await start();
    await world.work();
    expect((await shown(d)).baseCommit).toBe(await gitIn(path, "rev-parse", "main"));
  });

  it("on top of two that change the same place is parked with what to do [F-116]", async () => {
    const a = await add("One", "echo two > a.txt");
    const b = await add("Other", "echo three > a.txt");
    const c = await add("Both", "echo c > c.txt", "--after", a, "--after", b);
    await start();

    await world.work();

    const told = await shown(c);
    expect(told).toMatchObject({ status: "blocked", state: "parked" });
    expect(told.outcome).toContain(`${a} and ${b} change the same places (a.txt)`);
    expect(told.outcome).toContain(`cos goal resume ${c}`);
  });
});

describe("when the other one is lost", () => {
  it.each([
    ["skipped", async (a: string) => void valueOf(await world.command("goal", "skip", a))],
    ["failed", async () => undefined],
    ["left to a person", async () => undefined],
  ] as const)(
    "%s: it is parked with that reason and the next command, and what builds on it too [F-116]",
    async (how, lose) => {
      const run = how === "failed" ? ["--cost", "14"] : how === "left to a person" ? [] : ["--run", "echo two > a.txt"];
      const a = valueOf<{ goalId: string }>(await world.command("goal", "add", "Change a", ...run)).goalId;
      const b = await add("Add b", "cp a.txt b.txt", "--after", a);
      const c = await add("Add c", "cp b.txt c.txt", "--after", b);
      const d = await add("Add d", "echo d > d.txt");
      if (how === "failed") valueOf(await world.command("repo", "add", path, "--setup", "false", "--check", ""));
      if (how === "failed") valueOf(await world.command("goal", "edit", a, "--run", "true", "--cost", "1"));
      await start();

      await lose(a);
      await world.work();

      const was = how === "failed" ? "failed" : `was ${how}`;
      const next = how === "left to a person" ? `cos goal edit ${b} --after none` : `cos goal resume ${a}`;
      expect(await shown(b)).toMatchObject({ status: "blocked", state: "parked", parkedFor: a });
      expect((await shown(b)).outcome).toContain(
        `${a} (Change a), which this is on top of, ${was}. Go on with: ${next}`,
      );
      expect((await shown(c)).outcome).toContain(`${b} (Add b), which this is on top of, is parked`);
      expect(await say("goal", "resume", b)).toBe(`no: ${a} (Change a), which it is on top of, ${was} > ${next}`);
      if (how !== "failed") expect(await shown(d)).toMatchObject({ status: "complete" });
    },
  );

  it("comes back with it, or goes on without it [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt");
    const b = await add("Add b", "cp a.txt b.txt", "--after", a);
    const c = await add("Add c", "cp a.txt c.txt", "--after", a);
    const e = await add("Add e", "echo e > e.txt", "--tag", "ui");
    await start();
    expect(await say("goal", "skip", a)).toContain(`2 goals that build on it are parked: ${b}, ${c}`);

    valueOf(await world.command("goal", "edit", c, "--after", "none"));
    await world.work();
    expect(await shown(c)).toMatchObject({ status: "complete", after: [], parkedFor: null });
    expect(await gitIn(path, "show", `cos/${c}:c.txt`)).toBe("one");
    expect(await say("goal", "resume", a)).toContain(`1 goal that builds on it waits for it: ${b}`);
    await world.work();

    expect(await shown(b)).toMatchObject({ status: "complete" });
    expect(await gitIn(path, "show", `cos/${b}:b.txt`)).toBe("two");
    expect(await asked()).toMatchObject([{ goalId: e }]);
  });

  it("two that are lost: it comes back with the second of them [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt");
    const b = await add("Add b", "echo b > b.txt");
    const c = await add("Add c", "cat a.txt b.txt > c.txt", "--after", a, "--after", b);
    await add("Asks", "true", "--tag", "ui");
    await start();
    valueOf(await world.command("goal", "skip", a));
    valueOf(await world.command("goal", "skip", b));
    expect(await shown(c)).toMatchObject({ state: "parked", parkedFor: a });

    valueOf(await world.command("goal", "resume", a));
    await world.work();
    expect(await shown(c)).toMatchObject({ state: "parked", parkedFor: b });
    expect((await shown(c)).outcome).toContain(`${b} (Add b), which this is on top of, was skipped`);
    valueOf(await world.command("goal", "resume", b));
    await world.work();

    expect(await shown(c)).toMatchObject({ status: "complete", parkedFor: null });
    expect(await gitIn(path, "show", `cos/${c}:c.txt`)).toBe("two\nb");
  });

  it("put on top of another one, what a person parked in the middle stays parked [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt");
    const b = await add("Add b", "grep two a.txt > b.txt");
    await start();
    await world.work();
    expect(await asked()).toMatchObject([{ goalId: b }]);
    valueOf(await world.command("goal", "pause", b));
    expect(await shown(b)).toMatchObject({ status: "blocked", phase: "implement" });

    valueOf(await world.command("goal", "edit", b, "--after", a));
    await world.work();

    expect(await shown(b)).toMatchObject({ status: "blocked", parkedFor: null });
    expect((await shown(b)).outcome).toContain("Parked by");
    valueOf(await world.command("goal", "resume", b));
    await start();
    await world.work();
    const [hiccup] = await asked();
    valueOf(await world.command("approve", hiccup?.checkpointId ?? ""));
    await world.work();
    expect(await shown(b)).toMatchObject({ status: "complete", after: [a] });
    expect(await gitIn(path, "show", `cos/${b}:b.txt`)).toBe("two");
  });

  it("what a person skipped or parked on top of it does not come back with it [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt");
    const b = await add("Add b", "cp a.txt b.txt", "--after", a);
    const c = await add("Add c", "cp a.txt c.txt", "--after", a);
    await add("Asks", "true", "--tag", "ui");
    await start();
    valueOf(await world.command("goal", "skip", a));
    valueOf(await world.command("goal", "skip", b));
    valueOf(await world.command("goal", "pause", c));

    valueOf(await world.command("goal", "resume", a));
    await world.work();

    expect(await shown(b)).toMatchObject({ status: "deferred", parkedFor: null });
    expect(await shown(c)).toMatchObject({ status: "blocked", parkedFor: null });
    valueOf(await world.command("goal", "resume", c));
    await world.work();
    expect(await gitIn(path, "show", `cos/${c}:c.txt`)).toBe("two");
  });

  it("discarded: what is complete on top of it is not finished any more [F-116]", async () => {
    const { a, b } = await bothComplete();

    expect(await say("goal", "discard", a)).toContain(`1 goal that builds on it is parked: ${b}`);

    expect(await shown(b)).toMatchObject({ status: "blocked", state: "parked", parkedFor: a });
    expect((await shown(b)).outcome).toContain(
      `was discarded. Go on with: cos goal resume ${a}; without it: cos goal edit ${b}`,
    );
    expect(await say("goal", "merge", b)).toContain("no: ");
    valueOf(await world.command("goal", "edit", b, "--after", "none"));
    await start();
    await world.work();
    expect(await shown(b)).toMatchObject({ status: "complete", baseCommit: await gitIn(path, "rev-parse", "main") });
    expect(await gitIn(path, "show", `cos/${b}:b.txt`)).toBe("one");
    expect(await gitIn(path, "show", `cos/${b}:a.txt`)).toBe("one");
    expect(await gitIn(path, "for-each-ref", "--format=%(refname)", "refs/cos/replaced")).toContain(b);
  });

  it("an answer with Skip, and one that never comes [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt", "--tag", "ui");
    const b = await add("Add b", "cp a.txt b.txt", "--after", a);
    const c = await add("Change c", "echo c > c.txt", "--tag", "ui");
    const d = await add("Add d", "cp c.txt d.txt", "--after", c);
    await start();
    const question = (await asked()).find((each) => each.goalId === a);
    valueOf(await world.command("reject", question?.checkpointId ?? ""));
    expect(await shown(b)).toMatchObject({ status: "blocked", parkedFor: a });

    world.advance(25 * 3_600_000);
    await world.tick();

    // Nobody has decided against it: it waits, and the session says what is left.
    expect(await shown(d)).toMatchObject({ status: "pending", waitsFor: [c] });
    const { sessions } = valueOf<{ sessions: { endReason: string }[] }>(await world.command("autopilot", "status"));
    expect(sessions[0]?.endReason).toBe(
      "What is left needs a person: 2 goals are parked, 1 goal waits for another one.",
    );
    expect(await say("autopilot", "start")).toBe(
      `no: ${d} waits for ${c} (waits for a person), which is not in the same session > cos why ${c}`,
    );
    valueOf(await world.command("goal", "resume", c));
    await start();
    for (const each of await asked()) valueOf(await world.command("approve", each.checkpointId));
    await world.work();
    expect(await shown(d)).toMatchObject({ status: "complete" });
  });
});

describe("when the other one changes", () => {
  it("is put on top of what is there then, and verified again [F-116]", async () => {
    const { a, b } = await bothComplete();
    const before = await shown(b);
    const c = await add("Add c", "cp b.txt c.txt", "--after", b);
    await start();
    await world.work();
    expect(await shown(c)).toMatchObject({ status: "complete" });

    expect(await say("goal", "resume", a)).toContain(`2 goals that build on it wait for it: ${b}, ${c}`);
    expect(await shown(b)).toMatchObject({ status: "in_progress", waitsFor: [a] });
    expect((await shown(b)).outcome).toContain("this is verified again when that is complete");
    expect(await say("goal", "merge", b)).toBe(`no: ${b} is not finished yet > cos why ${b}`);
    valueOf(await world.command("goal", "edit", a, "--run", "echo three > a2.txt"));
    await start();
    await world.work();

    const [one, two, three] = [await shown(a), await shown(b), await shown(c)];
    expect(one.commit).not.toBe(before.baseCommit);
    expect(two).toMatchObject({ status: "complete", baseCommit: one.commit, tag: "verified" });
    expect(two.runId).not.toBe(before.runId);
    expect(three).toMatchObject({ status: "complete", baseCommit: two.commit });
    expect(await gitIn(path, "show", `cos/${b}:a2.txt`)).toBe("three");
    expect(await gitIn(path, "show", `cos/${c}:a2.txt`)).toBe("three");
    expect((await events(b)).filter((event) => event === "run.verified").length).toBe(2);
    expect((await events(b)).filter((event) => event === "run.started").length).toBe(1);
    expect(await gitIn(path, "merge-base", "--is-ancestor", before.commit ?? "", `cos/${b}`)).toBe("");
  });

  it("by another run with the same commit too [F-116]", async () => {
    const { a, b } = await bothComplete();
    const before = await shown(b);

    valueOf(await world.command("goal", "resume", a));
    await start();
    await world.work();

    expect(await shown(a)).toMatchObject({ status: "complete" });
    expect(await shown(b)).toMatchObject({ status: "complete", commit: before.commit });
    expect((await events(b)).filter((event) => event === "run.verified").length).toBe(2);
  });

  it("while it is being worked: it is finished on what is there then [F-116]", async () => {
    const flag = join(world.dataDir, "go");
    const a = await add("Change a", "echo two > a.txt");
    const b = await add(
      "Add b",
      `until test -e ${flag}; do sleep 0.05; done; cp a.txt b.txt`,
      "--after",
      a,
      "--criteria",
      "spec.md",
    );
    await start();
    const working = world.work();
    await eventually("it runs", async () => (await shown(b)).status === "in_progress");
    valueOf(await world.command("goal", "resume", a));
    await writeFile(flag, "");
    await working;

    expect(await shown(a)).toMatchObject({ status: "complete" });
    const told = await shown(b);
    expect(told).toMatchObject({ status: "complete", tag: "verified" });
    expect(await events(b)).toContain("goal.regrounded");
    expect(told.baseCommit).toBe((await shown(a)).commit);
  });

  it("and conflicts with its work: a person decides, and a command of its own runs again on top of it [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt");
    const b = await add("Change it more", "echo more >> a.txt", "--after", a);
    await start();
    await world.work();
    valueOf(await world.command("goal", "resume", a));
    valueOf(await world.command("goal", "edit", a, "--run", "echo three > a.txt"));
    await start();
    await world.work();

    const [question] = await asked();
    expect(question).toMatchObject({ goalId: b, kind: "hiccup" });
    expect(await cardOf(question?.checkpointId ?? "")).toContain(
      `${a}, which this is on top of, changed and conflicts with its work. Proceed runs its command again on top of that`,
    );
    valueOf(await world.command("approve", question?.checkpointId ?? ""));
    await world.work();
    expect(await shown(b)).toMatchObject({ status: "complete", baseCommit: (await shown(a)).commit });
    expect(await gitIn(path, "show", `cos/${b}:a.txt`)).toBe("three\nmore");
  });
});

describe("merging", () => {
  it("needs the other one merged first, and names the command; lowest first [F-116]", async () => {
    const { a, b } = await bothComplete();
    const c = await add("Add c", "cp b.txt c.txt", "--after", b);
    await start();
    await world.work();

    expect(await say("goal", "merge", b)).toBe(`no: ${b} is on top of ${a}, which is not merged > cos goal merge ${a}`);
    expect(await say("goal", "merge", c)).toBe(
      `no: ${c} is on top of ${b}, which is not merged (first ${a}, ${b} after that) > cos goal merge ${a}`,
    );
    expect((await shown(c)).mergeFirst).toEqual([a, b]);
    expect(await cardOf(b)).toContain(`To be merged before this: ${a}. cos goal merge ${a}`);
    await merge(a);
    expect(await cardOf(b)).not.toContain("To be merged before this");
    await merge(b);
    await merge(c);
    expect(await gitIn(path, "show", "main:c.txt")).toBe("two");
    expect(await gitIn(path, "show", "main:a.txt")).toBe("two");
  });

  it("may be asked for together; what is undone below takes the other one along [F-116]", async () => {
    const { a, b } = await bothComplete();
    valueOf(await world.command("goal", "merge", a));
    valueOf(await world.command("goal", "merge", b));
    valueOf(await world.command("goal", "undo", a));
    world.advance(31_000);
    await world.tick();
    expect(await gitIn(path, "show", "main:a.txt")).toBe("one");
    expect(await cardOf(b)).toContain(`${b} is on top of ${a}, which is not merged. Nothing was touched.`);

    valueOf(await world.command("goal", "merge", a));
    valueOf(await world.command("goal", "merge", b));
    world.advance(31_000);
    await world.tick();
    expect(await gitIn(path, "show", "main:b.txt")).toBe("two");
  });

  it("is free when somebody has merged the other one by hand, squashed too [F-116]", async () => {
    const { a, b } = await bothComplete();
    await gitIn(path, "merge", "--quiet", "--squash", `cos/${a}`);
    await gitIn(path, "commit", "--quiet", "--message", "Squashed");

    await merge(b);

    expect(await gitIn(path, "show", "main:b.txt")).toBe("two");
  });
});

describe("what is refused", () => {
  it("circles, with the circle; another repository; what is not there; what is lost [F-116]", async () => {
    const a = await add("One", "true");
    const b = await add("Two", "true", "--after", a);
    const c = await add("Three", "true", "--after", b);
    expect(await say("goal", "edit", a, "--after", c)).toBe(
      `no: that goes in a circle: ${a} → ${c} → ${b} → ${a} > cos goal edit ${c} --after none`,
    );
    expect(await say("goal", "edit", a, "--after", a)).toContain(`no: that goes in a circle: ${a} → ${a}`);
    expect(await say("goal", "add", "x", "--after", "goal-00000000")).toBe(
      "no: Goal not found: goal-00000000 > cos goals --repo shop",
    );
    const other = await makeRepository(join(world.dataDir, "blog"), { "a.txt": "a\n" });
    valueOf(await world.command("repo", "add", other, "--setup", ""));
    expect(await say("goal", "add", "x", "--repo", "blog", "--after", a)).toBe(
      `no: ${a} is a goal of shop: a goal can only be on top of one of its own repository, blog > cos goals --repo blog`,
    );
    valueOf(await world.command("goal", "skip", a));
    expect(await say("goal", "add", "x", "--repo", "shop", "--after", a)).toBe(
      `no: ${a} (One), which it is on top of, was skipped > cos goal resume ${a}`,
    );
  });

  it("two edits at once that would close a circle: one is refused [F-116]", async () => {
    const a = await add("One", "true");
    const b = await add("Two", "true");

    const results = await Promise.all([
      world.command("goal", "edit", a, "--after", b),
      world.command("goal", "edit", b, "--after", a),
    ]);

    expect(results.map((each) => each.type).sort()).toEqual(["done", "refused"]);
  });

  it("a list names its own goals, and a circle in it is refused before anything is added [F-116]", async () => {
    const known = await add("Known", "echo k > k.txt");
    const file = join(world.dataDir, "goals.yaml");
    const list = (...lines: string[]) => writeFile(file, lines.map((line) => `- ${line}\n`).join(""));
    await list(
      "{ text: Third, run: 'cat 2.txt > 3.txt', after: second }",
      "{ text: First, run: 'echo 1 > 1.txt', name: first }",
      `{ text: Second, run: 'cat 1.txt k.txt > 2.txt', name: second, after: [first, ${known}] }`,
    );
    const { goalIds } = valueOf<{ goalIds: string[] }>(await world.command("goal", "add", "--from", file));
    await start();
    await world.work();
    expect(await gitIn(path, "show", `cos/${goalIds[0]}:3.txt`)).toBe("1\nk");

    await list("{ text: A, name: a, after: b }", "{ text: B, name: b, after: a }");
    expect(await say("goal", "add", "--from", file)).toBe(
      "no: goal 1: after: that goes in a circle: a → b → a > cos goal add --help",
    );
    await list("{ text: A, name: a }", "{ text: B, name: a }");
    expect(await say("goal", "add", "--from", file)).toContain('goal 2: name: goal 1 is called "a" too');
    expect(valueOf<unknown[]>(await world.command("goals")).length).toBe(4);
  });

  it("one by name without what it is on top of; with it, both are taken [F-116]", async () => {
    const a = await add("One", "echo two > a.txt");
    const b = await add("Two", "cp a.txt b.txt", "--after", a);

    expect(await say("autopilot", "start", "--goal", b)).toBe(
      `no: ${b} waits for ${a} (pending), which is not in the same session > cos autopilot start --goal ${a} --goal ${b}`,
    );
    await start("--goal", a, "--goal", b);
    await world.work();
    expect(await shown(b)).toMatchObject({ status: "complete" });
  });

  it("a campaign's plan orders its goals by days [F-116]", async () => {
    const file = join(world.dataDir, "plan.yaml");
    await writeFile(file, "goals:\n  - { text: One, name: one }\n  - { text: Two, after: one }\n");
    expect(await say("campaign", "create", "--from", file)).toContain(
      "name and after are for goal add --from: in a campaign the days order its goals",
    );
  });
});

describe("in other sessions", () => {
  it("a night ends when nothing is left but an answer and what builds on it [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt", "--tag", "ui");
    const b = await add("Add b", "cp a.txt b.txt", "--after", a);
    valueOf(await world.command("night"));
    await world.work();
    await world.tick();

    expect(valueOf(await world.command("night", "status"))).toMatchObject({
      endReason: "Everything that needed nobody has been worked.",
    });
    const [question] = await asked();
    valueOf(await world.command("approve", question?.checkpointId ?? ""));
    await world.work();
    expect(await shown(a)).toMatchObject({ status: "complete" });
    valueOf(await world.command("autopilot", "start"));
    await world.work();
    expect(await shown(b)).toMatchObject({ status: "complete" });
  });

  it("in order, what is on top of something later waits, and the later one is worked [F-116]", async () => {
    const a = await add("Change a", "echo two > a.txt", "--priority", "low");
    const b = await add("Add b", "cp a.txt b.txt", "--priority", "high", "--after", a);
    await start("--in-order");
    await world.work();
    expect(await shown(b)).toMatchObject({ status: "complete", baseCommit: (await shown(a)).commit });
  });
});

describe("a session whose worker was killed", () => {
  it("goes on when the goal below the one at work was discarded meanwhile, or came back [F-102]", async () => {
    const a = await add("Change a", "echo two > a.txt");
    await start();
    await world.work();
    const b = await add("Add b", "cp a.txt b.txt", "--after", a);
    const c = await add("Add c", "echo c > c.txt");
    await start();
    expect(await claimed()).toBe(b);
    valueOf(await world.command("goal", "discard", a));
    await leaseEnds();

    expect(await shown(b)).toMatchObject({ status: "blocked", parkedFor: a });
    expect(await shown(c)).toMatchObject({ status: "complete" });
  });

  it("and stopped goes on in the next session that took its goal up before its lease ran out [F-102]", async () => {
    const goals = [await add("Add b", "echo b > b.txt"), await add("Add c", "echo c > c.txt")];
    await start();
    expect(await claimed()).toBe(goals[0]);
    valueOf(await world.command("autopilot", "stop", "--now"));
    await start();
    await leaseEnds();

    for (const goal of goals) expect(await shown(goal)).toMatchObject({ status: "complete" });
  });
});
