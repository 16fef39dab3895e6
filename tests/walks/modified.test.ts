import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { listForGoal } from "../../src/db/checkpoints.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { cardWords, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

describe("what Modify changes", () => {
  let world: TestWorld;
  beforeEach(async () => {
    world = await testWorld();
    await world.repository();
  });
  afterEach(() => world.close());

  async function asked(...words: string[]): Promise<{ goalId: string; checkpointId: string }> {
    const { goalId } = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "Make it blue", "--run", "echo blue > a.txt", "--tag", "ui", ...words),
    );
    await world.command("autopilot", "start");
    const [checkpoint] = await listForGoal(world.deps.database.db, goalId);
    return { goalId, checkpointId: checkpoint?.checkpointId ?? "" };
  }

  async function why(goalId: string): Promise<string> {
    const told = await world.command("why", goalId);
    return told.type === "refused" ? told.reason : terminalLines(told.card, "UTC").join("\n");
  }

  it("words that nobody can run or check do not take the place of a criterion that can be run", async () => {
    const { goalId, checkpointId } = await asked("--done-when", "grep -q blue a.txt");
    const file = join(world.dataDir, "words.md");
    await writeFile(file, "It is blue.\n");

    const both = ["--criteria", file, "--criteria-text", "It is blue."];
    for (const words of [
      ["modify", checkpointId],
      ["answer", checkpointId, "Modify"],
    ])
      await expect(world.command(...words, ...both), words.join(" ")).rejects.toThrow("give one of them");
    const refused = [
      await world.command("modify", checkpointId, "--criteria-text", "It is blue."),
      await world.command("modify", checkpointId, "--criteria", file),
      await world.command("answer", checkpointId, "Modify", "--criteria-text", "nonsense"),
      await world.command("goal", "edit", goalId, "--criteria", file),
    ];

    for (const each of refused)
      expect(each).toMatchObject({
        type: "refused",
        reason: "no criterion is in it that anybody could run or check, and it would take the place of AC-1",
        next: "say it as instructions, or name the command that passes when it is done (docs/done.md)",
      });
    expect(await listForGoal(world.deps.database.db, goalId)).toMatchObject([{ status: "pending" }]);
    await world.command("approve", checkpointId);
    await world.work();
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
      status: "complete",
      tag: "verified",
      criteria: [{ id: "AC-1", status: "pass" }],
    });
  });

  it("where nothing can be run they are taken as they are, and what was changed is told, each by what it is", async () => {
    const { goalId, checkpointId } = await asked();
    await world.command(
      "modify",
      checkpointId,
      "--criteria-text",
      "It is blue.",
      "--budget",
      "7",
      "--notes",
      "as agreed",
    );

    expect(await why(goalId)).toMatch(
      /answered Modify by .*, after \d+ \w+: ceiling \$7\.00; criteria; noted: as agreed/,
    );
    expect(await cardWords(world, checkpointId)).toContain("Said with it: as agreed");
  });

  it("the settled card says what was changed, and what was said with it [F-412]", async () => {
    const { checkpointId } = await asked();
    const choice = ["answer", checkpointId, "Modify", "--criteria-text", "It is teal."];
    await world.command(...choice, "--budget", "7", "--notes", "as agreed");

    const card = await cardWords(world, checkpointId);
    expect(card).toContain("Changed: ceiling $7.00; criteria");
    expect(card).toContain("Said with it: as agreed");
  });

  it("the settled card of an agent's goal says what it was told, in every place that shows it [F-412]", async () => {
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Make it blue", "--tag", "ui"));
    await world.command("autopilot", "start");
    const [checkpoint] = await listForGoal(world.deps.database.db, goalId);
    const id = checkpoint?.checkpointId ?? "";
    await world.command("modify", id, "--instructions", "use teal, not blue", "--budget", "7");

    expect(await cardWords(world, id)).toContain("Changed: ceiling $7.00; told: use teal, not blue");
    const { rows } = await world.deps.database.pool.query(
      "select card ->> 'brief' as brief from cos.messages where subject = $1",
      [id],
    );
    expect(rows.map(({ brief }) => brief)).toEqual([
      expect.stringContaining("ceiling $7.00; told: use teal, not blue"),
    ]);
  });

  it("the settled card says every line that an agent was told", async () => {
    const { goalId } = valueOf<{ goalId: string }>(await world.command("goal", "add", "Make it blue", "--tag", "ui"));
    await world.command("autopilot", "start");
    const [checkpoint] = await listForGoal(world.deps.database.db, goalId);
    const id = checkpoint?.checkpointId ?? "";
    await world.command("modify", id, "--instructions", "Use teal.\n\nLeave the logo as it is.");

    expect(await cardWords(world, id)).toContain("Changed: told: Use teal. / Leave the logo as it is.");
    expect(await why(goalId)).toContain("told: Use teal. / Leave the logo as it is.");
  });

  it("of a campaign is on its settled card too [F-412]", async () => {
    await campaignIn(world).create("# The site\n\n- Write the header\n");
    const [plan] = valueOf<{ checkpointId: string; kind: string }[]>(await world.command("checkpoints"));
    expect(plan?.kind).toBe("plan");
    await world.command("modify", plan?.checkpointId ?? "", "--budget", "3.10", "--notes", "no more than that");

    const card = await cardWords(world, plan?.checkpointId ?? "");
    expect(card).toContain("Modify, by ana");
    expect(card).toContain("Changed: ceiling $3.10");
    expect(card).toContain("Said with it: no more than that");
  });

  it("commands and times are told as what they are, so that each chat draws them as it types and reads them", async () => {
    const { goalId, checkpointId } = await asked();

    const told = await world.command("why", goalId);
    const status = await world.command("status");

    expect(valueOf(told)).toMatchObject({
      waitsFor: `waits for an answer to ${checkpointId}: cos answer ${checkpointId} Proceed`,
    });
    expect(told).toMatchObject({ card: { title: `Make it blue: waits for an answer to ${checkpointId}` } });
    expect(JSON.stringify(told)).toContain(`[{"strong":"Next: "},{"command":"answer ${checkpointId} Proceed"}]`);
    expect(JSON.stringify(status)).toMatch(
      /Make it blue: about to make user-facing changes","to":"[^"]{1,40}"\},", since ",\{"at":"2026-01-26T09:00:00/,
    );
  });

  it("a word for another choice under a question that is settled is refused, with who decided what", async () => {
    const { checkpointId } = await asked();
    await world.command("approve", checkpointId);

    const other = await world.command("reply", checkpointId, "skip");
    const same = await world.command("reply", checkpointId, "ok");
    const talk = await world.command("reply", checkpointId, "thanks");

    expect(other).toMatchObject({
      type: "refused",
      reason: expect.stringMatching(/is already answered: Proceed by ana/) as string,
    });
    for (const each of [same, talk]) expect(valueOf(each)).toMatchObject({ became: "comment" });
  });
});
