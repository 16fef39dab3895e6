import { z } from "zod";

/** What a spec check shows for each criterion of its task; `skills/task-spec-check/references/evidence-schema.json` says the same. */
export const evidenceSchema = z.object({
  criteria: z
    .array(
      z.object({
        criterion: z.string().min(1),
        verdict: z.enum(["PASS", "FAIL", "INCONCLUSIVE"]),
        evidence: z
          .array(
            z.object({
              /** `src/a.ts:12`, a command, or the name of an artefact. */
              ref: z.string().min(1),
              note: z.string().optional(),
              confidence: z.number().min(0).max(1),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});
export type EvidenceRecord = z.infer<typeof evidenceSchema>;

export type TaskVerdict =
  | { readonly type: "passed"; readonly record: EvidenceRecord }
  /** What failed or could not be proven, a line each. */
  | { readonly type: "failed"; readonly problems: readonly string[]; readonly record: EvidenceRecord | null };

/**
 * The verdict on a task from what its check wrote: every criterion named, passed, and with evidence. Anything that is
 * inconclusive, missing or malformed fails the task (S3-PS-05, S3-EV-01, S3-EV-02, S3-EV-08, C-54).
 */
export function judgeEvidence(criteria: readonly string[], written: unknown): TaskVerdict {
  const parsed = evidenceSchema.safeParse(written);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "evidence"}: ${issue.message}`);
    return {
      type: "failed",
      problems: [`the check left no usable evidence: ${problems.slice(0, 5).join("; ")}`],
      record: null,
    };
  }
  const record = parsed.data;
  const named = new Map(record.criteria.toReversed().map((each) => [plain(each.criterion), each]));
  const problems = criteria.flatMap((criterion, index) => {
    const found = named.get(plain(criterion)) ?? named.get(String(index + 1));
    if (found === undefined) return [`${criterion}: nothing was shown for it (unverified)`];
    if (found.verdict === "PASS") return [];
    const shown = found.evidence
      .map((each) => `${each.ref}${each.note === undefined ? "" : ` - ${each.note}`}`)
      .join("; ");
    return [`${criterion}: ${found.verdict === "FAIL" ? "fails" : "could not be verified"} (${shown})`];
  });
  return problems.length === 0 ? { type: "passed", record } : { type: "failed", problems, record };
}

/** A criterion as it is compared: by its words, or by its number from 1. */
function plain(words: string): string {
  return words.toLowerCase().replace(/\s+/g, " ").trim();
}

/** Whether a reference points at something: a place, a command, or an artefact (S3-PR-09, C-53). */
export function pointsAtSomething(ref: string): boolean {
  return (
    /^[^\s:]+:\d+(?:-\d+)?$/.test(ref) ||
    /^`.+`$|^\$ |^(?:npm|npx|node|git|grep|rg|test|ls|cat|make|pytest|go|cargo)\b/.test(ref) ||
    /[\w-]\.\w+$/.test(ref)
  );
}
