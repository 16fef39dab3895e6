import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { CampaignState, DayStatus, MilestoneStatus, PlannedGoal } from "../core/campaigns/campaign.ts";
import type { WantedPlan } from "../core/campaigns/plan.ts";
import type { Card } from "../core/cards/card.ts";
import type { PictureUnderWay } from "../core/cards/picture.ts";
import type { PlaceSpace } from "../core/space/free.ts";
import type { CheckpointFacts, CheckpointKind, CheckpointOption, Reason } from "../core/checkpoints/checkpoint.ts";
import type { Trigger } from "../core/checkpoints/triggers.ts";
import type { StandsOn } from "../core/goals/ground.ts";
import type { SessionKind } from "../core/goals/next.ts";
import type { Instruction, Linkage, SettledTrigger } from "../core/goals/goal.ts";
import type { QueuedState } from "../core/merging/queue.ts";
import type { Clarification } from "../core/recovery/clarification.ts";
import type { FailureKind } from "../core/recovery/failure.ts";
import type { Rung } from "../core/recovery/ladder.ts";
import type { ModelFailure } from "../core/prompts/model-failure.ts";
import type { ModelQuestion } from "../core/prompts/question.ts";
import type { CompiledReply } from "../core/replies/compile.ts";
import type { ScheduleName } from "../core/schedules/schedule.ts";
import type { EvidenceRecord } from "../core/task-loop/evidence.ts";
import type { PhaseReport } from "../core/task-loop/phase-report.ts";
import type { LoopState, TaskSettings } from "../core/task-loop/state.ts";
import type { TaskStatus } from "../core/task-loop/tasks.ts";

/**
 * What the system knows. Money is whole micro-dollars, times are timestamptz. Constraints say what must never be
 * wrong (D4, D9, D10, D22, D36); what they cannot say is in the conditional writes beside each query.
 */
export const cos = pgSchema("cos");

const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
const micro = (name: string) => bigint(name, { mode: "number" });

export const repositories = cos.table("repositories", {
  repositoryId: text("repository_id").primaryKey(),
  name: text("name").notNull().unique(),
  path: text("path").notNull().unique(),
  baseBranch: text("base_branch").notNull(),
  setup: text("setup"),
  checks: jsonb("checks").$type<string[]>().notNull(),
  pushRemote: text("push_remote"),
  /** Overrides COS_AGENT for this repository. */
  agent: text("agent"),
  createdAt: at("created_at").notNull(),
});

export const sessions = cos.table(
  "sessions",
  {
    sessionId: text("session_id").primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    status: text("status").$type<"running" | "paused" | "ended">().notNull(),
    budgetMicroUsd: micro("budget_micro_usd").notNull(),
    /** No further goal starts; the session ends when the current one has. */
    stopping: boolean("stopping").notNull().default(false),
    pausedBy: text("paused_by"),
    endReason: text("end_reason"),
    /** Goals in a row that ended failed (D20). */
    failureStreak: integer("failure_streak").notNull().default(0),
    /** At a provider's limit: wait for its reset, or pause for a person. */
    onLimit: text("on_limit").$type<"wait" | "pause">().notNull().default("wait"),
    kind: text("kind").$type<SessionKind>().notNull().default("plain"),
    /** An open question holds what comes after its goal (D37); plain sessions only. */
    inOrder: boolean("in_order").notNull().default(false),
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    campaignDay: integer("campaign_day"),
    nightId: text("night_id").references(() => nights.nightId),
    /** The person who stopped it; null: it came to its own end. */
    endedBy: text("ended_by"),
    startedBy: text("started_by").notNull(),
    startedAt: at("started_at").notNull(),
    endedAt: at("ended_at"),
  },
  (table) => [
    uniqueIndex("sessions_one_open").on(table.repositoryId).where(sql`status <> 'ended'`),
    index("sessions_by_campaign").on(table.campaignId, table.campaignDay),
    check("sessions_status", sql`status in ('running', 'paused', 'ended')`),
    check("sessions_budget", sql`budget_micro_usd > 0`),
    check("sessions_ended", sql`(status = 'ended') = (ended_at is not null)`),
  ],
);

