import { sql } from "drizzle-orm";
import type { Billing } from "../../core/agents/flat.ts";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { StandsOn } from "../../core/goals/ground.ts";
import type { BlockedOn, Instruction, Linkage, SettledTrigger } from "../../core/goals/goal.ts";
import type { WorklogFlags } from "../../core/worklog/flags.ts";
import type { Clarification } from "../../core/recovery/clarification.ts";
import type { FailureKind } from "../../core/recovery/failure.ts";
import type { Rung } from "../../core/recovery/ladder.ts";
import type { EvidenceRecord } from "../../core/task-loop/evidence.ts";
import type { PhaseReport } from "../../core/task-loop/phase-report.ts";
import type { LoopState, TaskSettings } from "../../core/task-loop/state.ts";
import type { TaskStatus } from "../../core/task-loop/tasks.ts";
import { at, cos, micro } from "./base.ts";
import { campaigns } from "./campaigns.ts";
import { repositories } from "./repositories.ts";
import { sessions } from "./sessions.ts";

/** Goals, their runs and attempts, their tasks, and evidence. */

/**
 * Characters that separate words: in paths, names and markup, which would not be split otherwise, and signs that some locales take for
 * letters.
 */
const betweenWords = "./-_:@+=#<>&~‘’“”„«»–—…";

/** The searchable words of a goal's text, including those within paths and names. */
export const goalWords = sql.raw(
  `to_tsvector('simple', translate("content", '${betweenWords}', '${" ".repeat(betweenWords.length)}'))`,
);

export const goals = cos.table(
  "goals",
  {
    goalId: text("goal_id").primaryKey(),
    repositoryId: text("repository_id")
      .notNull()
      .references(() => repositories.repositoryId),
    sessionId: text("session_id").references(() => sessions.sessionId),
    /** The campaign whose plan it comes from, the day it was last worked on, and its milestone. */
    campaignId: text("campaign_id").references(() => campaigns.campaignId),
    campaignDay: integer("campaign_day"),
    milestoneId: text("milestone_id"),
    position: bigserial("position", { mode: "number" }).notNull(),
    content: text("content").notNull(),
    tags: jsonb("tags").$type<string[]>().notNull(),
    priority: text("priority").$type<"high" | "medium" | "low">().notNull(),
    tier: text("tier").$type<"STRICT" | "STANDARD" | "LIGHT" | "EXEMPT">(),
    /** What is left out of its worklog, or kept beside it. Null: nothing. */
    worklogFlags: jsonb("worklog_flags").$type<WorklogFlags>(),
    estimatedMinutes: integer("estimated_minutes"),
    estimateMicroUsd: micro("estimate_micro_usd"),
    ceilingMicroUsd: micro("ceiling_micro_usd"),
    linkage: jsonb("linkage").$type<Linkage>().notNull(),
    linkedText: text("linked_text"),
    criteria: text("criteria"),
    filesAllowed: jsonb("files_allowed").$type<string[]>().notNull(),
    proofAllowed: jsonb("proof_allowed").$type<string[]>().notNull(),
    runCommand: text("run_command"),
    /** How many of its tasks are worked side by side. Null when it has no task list and is one task itself (C-97). */
    taskParallel: integer("task_parallel"),
    /** The value in its task list, of any type (S3-MS-03). Wrapped, because it may be missing. */
    taskSettings: jsonb("task_settings").$type<TaskSettings>(),
    instructions: jsonb("instructions").$type<Instruction[]>().notNull(),
    /** Marked by whoever added it (`--unplanned`), or not added by a person: it asks before it starts, in every session. */
    isUnplanned: boolean("is_unplanned").notNull(),
    /**
     * The session for which its current content was not planned: it was changed there, or named into a campaign's day or a night
     * (C-68).
     */
    unplannedIn: text("unplanned_in"),
    /** Goals that it is on top of: it begins on their commits (D37). */
    after: jsonb("after").$type<string[]>().notNull().default([]),
    /** The goal of `after` whose end has parked this one. */
    parkedFor: text("parked_for"),
    /** When it joined its session, which was open by then. Null when the session began with it. */
    joinedAt: at("joined_at"),
    errorCount: integer("error_count").notNull().default(0),
    recoveryLevel: integer("recovery_level").notNull().default(0),
    isHiccup: boolean("is_hiccup").notNull().default(false),
    status: text("status")
      .$type<"pending" | "in_progress" | "blocked" | "complete" | "failed" | "deferred" | "manual_followup">()
      .notNull(),
    /** Null when it is not blocked. */
    blockedOn: text("blocked_on").$type<BlockedOn>(),
    phase: text("phase").$type<"start" | "recover" | "implement" | "verify" | "finish">().notNull(),
    turn: integer("turn").notNull().default(0),
    interruptions: integer("interruptions").notNull().default(0),
    wakeAt: at("wake_at"),
    leasedBy: text("leased_by"),
    /** Database time (D4): compared only with the database's own clock. */
    leasedUntil: at("leased_until"),
    stopRequested: text("stop_requested").$type<"pause" | "skip" | "stop" | "modify">(),
    runId: text("run_id"),
    branch: text("branch"),
    outcome: text("outcome"),
    createdBy: text("created_by").notNull(),
    /**
     * The account of `createdBy`, for votes. COS_PEOPLE says whose it is when votes are counted. Null in rows from before votes
     * existed.
     */
    requester: text("requester"),
    createdAt: at("created_at").notNull(),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    // Goals that are due (claimNext, countReady).
    index("goals_ready").on(table.wakeAt).where(sql`wake_at is not null`),
    // Goals that a worker holds (expireDeadLeases, dropIdleLeases, workedGoals). A renewal changes no column of this index.
    index("goals_leased").on(table.leasedBy).where(sql`leased_by is not null`),
    // The goals of a session, in order (sessionGoals, claimNext).
    index("goals_by_session").on(table.sessionId, table.position),
    // By status, and by age within it (listGoals, from the index alone; openGoals, waitingGoals, countGoals).
    index("goals_by_status").on(table.status, table.repositoryId, table.createdAt, table.goalId),
    // By words of its text (listGoals).
    index("goals_by_words").using("gin", goalWords),
    // By age (listGoals).
    index("goals_by_age").on(table.createdAt),
    // Goals on top of a goal (buildersOf), and all unfinished goals that are on top of others (openBuilders).
    index("goals_by_ground").using("gin", table.after).where(sql`"after" <> '[]'`),
    index("goals_open_builders")
      .on(table.repositoryId)
      .where(sql`"after" <> '[]' and status in ('pending', 'in_progress', 'blocked')`),
    // The goals of a campaign (goalsOfCampaign, campaignTotal).
    index("goals_by_campaign").on(table.campaignId).where(sql`campaign_id is not null`),
    check(
      "goals_status",
      sql`status in ('pending', 'in_progress', 'blocked', 'complete', 'failed', 'deferred', 'manual_followup')`,
    ),
    check("goals_lease", sql`(leased_by is null) = (leased_until is null)`),
    check("goals_leased_turn", sql`leased_by is null or turn > 0`),
    check("goals_stop", sql`stop_requested is null or leased_by is not null`),
    check("goals_turn", sql`turn >= 0`),
    check("goals_pending", sql`status <> 'pending' or phase = 'start'`),
    check("goals_begun", sql`status <> 'in_progress' or phase <> 'start'`),
    check("goals_run", sql`phase = 'start' or run_id is not null`),
    check(
      "goals_blocked",
      sql`(status = 'blocked') = (blocked_on is not null) and (blocked_on is null or blocked_on in ('question', 'person', 'ground'))`,
    ),
    check("goals_blocked_sleep", sql`status <> 'blocked' or wake_at is null`),
    check("goals_parked_why", sql`blocked_on is distinct from 'person' or outcome is not null`),
    check("goals_parked_ground", sql`blocked_on is distinct from 'ground' or parked_for is not null`),
    check(
      "goals_ended_sleep",
      sql`status not in ('complete', 'failed', 'deferred', 'manual_followup') or wake_at is null`,
    ),
    check(
      "goals_ended",
      sql`status not in ('complete', 'failed', 'deferred', 'manual_followup')
        or (leased_by is null and stop_requested is null and parked_for is null and phase = 'start')`,
    ),
    check("goals_estimate", sql`estimate_micro_usd is null or estimate_micro_usd >= 0`),
  ],
);

