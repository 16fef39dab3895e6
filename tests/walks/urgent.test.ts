import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Card } from "../../src/core/cards/card.ts";
import { homeCards } from "../../src/core/cards/home-card.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { recommend } from "../../src/core/reports/recommendation.ts";
import { findMessage } from "../../src/db/messages.ts";
import { needsNow } from "../../src/facts/needs.ts";
import { projectDir } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

/** What a line says of work, and what a report says first, must be true whatever has happened. */

const hour = 3_600_000;
const criteria =
  "#### AC-1: Made\n\n```yaml\nmethod: bash\ncommand: test -f made.txt\npass_condition: exit code 0\n```\n";

let world: TestWorld;
beforeEach(async () => {
  // Monday, 2026-01-26, 09:00.
  world = await testWorld({
    policy: (policy) => ({ ...oneAttempt(policy), recovery: { ...oneAttempt(policy).recovery, breakerAfter: 9 } }),
  });
});
afterEach(() => world.close());

interface Shown {
  status: string;
  tag: string;
  outcome: string;
  evidence: { kind: string; tag: string }[];
}

interface Standup {
  recommendation: { text: string; command: string };
  done: { goalId: string; tag: string }[];
  deferred: { goalId: string; tag: string; outcome: string }[];
  waiting: { checkpointId: string; goalId: string | null }[];
  working: { goalId: string; state: string }[];
  planned: { goalId: string; state: string }[];
}

const shown = async (goalId: string): Promise<Shown> => valueOf<Shown>(await world.command("goal", "show", goalId));
const standup = async (): Promise<Standup> => valueOf<Standup>(await world.command("standup"));

async function lines(...words: string[]): Promise<string[]> {
  const result = await world.command(...words);
  if (result.type === "refused") throw new Error(result.reason);
  return terminalLines(result.card, "UTC");
}

async function card(subject: string): Promise<Card> {
  const message = await findMessage(world.deps.database.db, "console", "main", subject);
  if (message === null) throw new Error(`nothing is shown about ${subject}`);
  return message.card;
}

async function add(text: string, ...options: string[]): Promise<string> {
  return valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...options)).goalId;
}

async function work(): Promise<void> {
  for (let pass = 0; pass < 3; pass += 1) {
    await world.work();
    world.advance(20_000);
    await world.tick();
  }
}

async function worked(text: string, ...options: string[]): Promise<string> {
  const goalId = await add(text, ...options);
  valueOf(await world.command("autopilot", "start", "--goal", goalId));
  await work();
  return goalId;
}

async function answer(choice: string): Promise<void> {
  const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
  valueOf(await world.command("answer", question?.checkpointId ?? "", choice));
  await work();
}

/** What the home says at its head. */
async function home(): Promise<string> {
  const first = recommend(await needsNow(world.deps.database.db, world.deps));
  return (
    homeCards({
      first,
      waiting: [],
      shownAt: world.deps.now(),
      batches: [],
      running: [],
      spentMicroUsd: 0,
      spentIsEstimated: false,
      dayCeilingMicroUsd: 1,
    })[0]?.title ?? ""
  );
}

