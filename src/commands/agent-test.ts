import { type AgentTrial, plainWords } from "../core/cards/agent-trial-words.ts";
import { linesCard } from "../core/cards/lists.ts";
import { sentence } from "../core/cards/card.ts";
import { localDate } from "../core/time.ts";
import { learnAgent } from "../db/agents.ts";
import { findRepository } from "../db/repositories.ts";
import { appendSpend } from "../db/spend.ts";
import type { Deps } from "../deps.ts";
import { tryAgent } from "./agent-trial.ts";
import { type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { repoOption } from "./open-sessions.ts";
import type { Values } from "./fields.ts";

const testing = { repo: repoOption };

export const agentTest = command({
  name: "agent test",
  summary: "Start the agent, ask it for one trivial edit in a scratch repository, and say what it can do.",
  access: "change",
  options: testing,
  run: test,
});

async function test(deps: Deps, _caller: Caller, { repo }: Values<typeof testing>): Promise<CommandResult> {
  const { db } = deps.database;
  const repository = repo === undefined ? null : await findRepository(db, repo);
  if (repo !== undefined && repository === null)
    return refused(`no repository is called ${JSON.stringify(repo)}`, "cos repo list");
  const line = repository?.agent ?? deps.config.agent;
  if (line === null) return refused("no agent is configured (COS_AGENT, or repo add --agent)", "cos doctor");
  const agent = deps.executor.ofAgent(line);
  if (agent.type === "invalid") return refused(agent.reason, "cos doctor");
  const trial = await tryAgent(deps, agent.runner, line);
  await keep(deps, line, trial);
  const lines = plainWords(trial);
  const isFine = trial.failure === null;
  const title = isFine ? `${agent.label} works` : `${agent.label} does not work yet`;
  return done(
    { line, ...trial },
    linesCard(
      title,
      lines.map(({ ok, words }) => [ok ? "✓ " : "✗ ", ...sentence(words)]),
    ),
  );
}

/** What it taught, and what it cost, which is no goal's. */
async function keep(deps: Deps, line: string, { agent, asks, counting, costMicroUsd }: AgentTrial): Promise<void> {
  const at = deps.now();
  await deps.database.transaction(async (tx) => {
    const { name = null, version = null } = agent ?? {};
    await learnAgent(tx, { line, name, version, counting, asks: asks ? "asks" : "asks-nobody", seenAt: at });
    if (costMicroUsd === null) return;
    const call = { callId: deps.newId("agent-test"), campaignId: null, day: localDate(at, deps.config.timezone) };
    await appendSpend(tx, call, { kind: "settled", amountMicroUsd: costMicroUsd, isEstimated: false, at });
  });
}
