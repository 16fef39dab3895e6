import { command, type CommandResult, type Caller, refused } from "./command.ts";
import type { Deps } from "../deps.ts";
import { idOf } from "./fields.ts";
import { goalEdit } from "./goal-edit.ts";
import { findWorklog } from "./worklog.ts";

export const worklogRetryMemory = command({
  name: "worklog retry-memory",
  summary: "Try a store that was away again while its goal is worked.",
  access: "change",
  // In a chat, `goal edit` does this.
  chatName: null,
  positionals: { id: idOf("goal") },
  run: retryMemory,
});

/** Takes the goal's id, because a goal has no worklog if the store was away from the beginning; or a worklog's session id (S0-GD-07). */
async function retryMemory(deps: Deps, caller: Caller, { id }: { readonly id: string }): Promise<CommandResult> {
  const found = await findWorklog(deps, id);
  const goalId = "type" in found ? id : found.goalId;
  if (goalId === null) return refused(`${id} is of no goal: nothing tries its store again`, `cos worklog show ${id}`);
  return await goalEdit.with({ id: goalId, retryMemory: true }).run(deps, caller);
}
