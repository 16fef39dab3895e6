import { leastWeightMilli, mostWeightMilli, type Score } from "./critic.ts";

/** The outcome of work that critics reviewed. */
export interface JudgedWork {
  readonly scores: readonly Pick<Score, "critic" | "isApproved">[];
  /** A person approved or rejected the work that critics had stopped; null when nobody was asked. */
  readonly answer: "approved" | "rejected" | null;
  /** The final state of the branch, with a revert after its merge; null when there is none yet. */
  readonly branch: "merged" | "discarded" | "reverted" | null;
}

export interface Accuracy {
  readonly right: number;
  readonly wrong: number;
}

/** Minimum number of judged reviews for a proposal. */
const least = 5;

/**
 * How often each critic was right, as far as the outcome shows it. A revert of merged work counts first, whoever approved it. Then a
 * person's answer counts, then whether the branch was merged or discarded. Work without an outcome is not counted. C-92.
 */
export function accuracyOf(judged: readonly JudgedWork[]): ReadonlyMap<string, Accuracy> {
  const found = new Map<string, Accuracy>();
  for (const { scores, answer, branch } of judged) {
    const wasGood = wasItGood(answer, branch);
    if (wasGood === null) continue;
    for (const { critic, isApproved } of scores) {
      const { right, wrong } = found.get(critic) ?? { right: 0, wrong: 0 };
      found.set(critic, isApproved === wasGood ? { right: right + 1, wrong } : { right, wrong: wrong + 1 });
    }
  }
  return found;
}

function wasItGood(answer: JudgedWork["answer"], branch: JudgedWork["branch"]): boolean | null {
  if (branch === "reverted") return false;
  if (answer !== null) return answer === "approved";
  return branch === null ? null : branch === "merged";
}

/**
 * The weight that this accuracy suggests, in thousandths and never zero. Null while too little is known. A person sets the weight. D53,
 * C-92.
 */
export function proposedWeightMilli({ right, wrong }: Accuracy): number | null {
  const total = right + wrong;
  if (total < least) return null;
  return Math.min(mostWeightMilli, Math.max(leastWeightMilli, Math.round((right / total) * 10) * 100));
}
