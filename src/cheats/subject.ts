import { readFile, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { git } from "../agent/git/git.ts";
import { inspectRepository } from "../agent/git/repository.ts";
import { parseSpec } from "../core/acceptance/spec.ts";
import { getGoal } from "../db/goals.ts";
import { repositoriesById } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import type { Config } from "../config.ts";
import { originOf } from "../facts/origin.ts";
import { openLog } from "../log.ts";
import { openWorld } from "../world.ts";
import type { CheatSubject } from "./ground.ts";

export type SubjectResult =
  | { readonly type: "found"; readonly subject: CheatSubject }
  | { readonly type: "refused"; readonly reason: string; readonly next: string };

/** Finds the subject of `cos verify --trial-cheats`: a goal by its id, else a criteria file in a repository. */
export async function findCheatSubject(
  config: Config,
  { named, setup, guards }: { readonly named: string; readonly setup: string | undefined; readonly guards: boolean },
): Promise<SubjectResult> {
  if (/^goal-[0-9a-f]{8}$/.test(named)) return await ofGoal(config, { named, setup, guards });
  const file = resolve(named);
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return refused(`${named} is no criteria file that can be read, and no goal`);
  const inspected = await inspectRepository(await realpath(dirname(file)), {});
  if (inspected.type === "refused") return { ...inspected };
  const path = inspected.root;
  const commit = (await git(["rev-parse", "--verify", "HEAD"], { cwd: path, configuration: "person's" })).trim();
  return withCriteria(text, { path, commit, setup: setup ?? inspected.proposals.setup, guards });
}

async function ofGoal(
  config: Config,
  { named: goalId, setup, guards }: Parameters<typeof findCheatSubject>[1],
): Promise<SubjectResult> {
  const opening = { listens: false, serves: false, mayStart: true, onProgress: () => undefined };
  const world = await openWorld(config, openLog("silent"), opening);
  try {
    const { db } = world.deps.database;
    const goal = await getGoal(db, goalId);
    const [repository] = goal === null ? [] : await repositoriesById(db, [goal.repositoryId]);
    if (goal === null || repository === undefined)
      return { type: "refused", reason: `no goal is called ${goalId}`, next: "cos goals" };
    if (goal.criteria === null)
      return { type: "refused", reason: `${goalId} has no criteria`, next: `cos goal prove ${goalId} --criteria PATH` };
    const run = goal.runId === null ? null : await getRun(db, goal.runId);
    const asked = ["rev-parse", "--verify", run?.baseCommit ?? `refs/heads/${repository.baseBranch}`];
    const { dir } = originOf(config, repository);
    const commit = (await git(asked, { cwd: dir, configuration: "person's" })).trim();
    return withCriteria(goal.criteria, { path: dir, commit, setup: setup ?? repository.setup, guards });
  } finally {
    await world.close();
  }
}

function withCriteria(text: string, where: Omit<CheatSubject, "text" | "criteria">): SubjectResult {
  const parsed = parseSpec(text);
  if (parsed.type === "invalid")
    return refused(parsed.problems.map(({ line, problem }) => `line ${line}: ${problem}`).join("\n"));
  const setup = where.setup === "" ? null : where.setup;
  return { type: "found", subject: { ...where, setup, text, criteria: parsed.spec.criteria } };
}

function refused(reason: string): SubjectResult {
  return { type: "refused", reason, next: "cos verify --help" };
}
