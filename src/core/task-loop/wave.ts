import { z } from "zod";
import { count } from "../text.ts";
import { wrongValueWords } from "../text/wrong-value.ts";
import { isSafeId, readyTasks, taskStatuses, type TaskWithStatus, type TaskStatus } from "./tasks.ts";

/**
 * Waves: independent ready tasks of one goal, worked in parallel, each in its own worktree (C-97). A wave is stored before its tasks begin,
 * so that exactly this wave resumes after a crash. Results are merged in the order of task ids (C-51).
 */
export interface Wave {
  readonly waveId: string;
  /** The kind of work that the wave does now. */
  readonly phase: "implement_task" | "spec_check";
  readonly taskIds: readonly string[];
  /** The statuses of its tasks before it began, in case it cannot begin at all (S3-SF-02). */
  readonly before: Readonly<Record<string, TaskStatus>>;
  /** Tasks whose workers had finished when the wave was interrupted. Their results are kept, and they do not start again. */
  readonly done?: readonly string[];
}

/** The next wave: at most `parallel` ready tasks. Null when none is ready. */
export function planWave(waveId: string, tasks: readonly TaskWithStatus[], parallel: number): Wave | null {
  const chosen = readyTasks(tasks).slice(0, Math.max(1, parallel));
  if (chosen.length === 0) return null;
  return {
    waveId,
    phase: "implement_task",
    taskIds: chosen.map((task) => task.id).toSorted(),
    before: Object.fromEntries(chosen.map((task) => [task.id, task.status])),
  };
}

/** The statuses of its tasks when nothing of the wave counts (S3-SF-02). */
export function asBefore({ taskIds, before }: Wave): Readonly<Record<string, TaskStatus>> {
  return Object.fromEntries(taskIds.map((id) => [id, before[id] ?? "pending"]));
}

/** How one task's worker ended. */
export type WorkerEnd =
  | { readonly type: "finished" }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "timeout"; readonly reason: string }
  /** A limit, a missing login, a refusal, or a start that came too late. It says nothing about the task, and the wave begins again. */
  | { readonly type: "held"; readonly reason: string }
  | { readonly type: "setup-failure"; readonly reason: string };

export interface WaveResult {
  readonly state: "done" | "timed_out" | "setup_failed";
  /** The status of each task after the wave. */
  readonly statuses: Readonly<Record<string, TaskStatus>>;
  /** The feedback for each failed task. */
  readonly feedback: Readonly<Record<string, string>>;
  /** Tasks whose work should be checked. */
  readonly worked: readonly string[];
  /** One line for the record. */
  readonly summary: string;
}

/**
 * The result of an implementation wave. A timeout fails every task of the wave (S3-PT-01). A setup failure restores every task's earlier
 * status (S3-SF-02, S3-SF-04). A worker that failed or crashed fails only its own task. Calling it again with the same ends gives the same
 * result (S3-PT-08).
 */
export function endWave(wave: Wave, ends: Readonly<Record<string, WorkerEnd>>): WaveResult {
  const of = (id: string): WorkerEnd => ends[id] ?? { type: "failed", reason: "its worker left nothing" };
  const setup = wave.taskIds.map((id) => ({ id, end: of(id) })).find(({ end }) => end.type === "setup-failure");
  if (setup?.end.type === "setup-failure") {
    const summary = `wave ${wave.waveId}: setup_failed: ${setup.id}: ${setup.end.reason}`;
    return { state: "setup_failed", statuses: asBefore(wave), feedback: {}, worked: [], summary };
  }
  const late = wave.taskIds.filter((id) => of(id).type === "timeout");
  if (late.length > 0) return timedOut(wave, of, late);

  const worked = wave.taskIds.filter((id) => of(id).type === "finished");
  const failed = wave.taskIds.filter((id) => !worked.includes(id));
  return {
    state: "done",
    statuses: Object.fromEntries(wave.taskIds.map((id) => [id, worked.includes(id) ? "in_progress" : "failed"])),
    feedback: Object.fromEntries(
      failed.map((id) => [id, `The work on ${id} ended before it was done: ${reasonOf(of(id))}`]),
    ),
    worked,
    summary: `wave ${wave.waveId}: ${count(worked.length, "task")} implemented${failed.length === 0 ? "" : `, failed: ${failed.join(", ")}`}`,
  };
}

function timedOut(wave: Wave, of: (id: string) => WorkerEnd, late: readonly string[]): WaveResult {
  const [first = ""] = late;
  const why = reasonOf(of(first));
  const told = (id: string): string => {
    const where = `Timeout in wave ${wave.waveId} (${wave.phase}): `;
    const end = of(id);
    if (end.type === "timeout") return `${where}${end.reason}`;
    if (end.type === "finished")
      return `${where}${first} ${why}; ${id} passed before timeout, but nothing of the wave is used`;
    return `${where}${first} ${why}; ${id} ${reasonOf(end)}`;
  };
  return {
    state: "timed_out",
    statuses: Object.fromEntries(wave.taskIds.map((id) => [id, "failed" as const])),
    feedback: Object.fromEntries(wave.taskIds.map((id) => [id, told(id)])),
    worked: [],
    summary: `wave ${wave.waveId}: timed_out in ${wave.phase} (${late.join(", ")}: ${why}); failed: ${wave.taskIds.join(", ")}`,
  };
}

