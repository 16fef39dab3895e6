import { afterAll, beforeAll, expect, it } from "vitest";
import { standupCard } from "../../src/core/cards/standup-card.ts";
import { terminalLines } from "../../src/core/cards/terminal.ts";
import { type GoalStatus, goalStatuses } from "../../src/core/goals/goal.ts";
import type { FinishedBranch } from "../../src/core/reports/branches.ts";
import { recommend } from "../../src/core/reports/recommendation.ts";
import type { StandupFacts } from "../../src/core/reports/standup-facts.ts";
import type { Db } from "../../src/db/connection/client.ts";
import * as tables from "../../src/db/schema/index.ts";
import type { GitFacts } from "../../src/facts/git-state.ts";
import { gatherStandup } from "../../src/turns/reports/standup.ts";
import { type TestWorld, testWorld } from "../fakes/deps.ts";

/** Worlds of rows as they may be, however they came to be so; the same ones in every run. */

const hour = 3_600_000;
const day = 24 * hour;

let world: TestWorld;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(() => world.close());

/** What is chosen for a goal. */
interface Chosen {
  readonly goalId: string;
  readonly status: GoalStatus;
  /** Hours ago; its newest end when it has one. */
  readonly ended: number;
  readonly isLeased: boolean;
  readonly question: "none" | "own" | "of its session";
  readonly session: "none" | "running" | "paused" | "ended";
  readonly campaign: "none" | "open" | "over";
  readonly branch: "none" | "not-merged" | "merged" | "merged-by-hand" | "merging" | "queued";
  /** It is on top of the goal before it. */
  readonly isOnTop: boolean;
}

/** Where it must stand, in the standup's own words; null: nowhere. */
function expected({ status, ended, isLeased, question, session, campaign, branch }: Chosen): string | null {
  const isNew = ended < 24;
  switch (status) {
    case "complete":
      if (isNew) return "done";
      if (branch === "merging" || branch === "queued") return "working";
      return branch === "not-merged" ? "unmerged" : null;
    case "failed":
    case "deferred":
      return isNew ? status : null;
    case "manual_followup":
      return ended < 30 * 24 ? "manual" : null;
    case "blocked":
      if (question !== "none") return "waiting";
      return isLeased ? "working" : "parked";
    case "pending":
    case "in_progress":
      if (question === "own") return "waiting";
      if (isLeased) return "working";
      if (session === "running" || session === "paused") return status === "pending" ? "planned" : "working";
      return campaign === "open" ? "campaigns" : "planned";
  }
}

/** Every goal that a standup names, with the part that names it. */
function named(facts: StandupFacts): [string, string][] {
  const of = (part: string, lines: readonly { goalId: string | null }[]): [string, string][] =>
    lines.flatMap(({ goalId }): [string, string][] => (goalId === null ? [] : [[goalId, part]]));
  return [
    ...of("done", facts.done),
    ...of("failed", facts.failed),
    ...of("deferred", facts.deferred),
    ...of("waiting", facts.questions),
    ...of("parked", facts.parked),
    ...of("manual", facts.manual),
    ...of("unmerged", facts.unmerged),
    ...of("working", facts.working),
    ...of("planned", facts.planned),
    ...facts.campaigns.flatMap((campaign) => of("campaigns", campaign.goals)),
  ];
}

const inOrder = (lines: readonly [string, string][]): [string, string][] =>
  lines.toSorted(([one], [other]) => one.localeCompare(other));

