import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findMessage } from "../../src/db/messages.ts";
import { eventually } from "../fakes/bot.ts";
import { claimGoal } from "../fakes/claim.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { gitIn, makeRepository } from "../fakes/repository.ts";

/** Goals that run a fixed command (`--run`): no ladder, no instructions, another command instead. */

let world: TestWorld;
let log: string;
let path: string;
beforeEach(async () => {
  world = await testWorld();
  log = join(world.dataDir, "log.txt");
  path = await makeRepository(join(world.dataDir, "person"), {
    "a.txt": "a\n",
    ".gitignore": "node_modules\n",
    "spec.md":
      '#### AC-1: Good\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "cat a.txt; grep -q good a.txt"\n```\n',
  });
  const setup = `echo setup >> ${log}; mkdir -p node_modules; echo made > node_modules/made.txt`;
  await world.command("repo", "add", path, "--setup", setup, "--check", "");
});
afterEach(() => world.close());

interface Question {
  checkpointId: string;
  kind: string;
  context: string;
  version: number;
  options: { label: string; isRecommended: boolean; effect: string }[];
  recommendation: string;
}

const questions = async (): Promise<Question[]> => valueOf<Question[]>(await world.command("checkpoints"));
const shown = async (goalId: string) =>
  valueOf<{
    status: string;
    state: string;
    errorCount: number;
    recoveryLevel: number;
    runId: string;
    instructions: object[];
    branch: string;
    checkpoints: { kind: string; status: string; chosenOption: string | null; resolvedBy: string | null }[];
    attempts: { end: string; exitCode: number | null; output: string; ladder: number }[];
  }>(await world.command("goal", "show", goalId));
const lines = async (word: string): Promise<number> =>
  (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line === word).length;

async function cardOf(subject: string): Promise<string> {
  const found = await findMessage(world.deps.database.db, "console", "main", subject);
  return JSON.stringify(found?.card ?? null);
}

async function add(command: string, ...more: string[]): Promise<string> {
  const { goalId } = valueOf<{ goalId: string }>(
    await world.command("goal", "add", "Run it", "--run", command, ...more),
  );
  await world.command("autopilot", "start");
  return goalId;
}

async function settle(times = 4): Promise<void> {
  for (let pass = 0; pass < times; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
}

/** A goal whose command failed twice, and the question about it. */
async function escalated(
  command = "echo boom >&2; exit 3",
  ...more: string[]
): Promise<{ goalId: string; id: string }> {
  const goalId = await add(command, ...more);
  await settle();
  const open = (await questions()).find((each) => each.kind === "escalation");
  if (open === undefined) throw new Error("nothing was escalated");
  return { goalId, id: open.checkpointId };
}

const agentsWords = /rung|ladder|approach|attempt|recovery failed|level/i;

it("what a repository asks for by the time a command has ended is what its work is verified with [F-207]", async () => {
  const [began, gate, checked] = ["began", "gate", "checked"].map((name) => join(world.dataDir, name));
  const goalId = await add(`echo b > b.txt; touch ${began}; while [ ! -e ${gate} ]; do sleep 0.05; done`);
  const working = world.work();
  await eventually("it runs", () => stat(began ?? "").catch(() => false));

  valueOf(await world.command("repo", "edit", "person", "--check", `cat b.txt >> ${checked}`));
  await writeFile(gate ?? "", "");
  await working;

  expect(await shown(goalId)).toMatchObject({ status: "complete" });
  expect(await readFile(checked ?? "", "utf8")).toContain("b\n");
});

it("an escalation shows every line about a failure, also the cause below the places", async () => {
  const places = ["a", "b", "c", "d", "e"].map((name, at) => `${name}.py:${at + 1}: in f`);
  const printed = [...places, "E   NameError: no price", "ERROR a.py - NameError: no price"];
  const check = `${printed.map((line) => `echo '${line}'`).join("; ")}; exit 2`;
  const { goalId } = await escalated("echo good >> a.txt", "--done-when", check);

  const { attempts } = await shown(goalId);
  expect(attempts.map(({ output }) => output.split("\n"))).toEqual([printed, printed]);
  // In time is no news: only a question that came late is said to have been late.
  expect(JSON.stringify(await world.command("status"))).not.toMatch(/asked at once|after it was escalated/);
});

it("a command that no shell can read is refused where it is given, in the shell's words", async () => {
  const adding = ["goal", "add", "Run it", "--run"];
  const unread = { type: "refused", reason: expect.stringMatching(/^the shell cannot read ".+": ./) as string };

  expect(await world.command(...adding, "if then")).toMatchObject(unread);
  expect(await world.command(...adding, "true", "--done-when", "npm test && (")).toMatchObject(unread);
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...adding, "true", "--done-when", "npm test"));
  expect(await world.command("goal", "edit", goalId, "--run", "if then")).toMatchObject(unread);

  const other = await makeRepository(join(world.dataDir, "other"), { "a.txt": "a\n" });
  expect(await world.command("repo", "add", other, "--setup", "if then", "--check", "")).toMatchObject(unread);
  expect(await world.command("repo", "add", other, "--check", "npm test", "--check", "npm test (")).toMatchObject(
    unread,
  );
  expect(await world.command("repo", "add", path, "--check", "echo 'a")).toMatchObject(unread);
  expect(await world.command("repo", "edit", "person", "--setup", "npm ci &&")).toMatchObject(unread);
  expect(valueOf(await world.command("repo", "list"))).toMatchObject([{ name: "person", checks: [] }]);
  const outline = join(world.dataDir, "outline.md");
  await writeFile(outline, "# All\n\n## One\n- Run it\n  - run: if then\n");
  expect(await world.command("campaign", "create", "--from", outline)).toMatchObject({
    type: "refused",
    reason: expect.stringContaining("the shell cannot read") as string,
  });
});