function reasonOf(end: WorkerEnd): string {
  return end.type === "finished" ? "finished" : end.reason;
}

/** The result of merging one task's branch, after its check passed, into the goal's branch. */
export type TaskMerge =
  | { readonly type: "merged"; readonly commit: string }
  | { readonly type: "conflict"; readonly files: readonly string[] };

/** The result of a wave's merges. Earlier merges stay; the task in conflict and all later ones fail (C-51). */
export interface MergedWave {
  readonly passed: readonly string[];
  readonly feedback: Readonly<Record<string, string>>;
  readonly conflict: string | null;
  /**
   * Tasks that passed their check but are not merged; this does not count as an attempt. A conflict with the state before the wave does
   * count, because nothing else limits how often it happens.
   */
  readonly uncounted: readonly string[];
  readonly summary: string;
}

/** `merges` are in the order of task ids and end with the first conflict. S3-MC-01, S3-MC-02. */
export function endMerges(
  wave: Wave,
  checked: readonly string[],
  merges: readonly { readonly taskId: string; readonly merge: TaskMerge }[],
): MergedWave {
  const passed = merges.filter(({ merge }) => merge.type === "merged").map(({ taskId }) => taskId);
  const stopped = merges.find(({ merge }) => merge.type === "conflict");
  const after = checked.toSorted().filter((id) => !passed.includes(id) && id !== stopped?.taskId);
  if (stopped?.merge.type !== "conflict") {
    return {
      passed,
      feedback: {},
      conflict: null,
      uncounted: [],
      summary: `wave ${wave.waveId}: merged ${passed.join(", ") || "nothing"}`,
    };
  }
  const files = stopped.merge.files.slice(0, 20).join(", ");
  return {
    passed,
    conflict: stopped.taskId,
    uncounted: passed.length === 0 ? after : [stopped.taskId, ...after],
    feedback: {
      [stopped.taskId]: `Merge conflict: your changes and those of tasks before you touch the same lines in ${files}. Start from the goal's branch as it is now.`,
      ...Object.fromEntries(after.map((id) => [id, `Not merged: ${stopped.taskId} was in conflict before it.`])),
    },
    summary: `wave ${wave.waveId}: merged ${passed.join(", ") || "nothing"}; conflict: ${stopped.taskId}${after.length === 0 ? "" : `; not merged: ${after.join(", ")}`}`,
  };
}

/** What recovery finds at startup, from the stored state. */
export type Recovery =
  | { readonly type: "fine" }
  /** The stored wave continues with its stored ids. `corrected` is true when its phase was wrong (S3-CR-03). */
  | { readonly type: "resume"; readonly wave: Wave; readonly corrected: boolean; readonly orphans: readonly string[] }
  /** Tasks in progress that belong to no wave become failed (S3-CR-01). */
  | { readonly type: "orphans"; readonly orphans: readonly string[] }
  /** A check without a wave, or a wave with unusable names (S3-CR-04, S3-CR-05). */
  | { readonly type: "setup-failure"; readonly reason: string };

const ids = z.array(z.string());
/** The schema of a stored wave. Any phase is accepted, because a wrong one is corrected. */
const storedWave = z.object({
  waveId: z.string(),
  phase: z.string(),
  taskIds: ids,
  before: z.record(z.string(), z.enum(taskStatuses)),
  done: ids.optional(),
});

/** Why a stored wave cannot be used (S3-CR-04); null when it can. */
function whyUnusable(wave: Wave): string | null {
  const [issue] = storedWave.safeParse(wave).error?.issues ?? [];
  if (issue !== undefined) return `the stored wave cannot be used: ${issue.path.join(".")}: ${wrongValueWords(issue)}`;
  const unsafe = [wave.waveId, ...wave.taskIds].find((id) => !isSafeId(id));
  return unsafe === undefined ? null : `the stored wave names ${JSON.stringify(unsafe)}, which is no id`;
}

/**
 * Decides how a run recovers after a crash. `phase` is the stored phase of the loop; it wins when the wave's phase differs. S3-CR-01…05.
 */
export function recoverWave(
  phase: "implement_task" | "spec_check" | "other",
  wave: Wave | null,
  tasks: readonly TaskWithStatus[],
): Recovery {
  const unusable = wave === null ? null : whyUnusable(wave);
  if (unusable !== null) return { type: "setup-failure", reason: unusable };
  const running = tasks.filter((task) => task.status === "in_progress").map((task) => task.id);
  const orphans = running.filter((id) => wave === null || !wave.taskIds.includes(id));
  if (wave === null) {
    if (phase === "spec_check") return { type: "setup-failure", reason: "there is no wave to check" };
    return orphans.length === 0 ? { type: "fine" } : { type: "orphans", orphans };
  }
  if (phase === "other") return orphans.length === 0 ? { type: "fine" } : { type: "orphans", orphans };
  const corrected = wave.phase !== phase;
  return { type: "resume", wave: { ...wave, phase }, corrected, orphans };
}
