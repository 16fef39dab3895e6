import { criterionName } from "./criterion-words.ts";
import type { Goal } from "../goals/goal.ts";
import { formatUsd } from "../money.ts";
import { rungNames } from "../recovery/ladder.ts";
import { byApproach, changeOf, type Tried, type TriedApproach } from "../recovery/tried.ts";
import { count, firstLine, shorten, shownPath } from "../text.ts";
import { endOfRun, outputOf, runsLine } from "./command-runs.ts";
import { type Card, type CardBlock, plainCard, type Text, text } from "./card.ts";

/** The attempts of a goal in words: for its card, for an escalation and its thread, and as Markdown. */

/** "6 attempts, 3 approaches" (D19). */
export function approachesLine(attempts: readonly Tried[]): string {
  const groups = byApproach(attempts);
  const words = `${count(attempts.length, "attempt")}, ${groups.length} approach${groups.length === 1 ? "" : "es"}`;
  const [only] = groups;
  return groups.length === 1 && only !== undefined ? `${words}: ${only.approach}` : words;
}

/**
 * One line for each approach: the number of attempts, the cost, the changes, and how the last attempt ended. An ending that equals that of
 * the line before is not repeated.
 */
export function approachItems(attempts: readonly Tried[]): Text[] {
  let told = "";
  return byApproach(attempts).map((group) => {
    const last = group.attempts.at(-1);
    const end = endWords(last);
    const isTold = told === end && last?.end !== "passed";
    told = end;
    return [
      { strong: shorten(group.approach, 160) },
      ` ${sourceWords(group)}· ${count(group.attempts.length, "attempt")}, ${costOf(group.attempts)} · `,
      changedWords(group, attempts),
      isTold ? "failed the same way" : end,
    ];
  });
}

/** The files of the newest attempt of this approach that changed any. Empty when the last attempt passed, because the branch shows it. */
function changedWords({ attempts: mine }: TriedApproach, all: readonly Tried[]): string {
  const last = mine.at(-1);
  if (last === undefined || last.end === "passed") return "";
  const telling = mine.findLast((each) => changeOf(each, beforeIt(each, all)) === "files") ?? last;
  return `${changeWords(telling, beforeIt(telling, all), 100)} · `;
}

function beforeIt(attempt: Tried, all: readonly Tried[]): Tried | undefined {
  return all[all.indexOf(attempt) - 1];
}

/**
 * The agent's last words. If the agent asked a question, only a reader of this card can answer it. Empty when the last attempt passed,
 * because its words are then the goal's outcome.
 */
export function lastWordsBlocks(attempts: readonly Tried[]): CardBlock[] {
  if (attempts.at(-1)?.end === "passed") return [];
  const said = attempts.map(saidWords).findLast((each) => each !== "");
  return said === undefined ? [] : [text({ strong: "The agent said last" }), { type: "code", text: said }];
}

/** What the attempt printed. Empty when its error contains that already. */
function saidWords({ output, error }: Tried): string {
  const said = shorten((output ?? "").trim(), 1200);
  return error.includes(said) ? "" : said;
}

/** The attempts one by one, for the thread of an escalation. */
export function attemptsCard(goal: Pick<Goal, "goalId" | "content">, attempts: readonly Tried[]): Card {
  const title = `What was tried: ${approachesLine(attempts)}`;
  const groups = byApproach(attempts);
  return plainCard({
    kind: "notice",
    tone: "neutral",
    title,
    summary: `${title}. ${firstLine(goal.content, 100)}`,
    blocks: groups.flatMap((group): CardBlock[] => [
      text({ strong: shorten(group.approach, 300) }, ` ${sourceWords(group)}`.trimEnd()),
      { type: "list", items: group.attempts.map((each) => attemptItem(each, beforeIt(each, attempts))) },
    ]),
  });
}

function attemptItem(attempt: Tried, before: Tried | undefined): Text {
  if (attempt.end === "passed") return [`${attempt.number}. ${rungNames[attempt.rung]}, ${costOf([attempt])}: passed`];
  return [
    `${attempt.number}. ${rungNames[attempt.rung]}, `,
    { at: attempt.at.toISOString() },
    `, ${costOf([attempt])}: ${changeWords(attempt, before, 200)}; ${endWords(attempt)}`,
    ...(saidWords(attempt) === "" ? [] : [`; it said: ${firstLine(saidWords(attempt).split("\n").at(-1) ?? "", 200)}`]),
  ];
}

