import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../../src/commands/command.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { claimGoal } from "../fakes/claim.ts";
import { beginWorking } from "../../src/turns/shared/working.ts";
import { getSession, listOpenSessions } from "../../src/db/sessions.ts";
import { campaignIn } from "../fakes/campaign.ts";
import { keptLease, startKept, oneAttempt, type TestWorld, testWorld, valueOf } from "../fakes/deps.ts";

/** Stop, pause, resume and start in every state of a session: what happens, and that what is said is what happened. */

let world: TestWorld;
beforeEach(async () => {
  world = await testWorld({ policy: oneAttempt });
  const path = await world.repository();
  await world.deps.database.pool.query("update cos.repositories set name = 'shop' where path = $1", [path]);
  await beginWorking(world.deps);
});
afterEach(() => world.close());

const add = async (text: string, ...options: string[]): Promise<string> =>
  valueOf<{ goalId: string }>(await world.command("goal", "add", text, "--run", "true", ...options)).goalId;

/** What a person reads, with the ids of sessions, goals and campaigns left out. */
function wordsOf(result: CommandResult): string {
  const words =
    result.type === "refused" ? `no: ${result.reason} > ${result.next}` : terminalLines(result.card, "UTC").join(" |");
  return words.replaceAll(/(session|goal|camp)-[0-9a-f]{8}/g, "$1");
}

const states = [
  "none",
  "open",
  "working",
  "paused",
  "paused at work",
  "stopping",
  "ended",
  "night",
  "campaign",
] as const;
type State = (typeof states)[number];

/** Its first goal that nothing is asked about is being worked, by a worker that does not come to an end. */
async function work(): Promise<void> {
  const claim = await claimGoal(world.deps.database.db, {
    leasedBy: "here/1/1",
    forMs: 3_600_000,
    now: world.deps.now(),
  });
  if (claim === null) throw new Error("nothing was ready");
  const keeper = keptLease(world.deps, claim.lease);
  expect(await startKept(world.deps, keeper)).toEqual({ type: "next" });
}

/** Brings a session of one asked goal and one other into a state; its id, null where there is none. */
async function bring(state: State): Promise<string | null> {
  if (state === "none") return null;
  if (state === "campaign") return await bringCampaign();
  await add("asked", "--tag", "ui");
  await add("works");
  if (state === "night") return valueOf<{ sessions: string[] }>(await world.command("night")).sessions[0] ?? null;
  const { sessionId } = valueOf<{ sessionId: string }>(await world.command("autopilot", "start"));
  if (state === "working" || state === "stopping" || state === "paused at work") await work();
  if (state === "stopping") valueOf(await world.command("autopilot", "stop"));
  if (state === "paused" || state === "paused at work") valueOf(await world.command("autopilot", "pause"));
  if (state === "ended") valueOf(await world.command("autopilot", "stop", "--now"));
  return sessionId;
}

async function bringCampaign(): Promise<string | null> {
  const plan = '# Work\n\n## All\n### Day 1\n- asked\n  - run: "true"\n  - tag: ui\n- works\n  - run: "true"\n';
  valueOf(await world.command("campaign", "start", await campaignIn(world).create(plan)));
  return (await listOpenSessions(world.deps.database.db))[0]?.sessionId ?? null;
}

const commands = ["stop", "stop --now", "pause", "resume", "start"] as const;
type Expected = readonly [said: string, stands: string];

const noSession = "no: no session is open > cos autopilot start";
const nothingRan = "Stopped now by ana |  Nothing was running. |  ";
const wasCut =
  "Stopped now by ana |  This goal was being worked and was cut; what was not recorded is kept as an attempt. |  - works · go on with cos goal resume goal |  ";
const allWait = "session has ended: 1 question withdrawn, 2 goals wait for the next session";
const oneParked = "session has ended: 1 question withdrawn, 1 goal waits for the next session, 1 goal parked";
const nothingToStart = "session is open already, and no other goal is pending > cos autopilot status";
const ofNight = "; the night ends with its last session: cos night status";
const ofCampaign = "; its campaign's day is stopped with it: cos campaign run camp";

