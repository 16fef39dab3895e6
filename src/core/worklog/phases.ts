import { type WorklogPhase, type PhaseSummary } from "./phase.ts";
import type { Tier } from "../goals/goal.ts";
import { count, shorten } from "../text.ts";
import { globMatcher } from "../text/globs.ts";
import { checkResults } from "./checks.ts";
import { commandOfEntry, type Deviation, type WorklogEntry } from "./entry.ts";
import { keptDeviations, keptWords } from "./room.ts";
import { tierTable } from "./tiers.ts";
import { countTodos, type Todo, todoStates, untold } from "./todos.ts";

/** Summaries at the ends of phases. Seed 000 FR-005, seed 001 T4.1, C-14 to C-17. */

/** True when a tier has a summary of this phase. False for a word that is not a tier. */
export function hasSummary(tier: string, phase: WorklogPhase): boolean {
  return isTier(tier) && tierTable[tier].summaries.includes(phase);
}

function isTier(tier: string): tier is Tier {
  return Object.hasOwn(tierTable, tier);
}

/** Number of todos from which on the first plan ends the planning (S0-CP-04). */
const plannedTodos = 3;

/** Events that may end a phase. */
export type PhaseEvent =
  | { readonly type: "entry"; readonly entry: WorklogEntry }
  /** The agent has ended: nothing is pending any more. */
  | { readonly type: "executed" }
  /** The system has verified a commit. */
  | { readonly type: "verified" };

/** A phase that has ended, with the entries that its summary covers. */
export interface EndedPhase {
  readonly phase: WorklogPhase;
  readonly since: readonly WorklogEntry[];
}

/**
 * The phases that end with this event, in order, without those that have ended before: each phase is summarised once. The execution ends
 * with the first test run after a change, and with the end of the agent (C-15). A test run that ends both the execution and the
 * verification belongs to the verification.
 */
export function phasesEnding(
  tier: Tier,
  event: PhaseEvent,
  { entries, done }: { readonly entries: readonly WorklogEntry[]; readonly done: readonly string[] },
): EndedPhase[] {
  const ending = endedBy(event, entries).filter((phase) => hasSummary(tier, phase) && !done.includes(phase));
  const since = sinceLast(entries);
  const [first, last] = ending;
  if (first === undefined) return [];
  if (last === undefined || last === first) return [{ phase: first, since }];
  const from = since.length - (since.slice(-1).some(isTestEntry) ? 1 : 0);
  return [
    { phase: first, since: since.slice(0, from) },
    { phase: last, since: since.slice(from) },
  ];
}

function endedBy(event: PhaseEvent, entries: readonly WorklogEntry[]): WorklogPhase[] {
  if (event.type === "executed") return ["execution_complete"];
  if (event.type === "verified") return ["execution_complete", "verification_complete"];
  const { entry } = event;
  if (entry.action === "TodoWrite") {
    const plans = entries.filter((each) => each.action === "TodoWrite");
    const isFirst = plans.length === 0 || (plans.length === 1 && plans[0] === entry);
    const created = entry.details.status_changes.filter((change) => change.from === "none").length;
    return isFirst && created >= plannedTodos ? ["planning_complete"] : [];
  }
  const hasChanged = entries.some((each) => filesOf(each).length > 0);
  return isTestEntry(entry) && hasChanged ? ["execution_complete", "verification_complete"] : [];
}

/** True for a test run, whatever its result. */
export function isTestEntry(entry: WorklogEntry): boolean {
  return entry.action === "Bash" && entry.details.command_type === "test";
}

export interface SummaryOptions {
  /** Globs of the files that the goal may change. Empty when nobody restricted them. */
  readonly planned: readonly string[];
  readonly at: Date;
  /** The current plan, if its texts are known. */
  readonly todos?: readonly Todo[] | null;
}

/** The summary of a phase. `entries`: all entries of the worklog, from which the todos are counted. */
export function phaseSummary(
  entries: readonly WorklogEntry[],
  { phase, since }: EndedPhase,
  { planned, at, todos = [] }: SummaryOptions,
): PhaseSummary {
  const states = todoStates(entries);
  // A first read that differed is no failure when the second read was equal.
  const results = checkResults(since);
  return {
    phase,
    timestamp: at.toISOString(),
    operations_since_last: since.length,
    files_modified: modifiedFiles(since),
    ...countTodos(states),
    deviations: [...testFailures(since), ...unplannedFiles(since, planned), ...unfinished(states, phase, todos ?? [])],
    verification_results: {
      passed: results.filter((each) => each === "pass").length,
      failed: results.filter((each) => each === "fail").length,
      skipped: results.filter((each) => each !== "pass" && each !== "fail").length,
    },
  };
}

