import { z } from "zod";
import { criterionNames } from "./criterion-names.ts";
import { shorten } from "../text.ts";
import { wrongValueWords } from "../text/wrong-value.ts";
import { type SeenReferences, pathsOf, referencesOf, whyUnproven } from "../acceptance/shown.ts";

/**
 * The evidence of a spec check for each criterion of its task. `skills/task-spec-check/references/evidence-schema.json` has the same
 * schema.
 */
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
  | { readonly type: "passed"; readonly problems: readonly []; readonly record: EvidenceRecord }
  /** What failed or could not be proven, one line each. */
  | { readonly type: "failed"; readonly problems: readonly string[]; readonly record: EvidenceRecord | null };

/** Parses what a check wrote. A criterion may be named by a JSON number. */
export function readEvidence(written: unknown): z.ZodSafeParseResult<EvidenceRecord> {
  const named = numbered.safeParse(written);
  if (!named.success) return evidenceSchema.safeParse(written);
  const criteria = named.data.criteria.map((each) =>
    typeof each["criterion"] === "number" ? { ...each, criterion: String(each["criterion"]) } : each,
  );
  return evidenceSchema.safeParse({ ...named.data, criteria });
}

const numbered = z.looseObject({ criteria: z.array(z.looseObject({})) });

/** The paths that evidence refers to. */
export function filesNamed(written: unknown): string[] {
  const parsed = readEvidence(written);
  if (!parsed.success) return [];
  return pathsOf(parsed.data.criteria.flatMap((each) => each.evidence.flatMap(({ ref }) => referencesOf(ref, null))));
}

/**
 * The verdict on a task from its check's evidence. Every criterion must be named, pass wherever it is named, and be supported by something
 * that the system found too. Inconclusive, missing or malformed evidence fails the task, and so does a place that does not exist (S3-PS-05,
 * S3-EV-01, S3-EV-02, S3-EV-08, C-54, F-211).
 */
export function judgeEvidence(criteria: readonly string[], written: unknown, looked: SeenReferences): TaskVerdict {
  const parsed = readEvidence(written);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join(".") || "evidence"}: ${wrongValueWords(issue)}`,
    );
    const nothing = "the agent that checked it wrote nothing of the form that it was asked for (docs/tasks.md)";
    return {
      type: "failed",
      problems: [written == null ? nothing : `the check left no usable evidence: ${problems.slice(0, 5).join("; ")}`],
      record: null,
    };
  }
  const record = parsed.data;
  const placesOf = criterionNames(criteria);
  const shown: EvidenceRecord["criteria"][] = criteria.map(() => []);
  for (const each of record.criteria) for (const place of placesOf(each.criterion)) shown[place]?.push(each);
  const problems = criteria.flatMap((criterion, index) => problemOf(criterion, shown[index] ?? [], looked));
  return problems.length === 0 ? { type: "passed", problems: [], record } : { type: "failed", problems, record };
}

/** Limits for evidence against a criterion in the feedback for the next attempt, which is stored in the prompt and in the task's row. */
const mostTold = 5;
const longestRef = 300;
const longestNote = 1_000;

function problemOf(criterion: string, found: EvidenceRecord["criteria"], looked: SeenReferences): string[] {
  if (found.length === 0) return [`${criterion}: nothing was shown for it (unverified)`];
  const denied = found.find((each) => each.verdict === "FAIL") ?? found.find((each) => each.verdict !== "PASS");
  if (denied !== undefined) {
    const told = denied.evidence.slice(0, mostTold).map(({ ref, note }) => {
      const shown = shorten(ref, longestRef);
      return note === undefined ? shown : `${shown} - ${shorten(note, longestNote)}`;
    });
    const more = denied.evidence.length - told.length;
    const shown = [...told, ...(more > 0 ? [`${more} more`] : [])].join("; ");
    return [`${criterion}: ${denied.verdict === "FAIL" ? "fails" : "could not be verified"} (${shown})`];
  }
  const references = found.flatMap((each) => each.evidence.flatMap(({ ref }) => referencesOf(ref, looked.ran)));
  const why = whyUnproven(references, looked);
  return why === null ? [] : [`${criterion}: could not be verified (${shorten(why, longestNote)})`];
}

/** True when a reference is concrete: a place, a command, or an artefact (S3-PR-09, C-53). */
export function pointsAtSomething(ref: string): boolean {
  return referencesOf(ref, null).some((each) => each.type !== "vague");
}
