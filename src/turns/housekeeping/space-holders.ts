import { endedStatuses } from "../../core/goals/goal.ts";
import type { PlaceSpace } from "../../core/space/free.ts";
import { type SpaceHolder, whoHolds } from "../../core/space/holders.ts";
import { gatherFolders, type KeptDeps } from "./kept.ts";
import { folderSize } from "./size.ts";

/** Time limit for measuring the folders of all goals. Files that are not reached in time count as zero. */
const measureWithinMs = 3_000;

/**
 * The unfinished goals whose files alone take the missing space: it would be enough without those of any one of them. Files of finished
 * goals are not named, since the bot removes them by itself.
 */
export async function holdersOf(deps: KeptDeps, places: readonly PlaceSpace[]): Promise<readonly SpaceHolder[]> {
  const until = performance.now() + measureWithinMs;
  const sizes = new Map<string, number>();
  for (const { owner, place } of await gatherFolders(deps)) {
    if (owner === null || endedStatuses.includes(owner.status) || place.type === "ref") continue;
    const { bytes } = await folderSize(place.path, until - performance.now());
    sizes.set(owner.goalId, (sizes.get(owner.goalId) ?? 0) + bytes);
  }
  return whoHolds(
    [...sizes].map(([goalId, bytes]) => ({ goalId, bytes })),
    places,
  );
}