describe("a fixed command that fails", () => {
  it("is run twice, the second time in a fresh place, and then a person is asked [F-119]", async () => {
    const marks = "test -e node_modules/mark && echo stale >> $LOG; touch node_modules/mark new.txt";
    const { goalId } = await escalated(`LOG=${log}; echo run >> $LOG; ${marks}; echo boom >&2; exit 3`);
    await settle();

    expect([await lines("run"), await lines("setup"), await lines("stale")]).toEqual([2, 2, 0]);
    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "blocked", state: "waiting", errorCount: 2 });
    expect(goal.attempts).toMatchObject([
      { end: "work", exitCode: 3, output: "boom" },
      { end: "work", exitCode: 3, output: "boom" },
    ]);
    const [question] = await questions();
    expect(question?.context).toBe("The command was run twice, failed twice. Goal: Run it. Error: exit code 3: boom");
    expect(question?.options.map((each) => each.label)).toEqual(["Retry", "Edit the command", "Skip", "Manual"]);
    expect(question?.options.filter((each) => each.isRecommended).map((each) => each.label)).toEqual([
      "Edit the command",
    ]);
  });

  it("waits a moment before it is run again, and no longer", async () => {
    const goalId = await add("exit 3");
    await world.work();
    world.advance(4_999);
    await world.work();
    expect((await shown(goalId)).attempts.length).toBe(1);
    world.advance(1);
    await world.work();

    expect((await shown(goalId)).attempts.length).toBe(2);
  });

  it("shows both executions, with exit codes and last lines, in words for what happened [F-119]", async () => {
    const second = `test -e ${log}.once && { echo other words; exit 4; }; touch ${log}.once`;
    const { goalId, id } = await escalated(`${second}; seq 1 9; echo first words; exit 3`);

    const card = await cardOf(id);
    expect(card).toContain("Escalation: run twice, failed twice");
    expect(card).toContain('{"strong":"Run 1"}');
    expect(card).toContain(": exit code 3");
    expect(card).toContain('"6\\n7\\n8\\n9\\nfirst words"');
    expect(card).toContain(": exit code 4");
    expect(card).toContain('"other words"');
    expect(card).toContain("edit: npm run fix");
    const { markdown } = valueOf<{ markdown: string }>(await world.command("escalation", id, "--markdown"));
    expect(markdown).toContain("## The command was run twice, failed twice");
    expect(markdown).toContain("    first words");
    const why = await world.command("why", goalId);
    const said = [card, await cardOf(goalId), markdown, JSON.stringify(why.type === "done" ? why.card : why)];
    for (const words of said) expect(words).not.toMatch(agentsWords);
    expect(JSON.stringify(why)).toContain("failed again (work): exit code 4");
    expect(await findMessage(world.deps.database.db, "console", "main", `${id}.attempts`)).toBeNull();
  });

  it("that does what is asked the second time is done, and its card says so [F-119]", async () => {
    const goalId = await add(`test -e ${log}.once || { touch ${log}.once; exit 3; }; echo x > x.txt`);
    await world.work();
    expect(await cardOf(goalId)).toContain("run once, failed once; runs again in a fresh place");
    await settle();

    expect(await shown(goalId)).toMatchObject({ status: "complete", errorCount: 0 });
    expect(await questions()).toEqual([]);
    expect(await cardOf(goalId)).toContain("run twice, passed the last time");
    expect(await cardOf(goalId)).not.toMatch(agentsWords);
  });

  it("by a criterion is run twice too, and says what failed [F-119]", async () => {
    const { goalId, id } = await escalated("echo bad > a.txt; echo run >> ../../log.txt", "--criteria", "spec.md");

    expect(await lines("run")).toBe(2);
    expect((await shown(goalId)).attempts).toMatchObject([
      { end: "criteria", exitCode: 0 },
      { end: "criteria", exitCode: 0 },
    ]);
    expect(await cardOf(id)).toContain("exit code 0, but AC-1 failed");
    expect(await cardOf(id)).toContain("bad");
  });

  it("is run twice more by Retry, twice at most; the command may be edited even then [F-119]", async () => {
    const { goalId } = await escalated("echo run >> ../../log.txt; exit 3");
    for (const runs of [4, 6]) {
      const [asked] = await questions();
      expect(await cardOf(asked?.checkpointId ?? "")).toContain("the same command is run twice more");
      valueOf(await world.command("approve", asked?.checkpointId ?? ""));
      await settle();
      expect(await lines("run")).toBe(runs);
    }
    const [last] = await questions();

    expect(last?.options.map((each) => each.label)).toEqual(["Edit the command", "Skip", "Manual"]);
    expect(await cardOf(last?.checkpointId ?? "")).toContain("run 6 times, failed 6 times");
    expect(await cardOf(`${last?.checkpointId}.attempts`)).toContain("All runs: run 6 times, failed 6 times");
    valueOf(await world.command("goal", "edit", goalId, "--run", "echo x > x.txt"));
    await settle();
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
  });

  it("for want of a program names it, and Retry is recommended, whatever else may be done", async () => {
    await escalated("no-such-program --all");

    const [question] = await questions();
    expect(question).toMatchObject({
      context: expect.stringContaining(
        "no-such-program is not installed where it was run. Goal: Run it. The command was run twice, failed twice. Error: exit code 127",
      ) as string,
      recommendation: "Retry - no-such-program is not installed where it was run: install it there first.",
    });
    expect(question?.options.map(({ label, isRecommended }) => [label, isRecommended])).toEqual([
      ["Retry", true],
      ["Edit the command", false],
      ["Skip", false],
      ["Manual", false],
    ]);
  });

  it("and was cut short is run again at no cost: interruptions are no executions [F-119]", async () => {
    const goalId = await add("exit 3");
    const { db, pool } = world.deps.database;
    for (let pass = 0; pass < 4; pass += 1) {
      await claimGoal(db, { leasedBy: "elsewhere/1/1", forMs: 1, now: world.deps.now() });
      await pool.query("update cos.goals set leased_until = now() - interval '1 second' where leased_by is not null");
      expect((await shown(goalId)).attempts.length).toBe(Math.min(pass, 2));
      world.advance(20_000);
      await world.work();
    }

    expect((await shown(goalId)).attempts.length).toBe(2);
    expect((await questions()).map((each) => each.kind)).toEqual(["escalation"]);
  });

  it("and changed what proves it is not sent back to work: the command is edited, or its change accepted [F-119]", async () => {
    await makeRepository(join(world.dataDir, "other"), {
      "ok.test.js": "process.exit(1)\n",
      "ac.md": '#### AC-1: Tests\n\n**Verification**:\n```yaml\nmethod: bash\ncommand: "node ok.test.js"\n```\n',
    });
    await world.command("repo", "add", join(world.dataDir, "other"), "--name", "other", "--setup", "", "--check", "");
    await add("echo > ok.test.js; echo x > x.txt", "--repo", "other", "--criteria", "ac.md");
    await settle(1);

    const [asked] = await questions();
    expect(asked?.kind).toBe("proof");
    expect(asked?.options.map((each) => each.label)).toEqual(["Accept", "Edit the command", "Skip", "Pause"]);
  });
});

