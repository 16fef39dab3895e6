import { fileTrouble } from "../core/errors.ts";
import { withChangedGoals } from "../core/cards/changed-output.ts";
import { weeklyCard } from "../core/cards/weekly-card.ts";
import type { ReportFacts } from "../core/reports/report-facts.ts";
import { weeklyReport, weeklyReportCard } from "../core/cards/weekly-report.ts";
import { chartSize, weekChart } from "../core/reports/chart.ts";
import { toUsd } from "../core/money.ts";
import { localDate } from "../core/time.ts";
import type { Deps } from "../deps.ts";
import { writeFile } from "node:fs/promises";
import { drawPng } from "../chart/png.ts";
import { goalsWithChanged } from "../facts/kept-output.ts";
import { gatherWeekly } from "../turns/reports/week.ts";
import { command, type CommandResult, done, refused, UsageError } from "./command.ts";
import { flag, localFile, type Values } from "./fields.ts";

const showing = {
  report: flag("the long report, as Markdown"),
  png: localFile("FILE", "also draw the week's chart into this file").optional(),
  dark: flag("draw it for dark screens"),
};

export const weekly = command({
  name: "weekly",
  summary: "The week's summary.",
  access: "read",
  options: showing,
  run: (deps, _caller, given) => showWeekly(deps, given),
});

async function showWeekly(deps: Deps, given: Values<typeof showing>): Promise<CommandResult> {
  const facts = await gatherWeekly(deps.database.db, deps, localDate(deps.now(), deps.config.timezone));
  const { report, week, summary } = facts;
  const { png: file = null } = given;
  if (given.dark && file === null) throw new UsageError("--dark needs --png FILE: it is about the chart", "dark");
  if (file !== null) {
    const chart = weekChart(week, given.dark ? "dark" : "light");
    const problem = await writePng(file, await drawPng(chart, chartSize.width));
    if (problem !== null) return refused(`--png ${file} cannot be written: ${problem}`, "cos weekly --png week.png");
  }
  const { totalCostMicroUsd, ...said } = summary;
  const changedOutput = await goalsWithChanged(
    { db: deps.database.db, dataDir: deps.config.dataDir },
    report.done.map(({ goalId }) => goalId),
  );
  const totalCostUsd = toUsd(totalCostMicroUsd);
  const value = { ...valueOf(report), ...said, totalCostUsd, week, png: file, changedOutput };
  return given.report
    ? done({ ...value, report: weeklyReport(summary, week) }, weeklyReportCard(summary, week))
    : done(value, withChangedGoals(weeklyCard(facts), changedOutput));
}

/** Writes the file. Returns why it cannot be written; null when it was written. */
async function writePng(file: string, png: Buffer): Promise<string | null> {
  try {
    await writeFile(file, png);
    return null;
  } catch (error) {
    return fileTrouble(error, "written");
  }
}

function valueOf(facts: ReportFacts) {
  return { ...facts, spentUsd: toUsd(facts.spentMicroUsd) };
}