/** The same numbers from 0 to 1 in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function choose(random: () => number, goalId: string): Chosen {
  const pick = <Item>(...items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  const status = pick(...goalStatuses);
  const isOpen = status === "blocked" || status === "pending" || status === "in_progress";
  return {
    goalId,
    status,
    ended: pick(1, 20, 30, 24 * 10, 24 * 40),
    isLeased: isOpen && random() < 0.2,
    // A session stops at one goal, which is blocked; a question about what has ended is withdrawn.
    question: isOpen ? pick("none", "none", "own", status === "blocked" ? "of its session" : "none") : "none",
    session: pick("none", "running", "paused", "ended"),
    campaign: pick("none", "none", "open", "over"),
    branch:
      status === "complete"
        ? pick("none", "not-merged", "not-merged", "merged", "merged-by-hand", "merging", "queued")
        : "none",
    isOnTop: random() < 0.4,
  };
}

async function fill(chosen: readonly Chosen[]): Promise<void> {
  const { db } = world.deps.database;
  const now = world.deps.now();
  const ago = (hours: number): Date => new Date(now.getTime() - hours * hour);
  await world.deps.database.pool.query(
    "truncate cos.goals, cos.runs, cos.sessions, cos.campaigns, cos.timeline, cos.checkpoints, cos.repositories, cos.merges, cos.merge_queues cascade",
  );
  const places = ["running", "paused", "ended"] as const;
  for (const name of ["free", ...places])
    await db.insert(tables.repositories).values({
      repositoryId: name,
      name,
      location: `/nowhere/${name}`,
      baseBranch: "main",
      setup: null,
      checks: [],
      createdAt: now,
    });
  for (const name of places)
    await db.insert(tables.sessions).values({
      sessionId: `session-${name}`,
      repositoryId: name,
      status: name,
      budgetMicroUsd: 1_000_000,
      pausedBy: name === "paused" ? "@ana" : null,
      startedBy: "ana",
      startedAt: now,
      endedAt: name === "ended" ? now : null,
    });
  for (const state of ["active", "failed"] as const)
    await db.insert(tables.campaigns).values({
      campaignId: state === "active" ? "open" : "over",
      repositoryId: "free",
      name: `Campaign ${state}`,
      goal: "g",
      state,
      startedAt: ago(100),
      endedAt: state === "failed" ? ago(90) : null,
      totalBudgetMicroUsd: 1,
      dailyBudgetMicroUsd: 1,
      planNotes: [],
      plannedBy: "rules",
      createdBy: "ana",
      createdAt: ago(100),
      updatedAt: ago(100),
    });
  await db.insert(tables.mergeQueues).values({
    queueId: "mq",
    repositoryId: "free",
    into: "main",
    requestedBy: "ana",
    startedAt: now,
  });
  for (const [index, each] of chosen.entries())
    await insert(each, { ago, after: each.isOnTop ? (chosen[index - 1]?.goalId ?? null) : null });
}

interface Placed {
  readonly ago: (hours: number) => Date;
  /** The goal that it is on top of. */
  readonly after: string | null;
}

async function insert(chosen: Chosen, { ago, after }: Placed): Promise<void> {
  await world.deps.database.transaction((tx) => insertIn(tx, chosen, { ago, after }));
}

async function insertIn(db: Db, chosen: Chosen, { ago, after }: Placed): Promise<void> {
  const { goalId, status, ended, isLeased, question, session, campaign, branch } = chosen;
  const isEnded = expectedEnds.has(status);
  const isBegun = status === "in_progress";
  await db.insert(tables.goals).values({
    goalId,
    repositoryId: session === "none" ? "free" : session,
    sessionId: session === "none" ? null : `session-${session}`,
    campaignId: campaign === "none" ? null : campaign,
    content: `Work of ${goalId}.`,
    tags: [],
    priority: "medium",
    linkage: { kind: "none" },
    filesAllowed: [],
    proofAllowed: [],
    instructions: [],
    isUnplanned: false,
    status,
    blockedOn: status !== "blocked" ? null : question === "own" ? "question" : "person",
    phase: isBegun ? "implement" : "start",
    turn: 1,
    leasedBy: isLeased ? "here/1/1" : null,
    // By the database's clock, which is not set by hand.
    leasedUntil: isLeased ? new Date("2999-01-01T00:00:00Z") : null,
    runId: branch === "none" && !isBegun ? null : `run-${goalId}`,
    after: after === null ? [] : [after],
    branch: branch === "none" ? null : `cos/${goalId}`,
    outcome: `outcome of ${goalId.slice(5)}`,
    createdBy: "ana",
    createdAt: ago(2000),
    // Ends are told by the timeline; what was left to a person is touched by nothing else.
    updatedAt: status === "manual_followup" ? ago(ended) : ago(0),
  });
  const events = [
    // It ended otherwise before, and was worked again.
    { event: "goal.failed", at: ago(ended + 1) },
    ...(isEnded ? [{ event: `goal.${status}`, at: ago(ended) }] : [{ event: "goal.resumed", at: ago(ended + 0.5) }]),
  ];
  await db.insert(tables.timeline).values(events.map((each) => ({ ...each, goalId, detail: {} })));
  if (question !== "none") await ask(db, chosen, ago(ended));
  if (branch !== "none") await finish(db, chosen, ago);
  if (isBegun) {
    const run = { runId: `run-${goalId}`, goalId, contentHash: "h", settled: [], startedAt: ago(ended) };
    await db.insert(tables.runs).values({ ...run, status: "open" });
  }
}

