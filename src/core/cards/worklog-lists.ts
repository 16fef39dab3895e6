import type { Deviation, WorklogEntry } from "../worklog/entry.ts";
import type { WorklogOutcome } from "../worklog/finish.ts";
import { flagWords, type WorklogFlags } from "../worklog/flags.ts";
import type { Tier } from "../goals/goal.ts";
import { lateDeviations } from "../worklog/phases.ts";
import { worklogPhases, phaseWords } from "../worklog/phase.ts";
import { type Todo, untold } from "../worklog/todos.ts";
import { count, firstLine, shorten } from "../text.ts";
import { type Card, type CardBlock, note, plainCard, type Span, type Text, text } from "./card.ts";
import { deviationLine } from "./worklog-cards.ts";
import { linesCard } from "./lists.ts";

/** A worklog as the answers of reading commands show it. */
export interface ShownWorklog {
  readonly sessionId: string;
  readonly goalId: string | null;
  readonly taskDescription: string;
  readonly tier: Tier;
  readonly reason: string;
  readonly outcome: WorklogOutcome;
  readonly startedAt: Date;
  readonly flags: WorklogFlags;
  readonly unstored: number;
  readonly gap: string | null;
  readonly hasRaw: boolean;
  /** Globs of the files that its goal may change. */
  readonly planned: readonly string[];
  readonly summary: { readonly total_operations: number } | null;
}

const outcomeWords: Readonly<Record<WorklogOutcome, string>> = {
  success: "success",
  failure: "failure",
  aborted: "aborted",
  abandoned: "abandoned",
  // The word is about the worklog only. The goal may be parked or waiting.
  in_progress: "not finished",
};

/** Shown in place of worklogs that cannot be read. */
export const worklogsUnread = "Worklogs cannot be read now";

/** Worklogs in the given order, one line each. */
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

/** A worklog as a line of its goal's history: when it was opened, its result, and what is missing from it. */
export function worklogLine(worklog: ShownWorklog): Span[] {
  const { sessionId, tier, outcome, summary, gap, startedAt } = worklog;
  const did = summary === null ? "" : `: ${count(summary.total_operations, "operation")}`;
  const missing = gap === null ? "" : `; gap: ${gap}`;
  return [
    { at: startedAt.toISOString(), withSeconds: true },
    ` worklog ${sessionId} (${tier}, ${outcomeWords[outcome]})${did}${missing}: `,
    { command: `worklog show ${sessionId}` },
  ];
}

/** Maximum number of entries that are shown, the last ones. The JSON has all of them. */
const mostShown = 60;

/** One worklog: its summary, its todos and its entries. */
export function worklogCard(
  worklog: ShownWorklog,
  { entries, todos }: { readonly entries: readonly WorklogEntry[]; readonly todos: readonly Todo[] },
): Card {
  const what = firstLine(worklog.taskDescription, 100);
  const flags = flagWords(worklog.flags);
  const lines = linesOf(entries);
  const left = lines.length - mostShown;
  const late = worklog.outcome === "in_progress" ? [] : lateDeviations(entries, worklog);
  const blocks: CardBlock[] = [
    text(`${worklog.tier}: ${worklog.reason}. Outcome: ${outcomeWords[worklog.outcome]}.`),
    ...(flags.length === 0 ? [] : [note(`With ${flags.join(", ")}`)]),
    ...(worklog.gap === null ? [] : [text({ strong: "Gap: " }, worklog.gap)]),
    // A gap that starts with the number of lost entries is not followed by a second note about them.
    ...(worklog.unstored === 0 || worklog.gap?.startsWith(`${worklog.unstored} `) === true
      ? []
      : [note(`${count(worklog.unstored, "entry", "entries")} could not be kept`)]),
    ...(worklog.hasRaw ? [] : [note("Its entries were forgotten; its numbers are kept")]),
    ...(todos.length === 0 ? [] : [{ type: "list" as const, items: todosShown(todos) }]),
    ...(left > 0 ? [note(`${count(left, "earlier entry", "earlier entries")}: see --json`)] : []),
    ...(lines.length === 0 ? [] : [{ type: "list" as const, items: lines.slice(-mostShown).flat() }]),
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

/** Todos with a known status, and the number of those whose status the agent does not report. */
function todosShown(todos: readonly Todo[]): Span[][] {
  const told = todos.filter((todo) => todo.status !== untold);
  const others = todos.length - told.length;
  return [
    ...told.slice(0, 30).map(todoLine),
    ...(others === 0 ? [] : [[`${count(others, "todo")}; the agent reports no more about them`]]),
  ];
}

function todoLine({ content, status }: Todo): Span[] {
  return [{ strong: `${status.replaceAll("_", " ")} ` }, shorten(content, 150)];
}

/**
 * The lines of each entry that tells a person something. A successful check of a plan is shown with the plan. A detection that found
 * nothing is left out. Todos that an earlier summary named are listed by id only. The JSON has everything.
 */
function linesOf(entries: readonly WorklogEntry[]): Text[][] {
  const shown: Text[][] = [];
  const named = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (entry.action === "CheckpointDetection" && entry.status === "completed" && entry.details.found === null)
      continue;
    if (isQuietCheck(entry, entries[index - 1])) continue;
    shown.push(entryLines(entry, { next: entries[index + 1], named }));
  }
  return shown;
}

/** True for a check that passed directly after the plan that it checks. */
function isQuietCheck(entry: WorklogEntry | undefined, before: WorklogEntry | undefined): boolean {
  if (entry?.action !== "Verify" || before?.action !== "TodoWrite") return false;
  return entry.status === "completed" && entry.details.verification_result === "pass";
}

/** The lines of an entry. For a summary, also its deviations. `named`: todos that earlier summaries have named. */
function entryLines(
  entry: WorklogEntry,
  { next, named }: { readonly next: WorklogEntry | undefined; readonly named: Set<string> },
): Text[] {
  const status = entry.status === "completed" ? "" : ` ${entry.status}`;
  const checked = isQuietCheck(next, entry) ? " · read back" : "";
  const line: Text = [
    { at: entry.timestamp },
    " ",
    { strong: `${entry.action}${status} ` },
    shorten(wordsOf(entry), 200),
    checked,
  ];
  if (entry.action !== "Checkpoint") return [line];
  const isKnown = ({ type, description }: Deviation): boolean => type === "todo_incomplete" && named.has(description);
  const { deviations } = entry.details;
  const known = deviations.filter(isKnown);
  const fresh = deviations.filter((each) => !isKnown(each));
  for (const { description } of deviations) named.add(description);
  return [line, ...fresh.map((each): Text => ["↳ ", ...deviationLine(each)]), ...stillOpen(known)];
}

/** Unfinished todos that an earlier summary has named: `todo-2, todo-3`. */
function stillOpen(known: readonly Deviation[]): Text[] {
  const [first] = known;
  if (first === undefined) return [];
  const ids = known.map(({ description }) => description.split(" ")[0]).join(", ");
  return [["↳ ", { strong: `still not finished (${first.severity}): ` }, ids]];
}

function wordsOf(entry: WorklogEntry): string {
  if (entry.action !== "Checkpoint" || entry.status !== "completed") return entry.context;
  const { phase, operations_count: operations, deviations } = entry.details;
  const name = worklogPhases.find((each) => each === phase);
  const found = deviations.length === 0 ? "nothing deviates" : count(deviations.length, "deviation");
  return `end of ${name === undefined ? phase : phaseWords[name]}: ${count(operations, "operation")}, ${found}`;
}
