import { awakeSince } from "../core/checkpoints/quiet.ts";
import { goalStatuses } from "../core/goals/goal.ts";
import { exposition, type MetricFamily, labels, type Labels } from "../core/metrics/exposition.ts";
import { countedFamilies } from "../core/metrics/families.ts";
import { localDate } from "../core/time.ts";
import { allCounts, goalsInQueue, countOpenQuestions, unshownCards, type WaitingCount } from "../db/counts.ts";
import { countGoals, workedGoals } from "../db/goal-lists.ts";
import { countUndeliverable } from "../db/messages.ts";
import { countOpenSessions } from "../db/sessions.ts";
import { dayTotal } from "../db/totals.ts";
import type { Deps } from "../deps.ts";

/**
 * Returns the metrics as Prometheus text. Labels contain no names or texts of goals. Metrics with the prefix `cos_` describe the whole
 * system and are the same in each process, except for those of disks, which belong to this process.
 */
export async function metricsText(deps: Deps): Promise<string> {
  const platforms = [...new Set(deps.channels.map(({ platform }) => platform))];
  const counted = countedFamilies(await allCounts(deps.database.db), platforms);
  return exposition([
    ...counted,
    ...(await workGauges(deps)),
    ...(await peopleGauges(deps)),
    ...(await ownGauges(deps)),
  ]);
}

async function workGauges({ database: { db }, config, policy, now }: Deps): Promise<MetricFamily[]> {
  const goals = await countGoals(db);
  const queue = await goalsInQueue(db, now());
  const today = await dayTotal(db, localDate(now(), config.timezone));
  return [
    gauge(
      "cos_goals",
      "Goals by status.",
      ...goalStatuses.map((status) => [{ status }, goals.get(status) ?? 0] as const),
    ),
    gauge("cos_goals_running", "Goals that are being worked.", [{}, (await workedGoals(db)).length]),
    gauge("cos_goals_queued", "Goals that are due and that no worker holds.", [{}, queue.number]),
    gauge("cos_goals_queued_oldest_seconds", "How long the first of them has waited.", [{}, secondsOf(queue, now())]),
    gauge("cos_sessions_open", "Sessions that are running or paused.", [{}, await countOpenSessions(db)]),
    gauge("cos_spent_today_usd", "Spent today by all sessions, in US dollars.", [{}, today.spentMicroUsd / 1_000_000]),
    gauge("cos_committed_today_usd", "Spent today, with what is reserved for what runs, in US dollars.", [
      {},
      today.committedMicroUsd / 1_000_000,
    ]),
    gauge("cos_ceiling_today_usd", "The most that may be spent on a day, in US dollars.", [
      {},
      policy.ceilings.dayMicroUsd / 1_000_000,
    ]),
  ];
}

async function peopleGauges({ database: { db }, channels, config, now }: Deps): Promise<MetricFamily[]> {
  const questions = await countOpenQuestions(db);
  const unshown = await unshownCards(db, now(), awakeSince(now(), config.quietHours, config.timezone));
  const platforms = [...new Set([...channels.map(({ platform }) => platform), ...unshown.keys()])];
  const none: WaitingCount = { number: 0, since: null };
  const ofEach = (value: (count: WaitingCount) => number) =>
    platforms.map((platform) => [{ platform }, value(unshown.get(platform) ?? none)] as const);
  return [
    gauge("cos_checkpoints_pending", "Questions that wait for an answer.", [{}, questions.number]),
    gauge("cos_checkpoints_oldest_seconds", "How long the first of them has waited.", [
      {},
      secondsOf(questions, now()),
    ]),
    gauge(
      "cos_messages_unshown",
      "Cards that a platform does not show as they are, without those put off on purpose.",
      ...ofEach((each) => each.number),
    ),
    gauge(
      "cos_messages_lag_seconds",
      "How long the first of them has waited.",
      ...ofEach((each) => secondsOf(each, now())),
    ),
    gauge("cos_messages_undeliverable", "Cards that a platform would not take.", [{}, await countUndeliverable(db)]),
  ];
}

async function ownGauges(deps: Deps): Promise<MetricFamily[]> {
  const { places } = await deps.space();
  const { user, system } = process.cpuUsage();
  const onDisks = (value: (place: (typeof places)[number]) => number) =>
    places.map((each) => [{ place: each.place }, value(each)] as const);
  return [
    gauge("cos_disk_free_bytes", "What may still be written on this machine.", ...onDisks((each) => each.freeBytes)),
    gauge("cos_disk_needed_bytes", "Below so much no goal starts here.", ...onDisks((each) => each.needBytes)),
    gauge("process_resident_memory_bytes", "Memory of this process.", [{}, process.memoryUsage.rss()]),
    gauge("process_start_time_seconds", "When this process started, in seconds since 1970.", [
      {},
      Math.round(Date.now() / 1000 - process.uptime()),
    ]),
    {
      ...gauge("process_cpu_seconds_total", "CPU that this process has used.", [{}, (user + system) / 1_000_000]),
      type: "counter",
    },
  ];
}

function gauge(name: string, help: string, ...values: readonly (readonly [Labels, number])[]): MetricFamily {
  return { name, help, type: "gauge", samples: values.map(([of, value]) => ({ label: labels(of), value })) };
}

/** Returns the waiting time in seconds; 0 when nothing waits, and never negative if the clock was set back. */
function secondsOf({ since }: WaitingCount, now: Date): number {
  return since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1000);
}
