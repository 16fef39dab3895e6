import type { Episode, RunFacts } from "../../core/memory/episode.ts";
import { inventedName } from "../../core/memory/invented.ts";
import { reflectionOf, ruleReflection } from "../../core/memory/reflection.ts";
import { reflectionQuestion } from "../../core/prompts/reflection.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { factsOfRun, keepReflection, pendingEpisodes } from "../../db/episodes.ts";
import { getGoal } from "../../db/goals.ts";
import type { Deps } from "../../deps.ts";
import { consult } from "../shared/consult.ts";
import { oneByOne } from "../shared/one-by-one.ts";

/** Maximum number of episodes in one call. A model takes seconds for each. */
const atOnce = 10;

/** A model is asked only about runs that ended within this time (ms). Older runs, from before there was a memory, get the built-in rule. */
const lately = 24 * 60 * 60_000;

export const builtInRule = "the built-in rule";

/** Name of the lock under which one process at a time reflects. Two processes that ask a model about the same run would pay twice. */
export const reflecting = "cos reflections";

/**
 * Writes the reflections of pending episodes: what a run teaches, in two or three sentences, also when it failed (S4-RF-07). Called by a
 * doorbell and by the tick, never in a turn, so no goal waits for it. A model's reflection is compared with the rows of the run. If it
 * names a file or command that the run never touched, it is dropped and the built-in rule is used. Safe to repeat: an episode that has its
 * reflection by then is not changed. An episode that fails delays no other one. The caller holds the lock `reflecting`. `signal` aborts when
 * another process may hold it.
 */
export async function reflectOnRuns(deps: Deps, signal: AbortSignal): Promise<void> {
  const pending = await pendingEpisodes(deps.database.db, atOnce);
  await oneByOne(
    pending.map((episode) => () => reflectOn(deps, episode, signal)),
    signal,
  );
}

async function reflectOn(deps: Deps, episode: Episode, signal: AbortSignal): Promise<void> {
  const run = await factsOfRun(deps.database.db, episode.runId);
  if (run === null) return;
  const thought = (await ofModel(deps, episode, run, signal)) ?? ofRule(run, builtInRule);
  if (signal.aborted) return;
  const { secrets } = deps.config;
  const reflection = thought === null ? null : safeOutput(thought.reflection, secrets);
  const reflectedBy = reflection === null ? null : (thought?.by ?? null);
  await keepReflection(deps.database.db, episode.episodeId, { reflection, reflectedBy });
}

interface Thought {
  readonly reflection: string;
  readonly by: string;
}

function ofRule(run: RunFacts, by: string): Thought | null {
  const reflection = ruleReflection(run);
  return reflection === null ? null : { reflection, by };
}

/** Null when no model is configured, the run ended too long ago, the model gave no answer, or too little money is left for the question. */
async function ofModel(deps: Deps, episode: Episode, run: RunFacts, signal: AbortSignal): Promise<Thought | null> {
  if (deps.config.model === null || deps.now().getTime() - episode.at.getTime() > lately) return null;
  const goal = await getGoal(deps.database.db, episode.goalId);
  if (goal === null) return null;
  const question = reflectionQuestion(episode);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.policy.model.timeoutMs * 2)]);
  const answer = await consult(deps, { goal, runId: episode.runId }, question, limit);
  if (answer.type !== "answered") return null;
  const reflection = reflectionOf(answer.value.reflection);
  const invented = inventedName(reflection, run);
  if (invented === null) return { reflection, by: `${deps.config.model.name}, ${question.version}` };
  deps.log.info("memory.reflection-dropped", { episodeId: episode.episodeId, named: invented });
  return ofRule(run, `${builtInRule}: the model's named what the run never touched`);
}