describe("editing the command", () => {
  it("beside what is as it was is told once, and what else changes besides [F-119]", async () => {
    const { goalId } = await escalated("exit 3", "--cost", "2");
    const edited = () => world.deps.database.pool.query("select detail from cos.timeline where event = 'goal.edited'");

    const same = await world.command("goal", "edit", goalId, "--run", "exit 4", "--cost", "2");
    expect(valueOf(same)).toMatchObject({ run: "exit 4" });
    expect((await edited()).rows).toMatchObject([{ detail: { fields: ["runCommand"] } }]);

    await settle();
    const both = await world.command("goal", "edit", goalId, "--run", "echo x > x.txt", "--cost", "3");
    expect(both).toMatchObject({ value: { changed: expect.arrayContaining(["estimateMicroUsd"]) as string[] } });
    expect(JSON.stringify(both)).toContain("runs this now: echo x > x.txt");
    expect((await edited()).rows.slice(1)).toMatchObject([
      { detail: { fields: ["runCommand"] } },
      { detail: { fields: expect.not.arrayContaining(["runCommand"]) as string[] } },
    ]);
  });

  it("settles the question, reads back and starts over, with nothing approved [F-119]", async () => {
    const goalId = await add("exit 3", "--tag", "ui");
    const [first] = await questions();
    valueOf(await world.command("approve", first?.checkpointId ?? ""));
    await settle();
    const before = await shown(goalId);

    const edited = await world.as({ actor: "@bo" }, "goal", "edit", goalId, "--run", "echo x > x.txt");
    expect(edited).toMatchObject({ type: "done", value: { goalId, run: "echo x > x.txt" } });
    expect(JSON.stringify(edited)).toContain(`${goalId} runs this now: echo x > x.txt`);
    await settle();

    const asked = await shown(goalId);
    expect(asked.checkpoints.map((each) => [each.kind, each.status, each.chosenOption, each.resolvedBy])).toEqual([
      ["start", "approved", "Proceed", "ana"],
      ["escalation", "approved", "Edit the command", "@bo"],
      ["start", "pending", null, null],
    ]);
    expect(asked.runId).not.toBe(before.runId);
    expect(asked).toMatchObject({ errorCount: 0, recoveryLevel: 0, attempts: [] });
    const open = await questions();
    expect(open.length).toBe(1);
    valueOf(await world.command("approve", open[0]?.checkpointId ?? ""));
    await settle();
    expect(await shown(goalId)).toMatchObject({ status: "complete", attempts: [{ end: "passed" }] });
    const { rows } = await world.deps.database.pool.query(
      "select effect, choice, actor from cos.decisions where settles order by decision_id",
    );
    expect(rows).toMatchObject([
      { effect: "continue" },
      { effect: "edit", choice: "Edit the command", actor: "@bo" },
      { effect: "continue" },
    ]);
    const why = JSON.stringify(await world.command("why", goalId));
    expect(why).toContain("it runs echo x > x.txt now, and ran exit 3");
  });

  it("is also given with the answer, and with no other choice", async () => {
    const { goalId, id } = await escalated();
    const run = ["--run", "echo x > x.txt"];

    await expect(world.command("answer", id, "Retry", ...run)).rejects.toThrow("--run is for");
    const offers = expect.stringContaining("does not offer that; it offers Retry, Edit the command") as string;
    expect(await world.command("answer", id, "edit", ...run)).toMatchObject({ type: "refused", reason: offers });
    const missing = { type: "refused", reason: "Checkpoint not found: cp-00000000" };
    expect(await world.command("answer", "cp-00000000", "Retry", ...run)).toMatchObject(missing);
    valueOf(await world.command("answer", id, "edit-the-command", ...run));
    await settle();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
  });

  it("the settled card says what runs now [F-119]", async () => {
    const { goalId, id } = await escalated();
    valueOf(await world.command("goal", "edit", goalId, "--run", "echo x > x.txt"));

    const card = await cardOf(id);
    expect(card).toContain('{"strong":"Edit the command"},", by ana');
    expect(card).toContain('"It runs this now: ",{"code":"echo x > x.txt"}');
    expect(card).toContain("Escalation: run twice, failed twice");
  });

  it("by the question's address holds it to the version that was shown, and takes no empty or same command [F-119]", async () => {
    const { goalId, id } = await escalated("exit 3");
    const edit = (address: string, command: string) => world.command("goal", "edit", "--run", command, "--", address);
    const next = `cos goal edit ${goalId} --run "…"`;

    expect(await edit(`${id}.9`, "true")).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("changed"),
    });
    expect(await edit(`${id}.1`, "  ")).toMatchObject({ type: "refused", next });
    expect(await edit(`${id}.1`, "exit 3")).toMatchObject({ type: "refused", next: `cos answer ${id} Retry` });
    expect(await world.command("answer", id, "edit-the-command")).toMatchObject({ type: "refused", next });
    expect((await shown(goalId)).state).toBe("waiting");
    valueOf(await edit(`${id}.1`, "echo x > x.txt"));
    const late = await edit(`${id}.1`, "echo y > y.txt");
    await settle();

    expect(late).toMatchObject({ type: "refused", reason: expect.stringContaining("Edit the command by ana") });
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await gitIn(path, "show", "--name-only", "--format=", `cos/${goalId}`)).toBe("x.txt");
  });

  it("by a reply is read back and done when it is confirmed, whatever the command holds [F-119]", async () => {
    const { goalId, id } = await escalated();
    const command = "echo '@scope/pkg <b>' > x.txt && echo \"a > b\" >> x.txt";

    const read = valueOf<{ became: string; replyId: string }>(await world.command("reply", id, `edit: \`${command}\``));
    expect(read.became).toBe("proposal");
    expect((await findMessage(world.deps.database.db, "console", "main", read.replyId))?.card.summary).toBe(
      `ana's reply: I will run this instead: ${command} Confirm?`,
    );
    expect((await shown(goalId)).state).toBe("waiting");
    const confirmed = await world.as({ actor: "@bo" }, "confirm", read.replyId);
    expect(JSON.stringify(confirmed)).toContain("runs this now");
    await settle();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await gitIn(path, "show", `cos/${goalId}:x.txt`)).toBe("@scope/pkg <b>\na > b");
    expect((await world.command("confirm", read.replyId)).type).toBe("refused");
  });

  it("that no shell can read is refused, as an answer, as a reply and as what a reply became", async () => {
    const { goalId, id } = await escalated();
    const unread = {
      type: "refused",
      reason: expect.stringMatching(/^the shell cannot read "if then": ./) as string,
    };

    expect(await world.command("answer", id, "edit the command", "--run", "if then")).toMatchObject(unread);
    expect(await world.command("reply", id, "edit: if then")).toMatchObject(unread);
    valueOf(await world.command("reply", id, "edit: true", "--message", "m1"));
    const edited = await world.command("reply", id, "edit: if then", "--message", "m1", "--change", "edited");
    expect(edited).toMatchObject(unread);
    expect(await shown(goalId)).toMatchObject({ state: "waiting" });
  });

  it("a choice by its name with a reason is taken at once, and the reason is kept", async () => {
    const { goalId, id } = await escalated();

    expect(valueOf(await world.command("reply", id, "manual: not without the keys?"))).not.toMatchObject({
      became: "answer",
    });
    expect(valueOf(await world.command("reply", id, "manual - I know the cause"))).toMatchObject({ became: "answer" });

    expect(await shown(goalId)).toMatchObject({ status: "manual_followup" });
    const { rows } = await world.deps.database.pool.query<{ human_notes: string }>(
      "select human_notes from cos.checkpoints where checkpoint_id = $1",
      [id],
    );
    expect(rows).toEqual([{ human_notes: "I know the cause" }]);
  });

  it("without a command asks which; No changes nothing", async () => {
    const { goalId, id } = await escalated();
    expect(valueOf(await world.command("reply", id, "edit:"))).toMatchObject({ became: "question" });
    const read = valueOf<{ replyId: string }>(await world.command("reply", id, "edit: true"));
    valueOf(await world.command("dismiss", read.replyId));

    expect((await shown(goalId)).state).toBe("waiting");
    expect((await world.command("confirm", read.replyId)).type).toBe("refused");
  });

  it("between two runs starts over: the other one has its own two [F-119]", async () => {
    const goalId = await add("exit 3");
    await world.work();
    valueOf(await world.command("goal", "edit", goalId, "--run", "echo run >> ../../log.txt; exit 4"));
    await settle(1);
    // Not in the plan any more (C-68).
    const [asked] = await questions();
    valueOf(await world.command("approve", asked?.checkpointId ?? ""));
    await settle();

    expect(await lines("run")).toBe(2);
    expect((await shown(goalId)).attempts.map((each) => each.exitCode)).toEqual([4, 4]);
  });

  it("with work of the old one in question begins at the base, and the old question is withdrawn [F-119]", async () => {
    const goalId = await add("echo '<p>' > page.html");
    await settle(1);
    expect((await questions()).map((each) => each.kind)).toEqual(["diff"]);
    valueOf(await world.command("goal", "edit", goalId, "--run", "echo y > y.txt"));
    await settle();
    const [again] = await questions();
    if (again !== undefined) valueOf(await world.command("approve", again.checkpointId));
    await settle();

    const goal = await shown(goalId);
    expect(goal.checkpoints[0]).toMatchObject({ kind: "diff", status: "superseded" });
    expect(goal.status).toBe("complete");
    expect(await gitIn(path, "diff", "--name-only", "main", `cos/${goalId}`)).toBe("y.txt");
  });

  it("of a parked goal counts when it is resumed [F-119]", async () => {
    const { goalId, id } = await escalated();
    world.advance(25 * 3_600_000);
    await world.tick();
    expect((await shown(goalId)).state).toBe("parked");
    valueOf(await world.command("goal", "edit", goalId, "--run", "echo x > x.txt"));
    expect((await shown(goalId)).state).toBe("parked");
    valueOf(await world.command("goal", "resume", goalId));
    await world.command("autopilot", "start");
    await settle();
    for (const each of await questions()) valueOf(await world.command("approve", each.checkpointId));
    await settle();

    expect(await shown(goalId)).toMatchObject({ status: "complete" });
    expect(await world.command("goal", "edit", "--run", "true", "--", `${id}.1`)).toMatchObject({ type: "refused" });
  });

  it("strangers and a goal's own process may not [F-119]", async () => {
    const { goalId, id } = await escalated();
    const stranger = {
      actor: "@eve",
      via: "slack",
      member: { id: "slack:U0EVE", isActive: true, membership: "member" },
    } as const;

    expect((await world.as(stranger, "goal", "edit", goalId, "--run", "true")).type).toBe("refused");
    expect(await world.as(stranger, "reply", id, "edit: true")).toMatchObject({ type: "refused" });
    expect(
      (await world.as({ origin: { type: "agent", runId: "run-1" } }, "goal", "edit", `${id}.1`, "--run", "true")).type,
    ).toBe("refused");
    expect((await shown(goalId)).state).toBe("waiting");
  });
});

