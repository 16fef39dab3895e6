import { killOwn, killRun } from "../process/orphans.ts";
import { shellRunner } from "./command.ts";
import { parseAgent } from "./parse-agent.ts";

/** What works a goal, as a turn sees it. */
export const realExecutor = {
  /** A goal's own command. */
  ofCommand: shellRunner,
  /** An agent, by the line that names it (COS_AGENT). */
  ofAgent: parseAgent,
  /** Ends everything that an earlier execution of a run has left behind. */
  endRun: killRun,
  /** The same when an execution is over: whoever has the goal by now has children of the same run. */
  endOwn: killOwn,
} as const;

export type RealExecutor = typeof realExecutor;
