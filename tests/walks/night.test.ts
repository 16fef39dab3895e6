import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buttonValue } from "../../src/core/calls.ts";
import type { Card } from "../../src/core/cards/card.ts";
import type { Policy } from "../../src/core/policy.ts";
import { findMessage } from "../../src/db/messages.ts";
import { dayTotal } from "../../src/db/totals.ts";
import { eventually, projectDir } from "../fakes/bot.ts";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { oneAttempt, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";

const hour = 3_600_000;

/** Nothing comes to a time limit of its own while a night passes. */
function longRunning(policy: Policy): Policy {
  const day = 24 * hour;
  return { ...policy, goals: { ...policy.goals, timeoutMs: day, inactivityMs: day } };
}
const criteria = (command: string): string =>
  `#### AC-1: It holds\n\n**Description:** It holds.\n\n\`\`\`yaml\nmethod: bash\ncommand: ${command}\npass_condition: exit code 0\n\`\`\`\n`;

let world: ConsoleWorld;
beforeEach(async () => {
  world = await consoleWorld({ policy: (policy) => oneAttempt(longRunning(policy)) });
  const script = (name: string, usd: number, path = `${name}.txt`) => ({
    match: [`goal-${name}`],
    steps: [{ write: { path, content: `${name}\n` } }, { costUsd: usd }, { say: "Done." }],
  });
  const scripts = [
    ...["one", "two", "three", "four", "five"].map((name) => script(name, 0.5)),
    script("deps", 0.5, "package.json"),
    { match: ["goal-fails"], steps: [{ costUsd: 0.5 }, { say: "boom" }, { stop: "max_tokens" }] },
    script("dear", 9),
  ];
  const file = join(world.dataDir, "scripts.json");
  await writeFile(file, JSON.stringify(scripts));
  const path = await makeRepository(join(world.dataDir, "person"), {
    "README.md": "x\n",
    "ac/one.md": criteria("test -f one.txt"),
  });
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --script "${file}"`;
  await world.command("repo", "add", path, "--setup", "", "--check", "", "--agent", agent);
});
afterEach(() => world.close());

const add = async (name: string, ...options: string[]) =>
  valueOf<{ goalId: string }>(await world.command("goal", "add", `goal-${name}`, ...options)).goalId;
const statusOf = async (goalId: string) =>
  valueOf<{ status: string }>(await world.command("goal", "show", goalId)).status;
const night = async () =>
  valueOf<{ nightId: string; endedAt: Date | null; endReason: string; spentUsd: number; decisions: unknown[] }>(
    await world.command("night", "status"),
  );
const shown = async (subject: string): Promise<Card> => {
  const message = await findMessage(world.deps.database.db, "console", "main", subject);
  if (message === null) throw new Error(`nothing is shown about ${subject}`);
  return message.card;
};

/** What a running bot does. */
async function settle(): Promise<void> {
  for (let pass = 0; pass < 4; pass += 1) {
    await world.work();
    await world.tick();
  }
}

describe("a night", () => {
  it("works what the contract allows, parks the rest, and the morning is cleared in three clicks", async () => {
    world.advance(13 * hour);
    const names = ["one", "deps", "two", "fails", "three", "dear", "four", "five"];
    const ids: Record<string, string> = {};
    for (const name of names)
      ids[name] = await add(
        name,
        ...(name === "one" ? ["--criteria", "ac/one.md"] : []),
        ...(name === "dear" ? ["--cost", "4.90"] : []),
      );

    const began = valueOf<{ nightId: string; goals: number; questions: number; untilAt: Date }>(
      await world.command("night", "--budget", "6", "--until", "07:00"),
    );
    expect(began).toMatchObject({ goals: 8, questions: 0, untilAt: new Date("2026-01-27T07:00:00Z") });
    const evening = await shown(began.nightId);
    expect(evening.title).toBe("Night contract: 8 goals, up to $6.00");
    expect(evening.actions.map((action) => action.label)).toEqual(["End the night"]);

    await settle();

    // Nobody was needed any more: the night is over, and what is left waits for a person.
    expect(await night()).toMatchObject({ endReason: "Everything that needed nobody has been worked.", spentUsd: 3.5 });
    for (const name of ["one", "two", "three", "four", "five"])
      expect(await statusOf(ids[name] ?? "")).toBe("complete");
    for (const name of ["deps", "fails", "dear"]) expect(await statusOf(ids[name] ?? "")).toBe("blocked");
    const lines = JSON.stringify((await shown(began.nightId)).blocks);
    expect(lines.match(/complete, \w+/g)).toEqual(["complete, verified", ...Array(4).fill("complete, claimed")]);
    const morning = await shown(`${began.nightId}.morning`);
    expect(morning.title).toBe("Good morning: 3 decisions to make");
    expect(morning.summary).toContain("5 of 8 goals complete, 1 verified");
    expect(JSON.stringify(morning.blocks)).toContain("[verified] ");

    let clicks = 0;
    for (;;) {
      const card = await shown(`${began.nightId}.morning`);
      const action =
        card.actions.find((each) => each.choice === "proceed") ?? card.actions.find((each) => each.choice === "skip");
      if (action === undefined) break;
      clicks += 1;
      const response = await world.post("/answer", { call: buttonValue(action), back: "/" });
      expect(response.status).toBe(303);
    }
    expect(clicks).toBe(3);
    expect(await shown(`${began.nightId}.morning`)).toMatchObject({
      title: "Good morning: 5 finished branches to merge or discard",
      state: "cleared",
    });

    await settle();
    expect(await statusOf(ids["deps"] ?? "")).toBe("complete");
    expect(await statusOf(ids["fails"] ?? "")).toBe("deferred");
    expect(await statusOf(ids["dear"] ?? "")).toBe("failed");
  });

  it("really stops at its hour: what runs is cut, what had not begun goes back, one word goes on", async () => {
    world.advance(20 * hour);
    const hangs = join(world.dataDir, "hangs");
    const first = valueOf<{ goalId: string }>(
      await world.command("goal", "add", "wait", "--run", `touch ${hangs}; sleep 1000; echo x > x.txt`),
    ).goalId;
    const second = await add("two");
    const { nightId } = valueOf<{ nightId: string }>(await world.command("night", "--until", "06:30"));
    const working = world.work();
    await eventually("the first goal", async () => existsSync(hangs));
    world.advance(1.5 * hour);
    await world.tick();
    await working;

    expect(await night()).toMatchObject({ endReason: "It is 06:30: the night is over." });
    expect([await statusOf(first), await statusOf(second)]).toEqual(["in_progress", "pending"]);
    const morning = await shown(`${nightId}.morning`);
    expect(morning.actions.map((action) => action.label)).toEqual(["Resume", "Stop"]);
    await world.work();
    expect(await statusOf(first)).toBe("in_progress");

    const [stop] = morning.actions.filter((action) => action.choice === "stop");
    await world.post("/answer", { call: stop === undefined ? "" : buttonValue(stop), back: "/" });
    expect((await shown(`${nightId}.morning`)).state).toBe("cleared");
    expect(valueOf(await world.command("autopilot", "start", "--goal", second))).toMatchObject({ goals: 1 });
  });

  it("cost what it cost until its end: what its decisions cost by day is none of it", async () => {
    world.advance(13 * hour);
    await add("one");
    await add("two", "--tag", "architecture");
    const { nightId } = valueOf<{ nightId: string }>(await world.command("night", "--budget", "2"));
    await settle();
    expect(await night()).toMatchObject({ spentUsd: 0.5, endedAt: expect.any(Date) });

    world.advance(11 * hour);
    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    valueOf(await world.command("answer", question?.checkpointId ?? "", "Proceed"));
    await settle();

    const today = await dayTotal(world.deps.database.db, "2026-01-27");
    expect(today.spentMicroUsd).toBe(500_000);
    expect(await night()).toMatchObject({ spentUsd: 0.5 });
    expect((await shown(`${nightId}.morning`)).summary).toContain(
      "2 of 2 goals complete, 0 verified, $0.50 of $2.00 spent",
    );
    expect(JSON.stringify((await shown(nightId)).blocks)).toContain("$0.50 of $2.00");
  });

  it("stops at its money, which every repository of it shares", async () => {
    const other = await world.repository({ "README.md": "y\n" });
    const name = other.split("/").at(-1) ?? "";
    await add("one", "--repo", "person");
    await add("two", "--repo", "person");
    const there = await add("elsewhere", "--repo", name, "--cost", "1", "--run", "echo z > z.txt");
    await world.command("night", "--budget", "1.20", "--until", "07:00");
    await settle();

    expect(await night()).toMatchObject({ spentUsd: 1 });
    const [question] = valueOf<{ kind: string; context: string; goalId: string }[]>(await world.command("checkpoints"));
    expect(question).toMatchObject({ kind: "ceiling", goalId: there });
    expect(question?.context).toContain("left of the night's ceiling, $1.00 needed");
  });

  it("does without asking what was allowed, and asks before bed about the rest", async () => {
    const ux = await add("one", "--tag", "ui");
    const architecture = await add("two", "--tag", "architecture");
    const began = valueOf<{ questions: number }>(await world.command("night", "--allow", "ux"));

    expect(began.questions).toBe(1);
    await settle();
    expect([await statusOf(ux), await statusOf(architecture)]).toEqual(["complete", "blocked"]);
    expect(await night()).toMatchObject({ decisions: [{ context: expect.stringContaining("goal-two") as string }] });
  });

  it("asks before bed about a goal that costs more than the whole night", async () => {
    const dear = await add("dear", "--cost", "4");
    await add("one");
    const began = valueOf<{ questions: number }>(await world.command("night", "--budget", "3"));

    expect(began.questions).toBe(1);
    const [question] = valueOf<{ kind: string; goalId: string }[]>(await world.command("checkpoints"));
    expect(question).toMatchObject({ kind: "ceiling", goalId: dear });
  });

  it("asks all that is known of such a goal by one question, and says how much Proceed gives", async () => {
    const dear = await add("one", "--cost", "7.5", "--tag", "ui");
    valueOf(await world.command("night", "--budget", "6"));

    const [question] = valueOf<{ checkpointId: string; reasons: { trigger: string; context: string }[] }[]>(
      await world.command("checkpoints"),
    );
    expect(question?.reasons.map(({ trigger }) => trigger)).toEqual(["cost_cumulative", "ux_change", "cost_single"]);
    expect(question?.reasons[0]?.context).toBe(
      "Insufficient budget remaining: $6.00 left of the night's ceiling, $7.50 needed. Proceed gives it up to $11.25 more",
    );
    valueOf(await world.command("answer", question?.checkpointId ?? "", "Proceed"));
    await settle();
    expect(valueOf(await world.command("checkpoints"))).toEqual([]);
    expect(await statusOf(dear)).toBe("complete");
  });

  it("that a person pauses waits for them, until its hour", async () => {
    await add("one");
    const { nightId } = valueOf<{ nightId: string }>(await world.command("night", "--until", "18:00"));
    valueOf(await world.command("autopilot", "pause"));
    await settle();
    expect(await night()).toMatchObject({ nightId, endedAt: null });
    world.advance(10 * hour);
    await settle();
    expect(await night()).toMatchObject({ endReason: "It is 18:00: the night is over." });
  });

  it("what a contract allowed is asked again by day", async () => {
    const ux = await add("one", "--tag", "ui");
    const { nightId } = valueOf<{ nightId: string }>(await world.command("night", "--allow", "ux,cost"));
    valueOf(await world.command("night", "end"));

    expect(await night()).toMatchObject({ nightId, endReason: "Ended by ana." });
    expect(await statusOf(ux)).toBe("pending");
    expect(valueOf(await world.command("autopilot", "start"))).toMatchObject({ questions: 1 });
  });

  it("pauses after three failures in a row, and says so in the morning", async () => {
    for (const number of [1, 2, 3, 4, 5]) await add(`fails ${number}`);
    const { nightId } = valueOf<{ nightId: string }>(await world.command("night"));
    await settle();

    const card = await shown(`${nightId}.morning`);
    expect(card.title).toBe("Good morning: 4 decisions to make");
    expect(JSON.stringify(card.blocks)).toContain("3 goals in a row ended failed");
    const endReason = "It stopped itself: 3 goals in a row ended failed. 2 goals were not begun.";
    expect(await night()).toMatchObject({ endReason });
    expect(card.summary).toContain(endReason);
  });

  it("names what is wrong with a contract, and there is one at a time", async () => {
    expect(await world.command("night")).toMatchObject({ type: "refused", reason: "no goal is pending" });
    expect(await world.command("night", "end")).toMatchObject({ type: "refused", next: "cos night" });
    await add("one");
    await expect(world.command("night", "--until", "7 o'clock")).rejects.toThrow("--until: found");
    await expect(world.command("night", "--allow", "everything")).rejects.toThrow(
      "expected one of ux, architecture, scope, cost",
    );
    await expect(world.command("night", "--budget", "0")).rejects.toThrow("--budget: found");
    valueOf(await world.command("night"));
    expect(await world.command("night")).toMatchObject({ type: "refused", next: "cos night end" });
  });
});