/**
 * How many goals and campaigns have ended, by outcome (`goal.complete`, `campaign.failed`). Triggers add rows with increments and
 * decrements. So nobody counts years of them, and two transactions that end one do not wait for each other. The triggers combine the
 * rows now and then.
 */
export const tallies = cos.table("tallies", {
  tallyId: bigserial("tally_id", { mode: "number" }).primaryKey(),
  about: text("about").notNull(),
  number: integer("number").notNull(),
});

/**
 * Complete goals with a branch without a final outcome: not merged, not discarded, not found in git (triggers on goals, merges and the
 * timeline). Some may have been decided in another way, but no open branch is missing.
 */
export const openBranches = cos.table("open_branches", {
  goalId: text("goal_id")
    .primaryKey()
    .references(() => goals.goalId),
});

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
    /** The runs of other goals that this one was put on top of, each with the commit that it recorded (D37). */
    standsOn: jsonb("stands_on").$type<StandsOn[]>().notNull().default([]),
    agentSessionId: text("agent_session_id"),
    /** How its agent is paid (D48), as set for its repository when the run began. */
    billing: text("billing").$type<Billing>().notNull().default("metered"),
    /**
     * Unused. It stays for one more version: processes of an older version, which may still run while a newer bot starts, name it
     * whenever they read a run.
     */
    claimedSummary: text("claimed_summary"),
    /** Number of recorded verification rounds (D21). */
    verifyRound: integer("verify_round").notNull().default(0),
    /** What the newest round found wrong, for the agent's next execution. */
    feedback: text("feedback"),
    /** Its place on the recovery ladder: which ladder, which rung, which attempt of the rung (D19). */
    ladder: integer("ladder").notNull().default(1),
    rung: integer("rung").$type<Rung>().notNull().default(1),
    rungAttempt: integer("rung_attempt").notNull().default(1),
    /** What is tried now, when it is not the goal as it was asked: the approach, who suggested it, and its instruction. */
    approach: text("approach"),
    approachSource: text("approach_source"),
    approachInstruction: text("approach_instruction"),
    /** The question on rung 3, and the person's answer. */
    clarification: jsonb("clarification").$type<Clarification>(),
    /** How often in a row it waited for a provider's limit. */
    limitWaits: integer("limit_waits").notNull().default(0),
    /** The state of its task loop. Null for goals without tasks. */
    loop: jsonb("loop").$type<LoopState>(),
    /** How often its result could not be pushed and went back to the agent (C-47). */
    fixRounds: integer("fix_rounds").notNull().default(0),
    /** True when an agent wanted to give up without enough evidence and was sent back. */
    wasSentBack: boolean("was_sent_back").notNull().default(false),
    startedAt: at("started_at").notNull(),
    endedAt: at("ended_at"),
  },
  (table) => [
    uniqueIndex("runs_one_open").on(table.goalId).where(sql`status = 'open'`),
    // The runs of a goal (workOf), and runs by their end (endedRuns, finishedBranches).
    index("runs_by_goal").on(table.goalId),
    index("runs_by_end").on(table.endedAt).where(sql`ended_at is not null`),
    check("runs_status", sql`status in ('open', 'ended')`),
    check("runs_ended", sql`(status = 'ended') = (ended_at is not null)`),
    check("runs_rung", sql`rung between 1 and 4 and rung_attempt >= 1 and ladder >= 1`),
  ],
);

