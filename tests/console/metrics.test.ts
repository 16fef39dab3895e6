import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exposition, labels } from "../../src/core/metrics/exposition.ts";
import { countEvents } from "../../src/turns/reports/count.ts";
import { projectDir } from "../fakes/bot.ts";
import { type ConsoleWorld, consoleWorld } from "../fakes/console.ts";
import { oneAttempt, valueOf } from "../fakes/deps.ts";
import { makeRepository } from "../fakes/repository.ts";
import { readExposition } from "../fakes/exposition.ts";

/** What an alert can be made of. */

let world: ConsoleWorld;
beforeEach(async () => {
  world = await consoleWorld({ policy: oneAttempt });
  await world.repository();
});
afterEach(() => world.close());

async function metrics(): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${world.url}/metrics`);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  const families = readExposition(await response.text());
  return new Map([...families.values()].flatMap(({ samples }) => [...samples]));
}

const add = async (text: string, ...options: string[]): Promise<string> =>
  valueOf<{ goalId: string }>(await world.command("goal", "add", text, ...options)).goalId;

async function work(): Promise<void> {
  await world.work();
  await world.tick();
}

describe("/metrics", () => {
  it("names everything that can be counted before anything was, each with what it is [F-606]", async () => {
    const found = await metrics();

    for (const name of [
      'cos_attempts_total{end="failed"}',
      'cos_failures_total{kind="limit"}',
      'cos_goals_ended_total{status="complete"}',
      'cos_questions_asked_total{kind="escalation"}',
      'cos_question_answered_seconds_bucket{le="+Inf"}',
      'cos_question_shown_seconds_count{platform="console"}',
      'cos_messages_lag_seconds{platform="console"}',
      "cos_goals_queued",
      "cos_checkpoints_oldest_seconds",
      "cos_spent_today_usd",
    ])
      expect([name, found.get(name)]).toEqual([name, 0]);
    expect(found.get('cos_disk_free_bytes{place="data directory"}')).toBeGreaterThan(1_000_000);
    expect(found.get("process_cpu_seconds_total")).toBeGreaterThan(0);
  });

  it("counts attempts, failures, questions and how long people took, once whoever counts [F-606]", async () => {
    await add("Write a", "--run", "echo a > a.txt");
    await add("Fail", "--run", "exit 3");
    await world.command("autopilot", "start");
    await work();
    world.advance(20_000);
    await work();
    const asked = await metrics();
    await world.deliver();
    world.advance(10 * 60_000);
    const waiting = await metrics();
    const [question] = valueOf<{ checkpointId: string }[]>(await world.command("checkpoints"));
    valueOf(await world.command("answer", question?.checkpointId ?? "", "skip"));
    await Promise.all([countEvents(world.deps), countEvents(world.deps), countEvents(world.deps)]);
    await work();
    const found = await metrics();

    expect(asked.get("cos_checkpoints_pending")).toBe(1);
    expect(asked.get('cos_questions_asked_total{kind="escalation"}')).toBe(1);
    expect(asked.get('cos_messages_unshown{platform="console"}')).toBeGreaterThan(0);
    expect(waiting.get("cos_checkpoints_oldest_seconds")).toBeGreaterThanOrEqual(600);
    expect(found.get('cos_attempts_total{end="finished"}')).toBe(1);
    expect(found.get('cos_attempts_total{end="failed"}')).toBe(1);
    expect(found.get('cos_failures_total{kind="work"}')).toBe(1);
    expect(found.get('cos_goals_ended_total{status="complete"}')).toBe(1);
    expect(found.get('cos_questions_ended_total{how="answered"}')).toBe(1);
    expect(found.get('cos_question_answered_seconds_bucket{le="300"}')).toBe(0);
    expect(found.get('cos_question_answered_seconds_bucket{le="900"}')).toBe(1);
    expect(found.get("cos_question_answered_seconds_sum")).toBeGreaterThanOrEqual(600);
    expect(found.get('cos_question_shown_seconds_count{platform="console"}')).toBe(1);
    expect(found.get("cos_checkpoints_pending")).toBe(0);

    // On another server, whose transactions have other numbers, everything is counted anew, and not twice.
    await world.deps.database.pool.query("update cos.readers set xid = '0', timeline_id = 0 where reader = 'counts'");
    await world.tick();
    const anew = await metrics();
    for (const [name, value] of found)
      if (name.includes("_total") && !name.startsWith("process")) expect([name, anew.get(name)]).toEqual([name, value]);
  });

  it("counts what ends a goal without a person as a failure of its kind [F-606]", async () => {
    const path = await makeRepository(join(world.dataDir, "broken"), { "a.txt": "a\n" });
    valueOf(await world.command("repo", "add", path, "--setup", "exit 1", "--check", ""));
    await add("Cannot begin", "--repo", "broken", "--run", "true");
    await world.command("autopilot", "start", "--repo", "broken");
    await work();
    const found = await metrics();

    expect(found.get('cos_attempts_total{end="setup-failure"}')).toBe(1);
    expect(found.get('cos_goals_ended_total{status="failed"}')).toBe(1);
    expect(found.get('cos_failures_total{kind="setup"}')).toBe(1);
  });

  it("counts a setup that fails after the work, in the clean checkout and without the work, too [F-606]", async () => {
    const path = await makeRepository(join(world.dataDir, "breaks"), { "a.txt": "a\n" });
    const setup = `echo x >> "${join(world.dataDir, "setups")}"; test $(wc -l < "${join(world.dataDir, "setups")}") = 1`;
    valueOf(await world.command("repo", "add", path, "--setup", setup, "--check", "true"));
    await add("Is worked", "--repo", "breaks", "--run", "echo b > a.txt");
    await world.command("autopilot", "start", "--repo", "breaks");
    await work();
    const found = await metrics();

    expect(found.get('cos_attempts_total{end="finished"}')).toBe(1);
    expect(found.get('cos_goals_ended_total{status="failed"}')).toBe(1);
    expect(found.get('cos_failures_total{kind="setup"}')).toBe(1);
  });

  it("says how many goals are due and since when, while nobody works them [F-606]", async () => {
    await add("Write a", "--run", "echo a > a.txt");
    await world.command("autopilot", "start");
    world.advance(90_000);

    const found = await metrics();

    expect([found.get("cos_goals_queued"), found.get("cos_goals_queued_oldest_seconds")]).toEqual([1, 90]);
    await work();
    expect((await metrics()).get("cos_goals_queued")).toBe(0);
  });
});

it("has every metric that docs and the rules for alerts name, and docs name every one [F-606]", async () => {
  const served = new Set(readExposition(await (await fetch(`${world.url}/metrics`)).text()).keys());
  const namesIn = async (file: string) =>
    new Set((await readFile(join(projectDir, file), "utf8")).match(/\b(?:cos|process)_\w*[a-z]\b/g));
  const inDocs = await namesIn("docs/operating.md");
  const inRules = await namesIn("examples/operating/alerts.yml");

  expect([...served].filter((name) => !inDocs.has(name))).toEqual([]);
  const named = [...inDocs, ...inRules].filter((name) => name !== "cos_migrations");
  expect(named.filter((name) => !served.has(name))).toEqual([]);
  expect(inRules.size).toBeGreaterThan(5);
});

it("takes any value of a label", () => {
  const label = labels({ platform: 'a "b"\\\nc' });
  const text = exposition([{ name: "x", help: "X.", type: "gauge", samples: [{ label, value: 1e21 }] }]);

  expect([...(readExposition(text).get("x")?.samples ?? [])]).toEqual([['x{platform="a \\"b\\"\\\\\\nc"}', 1e21]]);
});