describe("a goal whose executor does not say that it is done is not claimed", () => {
  const agentFor = async (steps: readonly object[]): Promise<string> => {
    const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "one\n" });
    const file = join(world.dataDir, "script.json");
    await writeFile(file, JSON.stringify(steps));
    const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
    await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
    return path;
  };

  it("when its command fails, and a person skips it: not on its page, in its evidence or in a report [F-121]", async () => {
    await world.repository();
    const goalId = await worked("Fail", "--run", "echo x > x.txt; exit 3");
    expect(await shown(goalId)).toMatchObject({ status: "blocked", tag: "not checked" });
    await answer("Skip");

    const goal = await shown(goalId);
    expect(goal).toMatchObject({ status: "deferred", tag: "not checked" });
    expect(goal.evidence.map(({ kind, tag }) => [kind, tag])).toEqual(
      goal.evidence.map(({ kind }) => [kind, "not checked"]),
    );
    expect((await standup()).deferred).toMatchObject([{ goalId, tag: "not checked", outcome: "Skipped by ana." }]);
    expect(await lines("standup")).toContainEqual(expect.stringContaining("  - [not checked] Fail: Skipped by ana."));
    expect((await lines("weekly")).filter((line) => line.includes("[claimed]"))).toEqual([]);
  });

  it.each([
    [
      "says that it is not done",
      [{ write: { path: "x.txt", content: "x\n" } }, { say: "I could not complete this. Half of it is there." }],
    ],
    ["says so in a word", [{ say: "Status: not done" }]],
  ])("when its agent ends and %s [F-121]", async (_how, steps) => {
    await agentFor(steps);
    const goalId = await worked("Try");

    expect(await shown(goalId)).toMatchObject({ status: "complete", tag: "not checked" });
    expect(JSON.stringify(await card(goalId))).toContain("not even its executor says that it is done");
    expect((await standup()).done).toMatchObject([{ goalId, tag: "not checked" }]);
    expect(valueOf(await world.command("weekly"))).toMatchObject({
      week: { complete: 1, verified: 0, claimed: 0, notChecked: 1 },
    });
  });

  it("when its agent wants to give up, or runs out of tokens [F-121]", async () => {
    await agentFor([{ write: { path: ".cos/give-up.md", content: "I give up." } }, { say: "Done." }]);
    const goalId = await worked("Give up");
    const evidence = (await shown(goalId)).evidence.filter(({ kind }) => kind === "execution");

    expect(evidence.length).toBeGreaterThan(0);
    expect(evidence.filter(({ tag }) => tag === "claimed")).toEqual([]);
    expect((await shown(goalId)).tag).toBe("not checked");
  });

  it("and what it says of a part of its work is none of it [F-121]", async () => {
    await agentFor([
      { write: { path: "x.txt", content: "x\n" } },
      { say: "Done. I did not touch the tests, and I could not find other callers." },
    ]);
    expect(await shown(await worked("Try"))).toMatchObject({ status: "complete", tag: "claimed" });
  });

  it("when it is worked again: what an earlier run has said is not said of the next one [F-121]", async () => {
    await world.repository();
    const goalId = await worked("Again", "--run", "echo x > x.txt");
    expect((await shown(goalId)).tag).toBe("claimed");
    valueOf(await world.command("goal", "resume", goalId));
    expect(await shown(goalId)).toMatchObject({ status: "pending", tag: "not checked" });
  });
});

