import { confirmationCard, linesCard } from "../core/cards/lists.ts";
import type { Span } from "../core/cards/card.ts";
import { scheduleWords } from "../core/cards/schedule-words.ts";
import { cronProblem, hasSeveralTimes, nextRunOf, onWorkingDays } from "../core/schedules/schedule.ts";
import { meantWords } from "../core/text/nearest.ts";
import { localDate } from "../core/time.ts";
import { lastRunFor, updateSchedule } from "../db/schedules.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { ensureSchedules } from "../facts/ensure-schedules.ts";
import { type Caller, command, type CommandResult, done, misused, refused, UsageError } from "./command.ts";
import { choice, flag, name, freeText, type Values } from "./fields.ts";

export const schedules = command({
  name: "schedules",
  chatName: "schedule list",
  summary: "What happens by itself (reports, days of campaigns), and when it comes next.",
  access: "read",
  run: showSchedules,
});

const setting = {
  cron: freeText(
    "CRON",
    'five fields in COS_TIMEZONE, such as "30 8 * * 1-5"; D as the last one: on working days (COS_WORKING_DAYS)',
  ).optional(),
  onMissing: choice(
    "X",
    ["once", "skip"],
    "once: make up for the newest missed one (default); skip: let it be",
  ).optional(),
  on: flag("let it happen"),
  off: flag("do not let it happen"),
};

export const scheduleSet = command({
  name: "schedule set",
  summary: "Change when something happens by itself, or turn it off and on.",
  access: "change",
  positionals: { name: name("", "standup, weekly or campaigns") },
  options: setting,
  run: setSchedule,
});

async function showSchedules(deps: Deps): Promise<CommandResult> {
  const { db } = deps.database;
  const value = [];
  const lines: Span[][] = [];
  for (const schedule of await ensureSchedules(db, deps)) {
    const { timezone: zone } = deps.config;
    const lastFor = await lastRunFor(db, schedule.name, localDate(deps.now(), zone));
    const next = schedule.isOn ? nextRunOf(schedule, deps.now(), zone, lastFor) : null;
    const { name, cron, onMissing, isOn } = schedule;
    value.push({ name, cron, zone: deps.config.timezone, onMissing, isOn, lastFor, nextAt: next });
    const when: Span[] = next === null ? ["is off"] : ["next ", { at: next.toISOString() }];
    lines.push([
      { strong: name },
      ` ${cron} (${deps.config.timezone}), `,
      ...when,
      lastFor === null ? "" : `, last for ${lastFor}`,
    ]);
  }
  return done(value, linesCard("What happens by itself", lines));
}

async function setSchedule(
  deps: Deps,
  caller: Caller,
  { name: wanted, cron, onMissing, on, off }: Values<typeof setting> & { readonly name: string },
): Promise<CommandResult> {
  const known = await ensureSchedules(deps.database.db, deps);
  const found = known.find((each) => each.name === wanted);
  if (found === undefined) {
    const names = known.map((each) => each.name);
    return refused(
      `no schedule is called ${JSON.stringify(wanted)}; there are ${names.join(", ")}${meantWords(wanted, names)}`,
      "cos schedules",
    );
  }
  const times = cron === undefined ? null : onWorkingDays(cron.trim(), deps.config.workingDays);
  const problem = times === null ? null : cronProblem(times);
  if (problem !== null) throw new UsageError(`--cron: found ${JSON.stringify(cron)}: ${problem}`, "cron");
  if (on && off) throw new UsageError("--on and --off cannot be combined", "on");
  const changes = {
    ...(cron === undefined ? {} : { cron: cron.trim() }),
    ...(onMissing === undefined ? {} : { onMissing }),
    ...(on ? { isOn: true } : {}),
    ...(off ? { isOn: false } : {}),
  };
  if (Object.keys(changes).length === 0) return misused("nothing to change was given", "schedule set");
  const now = deps.now();
  await deps.database.transaction(async (tx) => {
    // The new times are valid from now on: no earlier run is made up for.
    await updateSchedule(tx, found.name, { ...changes, createdAt: now });
    const { actor, via } = caller;
    await appendTimeline(tx, { event: "schedule.set", actor, via, at: now, detail: { name: found.name, ...changes } });
  });
  const isOften = times !== null && hasSeveralTimes(times);
  return done(
    { name: found.name, ...changes },
    confirmationCard(
      `${found.name}: ${scheduleWords(changes)}`,
      isOften ? ["It comes once for each date: only the first of its times counts"] : [],
    ),
  );
}