/** Its run, and what was decided about its branch. */
async function finish(db: Db, { goalId, ended, branch }: Chosen, ago: Placed["ago"]): Promise<void> {
  const [headCommit, at] = [`commit-${goalId}`, ago(ended)];
  const run = { runId: `run-${goalId}`, goalId, status: "ended" as const, contentHash: "h", settled: [], headCommit };
  await db.insert(tables.runs).values({ ...run, startedAt: at, endedAt: at });
  if (branch === "queued")
    await db.insert(tables.queuedMerges).values({ queueId: "mq", goalId, position: 1, state: "waits" });
  if (branch === "merging" || branch === "merged")
    await db.insert(tables.merges).values({
      goalId,
      status: branch === "merging" ? "due" : "merged",
      into: "main",
      headCommit,
      requestedBy: "ana",
      requestedAt: at,
      dueAt: at,
      settledAt: branch === "merging" ? null : at,
    });
}

const expectedEnds = new Set<GoalStatus>(["complete", "failed", "deferred", "manual_followup"]);

async function ask(db: Db, { goalId, question }: Chosen, at: Date): Promise<void> {
  await db.insert(tables.checkpoints).values({
    checkpointId: `cp-${goalId}`,
    kind: question === "own" ? "diff" : "breaker",
    subject: question === "own" ? goalId : `session-of-${goalId}`,
    goalId,
    trigger: "hiccup",
    reasons: [],
    context: "The finished work changed files that others depend on",
    options: [],
    recommendation: "",
    facts: {
      costMicroUsd: 0,
      costIsEstimated: false,
      estimateMicroUsd: null,
      spentTodayMicroUsd: 0,
      goalsWaiting: 0,
      details: [],
      fingerprint: null,
    },
    contentHash: "h",
    status: "pending",
    createdAt: at,
    askedAt: at,
    expiresAt: new Date(at.getTime() + 100 * day),
  });
}

/** What git says of them: by this alone a standup knows of branches. */
function gitOf(chosen: readonly Chosen[]): GitFacts {
  const branches = chosen.flatMap(({ goalId, branch, ended }): GitFacts["branches"] => {
    if (branch === "none") return [];
    const finished: FinishedBranch = {
      goalId,
      content: `Work of ${goalId}.`,
      branch: `cos/${goalId}`,
      headCommit: "a",
      baseCommit: "b",
      endedAt: new Date(world.deps.now().getTime() - ended * hour),
      merge: null,
    };
    // A merge queue is ours: git says of its branches that they are not merged.
    const state =
      branch === "not-merged" || branch === "queued"
        ? ({ type: "not-merged", sinceMs: ended * hour } as const)
        : branch === "merged" || branch === "merging"
          ? ({ type: branch } as const)
          : ({ type: branch, held: "commit", commit: "m" } as const);
    return [{ branch: finished, state }];
  });
  const place = {
    name: "free",
    path: "/nowhere/free",
    url: null,
    baseBranch: "main",
    mirrorDir: "/m",
    machine: "here",
  };
  const news = branches.flatMap(({ branch, state }) =>
    state.type === "merged-by-hand" && branch.endedAt.getTime() % 2 === 0
      ? [{ ...branch, isBranchThere: true, repository: place, news: state }]
      : [],
  );
  return { branches, news, troubles: [] };
}

