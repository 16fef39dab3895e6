import { confirmationCard, linesCard } from "../core/cards/lists.ts";
import type { Span } from "../core/cards/card.ts";
import { scheduleWords } from "../core/cards/schedule-words.ts";
import { cronProblem, nextRunOf } from "../core/schedules/schedule.ts";
import { lastRunFor, listSchedules, updateSchedule } from "../db/schedules.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { ensureSchedules } from "../facts/ensure-schedules.ts";
import {
  type Caller,
  choiceOption,
  type Command,
  type CommandResult,
  done,
  type Given,
  option,
  refused,
  UsageError,
  word,
} from "./command.ts";

export const schedules: Command = {
  name: "schedules",
  summary: "What happens by itself (reports, days of campaigns), and when it comes next.",
  access: "read",
  positionals: [],
  options: {},
  run: showSchedules,
};

export const scheduleSet: Command = {
  name: "schedule set",
  summary: "Change when something happens by itself, or turn it off and on.",
  access: "change",
  positionals: [{ name: "name", required: true }],
  options: {
    cron: { value: "CRON", description: 'five fields in COS_TIMEZONE, such as "30 8 * * 1-5"' },
    "on-missing": { value: "X", description: "once: make up for the newest missed one (default); skip: let it be" },
    on: { description: "let it happen" },
    off: { description: "do not let it happen" },
  },
  run: setSchedule,
};

async function showSchedules(deps: Deps): Promise<CommandResult> {
  await ensureSchedules(deps.database.db, deps);
  const { db } = deps.database;
  const value = [];
  const lines: Span[][] = [];
  for (const schedule of await listSchedules(db)) {
    const next = schedule.isOn ? nextRunOf(schedule, deps.now(), deps.config.timezone) : null;
    const lastFor = await lastRunFor(db, schedule.name);
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

async function setSchedule(deps: Deps, caller: Caller, given: Given): Promise<CommandResult> {
  await ensureSchedules(deps.database.db, deps);
  const { db } = deps.database;
  const known = await listSchedules(db);
  const found = known.find((each) => each.name === word(given, "name"));
  if (found === undefined) {
    return refused(
      `no schedule is called ${JSON.stringify(word(given, "name"))}; there are ${known.map((each) => each.name).join(", ")}`,
      "cos schedules",
    );
  }
  const cron = option(given, "cron");
  const problem = cron === null ? null : cronProblem(cron);
  if (problem !== null) throw new UsageError(`--cron: found ${JSON.stringify(cron)}: ${problem}`, "cron");
  if (given.switches.has("on") && given.switches.has("off"))
    throw new UsageError("--on and --off do not go together", "on");
  const onMissing = choiceOption(given, "on-missing", ["once", "skip"]);
  const changes = {
    ...(cron === null ? {} : { cron: cron.trim() }),
    ...(onMissing === null ? {} : { onMissing }),
    ...(given.switches.has("on") ? { isOn: true } : {}),
    ...(given.switches.has("off") ? { isOn: false } : {}),
  };
  if (Object.keys(changes).length === 0) return refused("nothing to change was given", "cos schedule set --help");
  const now = deps.now();
  await deps.database.transaction(async (tx) => {
    // New times begin now: nothing from before is made up for.
    await updateSchedule(tx, found.name, { ...changes, createdAt: now });
    const { actor, via } = caller;
    await appendTimeline(tx, { event: "schedule.set", actor, via, at: now, detail: { name: found.name, ...changes } });
  });
  return done({ name: found.name, ...changes }, confirmationCard(`${found.name}: ${scheduleWords(changes)}`));
}
