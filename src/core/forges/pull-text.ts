import type { GoalCardFacts } from "../cards/goal-facts.ts";
import { backingWords, criteriaWords, criterionWords } from "../cards/goal-proof-words.ts";
import { proofWords, verdictLine } from "../cards/proof-words.ts";
import { formatUsd } from "../money.ts";
import { cleanText, count } from "../text.ts";
import type { PullText } from "./forge.ts";
import { codeWords, plainMarkdown, titleWords } from "./markdown.ts";

/** The facts of which a pull request's text is made. */
export type PullFactsShown = Pick<
  GoalCardFacts,
  | "goal"
  | "criteria"
  | "checks"
  | "trials"
  | "trialsAreOff"
  | "accepted"
  | "noted"
  | "stat"
  | "tag"
  | "executor"
  | "costMicroUsd"
  | "costIsEstimated"
  | "flat"
  | "commit"
>;

/** Maximum length of a body. GitHub allows 65,536 characters. */
const longestBody = 60_000;

/**
 * The text of a goal's pull request: what the goal is, the evidence, and the cost. A draft until the work is verified, or somebody
 * accepted its proof. `consoleUrl` is the public address of the console; null when it is not set.
 */
export function pullText(facts: PullFactsShown, consoleUrl: string | null): PullText {
  const { goal } = facts;
  const isOver = goal.status === "complete";
  const isDraft = !isOver || (facts.tag !== "verified" && facts.accepted === undefined);
  return { title: titleWords(goal.content, 120), body: bodyOf(facts, consoleUrl), isDraft };
}

function bodyOf(facts: PullFactsShown, consoleUrl: string | null): string {
  const { goal } = facts;
  const sections = [
    quoted(goal.content),
    goal.linkage.kind === "issue" ? `For ${goal.linkage.url}` : "",
    standing(facts),
    list("Acceptance criteria", facts.criteria.map(criterionItem)),
    facts.trials.length === 0 ? "" : `**What proves it.** ${plainMarkdown(proofWords(facts.trials), 1000)}`,
    list("On trial", facts.trials.map(trialItem)),
    list("Checks of the repository", facts.checks.map(checkItem)),
    list(
      "Look at",
      facts.noted.map(({ path, what }) => `${codeWords(path, 200)} (${plainMarkdown(what, 100)})`),
    ),
    `**Work.** ${workWords(facts)}`,
    footer(goal.goalId, consoleUrl),
  ];
  const body = sections.filter((section) => section !== "").join("\n\n");
  if (body.length <= longestBody) return body;
  // Cut at a line end: a cut within code or after a backslash would be drawn differently.
  const end = body.lastIndexOf("\n", longestBody - 200);
  return `${body.slice(0, end)}\n\nThe rest is in the console.\n\n${footer(goal.goalId, consoleUrl)}`;
}

/** The goal's own text as a quote, line by line. */
function quoted(content: string): string {
  const lines = cleanText(content).trim().split("\n");
  const shown = lines.slice(0, 40).map((line) => `> ${plainMarkdown(line, 500)}`.trimEnd());
  return [...shown, ...(lines.length > 40 ? ["> …"] : [])].join("\n");
}

function standing(facts: PullFactsShown): string {
  const { goal, criteria } = facts;
  if (goal.status !== "complete") return "**This goal is worked again.** What stands below is about the work before.";
  const counted = criteria.length === 0 ? "" : ` (${criteriaWords(criteria)})`;
  return `**Evidence.** ${plainMarkdown(backingWords(facts), 600)}${counted}.`;
}

function criterionItem(criterion: PullFactsShown["criteria"][number]): string {
  const { id, title, status, method } = criterion;
  const word = method === "manual" && status === "pass" ? "holds, by a person" : criterionWords(criterion);
  return `**${word}** ${plainMarkdown(`${id}: ${title}`, 200)}`;
}

function trialItem(trial: PullFactsShown["trials"][number]): string {
  return `${plainMarkdown(trial.id, 40)} ${codeWords(trial.command, 200)}: ${plainMarkdown(verdictLine(trial), 300)}`;
}

function checkItem({ command, status, exitCode, failedBefore }: PullFactsShown["checks"][number]): string {
  const words = { pass: "passed", fail: "failed", "requires-human": "for a person", "not-checked": "not run" } as const;
  const exit = exitCode === null ? "" : ` (exit code ${exitCode})`;
  return `**${words[status]}** ${codeWords(command, 200)}${exit}${failedBefore ? ", as before the work began" : ""}`;
}

function workWords({ executor, costMicroUsd, costIsEstimated, flat, stat, commit }: PullFactsShown): string {
  const cost = flat ?? `${formatUsd(costMicroUsd)}${costIsEstimated ? " (estimated)" : ""}`;
  return [
    plainMarkdown(executor, 100),
    plainMarkdown(cost, 100),
    ...(stat === null ? [] : [`${count(stat.files, "file")}, +${stat.insertions} −${stat.deletions}`]),
    ...(commit === null ? [] : [codeWords(commit.slice(0, 12), 12)]),
  ].join(" · ");
}

function footer(goalId: string, consoleUrl: string | null): string {
  const where = consoleUrl === null ? codeWords(goalId, 40) : `[${goalId}](${consoleUrl}/goals/${goalId})`;
  return `---\n${where} · written by Chief of Staff, and updated when the goal changes`;
}

/** A list with at most fifty items. */
function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  const more = items.length > 50 ? [`and ${items.length - 50} more`] : [];
  return [`**${title}**`, "", ...[...items.slice(0, 50), ...more].map((item) => `- ${item}`)].join("\n");
}
