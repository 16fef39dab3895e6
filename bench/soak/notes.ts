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

/** When something happened to a phase of a goal, by the product's clock. */
interface Moment {
  readonly goal: string;
  readonly phase: string;
  readonly at: number;
}

/**
 * A phase whose end is recorded never begins again; where it began more than once it was cut in between, each time, and this is
 * recorded, too. `mostOffMs`: by how much the product's clock was off; `lost`: ids of goals that were at work on a disk that was
 * deleted, the only ones whose work may be done once more.
 */
export async function executedAgain(
  server: Server,
  notes: readonly Note[],
  mostOffMs: number,
  lost: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const { records, cuts } = await momentsOf(server, lost);
  return [...beginsOf(notes)].flatMap(([key, begins]) => {
    const ofIt = (moments: readonly Moment[]): number[] =>
      moments.filter((each) => keyOf(each) === key).map(({ at }) => at);
    const recorded = ofIt(records);
    const isLate = recorded.length > 0 && Math.max(...begins) > Math.min(...recorded) + mostOffMs;
    const uncut = withoutCut(begins, ofIt(cuts), mostOffMs);
    return [
      ...(isLate ? [`${key} began again after it had been recorded`] : []),
      ...(uncut > 0 ? [`${key} ran ${begins.length} times, ${uncut} of them with no cut before it`] : []),
    ];
  });
}

function keyOf({ goal, phase }: Pick<Moment, "goal" | "phase">): string {
  return `${goal}: ${phase}`;
}

/** Of each phase of each goal, when it began, in order. */
function beginsOf(notes: readonly Note[]): Map<string, number[]> {
  const begins = new Map<string, number[]>();
  for (const note of notes.toSorted((one, other) => one.at - other.at))
    if (note.kind === "begin") begins.set(keyOf(note), [...(begins.get(keyOf(note)) ?? []), note.at]);
  return begins;
}

/** How many of the begins have no cut of their own between the one before and themselves. */
export function withoutCut(begins: readonly number[], cuts: readonly number[], mostOffMs: number): number {
  const left = cuts.toSorted((one, other) => one - other);
  return begins.slice(1).filter((begin, index) => {
    const before = begins[index] ?? 0;
    const found = left.findIndex((at) => at >= before - mostOffMs && at <= begin + mostOffMs);
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  }).length;
}

/** What was recorded as done, but of goals whose disk was lost, and what was recorded as cut. */
async function momentsOf(
  server: Server,
  lost: ReadonlySet<string>,
): Promise<{ readonly records: readonly Moment[]; readonly cuts: readonly Moment[] }> {
  const rows = await server.rows<{ goal_id: string; content: string; phase: string; is_cut: boolean; at: Date }>(
    `select g.goal_id, g.content, e.phase, e.is_cut, e.at from cos.goals g join (
       select goal_id, 'implement' as phase, detail->>'end' <> 'finished' as is_cut, at from cos.timeline where event = 'run.executed'
       union all select goal_id, 'verify', false, at from cos.timeline where event = 'run.verified'
       union all select goal_id, 'verify', true, at from cos.timeline where event = 'run.verification-cut'
       union all select goal_id, detail->>'phase', true, at from cos.timeline where event = 'goal.interrupted'
       union all select goal_id, phase, true, at from cos.timeline, (values ('implement'), ('verify')) as both_of (phase)
         where event = 'goal.work-lost'
     ) e using (goal_id)`,
  );
  const moments = rows.map((row) => ({ ...row, goal: nameOf(row.content), at: row.at.getTime() }));
  return {
    records: moments.filter((each) => !each.is_cut && !lost.has(each.goal_id)),
    cuts: moments.filter((each) => each.is_cut),
  };
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