export const goals = cos.table(
  "goals",
  {
    goalId: text("goal_id").primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    sessionId: text("session_id").references(() => sessions.sessionId),
    /** The campaign whose plan it comes from, the day it was last worked on, and what it is a part of. */
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    campaignDay: integer("campaign_day"),
    milestoneId: text("milestone_id"),
    position: bigserial("position", { mode: "number" }).notNull(),
    content: text("content").notNull(),
    tags: jsonb("tags").$type<string[]>().notNull(),
    priority: text("priority").$type<"high" | "medium" | "low">().notNull(),
    tier: text("tier").$type<"STRICT" | "STANDARD" | "LIGHT" | "EXEMPT">(),
    estimatedMinutes: integer("estimated_minutes"),
    estimateMicroUsd: micro("estimate_micro_usd"),
    ceilingMicroUsd: micro("ceiling_micro_usd"),
    linkage: jsonb("linkage").$type<Linkage>().notNull(),
    linkedText: text("linked_text"),
    criteria: text("criteria"),
    filesAllowed: jsonb("files_allowed").$type<string[]>().notNull(),
    proofAllowed: jsonb("proof_allowed").$type<string[]>().notNull(),
    runCommand: text("run_command"),
    /** How many of its tasks are worked side by side; null: it has no task list, and is one task itself (C-97). */
    taskParallel: integer("task_parallel"),
    /** As its task list says, of whatever type (S3-MS-03); wrapped, because it may be missing. */
    taskSettings: jsonb("task_settings").$type<TaskSettings>(),
    instructions: jsonb("instructions").$type<Instruction[]>().notNull(),
    /** Whoever added it said so (`--unplanned`), or it came from no person: it asks first in every session. */
    isUnplanned: boolean("is_unplanned").notNull(),
    /** The session that it was not planned into as it is: changed there, or named into a campaign's day or a night (C-68). */
    unplannedIn: text("unplanned_in"),
    /** Goals that it is on top of: it begins on their commits (D37). */
    after: jsonb("after").$type<string[]>().notNull().default([]),
    /** The one of them whose end has parked it. */
    parkedFor: text("parked_for"),
    /** When it joined its session, which was open by then; null: the session began with it. */
    joinedAt: at("joined_at"),
    errorCount: integer("error_count").notNull().default(0),
    recoveryLevel: integer("recovery_level").notNull().default(0),
    isHiccup: boolean("is_hiccup").notNull().default(false),
    status: text("status")
      .$type<"pending" | "in_progress" | "blocked" | "complete" | "failed" | "deferred" | "manual_followup">()
      .notNull(),
    phase: text("phase").$type<"start" | "recover" | "implement" | "verify" | "finish">().notNull(),
    turn: integer("turn").notNull().default(0),
    interruptions: integer("interruptions").notNull().default(0),
    wakeAt: at("wake_at"),
    leasedBy: text("leased_by"),
    /** Database time (D4): compared with now() of the database only. */
    leasedUntil: at("leased_until"),
    stopRequested: text("stop_requested").$type<"pause" | "skip" | "stop" | "modify">(),
    runId: text("run_id"),
    branch: text("branch"),
    outcome: text("outcome"),
    createdBy: text("created_by").notNull(),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    index("goals_ready").on(table.wakeAt).where(sql`wake_at is not null`),
    index("goals_by_session").on(table.sessionId, table.position),
    index("goals_by_ground").using("gin", table.after),
    index("goals_by_campaign").on(table.campaignId).where(sql`campaign_id is not null`),
    check(
      "goals_status",
      sql`status in ('pending', 'in_progress', 'blocked', 'complete', 'failed', 'deferred', 'manual_followup')`,
    ),
    check("goals_lease", sql`(leased_by is null) = (leased_until is null)`),
    check("goals_turn", sql`turn >= 0`),
    check(
      "goals_ended_sleep",
      sql`status not in ('complete', 'failed', 'deferred', 'manual_followup') or wake_at is null`,
    ),
    check("goals_estimate", sql`estimate_micro_usd is null or estimate_micro_usd >= 0`),
  ],
);

