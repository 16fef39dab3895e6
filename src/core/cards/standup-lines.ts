import { campaignStateWords } from "./campaign-list-card.ts";
import { onWord } from "./on-word.ts";
import { neverBegan } from "../campaigns/campaign.ts";
import { formatUsd } from "../money.ts";
import type { OpenQuestion } from "../reports/open-questions.ts";
import type {
  StandupCampaign,
  DoneLine,
  GoalNews,
  PlannedLine,
  SpendFacts,
  StandupFacts,
  UnmergedLine,
  WorkingLine,
} from "../reports/standup-facts.ts";
import type { ReportLine } from "../reports/report-facts.ts";
import { questionCommand } from "./answer-command.ts";
import { tagWords } from "./tag-words.ts";
import { count, firstLine, formatDuration } from "../text.ts";
import { askedLine } from "./question-name.ts";
import { sentence, shellLine, type Span } from "./card.ts";
import { type Advice, newsWords } from "./news-words.ts";
import { pausedByWords } from "./paused-words.ts";

/** The lines of a standup, one goal, question or campaign each. */

/** A recommendation, followed by its command. */
export function adviceSpans({ text: words, command }: Advice): Span[] {
  return [`${words} `, shellLine(command)];
}

/** A goal's first line, at most 80 characters, as a link. */
export function goalLink({ goalId, content }: { readonly goalId: string; readonly content: string }): Span {
  return { link: firstLine(content, 80), to: `/goals/${goalId}` };
}

/** A goal with its evidence tag and its outcome. */
export function goalSpans(line: ReportLine): Span[] {
  const outcome = line.outcome === null ? [] : sentence(`: ${firstLine(line.outcome, 120)}`);
  return [tagWords(line), goalLink(line), ...outcome];
}

/** A goal that was done. `news`: what git says about its branch and our rows do not. */
export function doneSpans(line: DoneLine, news: GoalNews | undefined): Span[] {
  const found = news === undefined ? branchSpans(line) : [" · ", ...adviceSpans(colon(newsWords(news)))];
  return [tagWords(line), goalLink(line), ...found];
}

/** The state of the branch. If something has to be done, also the command. */
function branchSpans(line: DoneLine): Span[] {
  const { branch, outcome } = line;
  switch (branch) {
    case null:
      return [...(outcome === null ? [] : [`: ${firstLine(outcome, 120)}`]), ...awaySpans(line)];
    case "merged":
    case "discarded":
    case "reverted":
      return [` · ${branch}`];
    case "merging":
      return [" · is being merged"];
    case "merged-by-hand":
      return [" · merged by hand"];
    case "lost":
      return [" · was merged, and is not there any more"];
    case "branch-gone":
      return [" · its branch is gone"];
    case "not-merged":
      return [" · not merged", ...mergeSpans(line)];
  }
}

/** The command that merges the goal, or the goal that has to be merged first (D37). */
export function mergeSpans({ goalId, mergeFirst = [] }: UnmergedLine | DoneLine): Span[] {
  const [first] = mergeFirst;
  const open = mergeFirst.find((each) => !each.isUnderWay);
  if (first === undefined) return [": ", { command: `goal merge ${goalId}` }];
  if (open === undefined) return [`; after ${first.goalId}, which is being merged`];
  return [", on top of another one. First: ", { command: `goal merge ${open.goalId}` }];
}

/** A planned goal, and what it waits for. */
export function plannedSpans(line: PlannedLine): Span[] {
  const { state, isHeld = false, waitsFor = [] } = line;
  const held = isHeld ? ", waits for an answer" : "";
  return [goalLink(line), ` · ${state}${waitsFor.length === 0 ? held : `, after ${waitsFor.join(" and ")}`}`];
}

/** A goal that failed, with the command that explains why. */
export function failedSpans(line: ReportLine): Span[] {
  return [...goalSpans(line), " · ", { command: `why ${line.goalId}` }];
}

/** The command that works the goal again, unless its outcome contains that command. */
export function goesOn(line: ReportLine): Span[] {
  if (line.isAway === true) return awaySpans(line);
  const { goalId, outcome } = line;
  const command = `goal resume ${goalId}`;
  const said = outcome === null ? [] : sentence(firstLine(outcome, 120));
  const isSaid = said.some((span) => typeof span === "object" && "command" in span && span.command === command);
  return isSaid ? [] : [" · ", { command }];
}

/** Said of a goal about which nothing can be done any more. */
function awaySpans({ isAway }: ReportLine): Span[] {
  return isAway === true ? [" · its repository was removed"] : [];
}

/**
 * An open question: its repository, how long it has waited, who else is asked, how many goals wait for it, and the command that answers it.
 */
