import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../src/commands/command.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { getCheckpoint, insertCheckpoint, listForGoal } from "../../src/db/checkpoints.ts";
import { listDecisions } from "../../src/db/decisions.ts";
import { type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { agentRepository, writes } from "../fakes/scripted.ts";

interface Pending {
  checkpointId: string;
  version: number;
  triggers: string[];
  context: string;
  options: { label: string; isRecommended: boolean }[];
  status: string;
}

describe("checkpoints", () => {
  let world: TestWorld;
  beforeEach(async () => {
    world = await testWorld();
    await world.repository();
  });
  afterEach(() => world.close());

  async function waiting(text = "Make it blue", ...words: string[]): Promise<{ goalId: string; checkpointId: string }> {
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", text, "--run", "echo blue > a.txt", "--tag", "ui", ...words),
    );
    await world.command("autopilot", "start");
    const [checkpoint] = await listForGoal(world.deps.database.db, goalId);
    return { goalId, checkpointId: checkpoint?.checkpointId ?? "" };
  }

  async function pending(): Promise<Pending[]> {
    return valueOf<Pending[]>(await world.command("checkpoints"));
  }

  async function lines(...words: string[]): Promise<string[]> {
    const result = await world.command(...words);
    if (result.type === "refused") return [result.reason, `next: ${result.next}`];
    return terminalLines(result.card, "UTC");
  }

  async function goal(goalId: string): Promise<Record<string, unknown>> {
    return valueOf(await world.command("goal", "show", goalId));
  }

  it("a goal without reasons is never asked about [S4-CK-06]", async () => {
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "plain", "--run", "true"));
    await world.command("autopilot", "start");
    await world.work();

    expect(await listForGoal(world.deps.database.db, goalId)).toEqual([]);
  });

  it("a new one has its id, is pending, and holds nothing of an answer [S4-CK-01, S4-CK-02, S4-CK-07]", async () => {
    const { goalId, checkpointId } = await waiting();

    expect(checkpointId).toMatch(/^cp-[0-9a-f]{8}$/);
    expect(await getCheckpoint(world.deps.database.db, checkpointId)).toMatchObject({
      checkpointId,
      trigger: "ux_change",
      context: "About to make user-facing changes: Make it blue",
      recommendation: "Proceed - nothing like it has been decided here yet.",
      createdAt: new Date("2026-01-26T09:00:00Z"),
      goalId,
      campaignId: null,
      status: "pending",
      chosenOption: null,
      humanNotes: null,
      resolvedAt: null,
    });
  });

  it("looking again finds the same one, other goals have others [S4-CK-08, S4-CK-10]", async () => {
    const first = await waiting("one");
    await world.tick();
    await world.work();
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "two", "--run", "true", "--tag", "ui"),
    );
    await world.command("autopilot", "start", "--goal", goalId);

    const all = await pending();

    expect(all.map((each) => each.checkpointId)).toContain(first.checkpointId);
    expect(new Set(all.map((each) => each.checkpointId)).size).toBe(2);
    expect((await listForGoal(world.deps.database.db, first.goalId)).length).toBe(1);
  });

  it("takes no other status than its own [S4-CK-03]", async () => {
    const { checkpointId } = await waiting();
    const become = (status: string) =>
      world.deps.database.pool.query(
        "update cos.checkpoints set status = $1, resolved_at = now(), chosen_option = 'Skip', resolved_by = 'ana' where checkpoint_id = $2",
        [status, checkpointId],
      );

    for (const status of ["bogus", "Approved", "open", ""])
      await expect(become(status)).rejects.toThrow("checkpoints_status");
    expect(await getCheckpoint(world.deps.database.db, checkpointId)).toMatchObject({ status: "pending" });
  });

  it("comes back from the database as it went in [S4-CK-05]", async () => {
    const { checkpointId } = await waiting();

    const [printed] = await pending();
    const stored = await getCheckpoint(world.deps.database.db, checkpointId);

    expect(stored?.options).toEqual([
      { label: "Proceed", description: "Approve this action and continue", effect: "continue", isRecommended: true },
      { label: "Skip", description: "Skip this goal and move to the next one", effect: "skip", isRecommended: false },
      // It runs a fixed command, which takes no instructions.
      {
        label: "Modify",
        description: "I'll give other criteria or another budget",
        effect: "modify",
        isRecommended: false,
      },
      { label: "Pause", description: "Pause the session for manual review", effect: "pause", isRecommended: false },
    ]);
    expect(printed?.options).toEqual(stored?.options);
    // Every field, also once it is answered.
    if (stored === null) throw new Error("nothing was asked");
    const full = {
      ...stored,
      checkpointId: "cp-00000001",
      version: 3,
      reasons: [
        { trigger: "ux_change" as const, context: "“Blue”\n`now`" },
        { trigger: "hiccup" as const, context: "" },
      ],
      options: [...stored.options],
      status: "approved" as const,
      chosenOption: "Proceed",
      humanNotes: "fine",
      resolvedBy: "ana",
      resolvedVia: "slack",
      resolvedAt: new Date("2026-01-26T09:00:00.123Z"),
      remindedAt: new Date("2026-01-26T08:00:00.001Z"),
      pausedBy: "bob",
      acknowledgedBy: "bob",
      acknowledgedAt: new Date("2026-01-26T07:00:00Z"),
      changed: "its text",
      changedAt: new Date("2026-01-26T06:00:00Z"),
    };
    await world.deps.database.transaction((tx) => insertCheckpoint(tx, full));
    expect(await getCheckpoint(world.deps.database.db, "cp-00000001")).toEqual(full);
  });

  it("an approval lets the goal run, without another question [S4-CK-09]", async () => {
    const { goalId, checkpointId } = await waiting();

    await world.command("approve", checkpointId, "--notes", "looks fine");
    await world.work();

    expect(await goal(goalId)).toMatchObject({ status: "complete" });
    expect((await listForGoal(world.deps.database.db, goalId)).length).toBe(1);
  });

  it("an answer keeps option, notes and time, and who gave it where, after how long [S4-CK-16]", async () => {
    const { checkpointId } = await waiting();
    world.advance(180_000);

    await world.as({ actor: "bob", via: "console" }, "reject", checkpointId, "--notes", "too risky");

    expect(await getCheckpoint(world.deps.database.db, checkpointId)).toMatchObject({
      status: "rejected",
      chosenOption: "Skip",
      humanNotes: "too risky",
      resolvedAt: new Date("2026-01-26T09:03:00Z"),
    });
    expect(await listDecisions(world.deps.database.db, checkpointId)).toMatchObject([
      { actor: "bob", via: "console", choice: "Skip", settles: true, waitedMs: 180_000, notes: "too risky" },
    ]);
  });

  it("says how approve and reject ended [S4-CL-03, S4-CL-04]", async () => {
    const one = await waiting("one");
    expect(await lines("approve", one.checkpointId, "--notes", "fine")).toEqual([
      `✓ Proceed: ${one.checkpointId} is answered.`,
    ]);
    expect(await getCheckpoint(world.deps.database.db, one.checkpointId)).toMatchObject({
      status: "approved",
      chosenOption: "Proceed",
      humanNotes: "fine",
    });
    await world.work();

    const two = await waiting("two");
    expect(await lines("reject", two.checkpointId, "--notes", "too risky")).toEqual([
      `✓ Skip: ${two.checkpointId} is answered.`,
    ]);
    expect(await getCheckpoint(world.deps.database.db, two.checkpointId)).toMatchObject({
      status: "rejected",
      chosenOption: "Skip",
      humanNotes: "too risky",
    });
    expect(await goal(two.goalId)).toMatchObject({ status: "deferred" });
  });

  it.each([
    ["approve", "cp-x"],
    ["reject", "cp-ffffffff"],
    ["modify", "cp-00000000", "--instructions", "use B"],
    ["answer", "cp-00000000", "Skip"],
    ["reply", "cp-00000000", "ok"],
    ["details", "cp-00000000"],
  ])("%s %s: an unknown one is named [S4-CK-17]", async (...words) => {
    expect(await lines(...words)).toEqual([`Checkpoint not found: ${words[1]}`, "next: cos checkpoints"]);
  });

  it.each([
    ["goal-00000000", "Goal not found: goal-00000000", "cos goals"],
    ["camp-00000000", "Campaign not found: camp-00000000", "cos campaign list"],
    ["blue", "nothing is called blue", "cos goals"],
  ])("what could have any id is told what %s is not", async (id, reason, next) => {
    for (const words of [
      ["reply", id, "ok"],
      ["details", id],
    ])
      expect(await lines(...words)).toEqual([reason, `next: ${next}`]);
  });

  it("who names what it is about is told which one is open, and nothing is answered", async () => {
    const { goalId, checkpointId } = await waiting();

    expect(await lines("approve", goalId)).toEqual([
      `${goalId} is no checkpoint: ${checkpointId} is open about it`,
      `next: cos details ${checkpointId}`,
    ]);
    expect(await getCheckpoint(world.deps.database.db, checkpointId)).toMatchObject({ status: "pending" });
  });

  it("takes its id in capitals and at the end of a sentence", async () => {
    const { checkpointId } = await waiting();

    expect(await lines("approve", `${checkpointId.toUpperCase()}.`)).toEqual([
      `✓ Proceed: ${checkpointId} is answered.`,
    ]);
  });

  it("a second answer changes nothing and says who won [S4-CK-21]", async () => {
    const { checkpointId } = await waiting();
    await world.command("approve", checkpointId);

    const [reason] = await lines("reject", checkpointId);

    expect(reason).toBe(`checkpoint ${checkpointId} is already answered: Proceed by ana, 2026-01-26 09:00`);
    expect(await getCheckpoint(world.deps.database.db, checkpointId)).toMatchObject({ status: "approved" });
  });

  it("an answer to what was withdrawn is told that, and that nothing was decided", async () => {
    const { goalId, checkpointId } = await waiting();
    await world.command("goal", "pause", goalId);

    const [reason] = await lines("approve", checkpointId);

    expect(reason).toBe(`checkpoint ${checkpointId} is over: withdrawn, 2026-01-26 09:00; nothing was decided`);
  });

  it("a second answer is told how the goal that the first one left is taken up again", async () => {
    const { goalId, checkpointId } = await waiting();
    await world.command("reject", checkpointId);

    const second = await world.command("approve", checkpointId);

    expect(second).toMatchObject({ type: "refused", next: `cos goal resume ${goalId}` });
    expect(await world.command("goal", "resume", goalId)).toMatchObject({ type: "done" });
  });

  it("lists only what is open, the oldest first [S4-CK-19, S4-CL-01, C-96]", async () => {
    expect(await lines("checkpoints")).toEqual(["No pending checkpoints."]);
    const ids: string[] = [];
    for (const text of ["one", "two", "three"]) {
      ids.push((await waiting(text)).checkpointId);
      world.advance(60_000);
    }
    const listed = async () => (await pending()).map((each) => each.checkpointId);
    expect(await listed()).toEqual(ids);

    await world.command("approve", ids[1] ?? "");
    expect(await listed()).toEqual([ids[0], ids[2]]);

    await world.command("reject", ids[0] ?? "");
    await world.command("approve", ids[2] ?? "");
    expect(await lines("checkpoints")).toEqual(["No pending checkpoints."]);
  });

  it("lists trigger, id, context, options and recommendation [S4-CL-02]", async () => {
    const { goalId, checkpointId } = await waiting("Dear", "--cost", "8");

    const text = (await lines("checkpoints")).join("\n");

    expect(text).toContain(
      `user-facing change ${checkpointId} about ${goalId}\n  About to make user-facing changes: Dear`,
    );
    expect(text).toContain("also: This action is estimated to cost $8.00: Dear");
    expect(text).toContain("Proceed (recommended): Approve this action and continue");
    expect(text).toContain("Proceed - nothing like it has been decided here yet.");
  });

  it("modify goes on with the instructions, which reach the executor [S4-CL-05]", async () => {
    await agentRepository(world, [
      { match: ["instruction by ana", "Use approach B instead"], ...writes("a.txt", "B\n") },
    ]);
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Make it blue", "--repo", "person", "--tag", "ui"),
    );
    await world.command("autopilot", "start");
    const [{ checkpointId } = { checkpointId: "" }] = await listForGoal(world.deps.database.db, goalId);

    await world.command("modify", checkpointId, "--instructions", "Use approach B instead", "--budget", "3");
    await world.work();

    expect(await goal(goalId)).toMatchObject({
      status: "complete",
      ceilingUsd: 3,
      instructions: [{ by: "ana", text: "Use approach B instead" }],
    });
  });

  it("status shows what waits, and the next turn picks up what was answered [S4-CL-09]", async () => {
    const { goalId, checkpointId } = await waiting();
    expect(valueOf(await world.command("status"))).toMatchObject({ pendingCheckpoints: [checkpointId] });

    await world.command("approve", checkpointId);
    await world.work();

    expect(valueOf(await world.command("status"))).toMatchObject({ pendingCheckpoints: [] });
    expect(await goal(goalId)).toMatchObject({ status: "complete" });
  });

  it("weekly begins with its heading [S4-CL-07]", async () => {
    expect((await lines("weekly"))[0]).toBe("# Weekly Summary: 2026-01-26 to 2026-02-01");
  });

  it("Pause leaves the question open, and answering it resumes the session", async () => {
    const { goalId, checkpointId } = await waiting();

    await world.command("answer", checkpointId, "Pause");
    const paused = valueOf<{ sessions: { status: string }[] }>(await world.command("status"));
    await world.command("approve", checkpointId);
    await world.work();

    expect(paused.sessions).toMatchObject([{ status: "paused" }]);
    expect(await goal(goalId)).toMatchObject({ status: "complete" });
  });

  it("an edit changes the one that is there; an answer to the old version is refused [S4-CK-20]", async () => {
    const { goalId, checkpointId } = await waiting();

    await world.command("goal", "edit", goalId, "--text", "Make it green");
    const refused = await world.command("answer", `${checkpointId}.1`, "Proceed");
    const [now] = await pending();

    expect(refused).toMatchObject({
      type: "refused",
      reason: `checkpoint ${checkpointId} changed since you looked (now version 2)`,
    });
    expect(now).toMatchObject({ checkpointId, version: 2, triggers: ["ux_change", "scope_change"] });
    expect((await listForGoal(world.deps.database.db, goalId)).length).toBe(1);
  });

  it("reminds once after half an hour, expires after a day, and asks again when it is resumed [C-66]", async () => {
    const { goalId, checkpointId } = await waiting("first");
    const second = valueOf<{ goalId: string }>(await world.command("goal", "add", "second", "--run", "echo 2 > 2.txt"));
    expect((await pending()).map((each) => each.checkpointId)).toEqual([checkpointId]);

    world.advance(29 * 60_000);
    await world.tick();
    expect((await getCheckpoint(world.deps.database.db, checkpointId))?.remindedAt).toBeNull();
    world.advance(60_000);
    await world.tick();
    world.advance(3_600_000);
    await world.tick();
    expect((await getCheckpoint(world.deps.database.db, checkpointId))?.remindedAt).toEqual(
      new Date("2026-01-26T09:30:00Z"),
    );

    world.advance(24 * 3_600_000);
    await world.tick();
    await world.work();
    const late = await world.command("approve", checkpointId);

    expect(await goal(goalId)).toMatchObject({ status: "blocked", state: "parked" });
    expect(await goal(second.goalId)).toMatchObject({ status: "complete" });
    expect(late).toMatchObject({ type: "refused", next: `cos goal resume ${goalId}` });
    await world.command("goal", "resume", goalId);
    await world.command("autopilot", "start");
    expect((await pending()).length).toBe(1);
  });

  it("hostile and oversized text is refused or kept as text", async () => {
    const long = await world.command("goal", "add", "x".repeat(100_000));
    const empty = await world.command("goal", "add", "   ");
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "a\u0000b\u001b[31mc <!channel> \u202Eevil"),
    );

    expect(long).toMatchObject({
      type: "refused",
      reason: "the goal's text has 100000 characters, at most 20000 are taken",
    });
    expect(empty).toMatchObject({ type: "refused", reason: "the goal's text is empty" });
    expect(await goal(goalId)).toMatchObject({ content: "a\uFFFDb\uFFFD[31mc <!channel> \u202Eevil" });
  });

  it("a reply is asked who may, then how long it is, and only then what it says [F-107]", async () => {
    const { goalId, checkpointId } = await waiting();
    const stranger = {
      actor: "@eve",
      via: "slack",
      member: { id: "slack:U0EVE", isActive: true, membership: "member" },
    } as const;
    const long = "ok, as was said: ".repeat(2_000);

    // Before the question: whoever may decide is told that it has changed since. A stranger is told who may, and no more.
    const early = await world.as(stranger, "reply", checkpointId, "let us drop it", "--at", "2020-01-01T00:00:00Z");
    const heard = await world.as(stranger, "reply", checkpointId, long);
    const talk = await world.command("reply", checkpointId, long);
    const word = await world.command("reply", checkpointId, `ok${" ".repeat(20_000)}`);

    expect(early).toMatchObject({
      type: "refused",
      reason: expect.stringContaining("nobody may decide here") as string,
    });
    expect(valueOf(heard)).toMatchObject({ became: "comment" });
    expect(talk).toMatchObject({
      type: "refused",
      reason: "the reply has 34000 characters, at most 20000 are taken; nothing was decided",
    });
    expect(word).toMatchObject({ type: "refused", reason: expect.stringContaining("20002 characters") as string });
    expect(await goal(goalId)).toMatchObject({ state: "waiting" });
    expect((await world.deps.database.pool.query("select 1 from cos.replies")).rowCount).toBe(0);
  });

  it("a wrong call says what is wrong", async () => {
    await expect(world.command("goal", "add", "x", "--cost", "lots")).rejects.toThrow(UsageError);
    await expect(world.command("goal", "add", "x", "--cost", "lots")).rejects.toThrow(
      '--cost: found "lots", expected a number from 0 to 1000000',
    );
    await expect(world.command("approve")).rejects.toThrow("ID is missing");
  });
});