export const runs = cos.table(
  "runs",
  {
    runId: text("run_id").primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    status: text("status").$type<"open" | "ended">().notNull(),
    contentHash: text("content_hash").notNull(),
    settled: jsonb("settled").$type<SettledTrigger[]>().notNull(),
    approvedBy: text("approved_by"),
    baseCommit: text("base_commit"),
    headCommit: text("head_commit"),
    /** Which goals its base and its head hold, of those that it is on top of (D37). */
    standsOn: jsonb("stands_on").$type<StandsOn[]>().notNull().default([]),
    agentSessionId: text("agent_session_id"),
    /** How the executor ended, when it ended before the goal did (a question about the result is open). */
    claimedSummary: text("claimed_summary"),
    /** Verification rounds that were recorded (D21). */
    verifyRound: integer("verify_round").notNull().default(0),
    /** What the newest round found wrong, for the agent's next execution. */
    feedback: text("feedback"),
    /** Where it stands on the recovery ladder: which ladder, which rung, which attempt of the rung (D19). */
    ladder: integer("ladder").notNull().default(1),
    rung: integer("rung").$type<Rung>().notNull().default(1),
    rungAttempt: integer("rung_attempt").notNull().default(1),
    /** What is tried now, when it is not the goal as it was asked; who thought of it; and how to go about it. */
    approach: text("approach"),
    approachSource: text("approach_source"),
    approachInstruction: text("approach_instruction"),
    /** What was asked on rung 3, and what a person answered. */
    clarification: jsonb("clarification").$type<Clarification>(),
    /** Waits for a provider's limit in a row. */
    limitWaits: integer("limit_waits").notNull().default(0),
    /** Where its task loop stands; null for goals without tasks. */
    loop: jsonb("loop").$type<LoopState>(),
    /** How often its result could not be pushed and was given back (C-47). */
    fixRounds: integer("fix_rounds").notNull().default(0),
    /** An agent wanted to give up without enough evidence and was sent back. */
    wasSentBack: boolean("was_sent_back").notNull().default(false),
    startedAt: at("started_at").notNull(),
    endedAt: at("ended_at"),
  },
  (table) => [
    uniqueIndex("runs_one_open").on(table.goalId).where(sql`status = 'open'`),
    check("runs_rung", sql`rung between 1 and 4 and rung_attempt >= 1 and ladder >= 1`),
  ],
);

/**
 * Attempts on the recovery ladder, append-only: one row for each execution that ended with a verdict. What was cut short
 * by us is none (D8).
 */
export const attempts = cos.table(
  "attempts",
  {
    attemptId: bigserial("attempt_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    runId: text("run_id")
      .notNull()
      .references(() => runs.runId),
    turn: integer("turn").notNull(),
    ladder: integer("ladder").notNull(),
    rung: integer("rung").$type<Rung>().notNull(),
    number: integer("number").notNull(),
    approach: text("approach").notNull(),
    source: text("source"),
    /** How the approach was to be gone about; null for the goal as it was asked. */
    instruction: text("instruction"),
    end: text("end").$type<FailureKind | "passed">().notNull(),
    error: text("error").notNull(),
    fingerprint: text("fingerprint").notNull(),
    criteria: jsonb("criteria").$type<string[]>().notNull(),
    files: jsonb("files").$type<string[]>().notNull(),
    commit: text("commit"),
    /** Of a goal's own command: how it exited, and the last lines it printed. */
    exitCode: integer("exit_code"),
    output: text("output"),
    costMicroUsd: micro("cost_micro_usd").notNull(),
    costIsEstimated: boolean("cost_is_estimated").notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    unique("attempts_once").on(table.runId, table.ladder, table.number),
    index("attempts_by_goal").on(table.goalId, table.attemptId),
    index("attempts_by_fingerprint").on(table.fingerprint),
  ],
);

/**
 * How checks of a repository ended at a base commit without any goal's work, one row a run; append-only but for its end:
 * the tick removes what is older than `policy.verification.keepBaseResultsMs`. What a row says holds for this commit,
 * this command and this environment (D38).
 */
export const baseResults = cos.table(
  "base_results",
  {
    baseResultId: bigserial("base_result_id", { mode: "number" }).primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    commit: text("commit").notNull(),
    command: text("command").notNull(),
    /** Of the command with its condition and its time limit. */
    hash: text("hash").notNull(),
    /** Of the setup command, lock files, versions of tools, and variables. */
    environment: text("environment").notNull(),
    result: text("result").$type<"pass" | "fail">().notNull(),
    /** What makes two failures the same; empty for a pass. */
    fingerprint: text("fingerprint").notNull(),
    /** Whose verification ran it. */
    runId: text("run_id").notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    index("base_results_by_key").on(table.repositoryId, table.commit, table.environment),
    index("base_results_by_age").on(table.at),
    check("base_results_result", sql`result in ('pass', 'fail')`),
  ],
);

/** The tasks of a goal (seed 003), as they stand. */
export const tasks = cos.table(
  "tasks",
  {
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    id: text("task_id").notNull(),
    position: integer("position").notNull(),
    title: text("title").notNull(),
    acceptanceCriteria: jsonb("acceptance_criteria").$type<string[]>().notNull(),
    filesAllowed: jsonb("files_allowed").$type<string[]>().notNull(),
    dependsOn: jsonb("depends_on").$type<string[]>().notNull(),
    status: text("status").$type<TaskStatus>().notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** What its next attempt is told. */
    feedback: text("feedback"),
    /** What its newest implementation left; part of the goal once the task has passed. */
    commit: text("commit"),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.goalId, table.id] }),
    check("tasks_status", sql`status in ('pending', 'in_progress', 'passed', 'failed')`),
  ],
);

