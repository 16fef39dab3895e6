import { goalStatuses } from "../core/goals/goal.ts";
import { localDate } from "../core/time.ts";
import { countPending } from "../db/checkpoints.ts";
import { countGoals, leasedGoals } from "../db/goals.ts";
import { countUndeliverable } from "../db/messages.ts";
import { countOpenSessions } from "../db/sessions.ts";
import { dayTotal } from "../db/spend.ts";
import type { Deps } from "../deps.ts";

/** Prometheus text: what there is, never how it is called. */
export async function metricsText(deps: Deps): Promise<string> {
  const { db } = deps.database;
  const goals = await countGoals(db);
  const today = await dayTotal(db, localDate(deps.now(), deps.config.timezone));
  const gauges: [string, string, [string, number][]][] = [
    ["cos_goals", "Goals by status.", goalStatuses.map((status) => [`{status="${status}"}`, goals.get(status) ?? 0])],
    ["cos_goals_running", "Goals a worker holds.", [["", (await leasedGoals(db)).length]]],
    ["cos_checkpoints_pending", "Questions that wait for an answer.", [["", await countPending(db)]]],
    ["cos_sessions_open", "Sessions that are running or paused.", [["", await countOpenSessions(db)]]],
    ["cos_spent_today_usd", "Spent today by all sessions, in US dollars.", [["", today.spentMicroUsd / 1_000_000]]],
    ["cos_messages_undeliverable", "Cards that a platform would not take.", [["", await countUndeliverable(db)]]],
    ["process_resident_memory_bytes", "Memory of this process.", [["", process.memoryUsage.rss()]]],
    ["process_uptime_seconds", "How long this process has run.", [["", Math.round(process.uptime())]]],
  ];
  return gauges
    .flatMap(([name, help, values]) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...values.map(([labels, value]) => `${name}${labels} ${value}`),
    ])
    .join("\n")
    .concat("\n");
}
