import { existsSync } from "node:fs";
import { changedFiles, diffstat, diffText } from "../agent/git/diff.ts";
import { GitError } from "../agent/git/git.ts";
import { openMirror } from "../agent/git/mirror.ts";
import { diffCard } from "../core/cards/diff-card.ts";
import { getGoal } from "../db/goals.ts";
import { findRepository } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import type { Deps } from "../deps.ts";
import { mirrorDirOf } from "../paths.ts";
import { goalNotFound } from "./goal-change.ts";
import { command, type CommandResult, done, refused } from "./command.ts";
import { idOf } from "./fields.ts";

const longestPatchBytes = 60_000;

export const diff = command({
  name: "diff",
  summary: "What a goal's recorded work changes: files and patch against the commit it started from.",
  access: "read",
  positionals: { id: idOf("goal") },
  run: (deps, _caller, { id }) => showDiff(deps, id),
});

async function showDiff(deps: Deps, goalId: string): Promise<CommandResult> {
  const { db } = deps.database;
  const goal = await getGoal(db, goalId);
  if (goal === null) return goalNotFound(goalId);
  const run = goal.runId === null ? null : await getRun(db, goal.runId);
  const [from, to] = [run?.baseCommit ?? null, run?.headCommit ?? null];
  if (from === null || to === null) return refused(`${goalId} has no recorded work yet`, `cos why ${goalId}`);

  const repository = await findRepository(db, goal.repositoryId);
  const mirrorDir = mirrorDirOf(deps.config.dataDir, goal.repositoryId);
  const elsewhere = refused(`the work of ${goalId} lies on the machine that did it`, `git log ${goal.branch ?? ""}`);
  if (repository === null || !existsSync(mirrorDir)) return elsewhere;
  try {
    const mirror = await openMirror({ mirrorDir, repositoryPath: repository.path });
    const stat = await diffstat(mirror, from, to);
    const files = await changedFiles(mirror, from, to);
    const patch = await diffText(mirror, from, to, { maxBytes: longestPatchBytes });
    const value = { goalId, branch: goal.branch, baseCommit: from, commit: to, stat, files, patch: patch.text };
    return done({ ...value, isWhole: patch.isWhole }, diffCard({ goal, commit: to, stat, files, patch: patch.text }));
  } catch (error) {
    if (error instanceof GitError) return elsewhere;
    throw error;
  }
}
