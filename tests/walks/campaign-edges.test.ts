import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listOpenSessions, lockSession } from "../../src/db/sessions.ts";
import { endSession } from "../../src/turns/shared/end-session.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { eventually } from "../fakes/bot.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { untilOneWaits } from "../fakes/database.ts";
import { cardWords, oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";
import { startFakeModel } from "../fakes/model.ts";

const hour = 3_600_000;

let world: TestWorld;
let campaign: ReturnType<typeof campaignIn>;
beforeEach(async () => {
  // Monday, 2026-01-26, 09:00.
  world = await testWorld({ policy: oneAttempt });
  campaign = campaignIn(world);
});
afterEach(() => world.close());

function commands(...days: readonly (readonly string[])[]): string {
  const lines = days.flatMap((goals, day) => [
    `### Day ${day + 1}`,
    ...goals.flatMap((run, index) => [`- goal ${day + 1}.${index + 1}`, `  - run: ${run}`]),
  ]);
  return `# Work\n\n## All\n${lines.join("\n")}\n`;
}

async function started(plan: string, ...options: string[]): Promise<string> {
  const id = await campaign.create(plan, ...options);
  valueOf(await world.command("campaign", "start", id));
  return id;
}

describe("stopping", () => {
  const waits = (file: string): string => `touch ${file}; sleep 1000; echo x > x.txt`;

  it("for good cuts what runs: its goal is parked and can be taken up again", async () => {
    await world.repository();
    const runs = join(world.dataDir, "runs");
    const id = await started(commands([waits(runs), "echo b > b.txt"]));
    const working = world.work();
    await eventually("the goal runs", async () => existsSync(runs));
    valueOf(await world.command("campaign", "stop", id));
    await working;

    const [first, second] = (await campaign.status(id)).days[0]?.goals ?? [];
    expect([first?.status, second?.status]).toEqual(["blocked", "pending"]);
    const goalId = first?.goalId ?? "";
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({
      outcome: `The campaign ended before this goal did. Go on with: cos goal resume ${goalId}`,
    });
    expect(await world.command("goal", "resume", goalId)).toMatchObject({ type: "done" });
  });

  it("for good leaves no goal in progress that nobody works", async () => {
    await world.repository();
    const runs = join(world.dataDir, "runs");
    const id = await started(commands([waits(runs)]));
    const working = world.work();
    await eventually("the goal runs", async () => existsSync(runs));
    valueOf(await world.command("campaign", "pause", id));
    await working;
    expect((await campaign.status(id)).days[0]?.goals[0]?.status).toBe("in_progress");
    valueOf(await world.command("campaign", "stop", id));

    expect((await campaign.status(id)).days[0]?.goals[0]?.status).toBe("blocked");
  });

  it("its session is heard, also after the campaign was held and resumed", async () => {
    await world.repository();
    const id = await started(commands(["echo a > a.txt", "echo b > b.txt"]));
    valueOf(await world.command("campaign", "pause", id));
    valueOf(await world.command("campaign", "resume", id));
    valueOf(await world.command("autopilot", "stop", "--now"));
    await campaign.settle();

    expect(await campaign.status(id)).toMatchObject({ state: "paused", pausedBy: "ana" });
  });
});

describe("a question", () => {
  it("that expired this second starts nothing, and says with which command it goes on", async () => {
    await world.repository();
    const id = await campaign.create(commands(["echo a > a.txt"]));
    const [plan] = await campaign.questions();
    world.advance(24 * hour);

    const refusal = { type: "refused", next: `cos campaign start ${id}` };
    expect(await world.command("campaign", "start", id)).toMatchObject(refusal);
    expect(await world.command("answer", plan?.checkpointId ?? "", "Start")).toMatchObject(refusal);
    await world.tick();
    expect(await world.command("reply", plan?.checkpointId ?? "", "start")).toMatchObject(refusal);
    expect(valueOf(await world.command("campaign", "start", id))).toMatchObject({ state: "active" });
  });

  it("about a milestone that nobody answers still waits for a person in the standup and the weekly", async () => {
    await world.repository();
    const second = "\n## More\n### Day 2\n- goal 2.1\n  - run: echo b > b.txt\n";
    await started(`${commands(["echo a > a.txt"])}${second}`);
    await campaign.settle();
    await campaign.answer("Done");
    while ((await campaign.questions()).length === 0) await campaign.pass(12);
    expect((await campaign.questions()).map((each) => each.kind)).toEqual(["milestone"]);
    await campaign.pass(24.5);

    const waiting = expect.stringContaining(" 1 waiting for a person,") as string;
    expect(await world.command("standup")).toMatchObject({ card: { summary: waiting } });
    const weekly = await world.command("weekly");
    expect(weekly).toMatchObject({ card: { summary: waiting }, value: { campaignsPaused: ["Work"] } });
  });

  it("about a day's paused session that nobody answers holds the campaign and says so; it can be resumed", async () => {
    await world.repository();
    const id = await started(commands(["exit 1", "exit 2", "exit 3", "echo d > d.txt"]));
    await campaign.settle();
    expect((await campaign.questions()).map((each) => each.kind)).toContain("breaker");
    await campaign.pass(24.5);

    expect(await campaign.questions()).toEqual([]);
    expect(await campaign.status(id)).toMatchObject({ state: "paused", pausedBy: "nobody's answer", currentDay: 1 });
    valueOf(await world.command("campaign", "resume", id));
    await campaign.settle();
    expect((await campaign.status(id)).days[0]?.goals.at(-1)?.status).toBe("complete");
  });
});

describe("a reply", () => {
  it("under a campaign's card is about its question, as under the question itself", async () => {
    await world.repository();
    const id = await campaign.create(commands(["echo a > a.txt"]));
    expect(await world.command("reply", id, "looks good to me?")).toMatchObject({ value: { became: "comment" } });
    expect(await campaign.status(id)).toMatchObject({ state: "planning" });
    expect(await world.command("reply", id, "start")).toMatchObject({ value: { became: "answer" } });
    expect(await campaign.status(id)).toMatchObject({ state: "active" });
    expect(await world.command("reply", id, "thank you")).toMatchObject({ value: { became: "comment", subject: id } });
  });
});

describe("money", () => {
  it("another total reaches the days: one that was too small goes on", async () => {
    await world.repository();
    const id = await started(
      "# M\n\n## All\n### Day 1\n- dear\n  - run: echo 2 > 2.txt\n  - cost: 3\n### Day 2\n- three\n  - run: echo 3 > 3.txt\n",
      "--budget",
      "5",
    );
    await campaign.settle();
    const [asked] = await campaign.questions();
    expect(await world.command("answer", asked?.checkpointId ?? "", "Modify", "--instructions", "more")).toMatchObject({
      type: "refused",
      next: `cos modify ${asked?.checkpointId} --budget USD`,
    });
    await campaign.answer("Modify", "--budget", "20");
    await campaign.settle();

    expect(await campaign.questions()).toEqual([]);
    expect(await campaign.status(id)).toMatchObject({
      dailyBudgetUsd: 10,
      days: [
        { status: "done", budgetUsd: 10 },
        { status: "pending", budgetUsd: 10 },
      ],
    });
  });

  it("a total that is no more than what was spent is refused with what that is, and the question stays open", async () => {
    await world.repository();
    const id = await campaign.create(commands(["echo a > a.txt"]), "--budget", "3");
    await world.deps.database.pool.query(
      `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, campaign_id, at)
       values ('call-plan', 'settled', 3100000, false, '2026-01-26', $1, now())`,
      [id],
    );
    valueOf(await world.command("campaign", "start", id));
    await world.tick();
    const [asked] = await campaign.questions();
    expect(asked).toMatchObject({ kind: "money", context: "The campaign's money is used up: $3.10 of $3.00 spent" });

    const cp = asked?.checkpointId ?? "";
    for (const budget of ["2", "3.10"])
      expect(await world.command("answer", cp, "Modify", "--budget", budget)).toEqual({
        type: "refused",
        reason: `${id} has cost $3.10, and its ceiling is what it may cost in all; nothing was decided`,
        next: `cos modify ${cp} --budget USD`,
        option: "budget",
      });
    expect(await campaign.status(id)).toMatchObject({ totalBudgetUsd: 3, waitsFor: cp });
    expect(await world.command("standup")).toMatchObject({ value: { campaigns: [{ waitsFor: cp }] } });
    await campaign.answer("Modify", "--budget", "6");
    expect(await campaign.status(id)).toMatchObject({ totalBudgetUsd: 6, state: "active", waitsFor: null });
  });

  it("planning that was cut short counts as spent, estimated", async () => {
    await world.repository();
    const id = await started(commands(["echo a > a.txt"]), "--budget", "5");
    // What a process leaves behind that dies while the model is asked.
    await world.deps.database.pool.query(
      `insert into cos.spend (call_id, kind, amount_micro_usd, is_estimated, day, campaign_id, at)
       values ('call-cut', 'reserved', 1500000, true, '2026-01-26', $1, now())`,
      [id],
    );
    await campaign.settle();

    expect(await campaign.status(id)).toMatchObject({ spentUsd: 1.5, spentIsEstimated: true });
    for (const said of [["campaign", "list"], ["status"], ["standup"], ["campaign", "status", id]]) {
      const told = await world.command(...said);
      const words = told.type === "done" ? terminalLines(told.card, "UTC").join("\n") : "";
      expect(words, said.join(" ")).toContain("$1.50 of $5.00 (estimated)");
    }
  });
});

describe("the schedule", () => {
  it("set to another hour in the middle of a campaign makes up for nothing", async () => {
    await world.repository();
    valueOf(await world.command("schedule", "set", "campaigns", "--cron", "0 23 * * *"));
    const id = await started(commands(["echo a > a.txt"], ["echo b > b.txt"]));
    await campaign.pass(14);
    expect((await campaign.status(id)).currentDay).toBe(2);
    world.advance(11 * hour);
    valueOf(await world.command("schedule", "set", "campaigns", "--cron", "0 8 * * *"));
    await campaign.settle();

    expect((await campaign.status(id)).days[1]?.status).toBe("pending");
    await campaign.pass(22);
    expect((await campaign.status(id)).days[1]?.status).toBe("done");
  });

  it("turned off and on again makes up for nothing", async () => {
    await world.repository();
    const id = await started(commands(["echo a > a.txt"], ["echo b > b.txt"]));
    await campaign.settle();
    valueOf(await world.command("schedule", "set", "campaigns", "--off"));
    await campaign.pass(49);
    valueOf(await world.command("schedule", "set", "campaigns", "--on"));
    await campaign.settle();

    expect((await campaign.status(id)).days[1]?.status).toBe("pending");
    await campaign.pass(24);
    expect((await campaign.status(id)).days[1]?.status).toBe("done");
  });

  it("names the next date, not today's hour, when today's day was begun before it", async () => {
    await world.repository();
    world.advance(-2 * hour);
    const id = await started(commands(["echo a > a.txt"], ["echo b > b.txt"]));
    valueOf(await world.command("campaign", "run", id));
    await campaign.settle();

    expect((await campaign.status(id)).nextDayAt).toEqual(new Date("2026-01-27T09:00:00Z"));
  });
});

describe("many at once", () => {
  it("more commands about a campaign than the pool has connections are all answered", async () => {
    await world.repository();
    const id = await started(commands(["echo a > a.txt"]));
    const calls = Array.from({ length: 14 }, (_, index) =>
      world.command("campaign", index % 2 === 0 ? "pause" : "resume", id),
    );

    expect((await Promise.all(calls)).map((each) => each.type)).toEqual(calls.map(() => "done"));
  });

  it("a campaign is held whose day's session is ended at the same moment", async () => {
    await world.repository();
    const id = await started(commands(["echo a > a.txt"]));
    const [open] = await listOpenSessions(world.deps.database.db);
    const ending = await world.deps.database.transaction(async (tx) => {
      const session = await lockSession(tx, open?.sessionId ?? "");
      if (session !== null) await endSession(tx, world.deps, session, { reason: "Stopped by bob.", by: "bob" });
      const pausing = world.command("campaign", "pause", id);
      await untilOneWaits(world);
      return { pausing };
    });

    expect(await ending.pausing).toMatchObject({ type: "done" });
    expect(await campaign.status(id)).toMatchObject({ state: "paused", pausedBy: "ana" });
  });

  it("a campaign that cannot be looked at does not hold up the others", async () => {
    await world.repository();
    const broken = await campaign.create(commands(["echo a > a.txt"]));
    const id = await campaign.create(commands(["echo b > b.txt"]));
    for (const each of [broken, id]) valueOf(await world.command("campaign", "start", each));
    const { pool } = world.deps.database;
    await pool.query("update cos.campaign_days set goals = '{}' where campaign_id = $1", [broken]);
    await campaign.settle();

    expect((await campaign.status(id)).days[0]?.status).toBe("done");
  });
});

describe("a plan", () => {
  it("that is approved while another one is being made stays: the other one comes too late", async () => {
    let id = "";
    const model = await startFakeModel({
      says: JSON.stringify({
        milestones: [
          { name: "Other", description: "x", target_day: 1, success_criteria: ["It works"], depends_on: [] },
        ],
        day_plans: [{ day_number: 1, goals: [otherGoal] }],
        total_estimated_days: 1,
        total_estimated_cost_usd: 1,
        assumptions: [],
      }),
    });
    // Somebody presses Start while the model thinks.
    const slow = createServer((request, response) => {
      void (async () => {
        const body = await text(request);
        void world.command("campaign", "start", id);
        await eventually("it has started", async () => (await campaign.status(id)).state === "active");
        const answer = await fetch(`${model.url}/chat/completions`, { method: "POST", body });
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(await answer.text());
      })();
    });
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const { port } = slow.address() as AddressInfo;
    await world.close();
    world = await testWorld({
      policy: oneAttempt,
      environment: { COS_MODEL: "fake", COS_MODEL_URL: `http://127.0.0.1:${port}/v1`, COS_MODEL_PRICE: "3/15" },
    });
    campaign = campaignIn(world);
    await world.repository();
    id = await campaign.create(commands(["echo a > a.txt"]));
    await world.command("campaign", "replan", id, "--instructions", "otherwise");
    await campaign.settle();

    const { days } = await campaign.status(id);
    const { rows } = await world.deps.database.pool.query("select 1 from cos.consultations where use <> 'reflection'");
    expect(rows).toHaveLength(1);
    expect(days.map((day) => day.goals.map((goal) => [goal.content, goal.status]))).toEqual([
      [["goal 1.1", "complete"]],
    ]);
    expect((await campaign.questions()).map((each) => each.kind)).toEqual(["confirm"]);
    slow.closeAllConnections();
    slow.close();
    await model.close();
  });

  const otherGoal = {
    content: "another",
    milestone: "Other",
    priority: "medium",
    estimated_minutes: 30,
    estimated_cost_usd: 1,
    linked_feature: null,
    linked_issue: null,
    linked_bug: null,
    linked_spec: null,
  };
});

describe("a question whether a milestone is done", () => {
  const plan = `# Work

## First (day 1)
### Day 1
- one
  - run: echo 1 > 1.txt

## Second (day 2)
### Day 2
- two
  - run: echo 2 > 2.txt
`;

  it("that nobody answers is asked again when the days are over; then the campaign is held, and resume asks again", async () => {
    await world.repository();
    const id = await started(plan);
    await campaign.settle();
    const first = await campaign.questions();
    expect(first.map((each) => each.kind)).toEqual(["confirm"]);
    await campaign.pass(24);
    // The first milestone's expired; the second one begins.
    await campaign.answer("Proceed");
    await campaign.settle();
    const last = await campaign.questions();
    expect(last.map(({ context }) => context.slice(0, 22)).sort()).toEqual([
      "Is milestone 'First' d",
      "Is milestone 'Second' ",
    ]);

    await campaign.pass(25);
    expect(await campaign.status(id)).toMatchObject({ state: "paused" });
    expect(await campaign.questions()).toEqual([]);
    const second = last.find(({ context }) => context.includes("Second"));
    expect(await cardWords(world, second?.checkpointId ?? "")).toContain(`cos milestone done ${id}/ms-2`);
    await campaign.pass(24);
    expect(await campaign.status(id)).toMatchObject({ state: "paused" });

    valueOf(await world.command("campaign", "resume", id));
    await campaign.settle();
    const again = await campaign.questions();
    expect(again.map(({ kind }) => kind)).toEqual(["confirm", "confirm"]);
    for (const { checkpointId } of again) valueOf(await world.command("answer", checkpointId, "Done"));
    await campaign.settle();
    expect(await campaign.status(id)).toMatchObject({ state: "completed" });
  });

  it("holds no day: run and the campaign's card name the one that does, with its recommended answer", async () => {
    await world.repository();
    const id = await started(plan);
    await world.command("campaign", "run", id);
    await world.work();
    await world.tick();
    const confirm = (await campaign.questions()).find((each) => each.context.startsWith("Is milestone"));
    expect(confirm).toBeDefined();

    const asked = await world.command("campaign", "run", id);
    const milestone = (await campaign.questions()).find((each) => each.context.startsWith("Starting milestone"));
    expect(valueOf(asked)).toMatchObject({ pausedForCheckpoint: true, checkpointId: milestone?.checkpointId });
    expect(JSON.stringify(asked)).toContain(`cos answer ${milestone?.checkpointId} Proceed`);
    const status = await world.command("campaign", "status", id);
    expect(valueOf(status)).toMatchObject({ waitsFor: milestone?.checkpointId });
    const told = status.type === "done" ? JSON.stringify(status.card.blocks) : status.reason;
    for (const each of await campaign.questions()) expect(told).toContain(`"to":"/#${each.checkpointId}"`);
    expect(told).toContain(`{"command":"answer ${milestone?.checkpointId} Proceed"}`);
    expect(told).not.toContain('{"command":"checkpoints"}');

    valueOf(await world.command("answer", milestone?.checkpointId ?? "", "Proceed"));
    const begun = valueOf(await world.command("campaign", "run", id));
    expect(begun).toMatchObject({ day: 2, pausedForCheckpoint: false, checkpointId: null });
    expect((await campaign.status(id)).days[1]).toMatchObject({ status: "in_progress" });
  });
});

describe("a campaign whose milestones all lie ahead", () => {
  it("is on time on every surface, however few of them are done", async () => {
    await world.repository();
    const goals = ["a", "b", "c"].map(
      (name, day) => `### Day ${day + 1}\n- ${name}\n  - run: echo ${name} > ${name}.txt\n`,
    );
    const id = await started(`# Work\n\n## First (day 3)\n${goals.join("")}`, "--budget", "20");
    await campaign.settle();
    await campaign.pass(24);

    expect(await campaign.status(id)).toMatchObject({ state: "active", currentDay: 3, daysBehind: 0 });
    const reading = [["campaign", "list"], ["campaign", "status", id], ["status"], ["standup"]];
    for (const words of reading) {
      const said = await world.command(...words);
      expect(said.type === "done" && JSON.stringify(said.card), words.join(" ")).not.toContain("behind");
    }
  });
});

describe("a campaign between its days", () => {
  it("asks nobody to start a session: its next day opens one", async () => {
    await world.repository();
    const said = async () => {
      const status = await world.command("status");
      return status.type === "done" ? JSON.stringify(status.card) : "";
    };
    await started(commands(["echo a > a.txt"], ["echo b > b.txt"]));
    await campaign.settle();

    expect(await said()).toContain("No session is open: a campaign's next day opens one");
    expect(await said()).not.toContain("autopilot start");
  });
});

describe("a campaign that somebody paused in the middle of a day", () => {
  it("says how it goes on: itself, and not the session of its day", async () => {
    await world.repository();
    const id = await started(commands(["echo a > a.txt", "echo b > b.txt"]));
    valueOf(await world.command("campaign", "pause", id));

    const status = await world.command("campaign", "status", id);
    const words = JSON.stringify(status.type === "done" ? status.card : status);
    expect(words).toContain(`campaign resume ${id}`);
    expect(words).not.toContain("autopilot resume");
  });
});

describe("the question about a plan", () => {
  it("says once what the campaign is called, and below it how much it is", async () => {
    await world.repository();
    await campaign.create(commands(["echo a > a.txt"]).replace("# Work", "# Round every price"));
    const [asked] = await campaign.questions();
    await world.deps.project();

    const words = await cardWords(world, asked?.checkpointId ?? "");
    expect(words.match(/Round every price/g)).toHaveLength(1);
    expect(words).toContain("- 1 day, 1 milestone, 1 goal, planned by");
  });
});

describe("planning anew", () => {
  it("before the start is refused without a model", async () => {
    await world.repository();
    const id = await campaign.create(commands(["echo a > a.txt"], ["echo b > b.txt"]));
    const [asked] = await campaign.questions();

    // Nothing but a model plans otherwise.
    expect(await world.command("campaign", "replan", id)).toMatchObject({
      type: "refused",
      reason:
        "no model is configured (COS_MODEL), so nothing else can be planned before the start; an outline is a plan (docs/campaigns.md)",
    });
    await campaign.settle();
    expect(await campaign.questions()).toEqual([asked]);
  });

  it("with words that nobody can work in and another budget, the days get their part of it", async () => {
    await world.repository();
    const id = await campaign.create(commands(["true"], ["true"], ["true"], ["true"]), "--budget", "40");
    await campaign.answer("Modify", "--budget", "8", "--instructions", "keep it small");
    await campaign.settle();

    const now = await campaign.status(id);
    expect(now).toMatchObject({ totalBudgetUsd: 8, dailyBudgetUsd: 2 });
    expect(now.days.map((day) => day.budgetUsd)).toEqual([2, 2, 2, 2]);
    expect(now.notes.join()).toContain("Not worked in: keep it small");
  });

  it("a milestone's name is said whole in what is recommended", async () => {
    await world.repository();
    await started(
      "# Shop\n\n## Store\n### Day 1\n- one\n  - run: true\n\n## Ana's login page\n### Day 2\n- two\n  - run: true\n",
    );
    await campaign.settle();
    await campaign.pass(24);

    const listed = await world.command("checkpoints");
    expect(JSON.stringify(listed)).toContain("Proceed with milestone: Ana's login page");
  });

  it("where no campaign is open, the next command holds in chat, too", async () => {
    const refused = await world.command("campaign", "replan");
    expect(refused).toMatchObject({ reason: "no campaign is open", next: "cos campaign create --help" });
  });
});

describe("the days to come", () => {
  const three = commands(["echo a > a.txt"], ["echo b > b.txt"], ["echo c > c.txt"]);

  it("begin with the one that was held, also where another one's date has come", async () => {
    await world.repository();
    const id = await started(three);
    await campaign.settle();
    const [confirm] = await campaign.questions();
    if (confirm !== undefined) valueOf(await world.command("answer", confirm.checkpointId, "Not done"));
    valueOf(await world.command("campaign", "pause", id));
    await campaign.pass(48);
    expect((await campaign.status(id)).days[2]?.date).toBe("2026-01-28");

    const standup = JSON.stringify(await world.command("standup"));
    expect(standup).toContain("goal 2.1");
    expect(standup).not.toContain("goal 3.1");
  });

  it("show no date that is over, and one that is made up for on a weekend has the date on which it is worked", async () => {
    await world.repository();
    const id = await started(three);
    await campaign.settle();
    const [confirm] = await campaign.questions();
    if (confirm !== undefined) valueOf(await world.command("answer", confirm.checkpointId, "Not done"));
    valueOf(await world.command("campaign", "pause", id));
    const dates = async () => (await campaign.status(id)).days.map(({ date }) => date);
    world.advance(24 * hour);
    expect(await dates()).toEqual(["2026-01-26", "2026-01-27", "2026-01-28"]);
    world.advance(99 * hour);
    expect(await dates()).toEqual(["2026-01-26", null, null]);
    expect(JSON.stringify(await world.command("campaign", "status", id))).not.toMatch(/2026-01-2[78]/);

    valueOf(await world.command("campaign", "resume", id));
    await campaign.settle();
    expect(await dates()).toEqual(["2026-01-26", "2026-01-31", "2026-02-02"]);
  });

  it("have a date each, however often a day the schedule comes", async () => {
    await world.repository();
    valueOf(await world.command("schedule", "set", "campaigns", "--cron", "0 9-17 * * 1-5"));
    const id = await started(three);

    expect((await campaign.status(id)).days.map(({ date }) => date)).toEqual([
      "2026-01-26",
      "2026-01-27",
      "2026-01-28",
    ]);
  });
});

describe("a campaign that was stopped", () => {
  it("has nothing to come: its days, its milestones and the standup say so", async () => {
    await world.repository();
    const id = await campaign.create(commands(["echo a > a.txt"], ["echo b > b.txt"]));
    valueOf(await world.command("campaign", "stop", id));

    const status = await world.command("campaign", "status", id);
    const standup = await world.command("standup");
    const words = JSON.stringify([status, standup].map((each) => (each.type === "done" ? each.card : each)));
    for (const said of ["not worked", "not begun"]) expect(words).toContain(said);
    for (const untrue of ["to come", "planned: ", "up to $", "today: goal 1.1"]) expect(words).not.toContain(untrue);
  });
});

describe("a milestone that a person called done", () => {
  it("belongs to a campaign that runs: before its start and after its end nobody can call one done", async () => {
    await world.repository();
    const id = await campaign.create("# Work\n\n## First (day 1)\n### Day 1\n- one\n  - run: echo 1 > 1.txt\n");
    const done = ["milestone", "done", `${id}/ms-1`];

    expect(await world.command(...done)).toMatchObject({
      reason: `${id} has not started`,
      next: `cos campaign start ${id}`,
    });
    valueOf(await world.command("campaign", "start", id));
    valueOf(await world.command("campaign", "stop", id));
    expect(await world.command(...done)).toMatchObject({ reason: `${id} is stopped` });
  });

  it("does not hold the start of its campaign, where an older version let it be done before", async () => {
    await world.repository();
    const id = await campaign.create("# Work\n\n## First (day 1)\n### Day 1\n- one\n  - run: echo 1 > 1.txt\n");
    await world.deps.database.pool.query(
      "update cos.milestones set status = 'done', completed_at = now(), completed_by = 'ana' where campaign_id = $1",
      [id],
    );

    valueOf(await world.command("campaign", "start", id));
    expect(await campaign.status(id)).toMatchObject({
      state: "active",
      milestones: [{ status: "done", completedBy: "ana" }],
    });
  });

  it("is said to be done on a person's word wherever milestones are counted", async () => {
    await world.repository();
    const id = await started("# Work\n\n## First (day 1)\n### Day 1\n- one\n  - run: echo 1 > 1.txt\n");
    valueOf(await world.command("milestone", "done", "ms-1"));
    await world.command("campaign", "run", id);
    await world.work();
    await world.tick();

    const reading = [["campaign", "list"], ["campaign", "status", id], ["standup"], ["weekly"]];
    for (const words of reading) {
      const said = await world.command(...words);
      expect(said.type === "done" && JSON.stringify(said.card), words.join(" ")).toContain("1 on a person's word");
    }
    const { report } = valueOf<{ report: string }>(await world.command("weekly", "--report"));
    expect(report).toContain("Milestones completed on a person's word: 1");
    const { rows } = await world.deps.database.pool.query<{ card: object }>(
      "select card from cos.messages where subject = $1",
      [`${id}.day.1`],
    );
    expect(JSON.stringify(rows)).toContain("100 % of the milestones done, 1 on a person's word");
  });
});
