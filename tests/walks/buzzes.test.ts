import { afterEach, describe, expect, it } from "vitest";
import { valueOf } from "../fakes/deps.ts";
import { wholeInSlack } from "../fakes/whole-card.ts";
import { wordsOf } from "../fakes/slack/workspace.ts";
import { ana, ben, eve, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** Who is notified by what, with Slack's own settings: one person by one message is a buzz (D44). */

const minute = 60_000;

let world: SlackWorld;
afterEach(() => world.close());

async function add(content: string, ...options: string[]): Promise<string> {
  return valueOf<{ goalId: string }>(await world.command("goal", "add", content, ...options)).goalId;
}

/** What a running bot does within a quarter of an hour. */
async function pass(times = 3): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await world.work();
    await world.tick();
    world.advance(5 * minute);
  }
  await world.show();
}

/** Each message that somebody felt since the last look: its first words, and who. */
function looker(): () => readonly [string, readonly string[]][] {
  let seen = 0;
  return () => {
    const fresh = world.slack.buzzes.slice(seen);
    seen = world.slack.buzzes.length;
    const byMessage = new Map<string, { words: string; who: string[] }>();
    for (const { ts, text, userId } of fresh) {
      const found = byMessage.get(ts) ?? { words: text.split(/[:.]/)[0] ?? "", who: [] };
      byMessage.set(ts, { ...found, who: [...found.who, userId] });
    }
    return [...byMessage.values()].map(({ words, who }) => [words, who]);
  };
}