function changeWords(attempt: Tried, before: Tried | undefined, length: number): string {
  switch (changeOf(attempt, before)) {
    case "files":
      return `changed ${shorten(attempt.files.map(shownPath).join(", "), length)}`;
    case "nothing":
      return "changed nothing";
    case "not known":
      return "it is not known what it changed";
  }
}

function sourceWords({ source }: TriedApproach): string {
  return source === null ? "" : `(${source}) `;
}

function endWords(attempt: Tried | undefined): string {
  if (attempt === undefined) return "";
  if (attempt.end === "passed") return "passed";
  const error = firstLine(attempt.error, 300);
  // An error about a criterion names the criterion already.
  const unnamed = attempt.criteria.filter((id) => ![id, criterionName(id)].some((name) => error.includes(`${name}: `)));
  return unnamed.length === 0 ? error : `${unnamed.map(criterionName).join(", ")}: ${error}`;
}

function costOf(attempts: readonly Tried[]): string {
  const total = attempts.reduce((sum, each) => sum + each.costMicroUsd, 0);
  return `${formatUsd(total)}${attempts.some((each) => each.costIsEstimated) ? " (estimated)" : ""}`;
}

export interface Bundle {
  readonly checkpointId: string;
  readonly goal: Pick<Goal, "goalId" | "content">;
  readonly context: string;
  readonly details: readonly string[];
  readonly status: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly attempts: readonly Tried[];
  readonly branch: string | null;
}

/** An escalation as a Markdown document: the criterion or error, and every attempt with its changes and how it failed. */
export function escalationMarkdown(bundle: Bundle): string {
  const { goal, attempts } = bundle;
  const runs = runsLine(attempts);
  const lines = [
    `# Escalation ${bundle.checkpointId}: ${line(goal.content)}`,
    "",
    `Goal: ${goal.goalId} · status: ${bundle.status}${bundle.branch === null ? "" : ` · branch: ${bundle.branch}`}`,
    "",
    "## Why a person is asked",
    "",
    quoted(bundle.context),
    ...bundle.details.map((each) => `- ${line(each)}`),
    "",
    ...(runs === null ? approachLines(attempts) : [`## The command was ${runs}`, "", ...attempts.flatMap(runLines)]),
    "## Choices (requesting a human decision)",
    "",
    ...bundle.options.map((option, index) => `${index + 1}. ${option.label}: ${option.description}`),
    "",
    `Answer with: cos answer ${bundle.checkpointId} CHOICE`,
  ];
  return `${lines.join("\n")}\n`;
}

function approachLines(attempts: readonly Tried[]): string[] {
  return [
    `## ${approachesLine(attempts)}`,
    "",
    ...byApproach(attempts).flatMap((group) => [
      `### ${line(group.approach)}`,
      "",
      ...(group.source === null ? [] : [`From: ${group.source}`, ""]),
      ...group.attempts.flatMap((each) => attemptLines(each, beforeIt(each, attempts))),
      "",
    ]),
  ];
}

/** One run of a fixed command, with the end of its output unchanged. */
function runLines(attempt: Tried, index: number): string[] {
  const output = outputOf(attempt);
  return [
    `### Run ${index + 1} (${attempt.at.toISOString()}): ${line(endOfRun(attempt))}`,
    "",
    ...(output === "" ? [] : [...output.split("\n").map((each) => `    ${each}`), ""]),
    `Changed: ${changedLine(attempt, undefined)}`,
    "",
  ];
}

function changedLine(attempt: Tried, before: Tried | undefined): string {
  const change = changeOf(attempt, before);
  return change === "files" ? attempt.files.map(line).join(", ") : change;
}

function attemptLines(attempt: Tried, before: Tried | undefined): string[] {
  const said = saidWords(attempt);
  return [
    `- Attempt ${attempt.number} (${rungNames[attempt.rung]}, ${attempt.at.toISOString()}, ${costOf([attempt])})`,
    `  - Failed: ${line(endWords(attempt))}`,
    `  - Changed: ${changedLine(attempt, before)}`,
    ...(said === "" ? [] : [`  - Said: ${said.split("\n").map(line).join(" ")}`]),
    `  - Fingerprint: ${attempt.fingerprint.slice(0, 12)}`,
    ...(attempt.commit === null ? [] : [`  - Commit: ${attempt.commit}`]),
  ];
}

/** A text in one line, with Markdown characters escaped. */
function line(said: string): string {
  return firstLine(said, 500).replace(/[\\`*_[\]<>#|]/g, "\\$&");
}

function quoted(said: string): string {
  return said
    .split("\n")
    .map((each) => `> ${each.replace(/[<`]/g, "\\$&")}`)
    .join("\n");
}
