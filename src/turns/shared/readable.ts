import { shellFault } from "../../agent/process/shell-syntax.ts";
import { contractOf } from "../../core/acceptance/goal-contract.ts";
import { runProblem } from "../../core/goals/new-goal.ts";
import { shorten } from "../../core/text.ts";

/** What helps where a command cannot be read. */
export const correctIt = "correct the command";

/** Why the commands of criteria cannot be run, a line each: no shell reads them; null: it reads them all. */
export async function unreadableCriteria(criteria: string | null): Promise<string | null> {
  const faults: string[] = [];
  for (const { verification } of contractOf(criteria, [], 1).criteria) {
    const fault = verification.method === "bash" ? await whyUnreadable(verification.command) : null;
    if (fault !== null) faults.push(fault);
  }
  return faults.length === 0 ? null : faults.join("\n");
}

/** What is wrong with a goal's own command; null: nothing. */
export async function runFault(run: string | null, longest: number): Promise<string | null> {
  return runProblem(run, longest) ?? (run === null ? null : await whyUnreadable(run));
}

/** Why no shell can run a command; null: one can read it. */
export async function whyUnreadable(command: string): Promise<string | null> {
  const fault = await shellFault(command);
  return fault === null ? null : `the shell cannot read ${JSON.stringify(shorten(command, 100))}: ${fault}`;
}
