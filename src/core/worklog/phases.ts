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

/** Whether a tier has a summary of this phase; of a tier that is none, never. */
export function hasSummary(tier: string, phase: WorklogPhase): boolean {
  return isTier(tier) && tierTable[tier].summaries.includes(phase);
}

function isTier(tier: string): tier is Tier {
  return Object.hasOwn(tierTable, tier);
}

/** So many todos in the first plan end the planning (S0-CP-04). */
const plannedTodos = 3;

/** What may end a phase, as it happens. */
export type PhaseEvent =
  | { readonly type: "entry"; readonly entry: WorklogEntry }
  /** The agent has ended: nothing is pending any more. */
  | { readonly type: "executed" }
  /** The system has verified a commit. */
  | { readonly type: "verified" };

/** A phase that has ended, and what came in it: its summary is of that. */
export interface EndedPhase {
  readonly phase: WorklogPhase;
  readonly since: readonly WorklogEntry[];
}

/**
 * The phases that end with this, in their order, without those that have ended before: a phase is summarised once. The first test
 * run after a change says that the execution is over, and so does the end of the agent (C-15). A test run that ends the execution
 * and the verification is the verification's.
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

/** A run of tests, however it ended. */
export function isTestEntry(entry: WorklogEntry): boolean {
  return entry.action === "Bash" && entry.details.command_type === "test";
}

export interface SummaryOptions {
  /** Globs of the files that the goal may change; empty when nobody said. */
  readonly planned: readonly string[];
  readonly at: Date;
  /** The plan as it is now, where its words are known. */
  readonly todos?: readonly Todo[] | null;
}

/** What a phase came to; `entries`: all that the worklog holds, of which the todos are counted. */
export function phaseSummary(
  entries: readonly WorklogEntry[],
  { phase, since }: EndedPhase,
  { planned, at, todos = [] }: SummaryOptions,
): PhaseSummary {
  const states = todoStates(entries);
  // A first read that differed is no failure when it was read again.
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

/** After the last summary, whether it was made or left out. */
export function sinceLast(entries: readonly WorklogEntry[]): readonly WorklogEntry[] {
  return entries.slice(entries.findLastIndex((entry) => entry.action === "Checkpoint") + 1);
}

/** The files that an entry says were changed; of an operation that failed, none. */
export function filesOf(entry: WorklogEntry): readonly string[] {
  if (entry.status !== "completed") return [];
  return entry.action === "Edit" || entry.action === "MultiEdit" || entry.action === "Write" ? entry.details.files : [];
}

/** Each file once, in the order in which they were changed first. */
export function modifiedFiles(entries: readonly WorklogEntry[]): string[] {
  return [...new Set(entries.flatMap(filesOf))];
}

/** Of each command its last run counts: a test that failed first and passes now is what work is for. */
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

/** At the end of the planning everything is still to be done. */
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

/** Some agents never say whether a todo is finished: one line for all of them. */
function untoldTodos(number: number): Deviation {
  const description = `the agent does not tell whether its ${count(number, "todo")} ${number === 1 ? "is" : "are"} finished`;
  return { type: "todo_incomplete", description, severity: "low" };
}

/**
 * What deviates at the end and no summary has said: a phase is summarised once, at its first test run, and its agent may go on. Of
 * test runs only the last one counts. Empty where a worklog has no summaries.
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

/** A todo by its id, whatever it is now; anything else by its words, as far as they are kept. */
function nameOf({ type, description }: Deviation): string {
  return `${type} ${type === "todo_incomplete" ? description.split(" ")[0] : shorten(description, keptWords)}`;
}

/** Whether a person is asked for a course correction (seed 000 §1.3). */
export function asksForCorrection(summary: Pick<PhaseSummary, "deviations">): boolean {
  return summary.deviations.some((deviation) => deviation.severity === "high");
}
