import type { CriterionResult } from "../../core/acceptance/results.ts";
import { fileKinds } from "../../core/files/kind.ts";
import type { Deps } from "../../deps.ts";
import type { CheckoutRan, WorkToVerify } from "./checkout.ts";
import { inWork } from "./in-work.ts";
import type { VerifiedRound } from "./round.ts";

/** Files that are as at the base while the work is verified: replaced by the base's content, or left out when added. */
interface Frozen {
  readonly baseCommit: string;
  readonly overlay: readonly string[];
  readonly absent: readonly string[];
}

/**
 * Runs criteria that fail with the base's proof and pass as committed once more, without the tests that the work adds. If one passes then,
 * the base's own proof holds, and the changed files (a fixture, a helper, a marker) only serve the new tests, which are free to have them
 * (D26). Returns the round with these as passed. Runs nothing when the work adds no test.
 */
export async function withoutOwnTests(
  deps: Deps,
  work: WorkToVerify,
  round: VerifiedRound,
  { baseCommit, overlay, absent }: Frozen,
): Promise<VerifiedRound | Extract<CheckoutRan, { type: "failed" }>> {
  const { commit, criteria, passAsCommitted } = round;
  if (passAsCommitted.length === 0) return round;
  const kindOf = fileKinds(deps.policy);
  const changed = await deps.git.changedFiles(work.mirror, baseCommit, commit);
  const added = changed.flatMap(({ path, status }) =>
    status === "added" && ["test", "proof"].includes(kindOf(path).role) ? [path] : [],
  );
  if (added.length === 0) return round;
  const ran = await inWork(deps, work, {
    commit,
    from: baseCommit,
    overlay,
    absent: [...absent, ...added],
    criteria: criteria.filter(({ id }) => passAsCommitted.includes(id)),
    variant: "",
    isOfBase: true,
  });
  if (ran.type === "failed") return ran;
  const held = ran.results.filter(({ status }) => status === "pass");
  const heldAs = (result: CriterionResult): CriterionResult => held.find(({ id }) => id === result.id) ?? result;
  const isHeld = (id: string): boolean => held.some((each) => each.id === id);
  return { ...round, results: round.results.map(heldAs), passAsCommitted: passAsCommitted.filter((id) => !isHeld(id)) };
}