describe("a phone buzzes", () => {
  it("for a question and its reminder, once each; for nothing that is only said [F-401]", async () => {
    world = await slackWorld();
    await world.repository();
    const felt = looker();
    await add("Write the note", "--run", "echo note > note.txt");
    await add("Round prices up", "--run", "echo up > up.txt", "--tag", "ui");
    await world.command("autopilot", "start");
    await pass();
    expect(felt()).toEqual([["Checkpoint", [ana, ben]]]);

    await pass(4);
    expect(felt()).toEqual([["Still waiting for an answer", [ana, ben]]]);
    await pass(8);
    expect(felt()).toEqual([]);

    // An answer edits the card, the goal ends, its session too: nobody is asked anything.
    await world.slack.people.click(ana, world.slack.message("Checkpoint"), "proceed");
    await pass();
    expect(felt()).toEqual([]);
    world.advance(24 * 60 * minute);
    await pass();
    expect(world.slack.messages().some((each) => each.text.startsWith("Standup"))).toBe(true);
    expect(felt()).toEqual([]);
    expect(world.slack.buzzes.every(({ userId }) => userId !== eve)).toBe(true);
  });

  it("for an escalation, for who is on duty that day, and for the second person when it stays open [F-401]", async () => {
    const monday = "Mon=slack:U0BEN;Tue-Sun=slack:U0ANA";
    world = await slackWorld({
      environment: { COS_ON_DUTY: monday, COS_SECOND: `slack:${ana}`, COS_TIMEZONE: "UTC" },
    });
    const isMonday = world.deps.now().getUTCDay() === 1;
    const [now, second] = isMonday ? [ben, ana] : [ana, ana];
    await world.repository();
    const felt = looker();
    await add("Never works", "--run", "exit 3");
    await world.command("autopilot", "start");
    await pass();
    // Whoever is mentioned follows the thread: nothing else is said there.
    expect(felt()).toEqual([["Escalation", [now]]]);
    await pass(6);
    expect(felt()).toEqual([["Still waiting for an answer", [...new Set([now, second])]]]);
  });

  it("for a group on duty, each of its members once [F-401, F-406]", async () => {
    world = await slackWorld({ environment: { COS_APPROVERS: "slack:S0TEAM", COS_ON_DUTY: "slack:S0TEAM" } });
    world.slack.people.group("S0TEAM", [ben, eve]);
    await world.repository();
    const felt = looker();
    await add("Round prices up", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    await pass();
    expect(felt()).toEqual([["Checkpoint", [ben, eve]]]);
  });

  it("after quiet hours, for who is on duty then [F-401]", async () => {
    world = await slackWorld({
      environment: {
        COS_QUIET_HOURS: "22:00-07:00",
        COS_TIMEZONE: "UTC",
        COS_ON_DUTY: "Mon,Wed,Fri,Sun=slack:U0ANA;Tue,Thu,Sat=slack:U0BEN",
      },
    });
    await world.repository();
    const felt = looker();
    const now = world.deps.now();
    world.advance((23 - now.getUTCHours()) * 60 * minute);
    const tomorrow = (world.deps.now().getUTCDay() + 1) % 7;
    await add("Round prices up", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    await pass();
    expect(felt()).toEqual([]);
    world.advance(8 * 60 * minute);
    await pass(1);
    const who = [1, 3, 5, 0].includes(tomorrow) ? ana : ben;
    expect(felt().map(([, people]) => people)).toEqual([[who]]);
  });

  it("a card that Slack refuses still mentions them [F-401]", async () => {
    world = await slackWorld();
    await world.repository();
    world.slack.faults.always({
      method: "chat.postMessage",
      matches: (given) => JSON.stringify(given["blocks"] ?? []).includes("spent so far"),
      fault: { type: "error", error: "invalid_blocks" },
    });
    const felt = looker();
    await add("Round prices up", "--run", "true", "--tag", "ui");
    await world.command("autopilot", "start");
    await pass();
    expect(felt().map(([, people]) => people)).toEqual([[ana, ben]]);
  });

  it("a night of ten goals, three questions and an escalation: six messages, six buzzes [F-408]", async () => {
    world = await slackWorld({ environment: { COS_TIMEZONE: "UTC", COS_APPROVERS: `slack:${ana}` } });
    await world.repository();
    for (const name of ["one", "two", "three", "four", "five", "six"])
      await add(`Goal ${name}`, "--run", `echo ${name} > ${name}.txt`);
    for (const name of ["seven", "eight", "nine"]) await add(`Goal ${name}`, "--run", "true", "--tag", "ui");
    await add("Never works", "--run", "exit 3");
    // Nobody is told of what only waits.
    await world.show();
    expect(world.slack.messages()).toEqual([]);

    const hours = (7 + 24 - world.deps.now().getUTCHours()) % 24;
    await world.command("night", "--until", "07:00");
    await pass(12 * Math.max(hours, 1) + 3);
    const top = world.slack.messages().filter((each) => each.threadTs === null);
    const said = top.map(({ text }) => text.split(/[:.]/)[0]);
    expect(said).toHaveLength(6);
    expect(said.filter((words) => words === "Checkpoint")).toHaveLength(3);
    expect(said).toEqual(expect.arrayContaining(["Night contract", "Escalation", "Good morning"]));
    // Its lines are edited; what belongs to one goal stands in the thread.
    const night = world.slack.message("Night contract");
    // What is asked comes first; one press shows the others.
    expect(wordsOf(night.blocks).match(/waits for an answer:/g)).toHaveLength(4);
    expect(wordsOf(night.blocks)).toContain("and 6 complete, claimed");
    const whole = (await wholeInSlack(world.slack, ana, night)).slice(wordsOf(night.blocks).length);
    expect(whole.match(/complete, claimed:/g)).toHaveLength(6);
    expect(whole.match(/waits for an answer:/g)).toHaveLength(4);
    expect(wordsOf(world.slack.message("Good morning").blocks)).toContain("Several alike: `/cos checkpoints`");
    const inThread = world.slack.messages().filter((each) => each.threadTs === night.ts);
    expect(inThread.filter((each) => each.text.startsWith("Goal "))).toHaveLength(10);

    // Four are asked, the escalation is reminded of, and the morning asks about all.
    expect(world.slack.buzzes.map(({ userId }) => userId)).toEqual(Array.from({ length: 6 }, () => ana));
    expect(top.map(({ ts }) => ts)).toContain(world.slack.message("Still waiting for an answer").threadTs);
  });

  it("a night reminds once of what waits together; of what is asked later its morning does [F-401, F-408]", async () => {
    world = await slackWorld({ environment: { COS_TIMEZONE: "UTC", COS_APPROVERS: `slack:${ana}` } });
    await world.repository();
    const felt = looker();
    for (const name of ["one", "two"]) await add(`Goal ${name}`, "--run", "true", "--tag", "ui");
    await add("Goal three", "--run", "echo '{}' > package.json");
    await world.command("night", "--until", "07:00");
    await world.command("autopilot", "pause");
    await pass();
    expect(felt()).toEqual(Array.from({ length: 2 }, () => ["Checkpoint", [ana]]));
    await pass(5);
    expect(felt()).toEqual([["Still waiting for 2 answers", [ana]]]);
    await world.command("autopilot", "resume");
    await world.work();
    await world.command("autopilot", "pause");
    await pass(8);
    expect(felt()).toEqual([["Checkpoint", [ana]]]);
    world.advance(((31 - world.deps.now().getUTCHours()) % 24) * 60 * minute);
    await pass(1);
    expect(felt().map(([words]) => words)).toContain("Good morning");
    const said = world.slack.messages().filter((each) => each.text.startsWith("Still waiting"));
    expect(said).toHaveLength(1);
    expect(
      world.slack.messages().filter((each) => each.threadTs === null && each.ts === said[0]?.threadTs),
    ).toHaveLength(1);
  });
});
