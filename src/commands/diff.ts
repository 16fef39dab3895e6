import { diffCard } from "../core/cards/diff-card.ts";
import type { Deps } from "../deps.ts";
import { gatherDiff } from "../facts/diff.ts";
import { goalNotFound } from "./goal-change.ts";
import { command, type CommandResult, done, refused } from "./command.ts";
import { idOf } from "./fields.ts";

export const diff = command({
  name: "diff",
  summary: "What a goal's recorded work changes: files and patch against the commit it started from.",
  access: "read",
  positionals: { id: idOf("goal") },
  run: (deps, _caller, { id }) => showDiff(deps, id),
});

async function showDiff(deps: Deps, goalId: string): Promise<CommandResult> {
  const found = await gatherDiff(deps, goalId);
  switch (found.type) {
    case "no goal":
      return goalNotFound(goalId);
    case "no work":
      return refused(`${goalId} has no recorded work yet`, `cos why ${goalId}`);
    case "elsewhere":
      return refused(`the work of ${goalId} lies on the machine that did it`, `git log ${found.goal.branch ?? ""}`);
    case "found": {
      const { goal, from, to, stat, files, patch } = found;
      const value = { goalId, branch: goal.branch, baseCommit: from, commit: to, stat, files, patch: patch.text };
      return done({ ...value, isWhole: patch.isWhole }, diffCard({ goal, commit: to, stat, files, patch: patch.text }));
    }
  }
}
