import { spaceWords } from "../../core/space/free.ts";
import { NoSpace } from "../../core/space/no-space.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";

/** What a child or its output said of space. */
export interface SpaceClaim {
  readonly noSpace?: string | null;
  /** Null: its output could not be kept, which we have seen ourselves. */
  readonly output: object | null;
}

/**
 * Why a child's failure is none of the work's: it, or we, found no space to write. Only words do not count any more once a
 * person let them pass in this run, as long as there is space where we can see it: they may be what a test prints.
 */
export async function spaceLackedBy(
  deps: Pick<Deps, "space">,
  run: Pick<Run, "settled">,
  { noSpace = null, output }: SpaceClaim,
): Promise<string | null> {
  const { places, isShort } = await deps.space();
  // Whatever it says: it had nowhere to write.
  const unwritable = places.find((each) => each.isReadOnly === true);
  if (unwritable !== undefined) return noSpace ?? spaceWords(unwritable);
  if (noSpace === null || output === null) return noSpace;
  const wasLetPass = run.settled.some(({ trigger }) => trigger === "hiccup");
  return wasLetPass && !isShort ? null : noSpace;
}

/** Throws NoSpace where a child's failure is none of the work's (`spaceLackedBy`). */
export async function assertSpace(
  deps: Pick<Deps, "space">,
  run: Pick<Run, "settled">,
  what: string,
  claim: SpaceClaim,
): Promise<void> {
  const noSpace = await spaceLackedBy(deps, run, claim);
  if (noSpace !== null) throw new NoSpace(`${what}: ${noSpace}`);
}