/** What each phase of a task loop left, iteration by iteration; append-only (S3-PR-08). */
export const phaseReports = cos.table(
  "phase_reports",
  {
    reportId: bigserial("report_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    runId: text("run_id")
      .notNull()
      .references(() => runs.runId),
    iteration: integer("iteration").notNull(),
    taskId: text("task_id"),
    report: jsonb("report").$type<PhaseReport>().notNull(),
    /** The evidence that a check showed; null for other phases. */
    evidence: jsonb("evidence").$type<EvidenceRecord>(),
    at: at("at").notNull(),
  },
  (table) => [index("phase_reports_by_goal").on(table.goalId, table.reportId)],
);

/** What a model was asked and what came of it, append-only: the prompt's version stands beside every answer. */
export const consultations = cos.table(
  "consultations",
  {
    consultationId: text("consultation_id").primaryKey(),
    use: text("use").$type<ModelQuestion<unknown>["use"]>().notNull(),
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    goalId: text("goal_id").references(() => goals.goalId),
    runId: text("run_id").references(() => runs.runId),
    promptVersion: text("prompt_version").notNull(),
    model: text("model").notNull(),
    /** `answered`, or why there is no answer. */
    outcome: text("outcome").$type<"answered" | ModelFailure>().notNull(),
    answer: jsonb("answer").$type<unknown>(),
    words: text("words"),
    inputTokens: integer("input_tokens").notNull(),
    outputTokens: integer("output_tokens").notNull(),
    /** Null: the model's price is not known. */
    costMicroUsd: micro("cost_micro_usd"),
    calls: integer("calls").notNull(),
    at: at("at").notNull(),
  },
  (table) => [index("consultations_by_goal").on(table.goalId, table.at)],
);

/**
 * Replies that were read as a decision and wait for one tap (Confirm). `unread` ones wait for the model to read them.
 */
export const replies = cos.table(
  "replies",
  {
    replyId: text("reply_id").primaryKey(),
    checkpointId: text("checkpoint_id")
      .notNull()
      .references(() => checkpoints.checkpointId),
    /** The subject of the message under which it was written. */
    thread: text("thread").notNull(),
    /** Of the question, when it was written: an answer to an older one is refused. */
    version: integer("version").notNull(),
    actor: text("actor").notNull(),
    actorId: text("actor_id"),
    via: text("via").notNull(),
    text: text("text").notNull(),
    compiled: jsonb("compiled").$type<CompiledReply>(),
    status: text("status")
      .$type<"unread" | "proposed" | "unclear" | "confirmed" | "dismissed" | "replaced">()
      .notNull(),
    settledBy: text("settled_by"),
    createdAt: at("created_at").notNull(),
    settledAt: at("settled_at"),
  },
  (table) => [
    index("replies_by_checkpoint").on(table.checkpointId, table.createdAt),
    index("replies_unread").on(table.createdAt).where(sql`status = 'unread'`),
  ],
);

export const checkpoints = cos.table(
  "checkpoints",
  {
    checkpointId: text("checkpoint_id").primaryKey(),
    kind: text("kind").$type<CheckpointKind>().notNull(),
    subject: text("subject").notNull(),
    goalId: text("goal_id").references(() => goals.goalId),
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    runId: text("run_id").references(() => runs.runId),
    version: integer("version").notNull().default(1),
    trigger: text("trigger")
      .$type<"hiccup" | "ux_change" | "cost_single" | "cost_cumulative" | "architecture" | "scope_change">()
      .notNull(),
    reasons: jsonb("reasons").$type<Reason[]>().notNull(),
    context: text("context").notNull(),
    options: jsonb("options").$type<CheckpointOption[]>().notNull(),
    recommendation: text("recommendation").notNull(),
    facts: jsonb("facts").$type<CheckpointFacts>().notNull(),
    contentHash: text("content_hash").notNull(),
    status: text("status").$type<"pending" | "approved" | "rejected" | "expired" | "superseded">().notNull(),
    chosenOption: text("chosen_option"),
    humanNotes: text("human_notes"),
    resolvedBy: text("resolved_by"),
    resolvedVia: text("resolved_via"),
    resolvedAt: at("resolved_at"),
    createdAt: at("created_at").notNull(),
    askedAt: at("asked_at").notNull(),
    remindedAt: at("reminded_at"),
    expiresAt: at("expires_at").notNull(),
    pausedBy: text("paused_by"),
    /** Who has seen an escalation and takes care of it; it is not reminded of any more. */
    acknowledgedBy: text("acknowledged_by"),
    acknowledgedAt: at("acknowledged_at"),
    changed: text("changed"),
  },
  (table) => [
    uniqueIndex("checkpoints_one_open").on(table.subject).where(sql`status = 'pending'`),
    index("checkpoints_by_goal").on(table.goalId, table.createdAt),
    check("checkpoints_status", sql`status in ('pending', 'approved', 'rejected', 'expired', 'superseded')`),
    check("checkpoints_resolved", sql`(status = 'pending') = (resolved_at is null)`),
    check(
      "checkpoints_answered",
      sql`status not in ('approved', 'rejected') or (chosen_option is not null and resolved_by is not null)`,
    ),
  ],
);

/** The audit trail of answers: who, where, when, after how long. Append-only; one settling answer a checkpoint (D10). */
export const decisions = cos.table(
  "decisions",
  {
    decisionId: bigserial("decision_id", { mode: "number" }).primaryKey(),
    checkpointId: text("checkpoint_id")
      .notNull()
      .references(() => checkpoints.checkpointId),
    version: integer("version").notNull(),
    choice: text("choice").notNull(),
    effect: text("effect").notNull(),
    settles: boolean("settles").notNull(),
    actor: text("actor").notNull(),
    /** Who it was to a chat platform (`slack:U…`); null for the local person. */
    actorId: text("actor_id"),
    via: text("via").notNull(),
    notes: text("notes"),
    instructions: text("instructions"),
    criteria: text("criteria"),
    budgetMicroUsd: micro("budget_micro_usd"),
    waitedMs: bigint("waited_ms", { mode: "number" }).notNull(),
    at: at("at").notNull(),
  },
  (table) => [uniqueIndex("decisions_one_settles").on(table.checkpointId).where(sql`settles`)],
);

/** One use of something an agent may not do by itself, given by a human (D29). */
export const grants = cos.table("grants", {
  grantId: bigserial("grant_id", { mode: "number" }).primaryKey(),
  goalId: text("goal_id")
    .notNull()
    .references(() => goals.goalId),
  fingerprint: text("fingerprint").notNull(),
  checkpointId: text("checkpoint_id")
    .notNull()
    .unique()
    .references(() => checkpoints.checkpointId),
  usedAt: at("used_at"),
});

/** One row a calendar day: what the ceilings of a day lock (D9, D22). */
export const days = cos.table("days", { day: date("day", { mode: "string" }).primaryKey() });

/**
 * The spend ledger, append-only. A call is one execution of an agent: reserved before, reported while it runs
 * (cumulative), settled once after. What a call costs is its settled amount, else the largest of the others.
 */
export const spend = cos.table(
  "spend",
  {
    spendId: bigserial("spend_id", { mode: "number" }).primaryKey(),
    callId: text("call_id").notNull(),
    kind: text("kind").$type<"reserved" | "reported" | "settled">().notNull(),
    amountMicroUsd: micro("amount_micro_usd").notNull(),
    /** Assumed or estimated rather than reported; every figure that holds it says so (D22). */
    isEstimated: boolean("is_estimated").notNull(),
    /** The calendar day in COS_TIMEZONE on which the call began. */
    day: date("day", { mode: "string" }).notNull(),
    /** Null for what a campaign's planning cost. */
    goalId: text("goal_id").references(() => goals.goalId),
    runId: text("run_id").references(() => runs.runId),
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    sessionId: text("session_id"),
    at: at("at").notNull(),
  },
  (table) => [
    /** Of a call that was cut short an assumption is settled, and what its agent says later counts before it. */
    uniqueIndex("spend_settled_once").on(table.callId, table.isEstimated).where(sql`kind = 'settled'`),
    uniqueIndex("spend_reserved_once").on(table.callId).where(sql`kind = 'reserved'`),
    index("spend_by_goal").on(table.goalId),
    index("spend_by_session").on(table.sessionId),
    index("spend_by_day").on(table.day),
    check("spend_amount", sql`amount_micro_usd >= 0`),
    check("spend_for", sql`(goal_id is null) = (run_id is null) and (goal_id is null) = (campaign_id is not null)`),
  ],
);

/** Facts the system saw itself. Append-only. `output_file` lies under the data directory and hashes to `sha256`. */
export const evidence = cos.table(
  "evidence",
  {
    evidenceId: bigserial("evidence_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    runId: text("run_id")
      .notNull()
      .references(() => runs.runId),
    /** The turn that saw it: one row a kind and turn, so a doubled record adds nothing. */
    turn: integer("turn").notNull(),
    kind: text("kind").$type<"setup" | "execution" | "criterion" | "check">().notNull(),
    /** The criterion that was verified; null for what is none. */
    criterion: text("criterion"),
    command: text("command").notNull(),
    exitCode: integer("exit_code"),
    commit: text("commit"),
    durationMs: integer("duration_ms").notNull(),
    outputFile: text("output_file"),
    outputBytes: bigint("output_bytes", { mode: "number" }),
    sha256: text("sha256"),
    tag: text("tag").$type<"verified" | "claimed" | "not checked">().notNull(),
    detail: jsonb("detail").$type<Record<string, unknown>>().notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    unique("evidence_once").on(table.runId, table.turn, table.kind, table.criterion).nullsNotDistinct(),
    index("evidence_by_goal").on(table.goalId),
  ],
);

/** What happened, append-only (D36); `why` and the console's goal page read it. */
export const timeline = cos.table(
  "timeline",
  {
    timelineId: bigserial("timeline_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id"),
    sessionId: text("session_id"),
    runId: text("run_id"),
    checkpointId: text("checkpoint_id"),
    campaignId: text("campaign_id"),
    event: text("event").notNull(),
    actor: text("actor"),
    via: text("via"),
    detail: jsonb("detail").$type<Record<string, unknown>>().notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    index("timeline_by_goal").on(table.goalId, table.timelineId),
    index("timeline_by_session").on(table.sessionId, table.timelineId),
    index("timeline_by_time").on(table.at),
    index("timeline_by_campaign").on(table.campaignId, table.timelineId).where(sql`campaign_id is not null`),
  ],
);

/**
 * Cards as desired state (D17). `version` is wanted, `posted_version` is what the platform shows; `posting_since` is
 * committed before a first post, so that a lost answer is looked for in the channel before anything is posted again.
 */
export const messages = cos.table(
  "messages",
  {
    messageId: bigserial("message_id", { mode: "number" }).primaryKey(),
    platform: text("platform").notNull(),
    channel: text("channel").notNull(),
    /** What it shows: a goal id, a checkpoint id, a session id, or a unique notice. */
    subject: text("subject").notNull(),
    /** The subject whose message it hangs under as a thread reply. */
    threadSubject: text("thread_subject"),
    card: jsonb("card").$type<Card>().notNull(),
    version: integer("version").notNull(),
    /** The version whose change must not wait for the progress interval. */
    urgentVersion: integer("urgent_version").notNull(),
    postedCard: jsonb("posted_card").$type<Card>(),
    postedVersion: integer("posted_version"),
    postedAt: at("posted_at"),
    postingSince: at("posting_since"),
    address: text("address"),
    /** How often its platform failed at it since it was shown last. */
    attempts: integer("attempts").notNull().default(0),
    notBefore: at("not_before"),
    /** Until `not_before` nothing is shown in its whole channel. */
    holdsChannel: boolean("holds_channel").notNull().default(false),
    /** What was uploaded for it and is not seen yet; once taken by the platform it is never uploaded again. */
    pictureUnderWay: jsonb("picture_under_way").$type<PictureUnderWay>(),
    /** The platform rejected the full card: only its summary is sent. */
    plain: boolean("plain").notNull().default(false),
    undeliverable: text("undeliverable"),
    /** Rises with every change of the row (set by a trigger); what a page that reconnects asks from. */
    changed: bigint("changed", { mode: "number" }).notNull().default(0),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    unique("messages_once").on(table.platform, table.channel, table.subject),
    index("messages_by_address").on(table.platform, table.address),
    index("messages_wanting").on(table.platform, table.messageId).where(sql`posted_version is distinct from version`),
    check("messages_version", sql`posted_version is null or posted_version <= version`),
    check("messages_posted", sql`(posted_version is null) = (address is null)`),
  ],
);

/**
 * What becomes of a complete goal's branch (D24): merged after a delay in which it can be undone, or discarded and kept
 * for a while. At most one is under way for a goal.
 */
export const merges = cos.table(
  "merges",
  {
    mergeId: bigserial("merge_id", { mode: "number" }).primaryKey(),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    status: text("status").$type<"due" | "merging" | "merged" | "undone" | "refused" | "discarded">().notNull(),
    /** The branch it goes into. */
    into: text("into_branch").notNull(),
    /** The recorded commit that is merged or discarded. */
    headCommit: text("head_commit").notNull(),
    requestedBy: text("requested_by").notNull(),
    requestedAt: at("requested_at").notNull(),
    dueAt: at("due_at").notNull(),
    settledAt: at("settled_at"),
    resultCommit: text("result_commit"),
    outcome: text("outcome"),
    /** When the ref of a discarded branch was removed. */
    purgedAt: at("purged_at"),
  },
  (table) => [
    uniqueIndex("merges_one_under_way").on(table.goalId).where(sql`status in ('due', 'merging')`),
    index("merges_due").on(table.dueAt).where(sql`status in ('due', 'merging')`),
    check("merges_settled", sql`(status in ('due', 'merging')) = (settled_at is null)`),
  ],
);

/** Branches of one repository that land one after the other, each verified on what landed before it (D24). */
export const mergeQueues = cos.table(
  "merge_queues",
  {
    queueId: text("queue_id").primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    /** The branch they go into. */
    into: text("into_branch").notNull(),
    requestedBy: text("requested_by").notNull(),
    startedAt: at("started_at").notNull(),
    endedAt: at("ended_at"),
    endReason: text("end_reason"),
  },
  (table) => [uniqueIndex("merge_queues_one_open").on(table.repositoryId).where(sql`ended_at is null`)],
);

export const queuedMerges = cos.table(
  "queued_merges",
  {
    queueId: text("queue_id")
      .notNull()
      .references(() => mergeQueues.queueId),
    goalId: text("goal_id")
      .notNull()
      .references(() => goals.goalId),
    position: integer("position").notNull(),
    state: text("state").$type<QueuedState>().notNull(),
    reason: text("reason"),
    /** Where the base branch stood when its goal was put on it last. */
    tip: text("tip"),
    /** How often it was put on another tip. */
    rounds: integer("rounds").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.queueId, table.goalId] }),
    check("queued_merges_state", sql`state in ('waits', 'verifies', 'returned', 'merges', 'merged', 'left-out')`),
  ],
);

