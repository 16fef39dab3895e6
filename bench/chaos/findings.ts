import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { environmentOf, processes } from "../../src/agent/process/processes.ts";
import type { PlannedGoal } from "./work.ts";
import type { Server } from "./server.ts";
import type { Happened } from "./troubles.ts";

/** What a run of the bench came to; `wrong` is empty when everything held. */
export interface Findings extends Happened {
  readonly goals: number;
  readonly complete: number;
  readonly questionsAnswered: number;
  readonly hiccupsAnswered: number;
  readonly byClick: number;
  readonly byReply: number;
  readonly byCommand: number;
  /** Posted to the platform. */
  readonly messages: number;
  readonly executions: number;
  readonly cut: number;
  readonly kills: number;
  /** Of the processes that were never killed, in MB: early and at the end. */
  readonly memory: string;
  readonly wrong: readonly string[];
}

interface Note {
  readonly kind: "begin" | "end" | "beside";
  readonly goal: string;
  readonly phase: string;
  readonly at: number;
}

/** Compares what the goals' own commands noted with what the database says. `mostOffMs`: by how much the product's clock was off. */
export async function examine(
  server: Server,
  work: string,
  dataDir: string,
  planned: readonly PlannedGoal[],
  mostOffMs: number,
): Promise<{ wrong: string[]; complete: number; executions: number; cut: number }> {
  const notes = await readNotes(join(work, "notes"));
  const wrong = notes
    .filter((note) => note.kind === "beside")
    .map((note) => `${note.goal} ran twice at once (${note.phase})`);
  const rows = await server.rows<{ goal_id: string; content: string; status: string; outcome: string | null }>(
    "select goal_id, content, status, outcome from cos.goals order by position",
  );
  for (const goal of planned) {
    const mine = rows.filter((row) => row.content === goal.entry.text);
    if (mine.length !== 1) wrong.push(`${goal.name} exists ${mine.length} times`);
    for (const { goal_id, status, outcome } of mine) {
      if (status !== "complete") wrong.push(`${goal.name} (${goal_id}) is ${status}: ${outcome ?? "no outcome"}`);
    }
  }
  wrong.push(...(await executedAgain(server, notes, mostOffMs)));
  wrong.push(...(await ledger(server)));
  const runs = await server.rows<{ id: string }>("select run_id as id from cos.runs");
  wrong.push(...orphans(dataDir, new Set(runs.map((run) => run.id))));
  const begun = notes.filter((note) => note.kind === "begin").length;
  return {
    wrong,
    complete: rows.filter((row) => row.status === "complete").length,
    executions: begun,
    cut: begun - notes.filter((note) => note.kind === "end").length,
  };
}

/**
 * A phase whose end is recorded never begins again; one that began more than once was cut in between, each time. `run.executed` and
 * `run.verified` are the records.
 */
async function executedAgain(server: Server, notes: readonly Note[], mostOffMs: number): Promise<string[]> {
  const records = await server.rows<{ content: string; event: string; at: Date }>(
    `select g.content, t.event, max(t.at) as at from cos.timeline t join cos.goals g using (goal_id)
     where (t.event = 'run.executed' and t.detail->>'end' = 'finished') or t.event = 'run.verified' group by 1, 2`,
  );
  const interruptions = await server.rows<{ content: string; phase: string; times: number }>(
    `select g.content, t.detail->>'phase' as phase, count(*)::int as times
     from cos.timeline t join cos.goals g using (goal_id) where t.event = 'goal.interrupted' group by 1, 2`,
  );
  const wrong: string[] = [];
  for (const { content, event, at } of records) {
    const phase = event === "run.executed" ? "implement" : "verify";
    const goal = content.replace("Chaos ", "");
    const begins = notes.filter((note) => note.kind === "begin" && note.goal === goal && note.phase === phase);
    const late = begins.filter((note) => note.at > at.getTime() + mostOffMs);
    if (late.length > 0) wrong.push(`${goal}: ${phase} began again after it had been recorded`);
    const cuts = interruptions.find((each) => each.content === content && each.phase === phase)?.times ?? 0;
    if (begins.length > 1 + cuts) wrong.push(`${goal}: ${phase} ran ${begins.length} times and was cut ${cuts} times`);
  }
  return wrong;
}

/** What the database must not hold at the end. */
async function ledger(server: Server): Promise<string[]> {
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

/** Processes of these runs, and of the product in this data directory, that still live; others may work on this machine too. */
function orphans(dataDir: string, runs: ReadonlySet<string>): string[] {
  return processes()
    .filter((entry) => entry.state !== "Z" && entry.pid !== process.pid)
    .filter(
      ({ pid }) => runs.has(environmentOf(pid, "COS_RUN") ?? "") || environmentOf(pid, "COS_DATA_DIR") === dataDir,
    )
    .map((entry) => `process ${entry.pid} is left over`);
}

async function readNotes(file: string): Promise<Note[]> {
  const text = await readFile(file, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [kind, goal, phase, at] = line.split(" ");
      if (kind !== "begin" && kind !== "end" && kind !== "beside") throw new Error(`a note cannot be read: ${line}`);
      return { kind, goal: goal ?? "", phase: phase ?? "", at: Number(at) / 1e6 };
    });
}
