import { z } from "zod";

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

function isEvidence(text: string): boolean {
  return /[\w./-]+\.\w+:\d+/.test(text) || /`[^`]+`/.test(text);
}

function lastAnswer(text: string): z.infer<typeof answerSchema> | null {
  for (let start = text.lastIndexOf("{"); start !== -1; start = start === 0 ? -1 : text.lastIndexOf("{", start - 1)) {
    if (!text.startsWith("checks", start + 1 + leading(text, start + 1))) continue;
    const end = text.lastIndexOf("}");
    for (let stop = end; stop > start; stop = text.lastIndexOf("}", stop - 1)) {
      const parsed = parse(text.slice(start, stop + 1));
      if (parsed !== null) return parsed;
    }
  }
  return null;
}

/** White space and the quote before a key. */
function leading(text: string, at: number): number {
  return /^[\s"]*/.exec(text.slice(at, at + 50))?.[0].length ?? 0;
}

function parse(text: string): z.infer<typeof answerSchema> | null {
  try {
    const parsed = answerSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
