import type { Server } from "./server.ts";
import type { PlannedGoal } from "./work.ts";

/** What the rows must say at the end. */

/** Each planned goal is there once and complete; with how many are. */
export async function examineGoals(
  server: Server,
  planned: readonly PlannedGoal[],
): Promise<{ readonly wrong: string[]; readonly complete: number }> {
  const rows = await server.rows<{ goal_id: string; content: string; status: string; outcome: string | null }>(
    "select goal_id, content, status, outcome from cos.goals order by position",
  );
  const wrong: string[] = [];
  for (const goal of planned) {
    const mine = rows.filter((row) => row.content === goal.entry.text);
    if (mine.length !== 1) wrong.push(`${goal.name} exists ${mine.length} times`);
    for (const { goal_id, status, outcome } of mine) {
      if (status !== "complete") wrong.push(`${goal.name} (${goal_id}) is ${status}: ${outcome ?? "no outcome"}`);
    }
  }
  return { wrong, complete: rows.filter((row) => row.status === "complete").length };
}

/** What the database must not hold at the end. */
export async function ledger(server: Server): Promise<string[]> {
  const checks: readonly [string, string][] = [
    ["goals hold a lease", "select goal_id as id from cos.goals where leased_by is not null"],
    ["questions are open", "select checkpoint_id as id from cos.checkpoints where status = 'pending'"],
    [
      "questions were settled twice",
      "select checkpoint_id as id from cos.decisions where settles group by checkpoint_id having count(*) > 1",
    ],
    [
      "runs counted an interruption as an attempt",
      "select run_id as id from cos.attempts group by run_id having count(*) > 1",
    ],
    [
      "goals were asked about for another reason",
      "select subject as id from cos.checkpoints where kind not in ('start', 'hiccup')",
    ],
    ["cards are not drawn", "select id from cos.marks"],
    ["cards are not shown", "select subject as id from cos.messages where posted_version is distinct from version"],
  ];
  const wrong: string[] = [];
  for (const [what, sql] of checks) {
    const found = await server.rows<{ id: string }>(sql);
    if (found.length > 0) wrong.push(`${found.length} ${what}: ${found.map((row) => row.id).join(" ")}`);
  }
  return wrong;
}