it("every goal that changed or is open stands in exactly one part, and no other goal does [F-121]", async () => {
  const random = numbers(12);
  const since = new Date(world.deps.now().getTime() - day);
  const met = new Set<string>();
  for (let index = 0; index < 25; index += 1) {
    const chosen = Array.from({ length: 40 }, (_, number) => choose(random, `goal-${index}x${number}`));
    await fill(chosen);
    const facts = await gatherStandup(world.deps.database.db, world.deps, {
      date: "2026-01-26",
      since,
      git: gitOf(chosen),
    });

    const wanted = chosen.flatMap((goal): [string, string][] => {
      const part = expected(goal);
      return part === null ? [] : [[goal.goalId, part]];
    });
    expect(inOrder(named(facts))).toEqual(inOrder(wanted));
    for (const [, part] of wanted) met.add(part);
  }
  expect([...met].toSorted()).toEqual([
    "campaigns",
    "deferred",
    "done",
    "failed",
    "manual",
    "parked",
    "planned",
    "unmerged",
    "waiting",
    "working",
  ]);
});

it("its card names each of them once, and its first line is true [F-121]", async () => {
  const random = numbers(7);
  const since = new Date(world.deps.now().getTime() - day);
  for (let index = 0; index < 40; index += 1) {
    const chosen = Array.from({ length: Math.floor(random() * 5) }, (_, number) =>
      choose(random, `goal-${index}x${number}`),
    );
    await fill(chosen);
    const facts = await gatherStandup(world.deps.database.db, world.deps, {
      date: "2026-01-26",
      since,
      git: gitOf(chosen),
    });
    // Its buttons name goals again.
    const [, first = "", ...lines] = terminalLines({ ...standupCard(facts), actions: [] }, "UTC");

    const isInGit = new Set(facts.news.map((each) => each.goalId));
    for (const goal of chosen) {
      const times = lines.filter((line) => line.includes(`Work of ${goal.goalId}.`)).length;
      expect([goal, times]).toEqual([goal, expected(goal) !== null || isInGit.has(goal.goalId) ? 1 : 0]);
    }
    const needsSomebody = chosen.filter((goal) => {
      const part = expected(goal);
      const isOpen = part === "unmerged" || part === "waiting" || part === "parked" || part === "manual";
      const isOld = (goal.status === "complete" && goal.branch === "not-merged") || goal.status === "manual_followup";
      return isOpen || isOld || part === "failed" || (part === "done" && goal.branch === "not-merged");
    });
    const says = recommend(facts).type;
    // Nothing is offered for a merge before what it is on top of, nor while somebody else merges it.
    const below = new Map(chosen.map((goal, at) => [goal.goalId, goal.isOnTop ? chosen[at - 1] : undefined]));
    const isOpen = (branch: Chosen["branch"]): boolean => ["not-merged", "merging", "queued"].includes(branch);
    for (const line of [first, ...lines]) {
      const offered = /cos goal merge (goal-\w+)/.exec(line)?.[1] ?? "";
      const under = below.get(offered);
      if (offered === "" || line.includes("this records it")) continue;
      expect([line, chosen.find((goal) => goal.goalId === offered)?.branch]).toEqual([line, "not-merged"]);
      expect([line, under !== undefined && isOpen(under.branch)]).toEqual([line, false]);
    }
    if (needsSomebody.some((goal) => expected(goal) !== null)) expect([says, chosen]).not.toEqual(["add", chosen]);
    if (first.includes("nothing is left to do") || first.includes("Nothing needs you"))
      expect(needsSomebody.filter((goal) => expected(goal) !== null)).toEqual([]);
    if (first.includes("nothing is left to do")) expect([...facts.working, ...facts.planned]).toEqual([]);
  }
});
