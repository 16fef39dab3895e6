import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { TestConsole } from "./console.ts";
import { valueOf } from "./deps.ts";
import { agentRepository } from "./scripted.ts";
import { ana, type SlackWorld } from "./slack/world.ts";

/** The criteria that goals of the two days are held to: they lie in the repository as `ac/a.md`. */
export const criteria =
  "#### AC-1: It holds\n\n**Description:** It holds.\n\n```yaml\nmethod: bash\ncommand: test -f a.txt\npass_condition: exit code 0\n```\n";

/** Runs what only shows people what there is: lists, reports and pages. */
export type Reading = (read: () => Promise<void>) => Promise<void>;

/** What is done with the bot in the two days, on its one repository. */
interface Hands {
  readonly world: SlackWorld;
  readonly browser: TestConsole;
  readonly repository: string;
  readonly reading: Reading;
  call<Value>(...words: string[]): Promise<Value>;
  /** Adds a goal and returns its id. */
  add(text: string, ...options: string[]): Promise<string>;
  /** Everything that is due is done and shown. */
  look(): Promise<void>;
}

/**
 * What people, turns, ticks, clicks, pages and reports do in two days; the world has one repository with `ac/a.md`. What only
 * shows is run by `reading`, so that the caller can tell it from work.
 */
export async function twoDays(world: SlackWorld, browser: TestConsole, reading: Reading): Promise<void> {
  const hands = await handsOn(world, browser, reading);
  await readAll(hands);
  await hands.look();
  const leave = await stayOnPage(hands);

  const goals = await session(hands);
  await branches(hands, goals);
  await agent(hands);
  await night(hands);
  await campaign(hands);

  // The next morning: what is due by the clock, and a page that was away.
  world.advance(24 * 60 * 60_000);
  await hands.look();
  await readAll(hands);
  await leave();
}

async function handsOn(world: SlackWorld, browser: TestConsole, reading: Reading): Promise<Hands> {
  const call = async <Value>(...words: string[]) => valueOf<Value>(await world.command(...words));
  const [repository = ""] = (await call<{ name: string }[]>("repo", "list")).map((each) => each.name);
  return {
    world,
    browser,
    repository,
    reading,
    call,
    add: async (text, ...options) =>
      (await call<{ goalId: string }>("goal", "add", text, "--repo", repository, ...options)).goalId,
    async look() {
      await world.tick();
      await world.work();
      await world.show();
      await world.deliver();
    },
  };
}

const lists = [
  ["plan"],
  ["status"],
  ["status", "--accountability"],
  ["standup"],
  ["weekly"],
  ["weekly", "--report"],
  ["goals"],
  ["goals", "--status", "complete"],
  ["goals", "--search", "nightly"],
  ["checkpoints"],
  ["autopilot", "status"],
  ["campaign", "list"],
  ["schedules"],
  ["doctor"],
];

const pages = [
  "/",
  "/goals",
  "/goals?status=complete",
  "/campaigns",
  "/weekly",
  "/spend",
  "/preferences",
  "/metrics",
  "/healthz",
];

/** Every list, report and page. */
async function readAll({ call, browser, reading }: Hands): Promise<void> {
  await reading(async () => {
    for (const words of lists) await call(...words);
    for (const path of pages) expect((await browser.get(path)).status, path).toBe(200);
  });
}

/** Opens the channel's page and hears what changes in it, until the answer is called. */
async function stayOnPage({ browser, reading }: Hands): Promise<() => Promise<void>> {
  let leave = async (): Promise<void> => undefined;
  await reading(async () => {
    const since = /data-since="(\d+)"/.exec(await (await browser.get("/")).text())?.[1];
    const events = (await browser.get(`/events?since=${since}`)).body?.getReader();
    await events?.read();
    leave = async () => events?.cancel();
  });
  return leave;
}