/** Days of work towards a goal (seed 004 §5). What it spent is in the ledger. */
export const campaigns = cos.table(
  "campaigns",
  {
    campaignId: text("campaign_id").primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    name: text("name").notNull(),
    goal: text("goal").notNull(),
    state: text("state").$type<CampaignState>().notNull().default("planning"),
    currentDay: integer("current_day").notNull().default(1),
    startedAt: at("started_at"),
    endedAt: at("ended_at"),
    endReason: text("end_reason"),
    totalBudgetMicroUsd: micro("total_budget_micro_usd").notNull(),
    dailyBudgetMicroUsd: micro("daily_budget_micro_usd").notNull(),
    /** The days a person gave it; null: as many as the plan needs. */
    deadlineDays: integer("deadline_days"),
    originalDurationDays: integer("original_duration_days").notNull().default(0),
    replanningThreshold: doublePrecision("replanning_threshold").notNull().default(0.3),
    replanCount: integer("replan_count").notNull().default(0),
    automaticReplans: integer("automatic_replans").notNull().default(0),
    lastAutomaticDay: integer("last_automatic_day"),
    /** What it took for granted when it was planned, and who planned it. */
    planNotes: jsonb("plan_notes").$type<string[]>().notNull(),
    plannedBy: text("planned_by").notNull(),
    /** A plan that is wanted and not made yet: the next look at the campaign makes it. */
    wanted: jsonb("wanted").$type<WantedPlan>(),
    /** A person wants the day to go on whose session has ended. */
    goesOn: boolean("goes_on").notNull().default(false),
    pausedBy: text("paused_by"),
    createdBy: text("created_by").notNull(),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    index("campaigns_open").on(table.createdAt).where(sql`state in ('planning', 'active', 'paused')`),
    check("campaigns_state", sql`state in ('planning', 'active', 'paused', 'completed', 'failed')`),
    check("campaigns_budget", sql`total_budget_micro_usd > 0 and daily_budget_micro_usd > 0`),
    check("campaigns_ended", sql`(state in ('completed', 'failed')) = (ended_at is not null)`),
    check("campaigns_started", sql`state not in ('active', 'paused', 'completed') or started_at is not null`),
  ],
);

