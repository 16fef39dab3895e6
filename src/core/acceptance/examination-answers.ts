import { z } from "zod";
import { endOfJson, jsonOrNull } from "../text/json.ts";

/** What one object in an examiner's message says. */
export interface ExaminationAnswer {
  /** Null when it names no examination. */
  readonly examination: string | null;
  readonly checks: readonly { readonly check: number; readonly pass: boolean; readonly evidence: string }[];
  /** True when every check that it lists could be parsed. */
  readonly isWhole: boolean;
  /** A negative verdict for the whole, such as `overall: fail`, although each check passes. Null when there is none. */
  readonly against: string | null;
}

/**
 * Limits: objects that are read, from the last one back; characters of one object; characters that are searched; characters of evidence.
 */
const most = { objects: 20, characters: 200_000, read: 5_000_000, evidence: 2_000 } as const;

/** Keys that mark an object as an answer, or name its examination. */
const keys = /"(?:checks|examination)"\s{0,20}:/g;

/**
 * The answers in a text, from the last one back, each with its end offset. The order of their keys does not matter. Null when there is too
 * much text to search.
 */
export function answersIn(text: string): { readonly answer: ExaminationAnswer; readonly end: number }[] | null {
  const found: { answer: ExaminationAnswer; end: number }[] = [];
  const seen = new Set<number>();
  let read = 0;
  for (const { index: key } of [...text.matchAll(keys)].toReversed()) {
    // Finds the innermost object around the key. Objects that end before the key are skipped.
    for (
      let start = text.lastIndexOf("{", key);
      start !== -1;
      start = start === 0 ? -1 : text.lastIndexOf("{", start - 1)
    ) {
      if (read > most.read) return null;
      const end = endOfJson(text, start, most.characters);
      read += (end ?? Math.min(text.length, start + most.characters)) - start;
      if (end === null || end <= key) continue;
      if (!seen.has(start)) {
        seen.add(start);
        const answer = answerOf(jsonOrNull(text.slice(start, end), most.characters));
        if (answer !== null) found.push({ answer, end });
      }
      break;
    }
    if (seen.size >= most.objects) break;
  }
  return found;
}

const objectSchema = z.looseObject({ examination: z.string().nullable().catch(null), checks: z.unknown() });
const checkSchema = z.object({
  check: z.coerce.number().int(),
  // Any value other than `true` is a no.
  pass: z.unknown().transform((said) => said === true),
  evidence: z
    .string()
    .catch("")
    .transform((said) => said.slice(0, most.evidence)),
});

function answerOf(value: unknown): ExaminationAnswer | null {
  const object = objectSchema.safeParse(value);
  if (!object.success) return null;
  const { examination, checks, ...more } = object.data;
  const listed = Array.isArray(checks) ? checks.map((each) => checkSchema.safeParse(each)) : [];
  const said = listed.flatMap((each) => (each.success ? [each.data] : []));
  return {
    examination,
    checks: said,
    isWhole: Array.isArray(checks) && listed.every((each) => each.success),
    against: said.every((each) => each.pass) ? againstIn(more) : null,
  };
}

/** Keys whose last word names a verdict: `finalVerdict`, `overall_result`. */
const conclusions =
  /(?:^|[_\- ]|(?<=[a-z])(?=[A-Z]))(?:overall|verdict|result|pass|passed|passes|ok|success|status|conclusion)$/i;

/** A text that is only a no, or begins with a failure. "no problems" does not match. */
const negative =
  /^(?:(?:no|false)(?:[.!]?$|\s{0,3}[,:;–—-])|not (?:ok|okay|pass|passed|passing|met|satisfied|verified|correct|complete|done|acceptable|accepted|approved)\b|(?:fail|failed|fails|failing|failure|reject|rejected|incorrect|wrong|unmet|unsatisfied|unverified|incomplete|insufficient|invalid|broken)\b)/i;

function againstIn(more: Readonly<Record<string, unknown>>): string | null {
  for (const [key, value] of Object.entries(more)) {
    if (!conclusions.test(key)) continue;
    if (value === false || (typeof value === "string" && negative.test(value.trim())))
      return `${key}: ${String(value).slice(0, 200)}`;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const within = againstIn(Object.fromEntries(Object.entries(value)));
      if (within !== null) return `${key}.${within}`;
    }
  }
  return null;
}