/** One goal runs, one is asked about and answered in Slack, one fails and is escalated, one is on top of another. */
async function session(hands: Hands): Promise<{ readonly runs: string; readonly spare: string }> {
  const { world, repository, call, add, look, reading } = hands;
  const runs = await add("Runs", "--run", "echo a > a.txt", "--criteria", "ac/a.md");
  const asked = await add("Asked", "--run", "echo b > b.txt", "--tag", "ui");
  const fails = await add("Fails", "--run", "false");
  const onTop = await add("On top", "--run", "echo c > c.txt", "--after", runs, "--criteria", "ac/a.md");
  const spare = await add("Spare", "--run", "echo d > d.txt");
  await call("goal", "edit", spare, "--priority", "high");
  const inSession = [runs, asked, fails, onTop, spare].flatMap((goalId) => ["--goal", goalId]);
  await call("autopilot", "start", "--repo", repository, ...inSession);
  await look();
  await world.slack.people.reply(ana, world.slack.message(": Asked"), "make it b.txt");
  await world.slack.people.click(ana, world.slack.message(": Asked"), "proceed");
  await look();
  const [escalation] = (await call<{ checkpointId: string; kind: string }[]>("checkpoints")).filter(
    (each) => each.kind === "escalation",
  );
  await call("escalation", escalation?.checkpointId ?? "");
  await reading(() => world.slack.people.openHome(ana));
  await readAll(hands);
  world.advance(5 * 60 * 60_000);
  await look();
  await call("answer", escalation?.checkpointId ?? "", "retry");
  await look();
  for (const goalId of [runs, fails]) await reading(() => readGoal(hands, goalId));
  await call("diff", runs);
  await call("goal", "skip", fails);
  await look();
  return { runs, spare };
}

async function readGoal({ call, browser }: Hands, goalId: string): Promise<void> {
  await call("goal", "show", goalId);
  await call("why", goalId);
  expect((await browser.get(`/goals/${goalId}`)).status).toBe(200);
}

/** Branches: merged, taken back, discarded, and all in a row. */
async function branches(
  { world, repository, call, look }: Hands,
  { runs, spare }: { readonly runs: string; readonly spare: string },
): Promise<void> {
  await call("goal", "merge", runs);
  await call("goal", "undo", runs);
  await call("goal", "merge", runs);
  world.advance(60_000);
  await look();
  await call("goal", "discard", spare);
  await call("merge", "all", "--repo", repository);
  for (let pass = 0; pass < 4; pass += 1) {
    world.advance(60_000);
    await look();
  }
}

/** An agent works one goal and runs out of tokens in another. */
async function agent({ world, call, look }: Hands): Promise<void> {
  await agentRepository(world, [
    { match: ["works"], steps: [{ write: { path: "a.txt", content: "b\n" } }, { costUsd: 0.2 }, { say: "Done." }] },
    { match: ["stops"], steps: [{ costUsd: 0.1 }, { say: "no" }, { stop: "max_tokens" }] },
  ]);
  for (const text of ["works", "stops"]) await call("goal", "add", text, "--repo", "person");
  await call("autopilot", "start", "--repo", "person");
  await look();
  await call("autopilot", "pause", "--repo", "person");
  await call("autopilot", "resume", "--repo", "person");
  await call("autopilot", "stop", "--repo", "person");
  await look();
}

async function night({ world, repository, call, add, look }: Hands): Promise<void> {
  const nightly = [await add("Nightly", "--run", "echo e > e.txt"), await add("Asks", "--run", "true", "--tag", "ui")];
  await call("night", "--repo", repository, ...nightly.flatMap((goalId) => ["--goal", goalId]));
  await look();
  await call("night", "status");
  await call("night", "end");
  await look();
  // It goes on with what it has begun until somebody stops it.
  await world.command("autopilot", "stop", "--repo", repository);
  await look();
}

/** A campaign of one day. */
async function campaign({ world, browser, repository, call, look, reading }: Hands): Promise<void> {
  const plan = join(world.dataDir, "plan.md");
  await writeFile(plan, "# Files\n\n## First\n- write f\n  - run: echo f > f.txt\n  - criteria: ac/a.md\n  - day: 1\n");
  const created = ["campaign", "create", "--from", plan, "--repo", repository, "--budget", "7"];
  const { campaignId } = await call<{ campaignId: string }>(...created);
  await reading(async () => void (await call("campaign", "rehearse", campaignId)));
  await call("campaign", "start", campaignId);
  await call("campaign", "run", campaignId);
  for (let pass = 0; pass < 3; pass += 1) await look();
  await call("campaign", "status", campaignId);
  expect((await browser.get(`/campaigns/${campaignId}`)).status).toBe(200);
}
