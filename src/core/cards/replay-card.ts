import { formatUsd } from "../money.ts";
import type { ReplayedCheck } from "../task-loop/replay.ts";
import { count, formatDuration } from "../text.ts";
import { type Card, plainCard } from "./card.ts";

/** Two modes of the spec check side by side, as a table in a code block, which looks the same in a terminal and in a chat. */
export function replayCard(goalId: string, checks: readonly ReplayedCheck[]): Card {
  const tasks = [...new Set(checks.map((check) => check.taskId))];
  const title = `Replay of ${count(tasks.length, "task")} of ${goalId}, both modes`;
  return plainCard({
    kind: "report",
    tone: "neutral",
    title,
    summary: title,
    blocks: tasks.map((taskId) => ({
      type: "code",
      text: tableOf(
        taskId,
        checks.filter((check) => check.taskId === taskId),
      ),
    })),
  });
}

function tableOf(taskId: string, checks: readonly ReplayedCheck[]): string {
  const rows: [string, (check: ReplayedCheck) => string][] = [
    ["verdict", (check) => check.verdict],
    ["criteria with evidence", (check) => `${check.withEvidence} of ${check.criteria}`],
    [
      "shell-first searches",
      (check) => (check.shellFirstSearches === null ? "not known" : String(check.shellFirstSearches)),
    ],
    ["unverifiable claims", (check) => String(check.unverifiableClaims)],
    ["cost", (check) => `${formatUsd(check.costMicroUsd)}${check.costIsEstimated ? " (estimated)" : ""}`],
    ["time", (check) => formatDuration(check.durationMs)],
  ];
  const line = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(24)}${cells.map((cell) => cell.padStart(18)).join("")}`;
  return [
    line(
      taskId,
      checks.map((check) => check.mode),
    ),
    ...rows.map(([name, of]) => line(name, checks.map(of))),
  ].join("\n");
}
