import { type ReportFacts, recommendation, standupCard, weeklyCard } from "../core/reports/standup.ts";
import { chartSize, weekChart } from "../core/reports/chart.ts";
import { toUsd } from "../core/money.ts";
import { addDays, localDate, mondayOf } from "../core/time.ts";
import { lastRunFor } from "../db/schedules.ts";
import type { Deps } from "../deps.ts";
import { writeFile } from "node:fs/promises";
import { drawPng } from "../chart.ts";
import { gatherReport } from "../turns/reports.ts";
import { gatherWeek } from "../turns/week.ts";
import { type Caller, type Command, type CommandResult, done, type Given, option, refused } from "./command.ts";

export const standup: Command = {
  name: "standup",
  summary: "Since the last one: done, failed, parked, waiting on whom, spend, what next.",
  access: "read",
  positionals: [],
  options: {},
  run: showStandup,
};

export const weekly: Command = {
  name: "weekly",
  summary: "The week's summary.",
  access: "read",
  positionals: [],
  options: {
    png: { value: "FILE", isLocal: true, description: "also draw the week's chart into this file" },
    dark: { description: "draw it for dark screens" },
  },
  run: showWeekly,
};

async function showStandup(deps: Deps, _caller: Caller, _given: Given): Promise<CommandResult> {
  const today = localDate(deps.now(), deps.config.timezone);
  const { db } = deps.database;
  const last = await lastRunFor(db, "standup");
  const yesterday = addDays(today, -1);
  const facts = await gatherReport(db, deps, last !== null && last < yesterday ? last : yesterday, today);
  return done({ date: today, ...valueOf(facts), recommendation: recommendation(facts) }, standupCard(facts, today));
}

async function showWeekly(deps: Deps, _caller: Caller, given: Given): Promise<CommandResult> {
  const monday = mondayOf(localDate(deps.now(), deps.config.timezone));
  const { db } = deps.database;
  const facts = await gatherReport(db, deps, monday, addDays(monday, 6));
  const week = await gatherWeek(db, deps, monday, addDays(monday, 6));
  const file = option(given, "png");
  if (file !== null) {
    try {
      await writeFile(
        file,
        await drawPng(weekChart(week, given.switches.has("dark") ? "dark" : "light"), chartSize.width),
      );
    } catch (error) {
      return refused(`--png ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return done(
    { weekStart: facts.from, weekEnd: facts.to, ...valueOf(facts), week, png: file },
    weeklyCard(facts, week),
  );
}

function valueOf(facts: ReportFacts) {
  return { ...facts, spentUsd: toUsd(facts.spentMicroUsd) };
}
