import { isRepositoryCheck } from "./repository-check.ts";
import { guardsOnly, powerless, type TriedProof } from "../trials/tried.ts";
import type { EvidenceTag } from "./tag.ts";

/** Who let a proof count that was asked about, and when. */
export interface AcceptedProof {
  readonly by: string;
  readonly at: Date;
}

/** How a goal is backed, with what its proof is worth: whoever says the tag says the rest of it, too (`tagText`). */
export interface Backing {
  readonly tag: EvidenceTag;
  /** What passed holds with and without the work: nothing proves the change. */
  readonly guardsOnly?: true;
  /** Criteria that pass whatever is broken: all that were tried, or some. They make no goal verified. */
  readonly provesNothing?: "all" | "some";
  readonly accepted?: AcceptedProof;
}

/**
 * What of where a goal stands says how it is backed. What a forge checked was never tried without the work, and runs the tests of
 * the work itself: where nothing else proves anything, it guards at most.
 */
export function backingIn({
  tag,
  criteria,
  trials,
  accepted,
}: {
  readonly tag: EvidenceTag;
  readonly criteria: readonly { readonly method: string }[];
  readonly trials: readonly Pick<TriedProof, "id" | "verdict">[];
  readonly accepted?: AcceptedProof;
}): Backing {
  const own = trials.filter(({ id }) => !isRepositoryCheck(id));
  const counted = own.length > 0 ? own : trials;
  const weak = powerless(trials).length;
  const isAll = weak > 0 && powerless(counted).length === counted.length;
  return {
    tag,
    ...(weak > 0 ? { provesNothing: isAll ? "all" : "some" } : {}),
    ...(tag === "verified" && (guardsOnly(trials) || isByForgeAlone({ criteria, trials })) ? { guardsOnly: true } : {}),
    ...(accepted === undefined ? {} : { accepted }),
  };
}

/** Nothing but a forge's own checks, and what is a person's, says that it is done. */
export function isByForgeAlone({
  criteria,
  trials,
}: {
  readonly criteria: readonly { readonly method: string }[];
  readonly trials: readonly Pick<TriedProof, "verdict">[];
}): boolean {
  const automated = criteria.filter(({ method }) => method !== "manual");
  const isAlone = automated.length > 0 && automated.every(({ method }) => method === "ci");
  return isAlone && trials.every(({ verdict }) => verdict !== "proves");
}

/** The same of something that holds more. */
export function backingOnly({ tag, guardsOnly: isGuarded, provesNothing, accepted }: Backing): Backing {
  return {
    tag,
    ...(isGuarded === undefined ? {} : { guardsOnly: isGuarded }),
    ...(provesNothing === undefined ? {} : { provesNothing }),
    ...(accepted === undefined ? {} : { accepted }),
  };
}
