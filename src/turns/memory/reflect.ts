import type { Episode, RunFacts } from "../../core/memory/episode.ts";
import { inventedName } from "../../core/memory/invented.ts";
import { reflectionOf, ruleReflection } from "../../core/memory/reflection.ts";
import { reflectionQuestion } from "../../core/prompts/reflection.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { factsOfRun, keepReflection, pendingEpisodes } from "../../db/episodes.ts";
import { getGoal } from "../../db/goals.ts";
import type { Deps } from "../../deps.ts";
import { consult } from "../shared/consult.ts";

/** Episodes of one look: a model takes seconds for each. */
const atOnce = 10;

/** A model is asked about runs that ended lately; older ones, of before there was a memory, get the built-in rule. */
const lately = 24 * 60 * 60_000;

export const builtInRule = "the built-in rule";

/** The name under which one at a time does it: what two ask a model at once is paid twice. */
export const reflecting = "cos reflections";

/**
 * Thinks about runs that have ended: what each of them teaches, in two or three sentences (S4-RF-07), failures included. Asked
 * by a doorbell and by the tick, never in a turn, so no goal waits for it. What a model says is held against what the run
 * left: one that names a file or command which the run never touched is dropped, and the built-in rule stands in. Safe
 * twice: an episode that was thought about meanwhile is left alone. The caller holds its name; `signal`: somebody else may by now.
 */
export async function reflectOnRuns(deps: Deps, signal: AbortSignal): Promise<void> {
  for (const episode of await pendingEpisodes(deps.database.db, atOnce)) {
    if (signal.aborted) return;
    const run = await factsOfRun(deps.database.db, episode.runId);
    if (run === null) continue;
    const thought = (await ofModel(deps, episode, run, signal)) ?? ofRule(run, builtInRule);
    if (signal.aborted) return;
    const { secrets } = deps.config;
    const reflection = thought === null ? null : safeOutput(thought.reflection, secrets);
    const reflectedBy = reflection === null ? null : (thought?.by ?? null);
    await keepReflection(deps.database.db, episode.episodeId, { reflection, reflectedBy });
  }
}

interface Thought {
  readonly reflection: string;
  readonly by: string;
}

function ofRule(run: RunFacts, by: string): Thought | null {
  const reflection = ruleReflection(run);
  return reflection === null ? null : { reflection, by };
}

/** Null: no model is configured, it gave no answer, or there is not enough money left for the question. */
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
