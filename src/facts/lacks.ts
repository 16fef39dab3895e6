import { existsSync } from "node:fs";
import { missingAgent } from "../agent/acp/program.ts";
import type { Goal } from "../core/goals/goal.ts";
import { type Lack, type Untaken, untakenBy } from "../core/lacks.ts";
import type { RemoteTrouble, RemoteTroubleKind } from "../core/remotes/trouble.ts";
import type { Db } from "../db/connection/client.ts";
import { type GoalRows, goalRows } from "../db/goal-rows.ts";
import type { Repository } from "../db/repositories.ts";
import { knownWorkers } from "../db/workers.ts";
import type { Deps } from "../deps.ts";
import { originOf } from "./origin.ts";

type Machine = Pick<Deps["config"], "dataDir" | "sshAgent" | "agent">;

/** Troubles that another machine may not have. */
const ofMachine = new Set<RemoteTroubleKind>([
  "unreachable",
  "unknown-host-key",
  "changed-host-key",
  "certificate",
  "login",
  "key-missing",
  "not-found",
]);

/** What this machine lacks for a repository's goals, as far as it can be seen locally. No remote is contacted. */
export function lacksHere(config: Machine, repository: Repository): Lack[] {
  const { repositoryId, name } = repository;
  const lacks: Lack[] = [];
  const { dir, remote } = originOf(config, repository);
  if (remote === null && !existsSync(dir))
    lacks.push({
      repositoryId,
      what: "repository",
      reason: `there is no ${dir}`,
      next: `add ${name} by a URL that every machine reaches, or put it there`,
    });
  const agent = repository.agent ?? config.agent;
  if (agent === null) {
    const next = "set COS_AGENT there";
    return [...lacks, { repositoryId, what: "no-agent", reason: "no agent is configured", next }];
  }
  const program = missingAgent(agent);
  if (program === null) return lacks;
  const next = `install ${program} there, or correct ${repository.agent === null ? "COS_AGENT" : "the repository's agent"}`;
  return [...lacks, { repositoryId, what: "agent", reason: `the agent's program ${program} was not found`, next }];
}

/** The lack that keeps this machine from reading a remote repository. Null when the trouble does not depend on the machine. */
export function lackOfRemote(repositoryId: string, trouble: RemoteTrouble): Lack | null {
  const { kind, reason, next } = trouble;
  return ofMachine.has(kind) ? { repositoryId, what: "repository", reason, next } : null;
}

/** Like untakenOf, for a goal by its id. Also null while the goal is worked, asked about or over. */
export async function untakenGoal(db: Db, goalId: string): Promise<Untaken | null> {
  const rows = await goalRows(db, goalId);
  return rows === null || !waitsForWorker(rows) ? null : await untakenOf(db, rows);
}

/** True when a goal has not ended, is not blocked, and nobody works it. */
export function waitsForWorker({ goal: { status, leasedBy }, isCut }: Pick<GoalRows, "goal" | "isCut">): boolean {
  return (status === "pending" || status === "in_progress") && (leasedBy === null || isCut);
}

/** Why no running worker takes a goal. Null when one may. Sends no query unless the repository has labels or a worker lacks something. */
export async function untakenOf(
  db: Db,
  { goal, repository, isLacked }: Pick<GoalRows, "goal" | "repository" | "isLacked">,
): Promise<Untaken | null> {
  if (repository === null || (repository.labels.length === 0 && !isLacked)) return null;
  const { repositoryId, labels } = repository;
  return untakenBy({ repositoryId, labels, agent: needsAgent(goal) }, await knownWorkers(db));
}

/** True when an agent works the goal, and not its own command. */
export function needsAgent({ runCommand }: Pick<Goal, "runCommand">): boolean {
  return runCommand === null;
}
