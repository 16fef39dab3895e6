import { goalStatuses } from "../core/goals/goal.ts";
import { localDate } from "../core/time.ts";
import { listPending } from "../db/checkpoints.ts";
import { listGoals } from "../db/goals.ts";
import { undeliverableMessages } from "../db/messages.ts";
import { listOpenSessions } from "../db/sessions.ts";
import { dayTotal } from "../db/spend.ts";
import type { Deps } from "../deps.ts";

/** Prometheus text: what there is, never how it is called. */
export async function metricsText(deps: Deps): Promise<string> {
  const { db } = deps.database;
  const goals = await listGoals(db, { limit: 1_000_000 });
  const today = await dayTotal(db, localDate(deps.now(), deps.config.timezone));
  const gauges: [string, string, [string, number][]][] = [
    [
      "cos_goals",
      "Goals by status.",
      goalStatuses.map((status) => [`{status="${status}"}`, goals.filter((goal) => goal.status === status).length]),
    ],
    ["cos_goals_running", "Goals a worker holds.", [["", goals.filter((goal) => goal.leasedBy !== null).length]]],
    ["cos_checkpoints_pending", "Questions that wait for an answer.", [["", (await listPending(db)).length]]],
    ["cos_sessions_open", "Sessions that are running or paused.", [["", (await listOpenSessions(db)).length]]],
    ["cos_spent_today_usd", "Spent today by all sessions, in US dollars.", [["", today.spentMicroUsd / 1_000_000]]],
    [
      "cos_messages_undeliverable",
      "Cards that a platform would not take.",
      [["", (await undeliverableMessages(db)).length]],
    ],
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