/** What is said, and how the session stands afterwards. */
const table: Readonly<Record<State, Readonly<Record<(typeof commands)[number], Expected>>>> = {
  none: {
    stop: [noSession, "none"],
    "stop --now": [noSession, "none"],
    pause: [noSession, "none"],
    resume: [noSession, "none"],
    start: ["no: no goal is pending > cos goal add TEXT", "none"],
  },
  open: {
    stop: [allWait, "ended"],
    "stop --now": [nothingRan + allWait, "ended"],
    pause: ["session is paused", "paused"],
    resume: ["no: session is not paused > cos autopilot status", "running"],
    start: [`no: ${nothingToStart}`, "running"],
  },
  working: {
    stop: ["session stops after goal", "running, stopping"],
    "stop --now": [wasCut + oneParked, "ended"],
    pause: ["session is paused; goal is interrupted and goes on later", "paused"],
    resume: ["no: session is not paused > cos autopilot status", "running"],
    start: [`no: ${nothingToStart}`, "running"],
  },
  paused: {
    stop: [allWait, "ended"],
    "stop --now": [nothingRan + allWait, "ended"],
    pause: ["no: session is paused already, by ana > cos autopilot resume --repo shop", "paused"],
    resume: ["session goes on; 1 question is open", "running"],
    start: [
      "no: session is open already and paused by ana, and no other goal is pending > cos autopilot resume --repo shop",
      "paused",
    ],
  },
  "paused at work": {
    stop: [oneParked, "ended"],
    "stop --now": [wasCut + oneParked, "ended"],
    pause: ["no: session is paused already, by ana > cos autopilot resume --repo shop", "paused"],
    resume: ["session goes on; 1 question is open", "running"],
    start: [
      "no: session is open already and paused by ana, and no other goal is pending > cos autopilot resume --repo shop",
      "paused",
    ],
  },
  stopping: {
    stop: ["no: session stops after goal already > cos autopilot stop --now --repo shop", "running, stopping"],
    "stop --now": [wasCut + oneParked, "ended"],
    pause: [
      "session is paused; goal is interrupted and goes on later; resumed, it does not stop any more",
      "paused, stopping",
    ],
    resume: ["session goes on and does not stop any more; 1 question is open", "running"],
    start: [`no: ${nothingToStart}`, "running, stopping"],
  },
  ended: {
    stop: [noSession, "ended"],
    "stop --now": [noSession, "ended"],
    pause: [noSession, "ended"],
    resume: [noSession, "ended"],
    start: ["Started 1 session |  session on shop: 2 goals, 1 question before you go: cos checkpoints", "ended"],
  },
  night: {
    stop: [allWait + ofNight, "ended"],
    "stop --now": [nothingRan + allWait + ofNight, "ended"],
    pause: ["session is paused", "paused"],
    resume: ["no: session is not paused > cos autopilot status", "running"],
    start: [`no: ${nothingToStart}`, "running"],
  },
  campaign: {
    stop: [allWait + ofCampaign, "ended"],
    "stop --now": [nothingRan + allWait + ofCampaign, "ended"],
    pause: ["session is paused", "paused"],
    resume: ["no: session is not paused > cos autopilot status", "running"],
    start: [`no: ${nothingToStart}`, "running"],
  },
};

describe.each(states)("a session that is: %s", (state) => {
  it.each(commands)("autopilot %s [F-115]", async (words) => {
    const sessionId = await bring(state);

    const result = await world.command("autopilot", ...words.split(" "));

    const session = sessionId === null ? null : await getSession(world.deps.database.db, sessionId);
    const isStopping = session?.stopping === true && session.status !== "ended";
    const stands = session === null ? "none" : `${session.status}${isStopping ? ", stopping" : ""}`;
    expect([wordsOf(result), stands]).toEqual(table[state][words]);
  });
});

