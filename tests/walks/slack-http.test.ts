import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { freePort } from "../fakes/port.ts";
import { wordsOf } from "../fakes/slack/server.ts";
import { ana, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

let world: SlackWorld;
beforeEach(async () => {
  world = await slackWorld({ mode: "http", eventsPort: await freePort() });
  await world.repository();
});
afterEach(() => world.close());

async function ask(goal: string): Promise<string> {
  const words = ["goal", "add", goal, "--run", "echo done >> done.txt", "--tag", "ui"];
  const { goalId } = valueOf<{ goalId: string }>(await world.command(...words));
  await world.command("autopilot", "start");
  await world.show();
  return goalId;
}

async function statusOf(goalId: string): Promise<string> {
  return valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
}

describe("Slack over signed HTTP", () => {
  it("takes a click, a form, a command, a reply and the home", async () => {
    const goalId = await ask("Round prices up");
    const card = world.slack.message(": Round prices up");

    await world.slack.people.click(ana, card, "modify");
    await eventually("the form", async () =>
      JSON.stringify(world.slack.people.openView(ana)?.view).includes('"input"'),
    );
    const wrong = await world.slack.people.submit(ana, { budget: "-1" });
    await world.slack.people.click(ana, card, "pause");
    const standup = await world.slack.people.type(eve, "/standup", "");
    await world.slack.people.reply(eve, card, "hm");
    await world.slack.people.openHome(ana);
    await world.slack.people.click(ana, card, "proceed");
    await world.work();
    await world.show();
    await eventually("the mark", async () => world.slack.reactions.length === 1);

    expect(wrong.answer).toMatchObject({ response_action: "errors" });
    expect(standup.answer["text"]).toContain("1 waiting for a person");
    expect(world.slack.homes.has(ana)).toBe(true);
    expect(await statusOf(goalId)).toBe("complete");
    expect(wordsOf(world.slack.message(": Round prices up").blocks)).toContain("*Proceed*, by @ana in Slack");
  });

  it.each<["forged" | "stale"]>([["forged"], ["stale"]])("refuses a %s signature", async (signature) => {
    const goalId = await ask("Not by you");

    const click = await world.slack.people.click(ana, world.slack.message(": Not by you"), "proceed", { signature });
    const typed = await world.slack.people.type(ana, "/cos", "goal add x", { signature });

    expect([click.acknowledged, typed.acknowledged]).toEqual([false, false]);
    expect(await statusOf(goalId)).toBe("blocked");
    expect(valueOf<unknown[]>(await world.command("goals")).length).toBe(1);
  });

  it("listens where it was told, and nowhere else", async () => {
    const settings = world.deps.config.slack;
    expect(settings?.host).toBe("127.0.0.1");
    const answer = await fetch(`http://127.0.0.1:${settings?.port}/`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(404);
  });
});