describe("instructions to a fixed command", () => {
  it.each([
    ["modify", "--instructions", "use the other port"],
    ["answer", "Retry", "--instructions", "use the other port"],
    ["reply", "retry: use the other port"],
    ["reply", "try again with the other port"],
    ["reply", "modify: use the other port"],
    ["reply", "use the other port"],
    ["reply", "please run it with node 22 instead"],
  ])("at its escalation are refused by %s %s, with the way to edit it [F-119]", async (name, ...words) => {
    const { goalId, id } = await escalated();

    const [first = "", ...rest] = words;
    const said = name === "answer" ? [id, first, ...rest] : name === "reply" ? [id, first] : [id, ...words];
    expect(await world.command(name, ...said)).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("takes no instructions"),
      next: `cos goal edit ${goalId} --run "…"`,
    });
    await nothingDecided(goalId);
  });

  it.each([
    ["modify", "--instructions", "call it Buy", "--budget", "3"],
    ["reply", "modify: call it Buy"],
    ["reply", "change the name to Buy"],
  ])("before it begins are refused by %s %s [F-119]", async (name, ...words) => {
    const goalId = await add("echo x > x.txt", "--tag", "ui");
    const [asked] = await questions();

    expect(await world.command(name, asked?.checkpointId ?? "", ...words)).toMatchObject({
      type: "refused",
      next: `cos goal edit ${goalId} --run "…"`,
    });
    await nothingDecided(goalId);
    valueOf(await world.command("modify", asked?.checkpointId ?? "", "--budget", "3"));
    await settle();
    expect(await shown(goalId)).toMatchObject({ status: "complete" });
  });

  async function nothingDecided(goalId: string): Promise<void> {
    const goal = await shown(goalId);
    expect(goal).toMatchObject({ state: "waiting", instructions: [] });
    expect((await world.deps.database.pool.query("select 1 from cos.decisions")).rowCount).toBe(0);
    expect((await world.deps.database.pool.query("select 1 from cos.replies")).rowCount).toBe(0);
  }

  it("that were read back before the goal got one are not confirmed [F-119]", async () => {
    const goalId = await add("echo x > x.txt", "--tag", "ui");
    valueOf(await world.command("goal", "edit", goalId, "--run", ""));
    const [asked] = await questions();
    const read = valueOf<{ replyId: string }>(await world.command("reply", asked?.checkpointId ?? "", "use navy"));
    await world.deps.database.pool.query("update cos.goals set run_command = 'true'");

    expect(await world.command("confirm", read.replyId)).toMatchObject({
      type: "refused",
      next: `cos goal edit ${goalId} --run "…"`,
    });
    expect(await shown(goalId)).toMatchObject({ state: "waiting", instructions: [] });
  });
});
