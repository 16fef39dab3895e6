import { GitError } from "../../agent/git/git.ts";
import type { Git } from "../../agent/git/door.ts";
import type { Mirror } from "../../agent/git/mirror.ts";
import { splitWords, unfoundWords } from "../../core/cards/ground-words.ts";
import type { Goal } from "../../core/goals/goal.ts";
import { standingOn, standsAlike, type StandsOn } from "../../core/goals/ground.ts";
import { type Db, readTogether } from "../../db/connection/client.ts";
import { type Payers, payersOf } from "../../db/goals.ts";
import { groundsOf } from "../../db/grounds.ts";
import { lastMerge } from "../../db/merges.ts";
import { findRepository, type Repository } from "../../db/repositories.ts";
import { getRun, type Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { readRecorded, type Recorded } from "../../facts/worked.ts";
import type { Base } from "../shared/base.ts";
import type { NoGround } from "./no-ground.ts";
import type { RunStart } from "../shared/begin-run.ts";
import { branchOf } from "../../core/goals/branch.ts";

/**
 * A goal that builds on others begins on their commits (D37): on a single one as it is, on several merged, together with the base branch if
 * one of them is already merged there. When one of them gets another run, the goal is put on that and verified again.
 */

type Pinned = Extract<Base, { type: "pinned" }>;

/** Where a run begins, or why it cannot. */
type Ground = { readonly type: "laid"; readonly start: RunStart } | NoGround;

/**
 * Finds the commit where a goal's run begins or continues, with its recorded work. A goal that builds on nothing begins at the current base
 * branch. `failed`: git refused something.
 */
export async function layGround(
  deps: Pick<Deps, "database" | "git">,
  goal: Goal,
  base: Pinned,
  work: Work,
): Promise<Ground | { readonly type: "failed"; readonly reason: string }> {
  try {
    return await lay(deps, goal, base, work);
  } catch (error) {
    if (error instanceof GitError) return { type: "failed", reason: error.message };
    throw error;
  }
}

/** The goal's run, and the last run with recorded work: this one, or else an earlier one. */
interface Work {
  readonly run: Run | null;
  readonly recorded: Run | null;
}

/** Facts for the begin of a goal. */
interface GroundRequest {
  readonly repository: Repository | null;
  readonly work: Work;
  readonly recorded: Recorded;
  readonly payers: Payers;
}

/** Reads the facts for the begin of a goal with one statement. */
export async function readBeginning(db: Db, { goalId, runId, repositoryId }: Goal): Promise<GroundRequest> {
  const [repository, run, recorded, payers] = await readTogether(db, (reads) =>
    Promise.all([
      findRepository(reads, repositoryId),
      runId === null ? null : getRun(reads, runId),
      readRecorded(reads, goalId),
      payersOf(reads, goalId),
    ]),
  );
  const [last = null] = recorded.works;
  return { repository, work: { run, recorded: run ?? last }, recorded, payers };
}

async function lay(deps: Pick<Deps, "database" | "git">, goal: Goal, base: Pinned, known: Work): Promise<Ground> {
  const { db } = deps.database;
  const { mirror, commit: tip } = base;
  const at = { git: deps.git, mirror };
  const { run } = known;
  const isLanded = run === null && (await hasLanded(deps, at, known.recorded, tip));
  const work = isLanded ? null : known.recorded;
  if (goal.after.length === 0 && (work === null || work.standsOn.length === 0))
    return { type: "laid", start: isLanded ? { baseCommit: tip, headCommit: null } : { baseCommit: tip } };

  const stands = standingOn(goal.after, await groundsOf(db, goal.after));
  if (stands === null) return { type: "waits" };
  for (const { goalId, commit } of stands)
    if (!(await ensureCommit(at, goalId, commit))) return { type: "stuck", outcome: unfoundWords(goalId, goal.goalId) };

  const wasLaid = run !== null && (await isLaid(at, run, stands));
  if (wasLaid && (await isJoined(at, goal, run))) {
    const { baseCommit, headCommit, standsOn } = run;
    return { type: "laid", start: { baseCommit, headCommit, standsOn } };
  }
  const laid =
    wasLaid && run.baseCommit !== null
      ? ({ type: "laid", commit: run.baseCommit } as const)
      : await baseOf(at, tip, stands);
  if (laid.type === "split") return { type: "stuck", outcome: splitWords(laid.goals, laid.files, goal.goalId) };
  await deps.git.writeRef(mirror, `refs/cos/${goal.goalId}/base`, laid.commit);
  const head = work === null ? null : await carried(at, work, stands, tip);
  return await putOn(at, goal, { baseCommit: laid.commit, standsOn: stands, head });
}

/** The mirror with a goal's commits, and git. */
interface At {
  readonly git: Git;
  readonly mirror: Mirror;
}

/**
 * True when the base branch already contains a goal's recorded work, even if somebody has reverted it since. The goal is then worked again
 * from the current base: on top of the merged work, a merge would bring only the later commits.
 */
async function hasLanded(
  { database }: Pick<Deps, "database">,
  { git, mirror }: At,
  recorded: Run | null,
  tip: string,
): Promise<boolean> {
  if (recorded?.headCommit == null) return false;
  const { goalId, headCommit } = recorded;
  const last = await lastMerge(database.db, goalId);
  // Squashed work is there as another commit.
  const squashed = last?.status === "merged" && last.headCommit === headCommit ? last.resultCommit : null;
  for (const commit of [headCommit, squashed])
    if (commit !== null && (await git.hasCommit(mirror, commit)) && (await git.contains(mirror, tip, commit)))
      return true;
  return false;
}

interface GroundPlan {
  readonly baseCommit: string;
  readonly standsOn: readonly StandsOn[];
  /** What the goal has recorded. */
  readonly head: string | null;
}

/** Merges a goal's recorded work with its new base. */
async function putOn({ git, mirror }: At, goal: Goal, { baseCommit, standsOn, head }: GroundPlan): Promise<Ground> {
  const start = { baseCommit, standsOn };
  if (head === null) return { type: "laid", start: { ...start, headCommit: null } };
  if (await git.contains(mirror, head, baseCommit)) return { type: "laid", start: { ...start, headCommit: head } };
  const goals = standsOn.map((each) => each.goalId);
  const message = `Put ${branchOf(goal.goalId)} on top of ${goals.join(", ")}\n\nCos-Goal: ${goal.goalId}\n`;
  const merged = await git.mergeCommits({ mirror, tip: head, head: baseCommit, message });
  if (merged.type === "merged") {
    await git.writeRef(mirror, `refs/cos/${goal.goalId}/head`, merged.commit);
    return { type: "laid", start: { ...start, headCommit: merged.commit } };
  }
  // A goal's own command runs again on the new ground. An agent is told to merge.
  const headCommit = goal.runCommand === null ? head : null;
  return { type: "conflict", start: { ...start, headCommit }, goals, files: merged.files };
}

/** True when a goal's commit is in this machine's mirror, or could be fetched. Another machine may have done the work. */
export async function ensureCommit({ git, mirror }: At, goalId: string, commit: string): Promise<boolean> {
  if (await git.hasCommit(mirror, commit)) return true;
  try {
    await git.fetchBase(mirror, branchOf(goalId));
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
  return await git.hasCommit(mirror, commit);
}

/** True when the run builds on exactly these commits and its base contains them. */
async function isLaid(
  { git, mirror }: At,
  { standsOn, baseCommit }: Run,
  stands: readonly StandsOn[],
): Promise<boolean> {
  if (baseCommit === null || !standsAlike(standsOn, stands)) return false;
  for (const { commit } of stands) if (!(await git.contains(mirror, baseCommit, commit))) return false;
  return true;
}

/** True when the recorded work contains its base. During the work it need not: merging may be the work. */
async function isJoined({ git, mirror }: At, { phase }: Goal, { baseCommit, headCommit }: Run): Promise<boolean> {
  if (phase !== "verify" && phase !== "finish") return true;
  return baseCommit === null || headCommit === null || (await git.contains(mirror, headCommit, baseCommit));
}

/** The commit that contains all of them: the base branch if it contains them already, otherwise a merge. */
async function baseOf({ git, mirror }: At, tip: string, stands: readonly StandsOn[]) {
  const open: { name: string; commit: string }[] = [];
  for (const { goalId, commit } of stands)
    if (!(await git.contains(mirror, tip, commit))) open.push({ name: goalId, commit });
  const [first] = open;
  if (first === undefined) return { type: "laid", commit: tip } as const;
  // Those that are merged already are in the base branch.
  if (open.length < stands.length) open.push({ name: "the base branch", commit: tip });
  let { commit } = first;
  const names = [first.name];
  for (const each of open.slice(1)) {
    names.push(each.name);
    if (await git.contains(mirror, commit, each.commit)) continue;
    const message = `Put ${names.join(", ")} together\n`;
    const merged = await git.mergeCommits({ mirror, tip: commit, head: each.commit, message });
    if (merged.type === "conflict") return { type: "split", goals: names, files: merged.files } as const;
    commit = merged.commit;
  }
  return { type: "laid", commit } as const;
}

/** The recorded commit of an earlier run. Null when it contains a goal that this one no longer builds on. */
async function carried(
  { git, mirror }: At,
  work: Pick<Run, "headCommit" | "standsOn">,
  stands: readonly StandsOn[],
  tip: string,
): Promise<string | null> {
  for (const { goalId, commit } of work.standsOn) {
    if (stands.some((each) => each.goalId === goalId)) continue;
    if (!(await git.hasCommit(mirror, commit)) || !(await git.contains(mirror, tip, commit))) return null;
  }
  return work.headCommit;
}
