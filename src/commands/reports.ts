import { type ReportFacts, weeklyCard } from "../core/reports/standup.ts";
import { chartSize, weekChart } from "../core/reports/chart.ts";
import { toUsd } from "../core/money.ts";
import { addDays, localDate, mondayOf } from "../core/time.ts";
import type { Deps } from "../deps.ts";
import { writeFile } from "node:fs/promises";
import { drawPng } from "../chart.ts";
import { gatherReport } from "../turns/reports.ts";
import { gatherWeek } from "../turns/week.ts";
import { type Caller, type Command, type CommandResult, done, type Given, option, refused } from "./command.ts";

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