describe("autopilot start on a session that is open", () => {
  /** An open session, and a goal that is not in it: it was parked, and is pending again. */
  async function withOneLeft(): Promise<{ sessionId: string; goalId: string }> {
    const goalId = await add("left");
    await add("asked", "--tag", "ui");
    const asked = valueOf<{ goalId: string }[]>(await world.command("goals")).filter((each) => each.goalId !== goalId);
    const { sessionId } = valueOf<{ sessionId: string }>(
      await world.command("autopilot", "start", "--goal", asked[0]?.goalId ?? "", "--budget", "7"),
    );
    return { sessionId, goalId };
  }

  it("joins it, and says that it did and did not start one [F-115, F-117]", async () => {
    const { sessionId, goalId } = await withOneLeft();

    const result = await world.command("autopilot", "start");

    expect(wordsOf(result)).toBe(
      "Joined session, which is open |  session on shop: goal at position 2 of 2; no questions before you go",
    );
    expect(result).toMatchObject({ value: { sessionId, joined: true, goals: 1, places: [{ goalId, position: 2 }] } });
    const again = await world.command("autopilot", "start", "--goal", goalId);
    expect(wordsOf(again)).toBe(
      "Nothing to add: it is in the session already |  session on shop: goal is in it already, at position 2",
    );
  });

  it.each([
    [["--budget", "20"], "with $7.00: --budget is for a new session", " --repo shop"],
    [["--in-order"], "not in order: --in-order is for a new session", " --repo shop"],
    [["--on-limit", "pause"], "with wait: --on-limit is for a new session", " --repo shop"],
    [
      ["--budget", "20", "--in-order"],
      "with $7.00, not in order: --budget and --in-order are for a new session",
      " --repo shop",
    ],
    [["--budget", "20", "--goal"], "with $7.00: --budget is for a new session", " --goal goal"],
  ] as const)("refuses %j, with the command that goes on [F-115]", async (words, why, named) => {
    const { sessionId, goalId } = await withOneLeft();
    const given = words.at(-1) === "--goal" ? [...words, goalId] : words;

    const result = await world.command("autopilot", "start", ...given);

    expect(wordsOf(result)).toBe(`no: session is open already on shop ${why} > cos autopilot start${named}`);
    expect(await getSession(world.deps.database.db, sessionId)).toMatchObject({
      budgetMicroUsd: 7_000_000,
      inOrder: false,
    });
    expect(valueOf(await world.command("goal", "show", goalId))).toMatchObject({ sessionId: null });
  });

  it("takes options that it has anyway [F-115]", async () => {
    await withOneLeft();
    expect(wordsOf(await world.command("autopilot", "start", "--budget", "7", "--on-limit", "wait"))).toMatch(
      /^Joined/,
    );
  });

  it("takes nothing while it stops, and nothing but what is named while it is a night [F-115, F-117]", async () => {
    const { sessionId, goalId } = await withOneLeft();
    await world.deps.database.pool.query("update cos.sessions set stopping = true");
    expect(wordsOf(await world.command("autopilot", "start"))).toBe(
      "no: session is open already on shop and stops after its current goal > cos autopilot resume --repo shop",
    );
    await world.deps.database.pool.query("update cos.sessions set stopping = false, kind = 'night'");
    expect(await world.command("autopilot", "start")).toMatchObject({
      reason: `${sessionId} is open already on shop: it is a night's contract, which works its own plan and takes others by name only`,
      next: `cos autopilot start --goal ${goalId}`,
    });
    expect(wordsOf(await world.command("autopilot", "start", "--goal", goalId))).toMatch(/^Joined/);
  });

  it("says of each repository what became of it [F-115]", async () => {
    await withOneLeft();
    const other = await world.repository();
    await world.deps.database.pool.query("update cos.repositories set name = 'blog' where path = $1", [other]);
    await add("elsewhere", "--repo", "blog");

    expect(wordsOf(await world.command("autopilot", "start", "--budget", "20"))).toBe(
      "Started 1 session |  session on blog: 1 goal, no questions before you go |  session is open already on shop with $7.00: --budget is for a new session: cos autopilot start --repo shop",
    );
  });
});

it("of several sessions somebody says which are stopped: none is stopped by one word [F-411]", async () => {
  const paths = [await world.repository(), await world.repository()];
  for (const [index, path] of paths.entries()) {
    const name = `other${index}`;
    await world.deps.database.pool.query("update cos.repositories set name = $2 where path = $1", [path, name]);
    await add("works", "--repo", name);
    valueOf(await world.command("autopilot", "start", "--repo", name));
  }

  for (const now of [[], ["--now"]])
    expect(wordsOf(await world.command("autopilot", "stop", ...now))).toBe(
      `no: 2 sessions are open, in other0, other1: one of them with --repo other0, all of them with --all > ${["cos autopilot stop", ...now].join(" ")} --all`,
    );
  expect((await listOpenSessions(world.deps.database.db)).length).toBe(2);
  valueOf(await world.command("autopilot", "stop", "--now", "--repo", "other0"));
  expect((await listOpenSessions(world.deps.database.db)).length).toBe(1);
  valueOf(await world.command("autopilot", "start", "--repo", "other0"));
  valueOf(await world.command("autopilot", "stop", "--now", "--all"));
  expect(await listOpenSessions(world.deps.database.db)).toEqual([]);
});

it("help is one look long: five commands first, every other one by its group [F-411]", async () => {
  const told = await world.command("help");
  const lines = wordsOf(told).split(" |");
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines.slice(1, 6).map((line) => /cos (\S+)/.exec(line)?.[1])).toEqual([
    "goal",
    "autopilot",
    "checkpoints",
    "approve",
    "standup",
  ]);
  const words = new Set(lines.join(" ").split(/[^a-z-]+/));
  const missing = valueOf<{ name: string }[]>(told).filter(
    ({ name }) => !name.split(" ").every((word) => words.has(word)),
  );
  expect(missing).toEqual([]);
});
