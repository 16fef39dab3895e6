import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Server } from "./server.ts";
import { nameOf } from "./work.ts";

/** What the goals' own commands noted while they ran, held against what the database says of them. */

export interface Note {
  readonly kind: "begin" | "end" | "beside";
  readonly goal: string;
  readonly phase: string;
  readonly at: number;
}

/** What ran twice at once. */
export function besides(notes: readonly Note[]): string[] {
  return notes.filter((note) => note.kind === "beside").map((note) => `${note.goal} ran twice at once (${note.phase})`);
}

/**
 * A phase whose end is recorded never begins again; one that began more than once was cut in between, each time, and this is
 * recorded, too. `run.executed` and `run.verified` are the records. `mostOffMs`: by how much the product's clock was off; `lost`: ids
 * of goals that were at work on a disk that was deleted, the only ones whose work may be done once more.
 */
export async function executedAgain(
  server: Server,
  notes: readonly Note[],
  mostOffMs: number,
  lost: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const records = await server.rows<{ content: string; event: string; at: Date }>(
    `select g.content, t.event, max(t.at) as at from cos.timeline t join cos.goals g using (goal_id)
     where (t.event = 'run.executed' and t.detail->>'end' = 'finished') or t.event = 'run.verified' group by 1, 2`,
  );
  // Each is of one phase, and so is what it lets begin again.
  const cuts = await server.rows<{ content: string; phase: string; times: number }>(
    `select g.content, c.phase, count(*)::int as times from cos.goals g join (
       select goal_id, detail->>'phase' as phase from cos.timeline where event = 'goal.interrupted'
       union all select goal_id, 'verify' from cos.timeline where event = 'run.verification-cut'
     ) c using (goal_id) group by 1, 2`,
  );
  // These begin their work again whatever is left of it.
  const losses = await server.rows<{ goal_id: string; content: string; event: string; times: number }>(
    `select g.goal_id, g.content, t.event, count(*)::int as times from cos.timeline t join cos.goals g using (goal_id)
     where t.event = 'goal.work-lost' or t.event = 'run.executed' and t.detail->>'end' <> 'finished' group by 1, 2, 3`,
  );
  const wrong: string[] = [];
  for (const { content, event, at } of records) {
    const phase = event === "run.executed" ? "implement" : "verify";
    const goal = nameOf(content);
    const begins = notes.filter((note) => note.kind === "begin" && note.goal === goal && note.phase === phase);
    const late = begins.filter((note) => note.at > at.getTime() + mostOffMs);
    if (late.length > 0) wrong.push(`${goal}: ${phase} began again after it had been recorded`);
    const again = losses.filter(
      (each) =>
        each.content === content &&
        lost.has(each.goal_id) &&
        (phase === "implement" || each.event === "goal.work-lost"),
    );
    const ofPhase = cuts.filter((each) => each.content === content && each.phase === phase);
    const times = [...again, ...ofPhase].reduce((sum, each) => sum + each.times, 0);
    if (begins.length > 1 + times)
      wrong.push(`${goal}: ${phase} ran ${begins.length} times and was cut ${times} times`);
  }
  return wrong;
}

/** `work`: the folder of the goals. */
export async function readNotes(work: string): Promise<Note[]> {
  const text = await readFile(join(work, "notes"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [kind, goal, phase, at] = line.split(" ");
      if (kind !== "begin" && kind !== "end" && kind !== "beside") throw new Error(`a note cannot be read: ${line}`);
      return { kind, goal: goal ?? "", phase: phase ?? "", at: Number(at) / 1e6 };
    });
}
