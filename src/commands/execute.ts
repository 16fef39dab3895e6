import { refusedProcessCard } from "../core/cards/notices.ts";
import { getRun } from "../db/runs.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { sayGoal, sayNotice } from "../turns/say.ts";
import { type Caller, type Command, type CommandResult, type Given, refused } from "./command.ts";

/** Runs a command for a caller: the one place that decides whether they may (D1, D2). */
export async function execute(deps: Deps, caller: Caller, command: Command, given: Given): Promise<CommandResult> {
  if (command.access === "change" && caller.runId !== null) {
    await recordAttempt(deps, caller.runId, `cos ${command.name}`, caller.via);
    return refused(
      `a goal's own process cannot decide (run ${caller.runId})`,
      `ask a person to run: cos ${command.name}`,
    );
  }
  return await command.run(deps, caller, given);
}

/** The attempt goes to the goal's timeline and card (D2). */
export async function recordAttempt(deps: Deps, runId: string, what: string, via: string): Promise<void> {
  const run = await getRun(deps.database.db, runId);
  if (run === null) return;
  await deps.database.transaction(async (tx) => {
    const at = deps.now();
    await appendTimeline(tx, { event: "agent.refused", goalId: run.goalId, runId, via, at, detail: { what } });
    await sayGoal(tx, deps, run.goalId);
    const subject = `${runId}.refused`;
    await sayNotice(tx, deps, { subject, threadSubject: run.goalId, card: refusedProcessCard(what, run.goalId) });
  });
}
