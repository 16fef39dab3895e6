import { type ReportFacts, recommendation, standupCard, weeklyCard } from "../core/reports/standup.ts";
import { weeklyReport, weeklyReportCard } from "../core/cards/weekly-report.ts";
import { chartSize, weekChart } from "../core/reports/chart.ts";
import { toUsd } from "../core/money.ts";
import { addDays, localDate } from "../core/time.ts";
import { lastRunFor } from "../db/schedules.ts";
import type { Deps } from "../deps.ts";
import { writeFile } from "node:fs/promises";
import { drawPng } from "../chart.ts";
import { gatherReport } from "../turns/reports.ts";
import { gatherWeekly } from "../turns/week.ts";
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
    report: { description: "the long report, as Markdown" },
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
  const facts = await gatherWeekly(deps.database.db, deps, localDate(deps.now(), deps.config.timezone));
  const { report, week, summary } = facts;
  const file = option(given, "png");
  if (file !== null) {
    const chart = weekChart(week, given.switches.has("dark") ? "dark" : "light");
    const problem = await writePng(file, await drawPng(chart, chartSize.width));
    if (problem !== null) return refused(`--png ${file} cannot be written: ${problem}`, "cos weekly --png week.png");
  }
  const { totalCostMicroUsd, ...said } = summary;
  const value = { ...valueOf(report), ...said, totalCostUsd: toUsd(totalCostMicroUsd), week, png: file };
  return given.switches.has("report")
    ? done({ ...value, report: weeklyReport(summary, week) }, weeklyReportCard(summary, week))
    : done(value, weeklyCard(facts));
}

/** What keeps the file from being written; null when it is. */
async function writePng(file: string, png: Buffer): Promise<string | null> {
  try {
    await writeFile(file, png);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function valueOf(facts: ReportFacts) {
  return { ...facts, spentUsd: toUsd(facts.spentMicroUsd) };
}
