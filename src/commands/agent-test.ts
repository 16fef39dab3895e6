import { type AgentTrial, trialLines } from "../core/cards/agent-trial-words.ts";
import { linesCard } from "../core/cards/lists.ts";
import { sentence } from "../core/cards/card.ts";
import { learnAgent } from "../db/agents.ts";
import { findRepository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { tryAgent } from "./agent-trial.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { repoOption } from "./open-sessions.ts";
import type { Values } from "./fields.ts";
import { noRepository } from "./not-known.ts";

const testing = { repo: repoOption };

export const agentTest = command({
  name: "agent test",
  summary: "Start the agent, prompt it three times in a scratch repository, and say what it can do.",
  access: "change",
  options: testing,
  run: test,
});

async function test(deps: Deps, _caller: Caller, { repo }: Values<typeof testing>): Promise<CommandResult> {
  const { db } = deps.database;
  const repository = repo === undefined ? null : await findRepository(db, repo);
  if (repo !== undefined && repository === null) return await noRepository(deps, repo);
  const line = repository?.agent ?? deps.config.agent;
  if (line === null) return refused("no agent is configured (COS_AGENT, or repo add --agent)", "cos init COS_AGENT");
  const agent = deps.executor.ofAgent(line);
  if (agent.type === "invalid") return refused(agent.reason, "cos doctor");
  const isFlat = repository?.billing === "flat";
  const trial = await tryAgent(deps, { line, runner: agent.runner, isFlat });
  const isFine = trial.failure === null;
  if (isFine) await keep(deps, line, trial);
  const lines = trialLines(trial);
  const title = isFine ? worksWords(agent.label, trial) : `${agent.label} does not work yet`;
  return done(
    { line, ...trial },
    linesCard(
      title,
      lines.map(({ ok, words }) => [ok ? "✓ " : "✗ ", ...sentence(words)]),
    ),
  );
}

/** An agent that changes no file may have been configured so; the words let the person check that. */
function worksWords(label: string, { edits }: AgentTrial): string {
  return edits ? `${label} works` : `${label} answers, and has changed no file`;
}

/** Stores what the trial showed about the agent. Its cost is already in the ledger. */
async function keep(deps: Deps, line: string, { agent, asks, counting }: AgentTrial): Promise<void> {
  const { name = null, version = null } = agent ?? {};
  const learnt = { line, name, version, counting, asks: asks ? "asks" : "asks-nobody", seenAt: deps.now() } as const;
  await deps.database.transaction((tx) => learnAgent(tx, learnt));
}
