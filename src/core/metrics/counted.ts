import type { ExecutionEnd, Interruption } from "../goals/after.ts";
import type { EventName } from "../events/event.ts";
import { isEvent, type KnownEvent, type OtherEvent } from "../events/read.ts";
import { checkpointKinds } from "../checkpoints/checkpoint.ts";
import { failureKinds } from "../recovery/failure.ts";
import { labels, type Labels } from "./exposition.ts";

/** What is counted permanently from events: how often each happened, and how long people waited (F-606). */

interface Counter {
  readonly help: string;
  /** Its label, and the values shown as 0 before the first event, because a rate needs a start. Null: no label. */
  readonly label: { readonly name: string; readonly values: readonly string[] } | null;
}

/** Every end of an execution; one more does not compile without its place here. */
const attemptEnds: Readonly<Record<ExecutionEnd["type"], true>> = {
  finished: true,
  failed: true,
  timeout: true,
  unavailable: true,
  "needs-login": true,
  permission: true,
  cut: true,
  "no-space": true,
  "not-started": true,
  "setup-failure": true,
};

/** Likewise whatever cuts a turn short. */
const interrupters: Readonly<Record<Interruption["by"] | "crash", true>> = {
  crash: true,
  space: true,
  disk: true,
  agent: true,
};

export const counters = {
  cos_runs_total: { help: "Runs of goals that began, each with its own money.", label: null },
  cos_attempts_total: {
    help: "Executions of agents and goals' own commands, by how they ended.",
    label: {
      name: "end",
      values: Object.keys(attemptEnds),
    },
  },
  cos_failures_total: {
    help: "Failed attempts, and pushes that a person was asked about, by kind of failure.",
    label: { name: "kind", values: failureKinds },
  },
  cos_verifications_total: {
    help: "Verified commits, by whether every criterion and check passed.",
    label: { name: "result", values: ["pass", "fail"] },
  },
  cos_interruptions_total: {
    help: "Turns that were interrupted: by a crash or lost machine, by too little space, by a disk that went away, or by an agent that did not begin.",
    label: { name: "by", values: Object.keys(interrupters) },
  },
  cos_goals_ended_total: {
    help: "How often goals ended, by what they came to. One that was worked again counts again.",
    label: { name: "status", values: ["complete", "failed", "deferred", "manual_followup"] },
  },
  cos_questions_asked_total: {
    help: "Questions asked, by what they are about.",
    label: { name: "kind", values: checkpointKinds },
  },
  cos_questions_ended_total: {
    help: "Questions that are over: answered by a person, expired without an answer, or not needed any more.",
    label: { name: "how", values: ["answered", "expired", "withdrawn"] },
  },
  cos_push_waits_total: {
    help: "Pushes of finished work that wait because their place does not answer, each time one is put off.",
    label: null,
  },
  cos_merges_total: {
    help: "Merges, by whether they happened.",
    label: { name: "result", values: ["merged", "refused"] },
  },
  cos_sessions_tripped_total: {
    help: "Sessions that paused by themselves: after failures in a row, without a login, at a limit.",
    label: null,
  },
} as const satisfies Readonly<Record<string, Counter>>;

interface Histogram {
  readonly help: string;
  /** Upper bounds in seconds. */
  readonly bounds: readonly number[];
  readonly label: string | null;
}

export const histograms = {
  cos_question_answered_seconds: {
    help: "How long a question waited for its answer.",
    bounds: [60, 300, 900, 3600, 14_400, 28_800, 86_400, 259_200],
    label: null,
  },
  cos_question_shown_seconds: {
    help: "How long it took until a question was shown for the first time, by platform.",
    bounds: [1, 2.5, 5, 10, 30, 60, 300, 1800],
    label: "platform",
  },
} as const satisfies Readonly<Record<string, Histogram>>;

/** An increment of a counter, of a histogram's bucket, or of its sum. `label`: as in the exposition, without braces. */
export interface Count {
  readonly about: string;
  readonly label: string;
  readonly number: number;
}

type Happened = (KnownEvent | OtherEvent) & { readonly checkpointId: string | null; readonly at: Date };

