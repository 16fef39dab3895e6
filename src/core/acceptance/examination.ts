import { z } from "zod";
import { endOfJson, jsonOrNull } from "../text/json.ts";

/** What a sub-agent found for each check of a criterion. */
export interface CheckFinding {
  readonly check: string;
  readonly pass: boolean;
  readonly evidence: string;
}

const answerSchema = z.object({
  checks: z.array(z.object({ check: z.coerce.number().int(), pass: z.boolean(), evidence: z.string().max(2000) })),
});

/**
 * Reads a sub-agent's answer: the last JSON object in its words. A check that it leaves out, or for which it shows
 * neither a place nor a command, does not pass. Null when there is no such object. AC-12, S2-DN-04.
 */
export function readExamination(text: string, checks: readonly string[]): readonly CheckFinding[] | null {
  const answer = lastAnswer(text);
  if (answer === null) return null;
  return checks.map((check, index) => {
    const found = answer.checks.find((each) => each.check === index + 1);
    if (found === undefined) return { check, pass: false, evidence: "the examiner said nothing about it" };
    if (found.pass && !isEvidence(found.evidence)) {
      return { check, pass: false, evidence: `no place and no command is shown: ${found.evidence.slice(0, 200)}` };
    }
    return { check, pass: found.pass, evidence: found.evidence };
  });
}

/** A place such as `src/a.ts:12`, or a command between backticks. */
function isEvidence(text: string): boolean {
  return /[\w-]\.\w+:\d/.test(text) || /`[^`]+`/.test(text);
}

/** Objects that are tried, from the last one back, and the longest of them. */
const most = { candidates: 20, characters: 200_000 } as const;

function lastAnswer(text: string): z.infer<typeof answerSchema> | null {
  let tried = 0;
  for (let start = text.lastIndexOf("{"); start !== -1; start = start === 0 ? -1 : text.lastIndexOf("{", start - 1)) {
    if (!text.startsWith("checks", start + 1 + leading(text, start + 1))) continue;
    const end = endOfJson(text, start, most.characters);
    const parsed = end === null ? null : parse(text.slice(start, end));
    if (parsed !== null) return parsed;
    tried += 1;
    if (tried === most.candidates) return null;
  }
  return null;
}

/** White space and the quote before a key. */
function leading(text: string, at: number): number {
  return /^[\s"]*/.exec(text.slice(at, at + 50))?.[0].length ?? 0;
}

function parse(text: string): z.infer<typeof answerSchema> | null {
  const parsed = answerSchema.safeParse(jsonOrNull(text, most.characters));
  return parsed.success ? parsed.data : null;
}