export const milestones = cos.table(
  "milestones",
  {
    campaignId: text("campaign_id")
      .notNull()
      .references(() => campaigns.campaignId),
    milestoneId: text("milestone_id").notNull(),
    position: integer("position").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull(),
    targetDay: integer("target_day").notNull(),
    successCriteria: jsonb("success_criteria").$type<string[]>().notNull(),
    /** What a person added when it was to begin (Adjust); its goals get it. */
    instructions: jsonb("instructions").$type<Instruction[]>().notNull().default([]),
    status: text("status").$type<MilestoneStatus>().notNull().default("pending"),
    completedAt: at("completed_at"),
    completedBy: text("completed_by"),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.milestoneId] }),
    check("milestones_status", sql`status in ('pending', 'in_progress', 'done', 'blocked')`),
    check("milestones_done", sql`(status = 'done') = (completed_at is not null)`),
  ],
);

/** One day of a campaign: what is to be done on it, what it may cost and did. */
export const campaignDays = cos.table(
  "campaign_days",
  {
    campaignId: text("campaign_id")
      .notNull()
      .references(() => campaigns.campaignId),
    dayNumber: integer("day_number").notNull(),
    date: date("date", { mode: "string" }),
    goals: jsonb("goals").$type<PlannedGoal[]>().notNull(),
    budgetMicroUsd: micro("budget_micro_usd").notNull(),
    status: text("status").$type<DayStatus>().notNull().default("pending"),
    actualCostMicroUsd: micro("actual_cost_micro_usd").notNull().default(0),
    notes: text("notes").notNull().default(""),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.dayNumber] }),
    check("campaign_days_status", sql`status in ('pending', 'in_progress', 'done')`),
    check("campaign_days_number", sql`day_number >= 1`),
  ],
);

