import { confirmationCard, linesCard } from "../core/cards/lists.ts";
import { questionsWords } from "../core/cards/session-words.ts";
import { allowable, type Allowable, allowedTriggers } from "../core/nights/night.ts";
import { formatUsd, toUsd } from "../core/money.ts";
import { nextTimeOfDay } from "../core/schedules/schedule.ts";
import { localTime } from "../core/time.ts";
import { count } from "../core/text.ts";
import { pendingOfNight } from "../db/night-questions.ts";
import { withFreshId } from "../db/connection/client.ts";
import { insertNight, lastNight, lockNight, lockNights, openNight } from "../db/nights.ts";
import { lockRepository } from "../db/repositories.ts";
import { findOpenSession } from "../db/sessions.ts";
import { nightCost } from "../db/totals.ts";
import { appendTimeline } from "../db/timeline.ts";
import { mark } from "../db/connection/marks.ts";
import type { Deps } from "../deps.ts";
import { pinBase } from "../turns/shared/base.ts";
import { endNight } from "../turns/nights/night.ts";
import { openSession } from "../turns/goal/sessions.ts";
import { nothingToTake, planSessions, type SessionPlan } from "./plan-sessions.ts";
import { repoOption } from "./open-sessions.ts";
import { type Caller, command, type CommandResult, done, refused, UsageError } from "./command.ts";
import { anyId, reading, usd, type Values } from "./fields.ts";

const names = Object.keys(allowable) as Allowable[];

const contract = {
  budget: usd("for all of the night (default 15)").optional(),
  until: reading(
    { value: "HH:MM", description: "when it ends (default 07:00)" },
    "a time of day such as 07:00",
    minuteOfDay,
  ).optional(),
  goal: anyId("ID", "these goals, in this order (default: all pending)").array(),
  allow: reading(
    { value: "CLASS", description: `allowed without asking: ${names.join(", ")}` },
    `one of ${names.join(", ")}`,
    readAllowed,
  ).array(),
  repo: repoOption,
};

export const night = command({
  name: "night",
  chatName: "night start",
  summary:
    "A night contract: work the pending goals until a time, within a budget; what falls outside waits for the morning.",
  access: "change",
  options: contract,
  run: begin,
});

export const nightEnd = command({
  name: "night end",
  summary: "End the night now: what runs is interrupted and waits for your answer; the morning card comes.",
  access: "change",
  run: end,
});

export const nightStatus = command({
  name: "night status",
  summary: "The night under contract, or the last one, and what waits for a decision.",
  access: "read",
  run: status,
});

async function begin(deps: Deps, caller: Caller, wanted: Values<typeof contract>): Promise<CommandResult> {
  const budgetMicroUsd = wanted.budget ?? deps.policy.night.budgetMicroUsd;
  const untilAt = nextTimeOfDay(wanted.until ?? deps.policy.night.untilMinute, deps.now(), deps.config.timezone);
  if (untilAt === null) throw new UsageError("--until: that time never comes", "until");
  const allowed = wanted.allow.flat();
  const ofSeveral = allowed.find((word) => allowable[word].some((trigger) => deps.config.quorums[trigger]));
  if (ofSeveral !== undefined)
    return refused(
      `several people have to agree to ${ofSeveral} (COS_QUORUM): no contract of one can allow it`,
      "leave that --allow out: cos night start --help",
    );
  const { db } = deps.database;
  const zone = deps.config.timezone;
  const open = await openNight(db);
  if (open !== null)
    return refused(
      `a night is under contract until ${localTime(open.untilAt, zone)} (${open.nightId})`,
      "cos night end",
    );
  const planned = await planSessions(deps, wanted);
  if (planned.type === "refused") return planned;
  if (planned.type === "nothing") return nothingToTake(planned);
  const prepared = [];
  for (const plan of planned.plans) {
    const busy = await findOpenSession(db, plan.repository.repositoryId);
    if (busy !== null)
      return refused(
        `a session is already open on ${plan.repository.name} (${busy.sessionId})`,
        `cos autopilot stop --repo ${plan.repository.name}`,
      );
    const base = await pinBase(deps, plan.repository.repositoryId);
    if (base.type === "failed") return refused(base.reason, "cos doctor");
    prepared.push({ plan, baseCommit: base.commit });
  }
  const made = await openContract(deps, caller, { budgetMicroUsd, untilAt, allowed, prepared });
  if (made === null) return refused("a night or a session began just now", "cos night status");
  const value = { ...made, budgetUsd: toUsd(budgetMicroUsd), untilAt, allowed };
  const lines = [
    `${count(made.goals, "goal")}, up to ${formatUsd(budgetMicroUsd)}, until ${localTime(untilAt, zone)}`,
    `Allowed without asking: ${allowed.length === 0 ? "nothing" : allowed.join(", ")}`,
    questionsWords(made.questions),
  ];
  return done(value, confirmationCard(`Good night: ${made.nightId}`, lines));
}

