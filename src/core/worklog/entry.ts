import { z } from "zod";

/**
 * The entries of a worklog, by action, each with the details of its action. The names are those of seed 000 §3.1, and `worklog show --json`
 * prints them. Stored entries are parsed with these schemas.
 */
export const entryStatuses = ["initiated", "completed", "failed", "retried", "skipped", "timeout"] as const;
export type EntryStatus = (typeof entryStatuses)[number];

export const verificationResults = ["pass", "fail", "timeout", "user_accepted", "bypassed"] as const;
export type VerificationResult = (typeof verificationResults)[number];

const texts = z.array(z.string());
const natural = z.int().nonnegative();

/** Output that the agent reported. Stored only with `--verbose-log`. */
const output = { output: z.string().optional() };

const todos = z.strictObject({
  todos_affected: natural,
  status_changes: z.array(z.strictObject({ id: z.string(), from: z.string(), to: z.string() })),
  ...output,
});
const edit = z.strictObject({ files: texts, change_summary: z.string(), ...output });
const bash = z.strictObject({
  command_type: z.enum(["test", "build", "script"]),
  /** Null when the agent reported at most whether the command failed. */
  exit_code: z.int().nullable(),
  ...output,
});
const task = z.strictObject({ agent_type: z.string(), purpose: z.string(), outcome: z.string(), ...output });
const todoState = z.array(z.strictObject({ id: z.string(), status: z.string() }));
const verify = z.strictObject({
  verification_result: z.enum(verificationResults),
  expected_state: todoState,
  actual_state: todoState,
  /** How many todos were expected, if more than are stored here. */
  expected_count: natural.optional(),
  mismatch_details: z.string().nullable(),
  /** Who decided it, if a person did. */
  decided_by: z.string().optional(),
  /** The person for whom the todos of an earlier check were read again. */
  read_for: z.string().optional(),
});

export const deviationTypes = ["todo_incomplete", "unplanned_file", "test_failure"] as const;
export const Deviation = z.strictObject({
  type: z.enum(deviationTypes),
  description: z.string(),
  severity: z.enum(["low", "medium", "high"]),
});
export type Deviation = z.infer<typeof Deviation>;

const checkpoint = z.strictObject({
  phase: z.string(),
  operations_count: natural,
  deviations: z.array(Deviation),
  /** Why there is no summary. */
  reason: z.string().optional(),
});
const detection = z.strictObject({ found: z.string().nullable() });

const common = {
  /** ISO 8601, UTC. */
  timestamp: z.iso.datetime(),
  status: z.enum(entryStatuses),
  context: z.string().max(400),
  tokens_consumed: natural,
};
const of = <Action extends string, Details extends z.ZodType>(action: Action, details: Details) =>
  z.strictObject({ ...common, action: z.literal(action), details });

export const WorklogEntry = z.discriminatedUnion("action", [
  of("TodoWrite", todos),
  of("Edit", edit),
  of("MultiEdit", edit),
  of("Write", edit),
  of("Bash", bash),
  of("Task", task),
  of("Verify", verify),
  of("Checkpoint", checkpoint),
  of("CheckpointDetection", detection),
]);
export type WorklogEntry = z.infer<typeof WorklogEntry>;
export type EntryOf<Action extends WorklogEntry["action"]> = Extract<WorklogEntry, { action: Action }>;

/** The command of a Bash entry, without its result: two runs of one command have the same text. */
export function commandOfEntry({ context }: Pick<WorklogEntry, "context">): string {
  return context.replace(/ \((?:exit code -?\d+|failed|completed)\)$/, "");
}

/** True for the agent's own operations, false for those of the worklog. */
export function isOperation(entry: WorklogEntry): boolean {
  return entry.action !== "Verify" && entry.action !== "Checkpoint" && entry.action !== "CheckpointDetection";
}

/** The size of an entry within a session's limit, in bytes. */
export function entryBytes(entry: WorklogEntry): number {
  return new TextEncoder().encode(JSON.stringify(entry)).length;
}