/** A night contract: what may be spent and done without asking until a time. */
export const nights = cos.table(
  "nights",
  {
    nightId: text("night_id").primaryKey(),
    budgetMicroUsd: micro("budget_micro_usd").notNull(),
    untilAt: at("until_at").notNull(),
    allowed: jsonb("allowed").$type<Trigger[]>().notNull(),
    goalIds: jsonb("goal_ids").$type<string[]>().notNull(),
    startedBy: text("started_by").notNull(),
    startedAt: at("started_at").notNull(),
    endedAt: at("ended_at"),
    endReason: text("end_reason"),
  },
  () => [uniqueIndex("nights_one_open").on(sql`(ended_at is null)`).where(sql`ended_at is null`)],
);

/** What happens at certain local times (D7); a row that is off keeps its times. */
export const schedules = cos.table("schedules", {
  name: text("name").$type<ScheduleName>().primaryKey(),
  cron: text("cron").notNull(),
  onMissing: text("on_missing").$type<"once" | "skip">().notNull(),
  isOn: boolean("is_on").notNull(),
  /** Since when it has these times: nothing from before is made up for. */
  createdAt: at("created_at").notNull(),
});

/** A schedule's run for a local date, claimed by inserting (D7). */
export const scheduleRuns = cos.table(
  "schedule_runs",
  {
    schedule: text("schedule").notNull(),
    runFor: date("run_for", { mode: "string" }).notNull(),
    at: at("at").notNull(),
  },
  (table) => [unique("schedule_runs_once").on(table.schedule, table.runFor)],
);

/** When a machine had too little space for goals to start; open where `ended_at` is null, one at a time for each holder. */
export const shortages = cos.table(
  "shortages",
  {
    shortageId: bigserial("shortage_id", { mode: "number" }).primaryKey(),
    machine: text("machine").notNull(),
    /** The machine and its data directory, as a hash. */
    holder: text("holder").notNull(),
    /** What was measured when it began. */
    places: jsonb("places").$type<PlaceSpace[]>().notNull(),
    since: at("since").notNull(),
    endedAt: at("ended_at"),
  },
  (table) => [uniqueIndex("shortages_one_open").on(table.holder).where(sql`ended_at is null`)],
);

/** Event ids already handled, kept 24 h: a person's comments and redelivered platform events (D13). */
export const seenEvents = cos.table("seen_events", { eventId: text("event_id").primaryKey(), at: at("at").notNull() });
