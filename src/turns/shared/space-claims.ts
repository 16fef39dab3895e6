import { spaceWords } from "../../core/space/free.ts";
import { NoSpace } from "../../core/space/no-space.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";

/** What a child process or its output says about missing space. */
export interface SpaceClaim {
  readonly noSpace?: string | null;
  /** Null when we could not write its output. */
  readonly output: object | null;
}

/**
 * Returns why missing space, and not the work, made a child process fail. Null when it did not. A message alone does not count after a person
 * has accepted it in this run, as long as we see free space, because a test may print such a message.
 */
export async function spaceLackedBy(
  deps: Pick<Deps, "space">,
  run: Pick<Run, "settled">,
  { noSpace = null, output }: SpaceClaim,
): Promise<string | null> {
  const { places, isShort } = await deps.space();
  // The child could not write, whatever its message is.
  const unwritable = places.find((each) => each.isReadOnly === true);
  if (unwritable !== undefined) return noSpace ?? spaceWords(unwritable);
  if (noSpace === null || output === null) return noSpace;
  const wasLetPass = run.settled.some(({ trigger }) => trigger === "hiccup");
  return wasLetPass && !isShort ? null : noSpace;
}

/** Throws NoSpace when missing space made a child process fail (`spaceLackedBy`). */
export async function assertSpace(
  deps: Pick<Deps, "space">,
  run: Pick<Run, "settled">,
  what: string,
  claim: SpaceClaim,
): Promise<void> {
  const noSpace = await spaceLackedBy(deps, run, claim);
  if (noSpace !== null) throw new NoSpace(`${what}: ${noSpace}`);
}