export function questionSpans(question: OpenQuestion): Span[] {
  const { checkpointId, goalId, content, context, sinceMs, awakeMs, goalsBehind, second, seenBy } = question;
  const { repositoryName } = question;
  const awake = formatDuration(awakeMs) === formatDuration(sinceMs) ? "" : ` (${formatDuration(awakeMs)} awake)`;
  const behind = goalsBehind === 0 ? "" : ` · ${count(goalsBehind, "goal")} behind it`;
  return [
    { link: askedLine(context, goalId === null ? null : content), to: `/#${checkpointId}` },
    `${repositoryName === undefined ? "" : ` · ${repositoryName}`} · for ${formatDuration(sinceMs)}${awake}${behind}`,
    ...(second === null ? [] : [` · also for ${second}`]),
    ...(seenBy === null ? [] : [` · ${seenBy} takes care of it`]),
    " · ",
    { command: questionCommand(question) },
  ];
}

/** A goal that goes on, and when it is tried again. */
export function workingSpans(line: WorkingLine): Span[] {
  return [
    goalLink(line),
    ...(line.until === null ? [` · ${line.state}`] : [" · tries again at ", { at: line.until.toISOString() }]),
  ];
}

/** A campaign's day, milestones and delay, with the goals of its day. */
export function campaignSpans(campaign: StandupCampaign): Span[] {
  const { name, state, day, days, milestones, milestonesDone, daysBehind, today, goals } = campaign;
  const later = goals.filter((goal) => !goal.isToday).map((goal) => goal.content);
  const isPlanned = state === "planning" || neverBegan(campaign);
  const dayWords = isPlanned ? `${count(days, "day")} planned` : `day ${Math.min(day, days)} of ${days}`;
  const facts = [
    days === 0 ? "no plan yet" : dayWords,
    ...(milestones === 0
      ? []
      : [`${milestonesDone} of ${count(milestones, "milestone")} done${onWord(campaign.milestonesOnWord)}`]),
    ...(daysBehind === 0 ? [] : [`${count(daysBehind, "day")} behind`]),
    `${formatUsd(campaign.spentMicroUsd)} of ${formatUsd(campaign.budgetMicroUsd)}${campaign.spentIsEstimated ? " (estimated)" : ""}`,
    ...(today.length === 0 ? [] : [`${isPlanned ? "first day" : "today"}: ${todayWords(today)}`]),
    ...(later.length === 0 ? [] : [`later: ${todayWords(later)}`]),
  ];
  return [
    { strong: firstLine(name, 80) },
    ` ${campaignStateWords(campaign)}`,
    ...pausedCampaignSpans(campaign),
    ` · ${facts.join(" · ")}`,
    ...goesOnWith(campaign),
  ];
}

function goesOnWith({ state, pausedBy, campaignId }: StandupCampaign): Span[] {
  if (state === "planning") return [" · ", { command: `campaign start ${campaignId}` }];
  return state === "paused" && pausedBy !== null ? [" · ", { command: `campaign resume ${campaignId}` }] : [];
}

function pausedCampaignSpans({ state, pausedBy, waitsFor }: StandupCampaign): Span[] {
  if (state !== "paused") return [];
  if (pausedBy !== null) return [` ${pausedByWords(pausedBy)}`];
  if (waitsFor === null) return [" until its day's questions are answered"];
  return [" until ", { link: waitsFor, to: `/#${waitsFor}` }, " is answered"];
}

function todayWords(today: readonly string[]): string {
  const left = today.length - 2;
  const named = today.slice(0, 2).map((content) => firstLine(content, 50));
  return `${named.join("; ")}${left > 0 ? ` and ${left} more` : ""}`;
}

/** The same advice with a colon, to be followed by its command. */
export function colon({ text: words, command }: Advice): Advice {
  return { text: `${words}:`, command };
}

/** Maximum number of reservations that are named. */
const mostReserved = 5;

/** What was spent since the last standup and today, and what is reserved. */
export function spendSpans({ spend, since }: Pick<StandupFacts, "spend" | "since">): Span[] {
  const { sinceMicroUsd, todayMicroUsd, dayCeilingMicroUsd, reserved } = spend;
  const open = reserved
    .slice(0, mostReserved)
    .map((each) => `${formatUsd(each.leftMicroUsd)} for ${firstLine(each.content, 60)}`);
  const left = reserved.length - open.length;
  const held = open.length === 0 ? "" : `. Reserved: ${open.join("; ")}${left > 0 ? ` and ${left} more` : ""}`;
  return [
    { strong: "Spent: " },
    `${formatUsd(sinceMicroUsd)} since `,
    { at: since.toISOString() },
    `, ${formatUsd(todayMicroUsd)} of ${formatUsd(dayCeilingMicroUsd)} today${estimated(spend)}${held}`,
  ];
}

/** ` (estimated)` when a part of the amount is estimated. */
export function estimated({ isEstimated }: SpendFacts): string {
  return isEstimated ? " (estimated)" : "";
}
