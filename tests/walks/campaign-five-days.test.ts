import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dollars } from "../../src/core/money.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { type CampaignStatus, campaignIn } from "../fakes/campaign.ts";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { oneAttempt, type TestWorld, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { wholeInSlack } from "../fakes/whole-card.ts";
import { ana, type SlackWorld, slackWorld } from "../fakes/slack/world.ts";

/** Five planned days on a real repository, with a hand-set clock, on the console and in Slack. */

/** How the person of this walk reaches the bot. */
interface Door {
  readonly world: TestWorld;
  /** Presses a button of the card about a question or campaign. */
  press(subject: string, choice: string, fields?: Readonly<Record<string, string>>): Promise<void>;
  /** What the channel shows under this heading. */
  shows(words: string): Promise<boolean>;
}

const criteria = (command: string): string =>
  `#### AC-1: It holds\n\n**Description:** It holds.\n\n\`\`\`yaml\nmethod: bash\ncommand: ${command}\npass_condition: exit code 0\n\`\`\`\n`;

const letters = ["a", "b", "c", "d", "e", "f"] as const;

const plan = `# Five days

Six files, one after another.

## The first two (day 1)
### Day 1
- write file-a
  - criteria: ac/a.md
- write file-b
  - criteria: ac/b.md
  - tags: ui

## The next two (day 3)
Files c and d.

Done when:
- both are there

### Day 2
- write file-c
  - criteria: ac/c.md
### Day 3
- write file-d
  - criteria: ac/d.md

## The last two (day 5)
### Day 4
- write file-e
  - criteria: ac/e.md
### Day 5
- write file-f
  - criteria: ac/f.md
`;

/** What each goal costs, each time, in dollars. */
const costs = { a: 0.45, b: 0.45, c: 0.87, d: 0.9, e: 0.98, f: 0.3 } as const;

async function prepare(world: TestWorld): Promise<{ account: string; planFile: string }> {
  const flag = join(world.dataDir, "c-was-tried");
  const account = join(world.dataDir, "account.jsonl");
  const write = (letter: string, usd: number) => ({
    match: [`\nwrite file-${letter}\n`],
    steps: [{ write: { path: `${letter}.txt`, content: `${letter}\n` } }, { costUsd: usd }, { say: "Done." }],
  });
  const once = `test -f "${flag}" || { touch "${flag}"; echo boom; exit 1; }`;
  const scripts = [
    {
      match: ["\nwrite file-c\n"],
      steps: [{ costUsd: costs.c }, { run: once, mustPass: true }, { write: { path: "c.txt", content: "c\n" } }],
    },
    ...letters.filter((letter) => letter !== "c").map((letter) => write(letter, costs[letter])),
  ];
  const file = join(world.dataDir, "scripts.json");
  await writeFile(file, JSON.stringify(scripts));
  await writeFile(account, "");
  const files = Object.fromEntries(letters.map((letter) => [`ac/${letter}.md`, criteria(`test -f ${letter}.txt`)]));
  const path = await makeRepository(join(world.dataDir, "person"), { "README.md": "x\n", ...files });
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}" --account "${account}"`;
  await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
  const planFile = join(world.dataDir, "plan.md");
  await writeFile(planFile, plan);
  return { account, planFile };
}

