import { endedStatuses } from "../../core/goals/goal.ts";
import type { PlaceSpace } from "../../core/space/free.ts";
import { type SpaceHolder, whoHolds } from "../../core/space/holders.ts";
import { gatherFolders, type KeptDeps } from "./kept.ts";
import { folderSize } from "./size.ts";

/** All folders of goals are looked at for at most so long; what is not reached counts nothing. */
const measureWithinMs = 3_000;

/** The goals that are not over and without whose files there would be space here. Of goals that are over everything goes by itself. */
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
