import { join } from "node:path";
import { forgetRefusedCalls, readRefusedCalls, refusedCallsFile } from "../../agent/process/refused-calls.ts";
import { refusedProcessCard } from "../../core/cards/notices.ts";
import { getRun } from "../../db/runs.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark, markNotice } from "../../db/connection/marks.ts";
import type { Deps } from "../../deps.ts";
import { outputPathOf } from "../../paths.ts";

type RefusedCallDeps = Pick<Deps, "database" | "now" | "policy" | "config">;

/** Records commands that a goal's own process called and may not: in the timeline, on the card and in the thread (D2). */
export async function recordRefusedCalls(
  deps: RefusedCallDeps,
  runId: string,
  calls: readonly string[],
  via: string,
): Promise<void> {
  const run = calls.length === 0 ? null : await getRun(deps.database.db, runId);
  const last = calls.at(-1);
  if (run === null || last === undefined) return;
  const { goalId } = run;
  await deps.database.transaction(async (tx) => {
    const at = deps.now();
    const event = "agent.refused";
    await appendTimeline(tx, ...calls.map((what) => ({ event, goalId, runId, via, at, detail: { what } }) as const));
    mark(tx, "goal", goalId);
    const card = refusedProcessCard(last, goalId);
    markNotice(tx, `${runId}.refused`, { card, threadSubject: goalId });
  });
}

/**
 * Records the calls that `cos` itself refused during a run and wrote into the run's file. Safe to repeat; after a crash in between, a call
 * may be recorded twice.
 */
export async function takeRefusedCallsOf(deps: RefusedCallDeps, runId: string): Promise<void> {
  const file = refusedCallsFile(join(deps.config.dataDir, outputPathOf(runId, 0, "")), runId);
  if (file === null) return;
  const calls = await readRefusedCalls(file);
  if (calls === null) return;
  await recordRefusedCalls(deps, runId, calls, "terminal");
  await forgetRefusedCalls(file);
}