interface Contract {
  readonly budgetMicroUsd: number;
  readonly untilAt: Date;
  readonly allowed: readonly Allowable[];
  readonly prepared: readonly { readonly plan: SessionPlan; readonly baseCommit: string }[];
}

/** Opens the night and its sessions. Null when somebody else opened a night, or a session on one of the repositories, in the meantime. */
async function openContract(deps: Deps, caller: Caller, contract: Contract) {
  const { budgetMicroUsd, untilAt, prepared } = contract;
  const { actor, via } = caller;
  const now = deps.now();
  return await deps.database.transaction(async (tx) => {
    await lockNights(tx);
    if ((await openNight(tx)) !== null) return null;
    for (const { plan } of prepared) {
      await lockRepository(tx, plan.repository.repositoryId);
      if ((await findOpenSession(tx, plan.repository.repositoryId)) !== null) return null;
    }
    const goalIds = prepared.flatMap(({ plan }) => plan.goals.map((goal) => goal.goalId));
    const nightId = await withFreshId(
      () => deps.newId("night"),
      (id) =>
        insertNight(tx, {
          nightId: id,
          budgetMicroUsd,
          untilAt,
          allowed: allowedTriggers(contract.allowed),
          goalIds,
          startedBy: actor,
          startedAt: now,
        }),
    );
    let questions = 0;
    const sessions: string[] = [];
    for (const { plan, baseCommit } of prepared) {
      const opened = await openSession(tx, deps, {
        repositoryId: plan.repository.repositoryId,
        kind: "night",
        goalIds: plan.goals.map((goal) => goal.goalId),
        budgetMicroUsd,
        onLimit: "wait",
        inOrder: false,
        baseCommit,
        startedBy: actor,
        via,
        nightId,
      });
      questions += opened.questions;
      sessions.push(opened.sessionId);
    }
    await appendTimeline(tx, { event: "night.began", actor, via, at: now, detail: { nightId, goals: goalIds } });
    mark(tx, "evening", nightId);
    return { nightId, sessions, goals: goalIds.length, questions };
  });
}

/** Parses `07:00` to the minute of the day. */
function minuteOfDay(word: string): number | null {
  const found = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(word.trim());
  return found === null ? null : Number(found[1]) * 60 + Number(found[2]);
}

/** Parses `ux`, or several: `ux,cost`. */
function readAllowed(word: string): Allowable[] | null {
  const read = word.split(",").map((each) => names.find((known) => known === each.trim().toLowerCase()));
  return read.some((each) => each === undefined) ? null : read.flatMap((each) => each ?? []);
}

async function end(deps: Deps, caller: Caller): Promise<CommandResult> {
  const ended = await deps.database.transaction(async (tx) => {
    const open = await openNight(tx);
    const locked = open === null ? null : await lockNight(tx, open.nightId);
    if (locked === null || locked.endedAt !== null) return null;
    await endNight(tx, deps, locked, `Ended by ${caller.actor}.`);
    return locked.nightId;
  });
  if (ended === null) return refused("no night is under contract", "cos night");
  return done({ nightId: ended }, confirmationCard(`${ended} is over: cos night status`));
}

async function status(deps: Deps): Promise<CommandResult> {
  const { db } = deps.database;
  const found = (await openNight(db)) ?? (await lastNight(db));
  if (found === null) return done(null, linesCard("No night yet", [[{ command: "night" }, " begins one."]]));
  const total = await nightCost(db, found);
  const pending = await pendingOfNight(db, found.nightId);
  const value = {
    ...found,
    budgetUsd: toUsd(found.budgetMicroUsd),
    spentUsd: toUsd(total.spentMicroUsd),
    decisions: pending.map(({ checkpointId, context, recommendation }) => ({ checkpointId, context, recommendation })),
  };
  const state = found.endedAt === null ? "under way" : `over: ${found.endReason ?? ""}`;
  return done(
    value,
    linesCard(`Night ${found.nightId}, ${state}`, [
      [
        `${count(found.goalIds.length, "goal")}, ${formatUsd(total.spentMicroUsd)} of ${formatUsd(found.budgetMicroUsd)}, until `,
        { at: found.untilAt.toISOString() },
      ],
      ...pending.map((each) => [{ code: each.checkpointId }, ` ${each.context}`]),
    ]),
  );
}