/** The entries after the last summary, whether it was made or skipped. */
export function sinceLast(entries: readonly WorklogEntry[]): readonly WorklogEntry[] {
  return entries.slice(entries.findLastIndex((entry) => entry.action === "Checkpoint") + 1);
}

/** The files that an entry reports as changed. Empty for an operation that failed. */
export function filesOf(entry: WorklogEntry): readonly string[] {
  if (entry.status !== "completed") return [];
  return entry.action === "Edit" || entry.action === "MultiEdit" || entry.action === "Write" ? entry.details.files : [];
}

/** Each file once, in the order of its first change. */
export function modifiedFiles(entries: readonly WorklogEntry[]): string[] {
  return [...new Set(entries.flatMap(filesOf))];
}

/** Only the last run of each command counts: a test that failed first and passes now is the purpose of the work. */
function testFailures(entries: readonly WorklogEntry[]): Deviation[] {
  const last = new Map(entries.filter(isTestEntry).map((entry) => [commandOfEntry(entry), entry]));
  return [...last.values()].flatMap(({ status, context }): Deviation[] =>
    status === "failed" ? [{ type: "test_failure", description: context, severity: "high" }] : [],
  );
}

function unplannedFiles(entries: readonly WorklogEntry[], planned: readonly string[]): Deviation[] {
  if (planned.length === 0) return [];
  const isPlanned = globMatcher(planned);
  return modifiedFiles(entries)
    .filter((file) => !isPlanned(file))
    .map((file) => ({ type: "unplanned_file", description: `${file} is not in the plan`, severity: "medium" }));
}

/** Unfinished todos. Empty at the end of the planning, when everything is still to be done. */
function unfinished(states: ReadonlyMap<string, string>, phase: WorklogPhase, todos: readonly Todo[]): Deviation[] {
  const words = new Map(todos.map(({ id, content }) => [id, content]));
  if (phase === "planning_complete") return [];
  const severity = phase === "verification_complete" ? "medium" : "low";
  const open = [...states].filter(([, status]) => status !== "completed" && status !== untold);
  const notTold = [...states.values()].filter((status) => status === untold).length;
  return [
    ...open.map(
      ([id, status]): Deviation => ({
        type: "todo_incomplete",
        description: `${id} is ${status.replaceAll("_", " ")}${words.has(id) ? `: ${words.get(id)}` : ""}`,
        severity,
      }),
    ),
    ...(notTold === 0 ? [] : [untoldTodos(notTold)]),
  ];
}

/** One deviation for all todos of an agent that never reports whether a todo is finished. */
function untoldTodos(number: number): Deviation {
  const description = `the agent does not tell whether its ${count(number, "todo")} ${number === 1 ? "is" : "are"} finished`;
  return { type: "todo_incomplete", description, severity: "low" };
}

/**
 * Deviations at the end that no summary contains: a phase is summarised once, at its first test run, and its agent may go on. Only the last
 * test run counts. Empty when a worklog has no summaries.
 */
export function lateDeviations(
  entries: readonly WorklogEntry[],
  { planned, todos }: Pick<SummaryOptions, "planned" | "todos">,
): Deviation[] {
  const last = entries.findLastIndex((entry) => entry.action === "Checkpoint" && entry.status === "completed");
  if (last === -1) return [];
  const since = entries.slice(last + 1);
  const found = [
    ...testFailures(since.filter(isTestEntry).slice(-1)),
    ...unplannedFiles(since, planned),
    ...unfinished(todoStates(entries), "verification_complete", todos ?? []),
  ];
  const said = new Set(
    entries.flatMap((entry) => (entry.action === "Checkpoint" ? entry.details.deviations.map(nameOf) : [])),
  );
  return keptDeviations(found.filter((each) => !said.has(nameOf(each))));
}

/** The identity of a deviation: for a todo its id, whatever its status; for others their words, as far as they are stored. */
function nameOf({ type, description }: Deviation): string {
  return `${type} ${type === "todo_incomplete" ? description.split(" ")[0] : shorten(description, keptWords)}`;
}

/** True when a person is asked for a course correction (seed 000 §1.3). */
export function asksForCorrection(summary: Pick<PhaseSummary, "deviations">): boolean {
  return summary.deviations.some((deviation) => deviation.severity === "high");
}
