import { confirmationCard, linesCard } from "../core/cards/lists.ts";
import { questionsWords } from "../core/cards/session-words.ts";
import { allowable, type Allowable, allowedTriggers } from "../core/nights/night.ts";
import { dollars, formatUsd, toUsd } from "../core/money.ts";
import { nextTimeOfDay } from "../core/schedules/schedule.ts";
import { localTime } from "../core/time.ts";
import { count } from "../core/text.ts";
import { pendingOfNight } from "../db/checkpoints.ts";
import { withFreshId } from "../db/connection/client.ts";
import { insertNight, lastNight, lockNight, lockNights, openNight } from "../db/nights.ts";
import { lockRepository } from "../db/repositories.ts";
import { findOpenSession } from "../db/sessions.ts";
import { nightTotal } from "../db/spend.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { pinBase } from "../turns/shared/base.ts";
import { endNight } from "../turns/nights/night.ts";
import { sayEvening } from "../projection/say-night.ts";
import { openSession } from "../turns/goal/sessions.ts";
import { nothingToTake, planSessions, type SessionPlan } from "./plan-sessions.ts";
import {
  type Caller,
  type Command,
  type CommandResult,
  done,
  type Given,
  numberOption,
  option,
  options,
  refused,
  UsageError,
} from "./command.ts";
import { repoOption } from "./open-sessions.ts";

const names = Object.keys(allowable) as Allowable[];

export const night: Command = {
  name: "night",
  summary:
    "A night contract: work the pending goals until a time, within a budget; what falls outside waits for the morning.",
  access: "change",
  positionals: [],
  options: {
    budget: { value: "USD", description: "for all of the night (default 15)" },
    until: { value: "HH:MM", description: "when it ends (default 07:00)" },
    goal: { value: "ID", multiple: true, description: "these goals, in this order (default: all pending)" },
    allow: { value: "CLASS", multiple: true, description: `allowed without asking: ${names.join(", ")}` },
    repo: repoOption,
  },
  run: begin,
};

export const nightEnd: Command = {
  name: "night end",
  summary: "End the night now: what runs is cut and waits for a word; the morning card comes.",
  access: "change",
  positionals: [],
  options: {},
  run: end,
};

export const nightStatus: Command = {
  name: "night status",
  summary: "The night under contract, or the last one, and what waits for a decision.",
  access: "read",
  positionals: [],
  options: {},
  run: status,
};

async function begin(deps: Deps, caller: Caller, given: Given): Promise<CommandResult> {
  const budget = numberOption(given, "budget", 0.01, 1_000_000);
  const budgetMicroUsd = budget === null ? deps.policy.night.budgetMicroUsd : dollars(budget);
  const untilAt = readUntil(deps, option(given, "until"));
  const allowed = options(given, "allow")
    .flatMap((text) => text.split(","))
    .map(readAllowed);
  const { db } = deps.database;
  const zone = deps.config.timezone;
  const open = await openNight(db);
  if (open !== null)
    return refused(
      `a night is under contract until ${localTime(open.untilAt, zone)} (${open.nightId})`,
      "cos night end",
    );
  const planned = await planSessions(deps, given);
  if (planned.type === "refused") return planned;
  if (planned.type === "nothing") return nothingToTake(planned.open);
  const prepared = [];
  for (const plan of planned.plans) {
    const busy = await findOpenSession(db, plan.repository.repositoryId);
    if (busy !== null)
      return refused(`a session is already open on ${plan.repository.name} (${busy.sessionId})`, "cos autopilot stop");
    const base = await pinBase(deps, plan.repository.repositoryId);
    if (base.type === "failed") return refused(base.reason, "cos doctor");
    prepared.push({ plan, baseCommit: base.commit });
  }
  const made = await openContract(deps, caller, { budgetMicroUsd, untilAt, allowed, prepared });
  if (made === null) return refused("a night or a session began just now", "cos night status");
  await deps.ring("run-goal");
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

/** Null when somebody was faster: a night, or a session on one of the repositories. */
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
    await sayEvening(tx, deps, nightId);
    return { nightId, sessions, goals: goalIds.length, questions };
  });
}

/** `07:00`, the next time clocks show it. */
function readUntil(deps: Deps, text: string | null): Date {
  const found = text === null ? null : /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (text !== null && found === null)
    throw new UsageError(`--until: found ${JSON.stringify(text)}, expected a time of day such as 07:00`, "until");
  const minute = found === null ? deps.policy.night.untilMinute : Number(found[1]) * 60 + Number(found[2]);
  const at = nextTimeOfDay(minute, deps.now(), deps.config.timezone);
  if (at === null) throw new UsageError(`--until: ${text ?? ""} never comes`, "until");
  return at;
}

function readAllowed(text: string): Allowable {
  const found = names.find((name) => name === text.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`--allow: found ${JSON.stringify(text)}, expected ${names.join(", ")}`, "allow");
}

async function end(deps: Deps, caller: Caller, _given: Given): Promise<CommandResult> {
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
  if (found === null) return done(null, linesCard("No night yet", [["cos night begins one."]]));
  const total = await nightTotal(db, found.nightId);
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
