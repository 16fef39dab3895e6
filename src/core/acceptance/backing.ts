import { isRepositoryCheck } from "./repository-check.ts";
import { guardsOnly, powerless, type TriedProof } from "../trials/tried.ts";
import type { EvidenceTag } from "./tag.ts";

/** The person who accepted a questionable proof, and when. */
export interface AcceptedProof {
  readonly by: string;
  readonly at: Date;
}

/** How a goal is backed, and what its proof is worth. Whoever shows the tag also shows the rest (`tagText`). */
export interface Backing {
  readonly tag: EvidenceTag;
  /** What passed also holds without the work: nothing proves the change. */
  readonly guardsOnly?: true;
  /** Criteria that pass whatever is broken: all that were tried, or some. They cannot make a goal verified. */
  readonly provesNothing?: "all" | "some";
  readonly accepted?: AcceptedProof;
}

/**
 * The backing from a goal's state. Checks at a forge are never tried without the work, and run the work's own tests. If they are the only
 * proof, they guard at most.
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

/** True when only a forge's checks, and criteria for a person, say that the goal is done. */
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

/** Picks the fields of `Backing` from a larger object. */
export function backingOnly({ tag, guardsOnly: isGuarded, provesNothing, accepted }: Backing): Backing {
  return {
    tag,
    ...(isGuarded === undefined ? {} : { guardsOnly: isGuarded }),
    ...(provesNothing === undefined ? {} : { provesNothing }),
    ...(accepted === undefined ? {} : { accepted }),
  };
}
