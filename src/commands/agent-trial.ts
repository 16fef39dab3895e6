import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tryGit } from "../agent/git/git.ts";
import { processesOf } from "../agent/process/orphans.ts";
import type { RunResult } from "../agent/process/runner.ts";
import { type Counting, costOfCall, triedCounting } from "../core/agents/counting.ts";
import type { AgentTrial } from "../core/cards/agent-trial-words.ts";
import { type TriedAgent, type Heard, type Prompted, promptAgent, type AgentTrialDeps } from "./agent-prompt.ts";

/*
 * Finds out what an agent can do by giving it trivial work in a repository made for that: three short prompts, in the sandbox that goals
 * have, each with its own entry in the ledger (F-304).
 */

const first = [
  "This is a trial of whether you work here; it is no real task. Do exactly two things, then end your turn:",
  "1. Write a file named hello.txt in the current directory, with the one line: hello",
  "2. Run this command in a shell: echo asked > asked.txt && true",
].join("\n");
const second = "Answer with the one word: hello. Use no tool.";
const third = "Run this command in a shell and wait for its end: sleep 300 && true";

/** Tries an agent. The files that it writes are removed. */
export async function tryAgent(deps: AgentTrialDeps, candidate: TriedAgent): Promise<AgentTrial> {
  const trialId = deps.newId("agent-test");
  const folder = join(deps.config.dataDir, "agent-tests", trialId);
  const worktree = join(folder, "work");
  await mkdir(worktree, { recursive: true, mode: 0o700 });
  await tryGit(["init", "--quiet"], { cwd: worktree, configuration: "ours" });
  await writeFile(join(worktree, "README.md"), "A trial.\n");
  const at = { ...candidate, folder };
  try {
    const one = await promptAgent(deps, { ...at, callId: `${trialId}.1`, text: first, before: null });
    const edits = (await readFile(join(worktree, "hello.txt"), "utf8").catch(() => "")).trim() === "hello";
    const { agent, asked } = one.heard;
    const nothing = { agent, edits, asks: asked > 0, ...toldBy(one.heard), resumes: false, counting: null, stop: null };
    const failure = failureOf(one.result);
    if (failure !== null) return { ...nothing, failure, cost: costOf(candidate, [one]) };

    const { session } = one.heard;
    const again = { ...at, callId: `${trialId}.2`, text: second, before: one.heard };
    const two = session === null ? null : await promptAgent(deps, again);
    const resumes = two !== null && two.heard.session === session;
    const counting = two === null ? null : countingOf(one.heard, two.heard);
    const three = await stopped(deps, { ...at, callId: `${trialId}.3`, text: third, before: null });
    const cost = costOf(candidate, [one, two, three.prompted]);
    return { ...nothing, failure: null, resumes, counting, stop: three.stop, cost };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns how the agent counts the cost of a session. One word costs less than the work before it, so a higher amount than before means
 * that the agent continued counting.
 */
function countingOf(one: Heard, two: Heard): Counting | null {
  const known = one.agent === null ? null : triedCounting(one.agent.name);
  const before = one.spent.get(one.session ?? "") ?? 0;
  const said = two.spent.get(one.session ?? "");
  if (before === 0 || said === undefined) return known;
  return costOfCall([{ before, said }], "goes-on").learnt ?? "goes-on";
}

function toldBy(heard: Heard): Pick<AgentTrial, "tells" | "costMicroUsd"> {
  if (heard.spent.size === 0) return { tells: heard.tokens > 0 ? "tokens" : "nothing", costMicroUsd: null };
  const sessions = [...heard.spent.values()].map((said) => ({ before: 0, said }));
  return { tells: "cost", costMicroUsd: costOfCall(sessions, "anew").amountMicroUsd };
}

/** Stops the agent in the middle of a command, as `stop --now` does. */
async function stopped(
  deps: AgentTrialDeps,
  asked: Parameters<typeof promptAgent>[1],
): Promise<{ readonly prompted: Prompted; readonly stop: { readonly leftProcesses: number } }> {
  const controller = new AbortController();
  const onActivity = (): void => void setTimeout(() => controller.abort(), 1_000).unref();
  const prompted = await promptAgent(deps, { ...asked, onActivity, signal: controller.signal });
  return { prompted, stop: { leftProcesses: processesOf(prompted.runId).length } };
}

/** Returns the cost of the whole trial; null for an agent at a flat rate, for which no dollars are recorded as spent (D48). */
function costOf({ isFlat }: TriedAgent, prompted: readonly (Prompted | null)[]): AgentTrial["cost"] {
  if (isFlat) return null;
  const costs = prompted.flatMap((each) => each?.cost ?? []);
  return {
    amountMicroUsd: costs.reduce((sum, each) => sum + each.amountMicroUsd, 0),
    isEstimated: costs.some((each) => each.isEstimated),
  };
}

/** Returns why the agent failed; null when it ended its turn. */
function failureOf(result: RunResult): string | null {
  if (result.type === "finished") return null;
  if (result.type === "permission") return `it asked to ${result.ask.kind}, and took no answer`;
  return "reason" in result ? result.reason : `it was ${result.type}`;
}