/**
 * Attempts on the recovery ladder, append-only: one row for each execution that ended with a verdict. An execution that we cut short is
 * not an attempt (D8).
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
    /** The instruction of the approach. Null for the goal as it was asked. */
    instruction: text("instruction"),
    end: text("end").$type<FailureKind | "passed">().notNull(),
    error: text("error").notNull(),
    fingerprint: text("fingerprint").notNull(),
    criteria: jsonb("criteria").$type<string[]>().notNull(),
    files: jsonb("files").$type<string[]>().notNull(),
    commit: text("commit"),
    /** The exit code of a goal's own command. */
    exitCode: integer("exit_code"),
    /** The last lines that the command printed, or the agent said. */
    output: text("output"),
    costMicroUsd: micro("cost_micro_usd").notNull(),
    costIsEstimated: boolean("cost_is_estimated").notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    unique("attempts_once").on(table.runId, table.ladder, table.number),
    // The newest attempts with a fingerprint (triedUnder, remediesFor).
    index("attempts_by_fingerprint").on(table.fingerprint, table.attemptId).where(sql`fingerprint <> ''`),
  ],
);

/**
 * Results of a repository's checks at a base commit, without any goal's work, one row for each execution. Append-only until the tick
 * removes rows older than `policy.verification.keepBaseResultsMs`. A row is valid for its commit, command and environment (D38).
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
    /** Hash of the command with its condition and its timeout. */
    hash: text("hash").notNull(),
    /** Hash of the setup command, lock files, versions of tools, and variables. */
    environment: text("environment").notNull(),
    result: text("result").$type<"pass" | "fail">().notNull(),
    /** What makes two failures the same. Empty for a pass. */
    fingerprint: text("fingerprint").notNull(),
    /** The run whose verification executed it. */
    runId: text("run_id").notNull(),
    at: at("at").notNull(),
  },
  (table) => [
    index("base_results_by_key").on(table.repositoryId, table.commit, table.environment),
    index("base_results_by_age").on(table.at),
    check("base_results_result", sql`result in ('pass', 'fail')`),
  ],
);

/** The tasks of a goal (seed 003), in their current state. */
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
    /** Feedback for its next attempt. */
    feedback: text("feedback"),
    /**
     * For work that was found missing: what was found, for the agent that does it and the one that checks it. Null for a task of the
     * list.
     */
    found: text("found"),
    /** The commit of its newest implementation. It becomes part of the goal when the task has passed. */
    commit: text("commit"),
    /** The goal's commit on which `commit` began. Null: the next attempt does not continue from it. */
    commitFrom: text("commit_from"),
    updatedAt: at("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.goalId, table.id] }),
    check("tasks_status", sql`status in ('pending', 'in_progress', 'passed', 'failed')`),
  ],
);

/** The reports of each phase of a task loop, by iteration. Append-only (S3-PR-08). */
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
    /** The evidence of a check. Null for other phases. */
    evidence: jsonb("evidence").$type<EvidenceRecord>(),
    at: at("at").notNull(),
  },
  (table) => [index("phase_reports_by_goal").on(table.goalId, table.reportId)],
);

/** Facts the system saw itself. Append-only. `output_file` is under the data directory and hashes to `sha256`. */
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
    /** The turn that saw it. One row for each kind, turn and criterion, so that recording it twice adds nothing. */
    turn: integer("turn").notNull(),
    kind: text("kind").$type<"setup" | "execution" | "criterion" | "check" | "trial" | "acceptance">().notNull(),
    /** The criterion or check that was verified. Null for other kinds. */
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
