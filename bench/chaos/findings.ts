import { environmentOf, processes } from "../../src/agent/process/processes.ts";
import { besides, executedAgain, readNotes } from "../soak/notes.ts";
import { examineGoals, ledger } from "../soak/rows.ts";
import type { Server } from "../soak/server.ts";
import type { PlannedGoal } from "../soak/work.ts";
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

/** Compares what the goals' own commands noted with what the database says. `mostOffMs`: by how much the product's clock was off. */
export async function examine(
  server: Server,
  work: string,
  dataDir: string,
  planned: readonly PlannedGoal[],
  mostOffMs: number,
): Promise<{ wrong: string[]; complete: number; executions: number; cut: number }> {
  const notes = await readNotes(work);
  const goals = await examineGoals(server, planned);
  const runs = await server.rows<{ id: string }>("select run_id as id from cos.runs");
  const begun = notes.filter((note) => note.kind === "begin").length;
  return {
    wrong: [
      ...besides(notes),
      ...goals.wrong,
      ...(await executedAgain(server, notes, mostOffMs)),
      ...(await ledger(server)),
      ...orphans(dataDir, new Set(runs.map((run) => run.id))),
    ],
    complete: goals.complete,
    executions: begun,
    cut: begun - notes.filter((note) => note.kind === "end").length,
  };
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
