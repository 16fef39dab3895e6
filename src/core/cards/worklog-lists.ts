import type { WorklogEntry } from "../worklog/entry.ts";
import type { Outcome } from "../worklog/finish.ts";
import { flagWords, type WorklogFlags } from "../worklog/flags.ts";
import type { Tier } from "../goals/goal.ts";
import { lateDeviations, phases, phaseWords } from "../worklog/phases.ts";
import { type Todo, untold } from "../worklog/todos.ts";
import { count, firstLine, shorten } from "../text.ts";
import { type Card, type CardBlock, note, plainCard, type Span, type Text, text } from "./card.ts";
import { deviationLine } from "./worklog-cards.ts";
import { linesCard } from "./lists.ts";

/** Worklogs as answers of reading commands. */
export interface ShownWorklog {
  readonly sessionId: string;
  readonly goalId: string | null;
  readonly taskDescription: string;
  readonly tier: Tier;
  readonly reason: string;
  readonly outcome: Outcome;
  readonly startedAt: Date;
  readonly flags: WorklogFlags;
  readonly unstored: number;
  readonly gap: string | null;
  readonly hasRaw: boolean;
  /** Globs of the files that its goal may change. */
  readonly planned: readonly string[];
  readonly summary: { readonly total_operations: number } | null;
}

const outcomeWords: Readonly<Record<Outcome, string>> = {
  success: "success",
  failure: "failure",
  aborted: "aborted",
  abandoned: "abandoned",
  in_progress: "in progress",
};

/** In the place of worklogs that cannot be read. */
export const worklogsUnread = "Worklogs cannot be read now";

export function worklogsCard(worklogs: readonly ShownWorklog[]): Card {
  const title = worklogs.length === 0 ? "No worklogs yet" : count(worklogs.length, "worklog");
  return linesCard(
    title,
    worklogs.map((worklog): Span[] => [
      { strong: outcomeWords[worklog.outcome] },
      ` ${worklog.sessionId} · ${worklog.tier} · `,
      ...(worklog.goalId === null ? [] : [{ link: worklog.goalId, to: `/goals/${worklog.goalId}` }, " "]),
      firstLine(worklog.taskDescription, 80),
      worklog.summary === null ? "" : ` · ${count(worklog.summary.total_operations, "operation")}`,
    ]),
  );
}

/** A worklog among what happened to its goal: when it was opened, what it came to, what is missing of it. */
export function worklogLine(worklog: ShownWorklog): Span[] {
  const { sessionId, tier, outcome, summary, gap, startedAt } = worklog;
  const did = summary === null ? "" : `: ${count(summary.total_operations, "operation")}`;
  const missing = gap === null ? "" : `; gap: ${gap}`;
  return [
    { at: startedAt.toISOString() },
    ` worklog ${sessionId} (${tier}, ${outcomeWords[outcome]})${did}${missing}: cos worklog show ${sessionId}`,
  ];
}

/** The last of its entries are shown; all of them are in its JSON. */
const mostShown = 60;

export function worklogCard(
  worklog: ShownWorklog,
  { entries, todos }: { readonly entries: readonly WorklogEntry[]; readonly todos: readonly Todo[] },
): Card {
  const what = firstLine(worklog.taskDescription, 100);
  const flags = flagWords(worklog.flags);
  const left = entries.length - mostShown;
  const late = worklog.outcome === "in_progress" ? [] : lateDeviations(entries, worklog);
  const blocks: CardBlock[] = [
    text(`${worklog.tier}: ${worklog.reason}. Outcome: ${outcomeWords[worklog.outcome]}.`),
    ...(flags.length === 0 ? [] : [note(`With ${flags.join(", ")}`)]),
    ...(worklog.gap === null ? [] : [text({ strong: "Gap: " }, worklog.gap)]),
    // A gap that says their number says it once.
    ...(worklog.unstored === 0 || worklog.gap?.startsWith(`${worklog.unstored} `) === true
      ? []
      : [note(`${count(worklog.unstored, "entry", "entries")} could not be kept`)]),
    ...(worklog.hasRaw ? [] : [note("Its entries were forgotten; its numbers are kept")]),
    ...(todos.length === 0 ? [] : [{ type: "list" as const, items: todosShown(todos) }]),
    ...(left > 0 ? [note(`${count(left, "earlier entry", "earlier entries")}: see --json`)] : []),
    ...(entries.length === 0 ? [] : [{ type: "list" as const, items: entries.slice(-mostShown).flatMap(entryLines) }]),
    ...(late.length === 0
      ? []
      : [note("After the last summary:"), { type: "list" as const, items: late.map(deviationLine) }]),
  ];
  return plainCard({
    kind: "list",
    tone: "neutral",
    title: `${worklog.sessionId}: ${what}`,
    summary: `Worklog ${worklog.sessionId} (${outcomeWords[worklog.outcome]}): ${what}`,
    blocks,
  });
}

/** Of todos of which nothing is told but that they are there, only how many. */
function todosShown(todos: readonly Todo[]): Span[][] {
  const told = todos.filter((todo) => todo.status !== untold);
  const others = todos.length - told.length;
  return [
    ...told.slice(0, 30).map(todoLine),
    ...(others === 0 ? [] : [[`${count(others, "todo")}, of which the agent tells nothing more`]]),
  ];
}

function todoLine({ content, status }: Todo): Span[] {
  return [{ strong: `${status.replaceAll("_", " ")} ` }, shorten(content, 150)];
}

/** An entry; of a summary also what deviates. */
function entryLines(entry: WorklogEntry): Text[] {
  const status = entry.status === "completed" ? "" : ` ${entry.status}`;
  const line: Text = [
    { at: entry.timestamp },
    " ",
    { strong: `${entry.action}${status} ` },
    shorten(wordsOf(entry), 200),
  ];
  if (entry.action !== "Checkpoint") return [line];
  return [line, ...entry.details.deviations.map((each): Text => ["↳ ", ...deviationLine(each)])];
}

function wordsOf(entry: WorklogEntry): string {
  if (entry.action !== "Checkpoint" || entry.status !== "completed") return entry.context;
  const { phase, operations_count: operations, deviations } = entry.details;
  const name = phases.find((each) => each === phase);
  const found = deviations.length === 0 ? "nothing deviates" : count(deviations.length, "deviation");
  return `end of ${name === undefined ? phase : phaseWords[name]}: ${count(operations, "operation")}, ${found}`;
}
