import { ownBoot } from "../agent/processes.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { settleLostGuards } from "../db/lost-guards.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { type Caller, type Command, type CommandResult, done, refused } from "./command.ts";

export const looked: Command = {
  name: "looked",
  summary: "Say that nothing is left running of a run whose guard was ended (cos doctor names it).",
  access: "change",
  positionals: [],
  options: {},
  run: settle,
};

/** From now on processes from after that run count as persons' again; of the machine where this is called. */
async function settle(deps: Deps, caller: Caller): Promise<CommandResult> {
  const at = deps.now();
  const { actor, via } = caller;
  const here = { machine: deps.config.machine, boot: ownBoot() };
  const runs = await deps.database.transaction(async (tx) => {
    const settled = await settleLostGuards(tx, here, { by: actor, at });
    await appendTimeline(tx, ...settled.map((runId) => ({ event: "guard.looked", runId, at, actor, via })));
    return settled;
  });
  if (runs.length === 0) return refused("no guard of this machine was ended by somebody", "cos doctor");
  return done({ runs }, confirmationCard(`Nothing is left running of ${runs.join(", ")}, says ${actor}`));
}
