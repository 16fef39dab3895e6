import { afterEach, beforeEach, expect, it } from "vitest";
import { sayLine } from "../../src/console/actions.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { eventually } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { valueOf } from "../fakes/deps.ts";
import { ana, ben, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** A question may be answered while its session is paused: whoever answers learns that nothing goes on before it is resumed, and how. */

let world: SlackWorld;
let other: string;
beforeEach(async () => {
  world = await slackWorld();
  await world.repository();
  other = (await world.repository()).split("/").at(-1) ?? "";
});
afterEach(() => world.close());

async function printed(...words: string[]): Promise<string> {
  const result = await world.command(...words);
  return result.type === "done" ? terminalLines(result.card, "UTC").join("\n") : `${result.reason} > ${result.next}`;
}

/** Goals that stop at a user-facing change, in a session that a person has paused; their questions, in their order. */
async function pausedWith(...texts: string[]): Promise<{ sessionId: string; goals: string[]; questions: string[] }> {
  const goals: string[] = [];
  for (const text of texts) {
    const run = ["--run", "echo done >> done.txt", "--tag", "ui", "--repo", other];
    goals.push(valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...run)).goalId);
  }
  const started = valueOf<{ sessionId: string }>(await world.command("autopilot", "start", "--repo", other));
  await world.command("autopilot", "pause", "--repo", other);
  await world.show();
  const asked = valueOf<{ checkpointId: string; goalId: string }[]>(await world.command("checkpoints"));
  const questions = goals.map((id) => asked.find(({ goalId }) => goalId === id)?.checkpointId ?? "");
  return { sessionId: started.sessionId, goals, questions };
}

it("an answer in the terminal and on the console says what is still paused, by whom, and what lets it go on", async () => {
  const { sessionId, goals, questions } = await pausedWith(
    "Round prices",
    "Move the logo",
    "Sort the list",
    "Add a footer",
  );
  const held = `${sessionId} does, which is still paused by ana: cos autopilot resume --repo ${other}`;

  expect(await printed("approve", questions[0] ?? "")).toContain(`${goals[0]} goes on when ${held}`);
  const skipped = await printed("reject", questions[1] ?? "");
  const at = { via: "console", member: null, origin: { type: "person", by: { type: "process" } } } as const;
  const flash = await sayLine(
    world.deps,
    { actor: "ana", ...at },
    { text: `/approve ${questions[2]}`, repository: null },
  );
  const pause = await printed("answer", questions[3] ?? "", "Pause");

  expect(skipped).toContain(`${sessionId} is still paused by ana: cos autopilot resume --repo ${other}`);
  expect(skipped).not.toContain("goes on when");
  expect(pause).toContain(
    `${sessionId} is paused already, by ana; ${questions[3]} stays open, and answering it resumes nothing: cos autopilot resume --repo ${other}`,
  );
  expect(flash.card === null ? flash.line : terminalLines(flash.card, "UTC").join("\n")).toContain(
    `${goals[2]} goes on when ${held}`,
  );
});

it("whoever presses a button, or answers in the thread, is told so privately; others are not", async () => {
  const { sessionId, goals } = await pausedWith("Round prices", "Move the logo");

  await world.slack.people.click(ana, world.slack.message(": Round prices"), "proceed");
  await world.slack.people.reply(ben, world.slack.message(": Move the logo"), "proceed");
  await eventually("both are told", async () => world.slack.ephemerals.length === 2);

  for (const [index, userId] of [ana, ben].entries()) {
    const told = world.slack.ephemerals.find((each) => each.userId === userId);
    expect(told?.text).toContain(`${goals[index]} goes on when ${sessionId} does, which is still paused by ana`);
    expect(told?.text).toContain(`/cos autopilot resume --repo ${other}`);
  }
});

it("the paused day of a campaign goes on with its campaign, wherever it is named, and that lets it go on", async () => {
  const campaign = campaignIn(world);
  const id = await campaign.create("# Work\n\n## All\n### Day 1\n- one\n  - run: echo 1\n", "--repo", other);
  valueOf(await world.command("campaign", "start", id));
  await world.tick();
  await world.command("autopilot", "pause", "--repo", other);
  const [session] = valueOf<{ sessions: { sessionId: string; goals?: unknown; results: { goalId: string }[] }[] }>(
    await world.command("autopilot", "status"),
  ).sessions;
  const goalId = session?.results[0]?.goalId ?? "";
  const resume = `cos campaign resume ${id}`;

  expect(await printed("standup")).toContain(resume);
  expect(await printed("why", goalId)).toContain(resume);
  expect(await printed("autopilot", "status")).toContain(resume);
  expect(await printed("autopilot", "pause", "--repo", other)).toContain(`paused already, by ana > ${resume}`);
  expect(await printed("autopilot", "start", "--repo", other)).toContain(
    `paused by ana, and no other goal is pending > ${resume}`,
  );
  expect(await printed("status")).not.toContain("autopilot resume");
  expect(await printed("campaign", "resume", id)).toContain(`${id} goes on`);
  expect(await printed("autopilot", "status")).toContain("running");
});
