import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { valueOf } from "../fakes/deps.ts";
import { wordsOf } from "../fakes/slack/server.ts";
import { ana, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** Slash commands as people type them: with a phone's capitals, with our name in front, half of a name, or mistyped. */

let world: SlackWorld;
beforeAll(async () => {
  world = await slackWorld();
  await world.repository();
  valueOf(await world.command("goal", "add", "Round up", "--run", "echo done > done.txt"));
  await world.command("autopilot", "start");
});
afterAll(() => world.close());

async function said(line: string, command = "/cos"): Promise<string> {
  const { answer } = await world.slack.people.type(ana, command, line);
  return `${String(answer["text"])}\n${wordsOf((answer["blocks"] ?? []) as never)}`;
}

describe("a slash command", () => {
  it.each([
    ["HELP", "Commands"],
    ["?", "Commands"],
    ["-h", "Commands"],
    ["--help", "Commands"],
    ["Help goal", "/cos goal add"],
    ["help goal add", "--done-when CMD"],
    ["Status", "Spent today"],
    ["cos status", "Spent today"],
    ["/cos Status", "Spent today"],
    ["status help", "cos status [--accountability]"],
    ["Goal Show nope", "Goal not found: nope"],
  ])("%j is understood", async (line, words) => {
    expect(await said(line)).toContain(words);
  });

  it.each(["/standup", "/weekly"])("%s help says how it is used", async (command) => {
    const told = await said("help", command);
    expect(told).toContain(`cos ${command.slice(1)}`);
    expect(await said("Help", command)).toBe(told);
  });

  it("help is a text where a text is taken", async () => {
    expect(await said("goal add help")).toContain("Added goal-");
  });

  it.each([
    ["statsu", "Next: `/cos status`"],
    ["aprove cp-00000000", "Next: `/cos approve cp-00000000`"],
    ["goal", "behind goal comes add, show"],
    ["goal goal-1a2b3c4d", "behind goal comes add, show"],
    ["campaigns", "behind campaign comes create, list"],
    ["repos", "behind repo comes add, list"],
    ["rm goal-1a2b3c4d", "Next: `/cos help`"],
    ["pause", "did you mean goal pause, autopilot pause, campaign pause?"],
    ["continue cp-00000000", "did you mean approve, autopilot resume, worklog continue?"],
    ["ok", "did you mean approve?"],
    ["dance", "Next: `/cos help`"],
    ["make me a goal please", "Next: to add a goal: `/cos goal add TEXT`"],
    ["fix the header on phones", "Next: to add a goal: `/cos goal add TEXT`"],
    ["please --now or later", "Next: `/cos help`"],
    ["watch", "watch; it is typed in a terminal"],
    ["backup all", "it is typed in a terminal"],
  ])("%j is refused with what was probably meant", async (line, words) => {
    const answer = await said(line);

    expect(answer).toContain(`Unknown command: ${line}`);
    expect(answer).toContain(words);
  });

  it.each([
    ["campaign list", "No campaign yet", "/cos campaign create TEXT"],
    ["plan", "No goal is pending", "/cos goal add TEXT"],
    ["repo list", "No repository is known yet", "/cos repo add PATH"],
  ])("%s says of nothing how one types the first", async (line, title, next) => {
    const empty = await slackWorld();
    const { answer } = await empty.slack.people.type(ana, "/cos", line);
    await empty.close();

    expect(answer["text"]).toBe(title);
    expect(wordsOf((answer["blocks"] ?? []) as never)).toContain(next);
  });

  it.each([
    ["weekly last", "/cos weekly --help"],
    ["standup yesterday", "/cos standup"],
    ["goal add x --cost much", "/cos goal add --help"],
    ["why", "/cos why ID"],
  ])("%j is refused with what can be typed next", async (line, next) => {
    expect((await said(line)).trim().split("\n").at(-1)).toBe(`Next: \`${next}\``);
  });

  it("is refused in words in which an id can be copied", async () => {
    expect(await said("night")).toMatch(/^session-[0-9a-f]{8} is open already/);
  });
});