async function walk(door: Door): Promise<void> {
  const { world } = door;
  const { account, planFile } = await prepare(world);
  const campaign = campaignIn(world);
  const { campaignId } = valueOf<{ campaignId: string }>(
    await world.command("campaign", "create", "--from", planFile, "--budget", "5"),
  );
  const only = async () => {
    const [question, ...more] = await campaign.questions();
    if (question === undefined || more.length > 0) throw new Error(`questions: ${JSON.stringify([question, ...more])}`);
    return question;
  };
  const answerOnly = async (choice: string, fields?: Readonly<Record<string, string>>) => {
    const question = await only();
    await door.press(question.checkpointId, choice, fields);
    await campaign.settle();
    return question;
  };

  // Monday: the plan is approved, and with it the milestone that begins today.
  expect(await campaign.status()).toMatchObject({ state: "planning", totalBudgetUsd: 5, dailyBudgetUsd: 1 });
  await answerOnly("start");

  // File b is user-facing: asked when the day began; file a was worked meanwhile, and the day waits.
  expect(await campaign.status()).toMatchObject({ state: "paused", currentDay: 1, spentUsd: 0.45, pausedBy: null });
  await door.press(campaignId, "pause");
  await answerOnly("proceed");
  expect(await campaign.status()).toMatchObject({ state: "paused", currentDay: 1, spentUsd: 0.45 });
  await door.press(campaignId, "resume");
  await campaign.settle();
  expect(await campaign.status()).toMatchObject({ state: "active", currentDay: 2, spentUsd: 0.9, progress: 1 / 3 });

  // Tuesday: the second milestone is asked about once; file c fails.
  await campaign.pass(24);
  const second = await answerOnly("proceed");
  expect(second).toMatchObject({ kind: "milestone", goalId: `milestone-${campaignId}-ms-2` });
  expect(second.facts.details).toContain("Done when: both are there");
  // Nobody answers its escalation: the campaign waits, not for ever.
  expect((await only()).kind).toBe("escalation");
  expect(await campaign.status()).toMatchObject({ state: "paused", currentDay: 2, spentUsd: 1.77 });

  // Wednesday: the goal is parked, Tuesday is over, file d is worked on the third day.
  await campaign.pass(24);
  let now = await campaign.status();
  expect(now.days.slice(0, 3).map((day) => [day.date, day.status, day.actualCostUsd])).toEqual([
    ["2026-01-26", "done", 0.9],
    ["2026-01-27", "done", 0.87],
    ["2026-01-28", "done", 0.9],
  ]);
  expect(now).toMatchObject({ state: "active", currentDay: 4, replanCount: 0, daysBehind: 1 });

  // Thursday: the third milestone; then it is two days behind, and plans anew by itself.
  await campaign.pass(24);
  await answerOnly("proceed");
  now = await campaign.status();
  expect(now).toMatchObject({
    state: "active",
    currentDay: 5,
    replanCount: 1,
    originalDurationDays: 5,
    spentUsd: 3.65,
  });
  expect(now.days.map((day) => day.goals.map((goal) => goal.content))).toEqual([
    ["write file-a", "write file-b"],
    ["write file-c"],
    ["write file-d"],
    ["write file-e"],
    ["write file-c"],
    ["write file-f"],
  ]);
  expect(now.days.map((day) => day.date)).toEqual([
    "2026-01-26",
    "2026-01-27",
    "2026-01-28",
    "2026-01-29",
    "2026-01-30",
    "2026-02-02",
  ]);
  expect(await door.shows("lanned anew")).toBe(true);

  // Friday: file c again, and this time it holds.
  await campaign.pass(24);
  now = await campaign.status();
  expect(now.milestones.map((each) => each.status)).toEqual(["done", "done", "in_progress"]);
  expect(now).toMatchObject({ state: "paused", currentDay: 6, spentUsd: 4.52 });

  // The money is used up: nothing goes on before somebody gives more. The weekend passes.
  const money = await only();
  expect(money).toMatchObject({ kind: "money", triggers: ["cost_cumulative"] });
  await door.press(money.checkpointId, "modify", { budget: "6" });
  await campaign.settle();
  expect(await campaign.status()).toMatchObject({ state: "active", currentDay: 6, totalBudgetUsd: 6 });
  await campaign.pass(24);
  await campaign.pass(24);
  expect((await campaign.status()).days[5]?.status).toBe("pending");

  // Monday: the last file, and everything is done.
  await campaign.pass(24);
  now = await campaign.status(campaignId);
  expect(now).toMatchObject({ state: "completed", progress: 1, spentUsd: 4.82, daysBehind: 0 });
  expect(now.days.every((day) => day.status === "done")).toBe(true);
  expect(await door.shows("Every milestone is done.")).toBe(true);
  await accountsAgree(world, campaignId, account, now);
}

/** Campaign, days, ledger and the agent's own account say the same, to the micro-dollar. */
async function accountsAgree(
  world: TestWorld,
  campaignId: string,
  account: string,
  now: CampaignStatus,
): Promise<void> {
  const said = (await readFile(account, "utf8"))
    .trim()
    .split("\n")
    .map((line) => dollars((JSON.parse(line) as { costUsd: number }).costUsd));
  const sum = said.reduce((total, each) => total + each, 0);
  const { rows } = await world.deps.database.pool.query<{ spent: string }>(
    `select sum(spent_micro_usd) as spent from cos.call_costs c join cos.goals g using (goal_id) where g.campaign_id = $1`,
    [campaignId],
  );
  expect(sum).toBe(4_820_000);
  expect(Number(rows[0]?.spent)).toBe(sum);
  expect(dollars(now.spentUsd)).toBe(sum);
  expect(now.days.reduce((total, day) => total + dollars(day.actualCostUsd), 0)).toBe(sum);
}

describe("five days", () => {
  it("on the console [S4-CX-06, S4-CX-08]", async () => {
    const world: ConsoleWorld = await consoleWorld({ policy: oneAttempt });
    try {
      await walk({
        world,
        async press(subject, choice, fields = {}) {
          const response = await world.post("/answer", { id: subject, choice, back: "/", ...fields });
          expect(response.status).toBe(303);
        },
        async shows(words) {
          await world.deliver();
          return (await (await world.get("/")).text()).includes(words);
        },
      });
    } finally {
      await world.close();
    }
  });

  it("in Slack", async () => {
    const world: SlackWorld = await slackWorld({ policy: oneAttempt });
    try {
      await walk({
        world,
        async press(subject, choice, fields) {
          await world.show();
          const card = await cardOf(world, subject);
          const seen = await world.slack.people.click(ana, card, choice);
          expect(seen.acknowledged).toBe(true);
          if (fields === undefined) return;
          await eventually("the filled form", async () =>
            JSON.stringify(world.slack.people.openView(ana)?.view).includes('"input"'),
          );
          expect((await world.slack.people.submit(ana, fields)).acknowledged).toBe(true);
        },
        async shows(words) {
          await world.show();
          return world.slack.messages().some((each) => each.text.includes(words));
        },
      });
      // A goal's card leads to its campaign's message, behind Details.
      const card = world.slack.message("Goal complete: write file-a");
      expect(await wholeInSlack(world.slack, ana, card)).toMatch(/day 1 of <https:[^|"]+\/p\d+\|Five days>/);
    } finally {
      await world.close();
    }
  });
});

/** The message of a question or campaign, as Slack shows it. */
async function cardOf(world: SlackWorld, subject: string) {
  const { rows } = await world.deps.database.pool.query<{ address: string }>(
    "select address from cos.messages where platform = 'slack' and subject = $1",
    [subject],
  );
  const ts = rows[0]?.address.split("/").at(-1) ?? "";
  const found = world.slack.messages().find((each) => each.ts === ts || rows[0]?.address.includes(each.ts) === true);
  if (found === undefined) throw new Error(`no message about ${subject}`);
  return found;
}
