import { leastWeightMilli, mostWeightMilli, type Score } from "./critic.ts";

/** What became of work that critics had looked at. */
export interface JudgedWork {
  readonly scores: readonly Pick<Score, "critic" | "isApproved">[];
  /** A person let pass what they had stopped, or did not; null: nobody was asked. */
  readonly answer: "approved" | "rejected" | null;
  /** What became of the branch afterwards, a revert after its merge included; null: nothing yet. */
  readonly branch: "merged" | "discarded" | "reverted" | null;
}

export interface Accuracy {
  readonly right: number;
  readonly wrong: number;
}

/** Fewer say nothing. */
const least = 5;

/**
 * How often each critic was right, as far as somebody has shown it: a revert of merged work comes first, whoever let it pass;
 * then a person's word on what was stopped, then whether the branch was merged or thrown away. What nobody has decided counts
 * for nobody. C-92.
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

/** The weight that this speaks for, in thousandths and never nothing; null while too little is known. A person sets it. D53, C-92. */
export function proposedWeightMilli({ right, wrong }: Accuracy): number | null {
  const total = right + wrong;
  if (total < least) return null;
  return Math.min(mostWeightMilli, Math.max(leastWeightMilli, Math.round((right / total) * 10) * 100));
}
