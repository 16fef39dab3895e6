import { killOwn, killRun } from "../process/orphans.ts";
import { shellRunner } from "./command.ts";
import { parseAgent } from "./parse-agent.ts";

/** How a turn starts and ends executors. */
export const realExecutor = {
  /** Runner for a goal's own command. */
  ofCommand: shellRunner,
  /** Parses the line that names an agent (COS_AGENT). */
  ofAgent: parseAgent,
  /** Ends all processes that earlier executions of a run have left. */
  endRun: killRun,
  /** Ends the processes of one finished execution only: whoever holds the goal by now has children of the same run. */
  endOwn: killOwn,
} as const;

export type RealExecutor = typeof realExecutor;