describe("the first line", () => {
  it("never says that nothing is left with a branch, a parked goal or one that is left to a person [F-121]", async () => {
    const path = await world.repository();
    expect((await standup()).recommendation.text).toBe("Add a goal: nothing is left to do.");
    expect(await home()).toBe("Nothing waits for you");

    const claimed = await worked("Claimed", "--run", "echo x > claimed.txt");
    const other = await worked("Other", "--run", "echo x > other.txt");
    expect((await standup()).recommendation).toEqual({
      text: "Look at Other (and 1 more branch): it is finished and not verified; merge or discard it.",
      command: `cos goal show ${other}`,
    });
    expect(await home()).toBe("2 finished branches to merge or discard");
    expect((await lines("status"))[0]).toBe("Status: 2 finished branches to merge or discard");
    expect(valueOf<Standup>(await world.command("status")).recommendation.command).toBe(`cos goal show ${other}`);

    // Long after: no list has them any more, and they are there.
    world.advance(40 * 24 * hour);
    expect((await standup()).recommendation.text).toBe(
      "Look at what is older than 30 days: 2 finished branches without a decision.",
    );
    valueOf(await world.command("goal", "discard", claimed));
    valueOf(await world.command("goal", "discard", other));
    expect(await home()).toBe("Nothing waits for you");

    const parked = await add("Parked", "--run", "true");
    valueOf(await world.command("goal", "pause", parked));
    expect((await standup()).recommendation.command).toBe(`cos goal resume ${parked}`);
    expect(await home()).toBe("1 goal is parked");
    valueOf(await world.command("goal", "skip", parked));
    expect((await standup()).recommendation.text).toContain("nothing is left to do");

    const manual = await worked("Ask the bank");
    expect((await standup()).recommendation).toEqual({
      text: "Do Ask the bank yourself: it was left to a person.",
      command: `cos why ${manual}`,
    });
    expect(await home()).toBe("1 goal is left to a person");
    expect(path).not.toBe("");
  });

  it("of a question is the question, whose goal stands nowhere else [F-121]", async () => {
    await world.repository();
    const asked = await worked("Blue", "--tag", "ui", "--run", "echo x > x.txt");

    const found = await standup();
    expect(found.waiting.map(({ goalId }) => goalId)).toEqual([asked]);
    expect([...found.planned, ...found.working]).toEqual([]);
    expect((await lines("standup")).filter((line) => line.includes("Blue"))).toHaveLength(1);
    expect((await lines("status"))[0]).toBe("Status: 1 waiting for you");
  });

  it("of the morning is true of everything below it, also after what is decided by day [F-121]", async () => {
    await world.close();
    world = await testWorld({ policy: oneAttempt });
    const path = await makeRepository(join(world.dataDir, "person"), { "a.txt": "one\n", "ac.md": criteria });
    await world.command("repo", "add", path, "--setup", "", "--check", "");
    const verified = await add("Verified", "--criteria", "ac.md", "--run", "touch made.txt");
    const manual = await add("Ask the bank");
    const fails = await add("Fails", "--run", "exit 3");
    const { nightId } = valueOf<{ nightId: string }>(await world.command("night"));
    await work();
    const morning = () => card(`${nightId}.morning`);
    expect((await morning()).title).toBe("Good morning: 1 decision to make");

    await answer("Manual");
    expect(await morning()).toMatchObject({
      title: "Good morning: 1 finished branch to merge or discard",
      state: "cleared",
      tone: "neutral",
    });
    expect(terminalLines(await morning(), "UTC")).toContainEqual(
      expect.stringMatching(
        /^ {2}First: Merge Verified: it is verified, and nothing is merged before it\. cos goal merge /,
      ),
    );
    expect(JSON.stringify(await morning())).toContain("complete, not merged");
    valueOf(await world.command("goal", "merge", verified));
    expect((await morning()).title).toBe("Good morning: 2 goals are left to a person");
    world.advance(31_000);
    await world.tick();
    expect(JSON.stringify(await morning())).not.toContain("not merged");

    for (const goalId of [manual, fails]) valueOf(await world.command("goal", "resume", goalId));
    expect((await morning()).title).toBe("Good morning: 2 goals are ready to start");
    valueOf(await world.command("autopilot", "start"));
    // That its ladder has ended once asks before it is worked again.
    expect((await morning()).title).toBe("Good morning: 1 decision to make");
    const [asked] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    valueOf(await world.command("approve", asked?.checkpointId ?? ""));
    expect((await morning()).title).toBe("Good morning: nothing waits for you");
    valueOf(await world.command("autopilot", "stop", "--now"));
    expect((await morning()).title).toBe("Good morning: 2 goals are ready to start");
    for (const goalId of [manual, fails]) valueOf(await world.command("goal", "pause", goalId));
    expect((await morning()).title).toBe("Good morning: 2 goals are parked");
    for (const goalId of [manual, fails]) valueOf(await world.command("goal", "skip", goalId));
    expect(await morning()).toMatchObject({ title: "Good morning: nothing waits for you", tone: "good" });
  });

  it("of a campaign's card is what its goals need, while it lasts and when it is over [F-121]", async () => {
    await world.repository();
    const campaign = campaignIn(world);
    const plan = "# Two\n\n- First\n  - run: echo x > first.txt\n- Second\n  - run: exit 3\n";
    const campaignId = await campaign.create(plan, "--budget", "5");
    valueOf(await world.command("campaign", "start", campaignId));
    valueOf(await world.command("campaign", "run", campaignId));
    await campaign.settle();
    const said = async (): Promise<string> => JSON.stringify((await card(campaignId)).blocks);
    const goals = (await campaign.status(campaignId)).days.flatMap((day) => day.goals);
    const second = goals.find((goal) => goal.content === "Second");
    const [question] = await campaign.questions();

    expect(question?.goalId).toBe(second?.goalId);
    expect(await said()).toContain(question?.checkpointId ?? "no question");
    await campaign.answer("Skip");
    await campaign.settle();
    const [milestone] = await campaign.questions();
    expect(await said()).toContain(milestone?.checkpointId ?? "no question");
    await campaign.answer("Not done");
    await campaign.settle();
    expect((await campaign.status(campaignId)).state).toBe("failed");
    expect(await said()).toContain("Look at First: it is finished and not verified; merge or discard it.");

    const first = goals.find((goal) => goal.content === "First");
    valueOf(await world.command("goal", "discard", first?.goalId ?? ""));
    expect(await said()).not.toContain("Look at First");
  });
});