/** Returns the increments of an event; most events have none. `askedAt`: when each shown question was asked. */
export function countsOf(row: Happened, askedAt: ReadonlyMap<string, Date>): readonly Count[] {
  if (isEvent(row, "run.started")) return [one("cos_runs_total")];
  if (isEvent(row, "run.executed")) return [one("cos_attempts_total", { end: row.detail.end })];
  if (isEvent(row, "run.verified")) {
    // A criterion that could not be checked fails the round and is in neither list.
    const isPass = row.detail.fail.length === 0 && row.detail.decision !== "fail";
    return [one("cos_verifications_total", { result: isPass ? "pass" : "fail" })];
  }
  // Only postponed: the push counts as failed when a person is asked.
  if (isEvent(row, "recovery.limited") && row.detail.kind === "push") return [one("cos_push_waits_total")];
  if (isEvent(row, "recovery.retry", "recovery.limited", "recovery.paused", "recovery.escalated"))
    return [one("cos_failures_total", { kind: row.detail.kind })];
  if (isEvent(row, "goal.failed")) {
    const { kind } = row.detail;
    const ended = one("cos_goals_ended_total", { status: "failed" });
    return kind === undefined ? [ended] : [ended, one("cos_failures_total", { kind })];
  }
  if (isEvent(row, "goal.interrupted")) return [one("cos_interruptions_total", { by: row.detail.by ?? "crash" })];
  if (isEvent(row, "checkpoint.asked")) return [one("cos_questions_asked_total", { kind: row.detail.kind })];
  if (isEvent(row, "checkpoint.answered"))
    return [
      one("cos_questions_ended_total", { how: "answered" }),
      ...observed("cos_question_answered_seconds", row.detail.waitedMs / 1000),
    ];
  if (isEvent(row, "message.posted")) {
    const asked = askedAt.get(row.checkpointId ?? "");
    if (asked === undefined) return [];
    const seconds = (row.at.getTime() - asked.getTime()) / 1000;
    // A question that was asked again in the meantime does not count.
    return seconds < 0 ? [] : observed("cos_question_shown_seconds", seconds, { platform: row.detail.platform });
  }
  const plain = plainCounts[row.event as EventName];
  return plain === undefined ? [] : [one(plain.about, plain.labels)];
}

const plainCounts: Partial<Record<EventName, { about: keyof typeof counters; labels: Labels }>> = {
  "goal.complete": { about: "cos_goals_ended_total", labels: { status: "complete" } },
  "goal.deferred": { about: "cos_goals_ended_total", labels: { status: "deferred" } },
  "goal.manual_followup": { about: "cos_goals_ended_total", labels: { status: "manual_followup" } },
  "checkpoint.expired": { about: "cos_questions_ended_total", labels: { how: "expired" } },
  "checkpoint.withdrawn": { about: "cos_questions_ended_total", labels: { how: "withdrawn" } },
  "goal.merged": { about: "cos_merges_total", labels: { result: "merged" } },
  "goal.merge-refused": { about: "cos_merges_total", labels: { result: "refused" } },
  "session.tripped": { about: "cos_sessions_tripped_total", labels: {} },
};

function one(about: keyof typeof counters, of: Labels = {}): Count {
  return { about, label: labels(of), number: 1 };
}

/** Adds one to the smallest bucket that contains the value, and the value to the sum. */
function observed(about: keyof typeof histograms, seconds: number, of: Labels = {}): Count[] {
  const bound = histograms[about].bounds.find((each) => seconds <= each);
  return [
    { about, label: labels({ ...of, le: bound === undefined ? "+Inf" : String(bound) }), number: 1 },
    { about: `${about}_sum`, label: labels(of), number: seconds },
  ];
}

/** Returns the counts, added up for each name and label. */
export function summed(counts: readonly Count[]): Count[] {
  const sums = new Map<string, Count>();
  for (const count of counts) {
    const key = `${count.about} ${count.label}`;
    sums.set(key, { ...count, number: count.number + (sums.get(key)?.number ?? 0) });
  }
  return [...sums.values()];
}
