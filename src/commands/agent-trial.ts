import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tryGit } from "../agent/git/git.ts";
import { closing } from "../agent/place/agent-room.ts";
import { processesOf } from "../agent/process/orphans.ts";
import type { AgentName, Runner, RunObserver, RunResult, UsedTokens } from "../agent/process/runner.ts";
import { type Counting, costOfCall, triedCounting } from "../core/agents/counting.ts";
import type { AgentTrial } from "../core/cards/agent-trial-words.ts";
import type { Deps } from "../deps.ts";

/*
 * What an agent can do, found by letting it do something trivial in a repository of its own: three short prompts, shut in as
 * goals are (F-304).
 */

type Trying = Pick<Deps, "config" | "policy" | "timers" | "places" | "newId" | "executor">;

interface Heard {
  agent: AgentName | null;
  session: string | null;
  asked: number;
  spent: Map<string, number>;
  tokens: UsedTokens[];
  onActivity: () => void;
}

const first = [
  "This is a trial of whether you work here; it is no real task. Do exactly two things, then end your turn:",
  "1. Write a file named hello.txt in the current directory, with the one line: hello",
  "2. Run this command in a shell: echo asked > asked.txt && true",
].join("\n");
const second = "Answer with the one word: hello. Use no tool.";
const third = "Run this command in a shell and wait for its end: sleep 300 && true";

/** Tries the agent that a runner starts, by its line. What it writes is removed. */
export async function tryAgent(deps: Trying, runner: Runner, line: string): Promise<AgentTrial> {
  const folder = join(deps.config.dataDir, "agent-tests", deps.newId("trial"));
  const worktree = join(folder, "work");
  await mkdir(worktree, { recursive: true, mode: 0o700 });
  await tryGit(["init", "--quiet"], { cwd: worktree, configuration: "ours" });
  await writeFile(join(worktree, "README.md"), "A trial.\n");
  try {
    const one = heardBy();
    const result = await prompt(deps, runner, { folder, line, text: first, session: null, heard: one });
    const edits = (await readFile(join(worktree, "hello.txt"), "utf8").catch(() => "")).trim() === "hello";
    const said = toldBy(one, new Map());
    const nothing = {
      agent: one.agent,
      edits,
      asks: one.asked > 0,
      ...said,
      resumes: false,
      counting: null,
      stop: null,
    };
    if (result.type !== "finished") return { ...nothing, failure: failureOf(result) };

    const two = heardBy();
    if (one.session !== null)
      await prompt(deps, runner, { folder, line, text: second, session: one.session, heard: two });
    const resumes = one.session !== null && two.session === one.session;
    const counting = countingOf(one, two);
    const stop = await stopped(deps, runner, { folder, line });
    return { ...nothing, failure: null, resumes, counting, stop };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One word costs less than the work before it: a session that says more than before has gone on. */
function countingOf(one: Heard, two: Heard): Counting | null {
  const known = one.agent === null ? null : triedCounting(one.agent.name);
  const before = one.spent.get(one.session ?? "") ?? 0;
  const said = two.spent.get(one.session ?? "");
  if (before === 0 || said === undefined) return known;
  return costOfCall([{ before, said }], "goes-on").learnt ?? "goes-on";
}

function toldBy(heard: Heard, before: ReadonlyMap<string, number>): Pick<AgentTrial, "tells" | "costMicroUsd"> {
  if (heard.spent.size === 0) return { tells: heard.tokens.length > 0 ? "tokens" : "nothing", costMicroUsd: null };
  const sessions = [...heard.spent].map(([id, said]) => ({ before: before.get(id) ?? 0, said }));
  return { tells: "cost", costMicroUsd: costOfCall(sessions, "anew").amountMicroUsd };
}

/** Ends it in the middle of a command, as `stop --now` does. */
async function stopped(
  deps: Trying,
  runner: Runner,
  at: Pick<Prompting, "folder" | "line">,
): Promise<{ leftProcesses: number }> {
  const controller = new AbortController();
  const heard = heardBy();
  heard.onActivity = () => setTimeout(() => controller.abort(), 1_000).unref();
  const runId = deps.newId("run");
  await prompt(deps, runner, { ...at, text: third, session: null, heard, signal: controller.signal, runId });
  return { leftProcesses: processesOf(runId).length };
}

interface Prompting {
  readonly folder: string;
  readonly line: string;
  readonly text: string;
  readonly session: string | null;
  readonly heard: Heard;
  readonly signal?: AbortSignal;
  readonly runId?: string;
}

async function prompt(deps: Trying, runner: Runner, { folder, heard, ...asked }: Prompting): Promise<RunResult> {
  const runId = asked.runId ?? deps.newId("run");
  const worktree = join(folder, "work");
  const outputFile = join(folder, "output.txt");
  const room = await deps.places.room({
    worktree,
    mirror: { dir: join(worktree, ".git") },
    runId,
    outputFile,
    agent: asked.line,
  });
  const { goals } = deps.policy;
  const running = runner(
    {
      runId,
      goalId: runId,
      worktree,
      outputFile,
      prompt: asked.text,
      agentSessionId: asked.session,
      timers: deps.timers,
      timeoutMs: longestMs,
      inactivityMs: longestMs,
      startMs: goals.startMs,
      environment: deps.config.agentEnvironment,
      enclosure: room.enclosure,
      secrets: deps.config.secrets,
      allowedCommands: [],
      grants: [],
    },
    observerOf(heard),
    asked.signal ?? new AbortController().signal,
  );
  return await closing(room, running);
}

/** Nothing of a trial takes longer. */
const longestMs = 5 * 60_000;

function heardBy(): Heard {
  return { agent: null, session: null, asked: 0, spent: new Map(), tokens: [], onActivity: () => undefined };
}

function observerOf(heard: Heard): RunObserver {
  return {
    onActivity: () => heard.onActivity(),
    onAgent(agent) {
      heard.agent = agent;
    },
    async onAgentSession(id) {
      heard.session = id;
    },
    async onSpend(cumulative, session) {
      heard.spent.set(session, Math.max(cumulative, heard.spent.get(session) ?? 0));
    },
    onTokens: (used) => void heard.tokens.push(used),
    // It is our own command that it asks about, in a place of its own.
    async onPermission() {
      heard.asked += 1;
      // Some tell of a command they asked about only when it is over.
      heard.onActivity();
      return "allow";
    },
  };
}

function failureOf(result: RunResult): string {
  if (result.type === "permission") return `it asked to ${result.ask.kind}, and took no answer`;
  return "reason" in result ? result.reason : `it was ${result.type}`;
}
