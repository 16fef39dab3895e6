import { afterEach, describe, expect, it } from "vitest";
import { ana as anaInDiscord, type DiscordWorld, discordWorld, eve as eveInDiscord } from "../fakes/discord/world.ts";
import { eventually } from "../fakes/bot.ts";
import { valueOf } from "../fakes/deps.ts";
import { agentRepository } from "../fakes/scripted.ts";
import { ana, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** Goals, source and paths are for members of the channel and for approvers (D43). */

const reading = [
  "goals",
  "goal show ID",
  "diff ID",
  "why ID",
  "standup",
  "status",
  "checkpoints",
  "doctor",
  "repo list",
];

describe("reading in Slack", () => {
  let world: SlackWorld;
  afterEach(() => world.close());

  async function begun(): Promise<string> {
    world = await slackWorld();
    await world.repository();
    const add = ["goal", "add", "Hide the invoice", "--run", "echo done >> done.txt", "--tag", "ui"];
    const { goalId } = valueOf<{ goalId: string }>(await world.command(...add));
    await world.command("autopilot", "start");
    await world.show();
    return goalId;
  }

  /** What one of these lines answers to somebody. */
  async function asked(userId: string, line: string, goalId: string): Promise<string> {
    const before = world.slack.ephemerals.length;
    const seen = await world.slack.people.type(userId, "/cos", line.replace("ID", goalId));
    const answer = JSON.stringify(seen.answer);
    if (!answer.includes("Working on")) return answer;
    return await eventually(line, async () => world.slack.ephemerals[before]?.text);
  }

  it("strangers and guests are told who may; members read, whoever leaves does not; help is for anybody [F-402]", async () => {
    const goalId = await begun();
    const { people } = world.slack;
    people.add("U0STRANGE", "strange", "outside");
    people.add("U0GUEST", "guest", "guest");

    for (const line of reading) {
      expect(await asked("U0STRANGE", line, goalId), line).toContain("Only members of the channel");
      expect(await asked("U0GUEST", line, goalId), line).toContain("Guests may not read that");
      expect(await asked(eve, line, goalId), line).not.toContain("nly members of the channel");
    }
    expect(await asked("U0STRANGE", "help", goalId)).toContain("Commands");
    await people.openHome("U0STRANGE");
    const home = await eventually("the home", async () => world.slack.homes.get("U0STRANGE"));
    expect(JSON.stringify(home)).toContain("nly members of the channel");
    expect(JSON.stringify(home)).not.toContain("invoice");
    expect(JSON.stringify(world.slack.ephemerals.filter((each) => each.userId === "U0STRANGE"))).not.toContain(
      "invoice",
    );
  });

  it("people of another company whom a shared channel lets in are guests; those of a sister workspace are none [F-402]", async () => {
    const goalId = await begun();
    world.slack.people.add("U0SHARED", "shared", "shared");
    world.slack.people.add("U0SISTER", "sister", "sister");

    expect(await asked("U0SHARED", "goals", goalId)).toContain("Guests may not read that");
    expect(await asked("U0SISTER", "goals", goalId)).toContain("invoice");
  });

  it("an approver who is not in the channel reads; who cannot be looked up is asked to try again [F-402]", async () => {
    const goalId = await begun();
    const { people, faults } = world.slack;
    people.leave(ana);
    faults.always({ method: "conversations.members", matches: () => true, fault: { type: "500" } });
    people.add("U0NEW", "new", "member");
    expect(await asked(ana, "goals", goalId)).toContain("invoice");
    expect(await asked("U0NEW", "goals", goalId)).toContain("I could not find out whether you are in the channel");
    faults.always(null);
    expect(await asked("U0NEW", "goals", goalId)).toContain("invoice");
  });

  it("a member list is read once for many who ask, and no path of the server is answered [F-402]", async () => {
    const goalId = await begun();
    const lists = () => world.slack.calls.filter((call) => call.method === "conversations.members").length;
    const before = lists();
    await asked(eve, "goals", goalId);
    const pages = lists() - before;
    for (let time = 0; time < 5; time += 1) await asked(eve, "goals", goalId);
    expect(lists() - before).toBe(pages);

    const said = [];
    for (const line of ["repo list", "doctor", "goal show ID"]) said.push(await asked(eve, line, goalId));
    expect(said.join("\n")).not.toContain(world.dataDir);
    expect(said.join("\n")).toContain("…/");
  });
});

describe("reading in Discord", () => {
  let world: DiscordWorld;
  afterEach(() => world.close());

  it("questions are offered without paths of the server, and not found by them [F-402]", async () => {
    world = await discordWorld();
    const secret = `${world.dataDir}/secret.txt`;
    const asking = { permission: { title: "Read it", command: `cat ${secret}` } };
    await agentRepository(world, [{ steps: [asking, { say: "Done." }] }]);
    await world.command("goal", "add", "Look around", "--repo", "person");
    await world.command("autopilot", "start", "--repo", "person");
    const working = world.work();
    const [open] = await eventually("the agent asks", async () => {
      const questions = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
      return questions.length > 0 && questions;
    });

    const offered = await world.discord.people.complete(anaInDiscord, "cos approve", "id", "agent asks");
    const byPath = await world.discord.people.complete(anaInDiscord, "cos approve", "id", world.dataDir);
    await world.command("reject", open?.checkpointId ?? "");
    await working;

    expect(offered.map(({ value }) => value)).toEqual([open?.checkpointId]);
    expect(JSON.stringify(offered)).toContain("…/secret.txt");
    expect(JSON.stringify(offered)).not.toContain(world.dataDir);
    expect(byPath).toEqual([]);
  });

  it("members who do not see the channel read nothing, and are offered no ids; approvers do [F-402]", async () => {
    world = await discordWorld();
    await world.repository();
    await world.command("goal", "add", "Hide the invoice", "--run", "true");
    const { people } = world.discord;
    people.hideFrom(eveInDiscord);
    people.hideFrom(anaInDiscord);
    const elsewhere = { isElsewhere: true };

    const refused = await people.type(eveInDiscord, "cos goals", {}, elsewhere);
    expect(JSON.stringify(refused.answer)).toContain("Only members of the channel");
    expect(JSON.stringify(refused.answer)).not.toContain("invoice");
    expect(await people.complete(eveInDiscord, "cos goal show", "id", "invoice", elsewhere)).toEqual([]);
    await people.type(eveInDiscord, "cos home", {}, elsewhere);
    const home = await eventually("the home", async () =>
      world.discord.ephemerals.find((each) => each.text.includes("nly members of the channel")),
    );
    expect(home.text).not.toContain("invoice");

    const shown = await people.type(anaInDiscord, "cos goals", {}, elsewhere);
    expect(JSON.stringify(shown.answer)).toContain("invoice");
    expect((await people.complete(anaInDiscord, "cos goal show", "id", "invoice", elsewhere)).length).toBe(1);
  });
});
