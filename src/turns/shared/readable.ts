import { shellFault } from "../../agent/process/shell-syntax.ts";
import { contractOf } from "../../core/acceptance/goal-contract.ts";
import { runProblem } from "../../core/goals/new-goal.ts";
import { shorten } from "../../core/text.ts";

/** The next step when the shell cannot read a command. */
export const correctIt = "correct the command";

/** Returns why the shell cannot read commands of the criteria, one line each. Null when it can read all of them. */
export async function unreadableCriteria(criteria: string | null): Promise<string | null> {
  const faults: string[] = [];
  for (const { verification } of contractOf(criteria, [], 1).criteria) {
    const fault = verification.method === "bash" ? await whyUnreadable(verification.command) : null;
    if (fault !== null) faults.push(fault);
  }
  return faults.length === 0 ? null : faults.join("\n");
}

/** Returns what is wrong with a goal's own command. Null when nothing is, or there is no command. */
export async function runFault(run: string | null, longest: number): Promise<string | null> {
  return runProblem(run, longest) ?? (run === null ? null : await whyUnreadable(run));
}

/** Returns why the shell cannot read a command. Null when it can. */
export async function whyUnreadable(command: string): Promise<string | null> {
  const fault = await shellFault(command);
  return fault === null ? null : `the shell cannot read ${JSON.stringify(shorten(command, 100))}: ${fault}`;
}
