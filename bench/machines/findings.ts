import { examinePlatform } from "../soak/platform.ts";
import { besides, executedAgain, readNotes } from "../soak/notes.ts";
import { examineGoals, ledger } from "../soak/rows.ts";
import type { Server } from "../soak/server.ts";
import type { PlannedGoal } from "../soak/work.ts";
import type { Lost } from "./lost-disk.ts";
import type { Opened } from "./outputs.ts";
import type { Outside } from "./outside.ts";
import { examineRemote } from "./remote.ts";

/** What is compared at the end: rows, what the goals noted, git at the remote, the platform's own list, and kept output. */
export interface Compared {
  readonly complete: number;
  /** Executions and verifications that began, and those of them that were cut. */
  readonly phases: number;
  readonly cut: number;
  readonly messages: number;
  readonly wrong: readonly string[];
}

export async function compare(
  { server, sink, served }: Outside,
  at: { readonly work: string; readonly names: readonly string[]; readonly planned: readonly PlannedGoal[] },
  { opened, lost }: { readonly opened: Opened; readonly lost: Lost },
): Promise<Compared> {
  const notes = await readNotes(at.work);
  const goals = await examineGoals(server, at.planned);
  const begun = notes.filter((note) => note.kind === "begin").length;
  return {
    complete: goals.complete,
    phases: begun,
    cut: begun - notes.filter((note) => note.kind === "end").length,
    messages: sink.posts.length,
    wrong: [
      ...besides(notes),
      ...goals.wrong,
      ...(await executedAgain(server, notes, 0, lost)),
      ...(await ledger(server)),
      ...(await lostElsewhere(server, lost)),
      ...(await examineRemote(server, served.folder, at.names)),
      ...(await examinePlatform(server, sink)),
      ...opened.missing.filter(({ goalId }) => !lost.has(goalId)).map(({ words }) => words),
    ],
  };
}

/** Work that was lost though it was on no disk that was deleted. */
async function lostElsewhere(server: Server, lost: Lost): Promise<string[]> {
  const rows = await server.rows<{ goal_id: string }>(
    "select goal_id from cos.timeline where event = 'goal.work-lost'",
  );
  return rows.filter((row) => !lost.has(row.goal_id)).map((row) => `${row.goal_id} has lost what it had recorded`);
}
