import { answersIn, type ExaminationAnswer } from "./examination-answers.ts";
import { type SeenReferences, pathsOf, referencesIn, whyUnproven } from "./shown.ts";

/** What a sub-agent found for each check of a criterion. */
export interface CheckFinding {
  readonly check: string;
  readonly pass: boolean;
  readonly evidence: string;
}

/** What an examiner said last, and what it answers. */
export interface Examined {
  /** Its last message; of a program that has no messages all that it printed. */
  readonly message: string;
  /** The message holds what others print too (F-204): then only an answer that ends it is the examiner's. */
  readonly isTranscript: boolean;
  /** The name of this one examination, which the prompt gave: an answer that was written before cannot know it. */
  readonly nonce: string;
  readonly checks: readonly string[];
}

/**
 * Reads a sub-agent's answer to this examination. A check that it leaves out does not pass, and one that anything in the
 * message answers with no does not either, whatever else is said about it. Null when there is no answer to this examination, or
 * one to it cannot be read.
 * AC-12, S2-DN-04, F-204.
 */
export function readExamination(examined: Examined): readonly CheckFinding[] | null {
  const { message, isTranscript, nonce, checks } = examined;
  const found = answersIn(message);
  if (found === null || found.some(({ answer }) => answer.examination === nonce && !answer.isWhole)) return null;
  const answers = found.filter(({ answer, end }) => {
    const isLast = /^[\s`]*$/.test(message.slice(end));
    return answer.examination === nonce && (!isTranscript || isLast);
  });
  if (answers.length === 0) return null;
  return checks.map((check, index) => {
    const about = ({ answer }: { readonly answer: ExaminationAnswer }) =>
      answer.checks.filter((each) => each.check === index + 1);
    const said = answers.flatMap(about);
    const no = found.flatMap(about).find((each) => !each.pass);
    const [first] = said;
    if (first === undefined) return { check, pass: false, evidence: "the examiner said nothing about it" };
    const against = answers.find(({ answer }) => answer.against !== null)?.answer.against;
    if (no === undefined && typeof against === "string")
      return { check, pass: false, evidence: `said both yes and no: ${against}` };
    if (no === undefined) return { check, pass: true, evidence: first.evidence };
    const isContradicted = said.some((each) => each.pass);
    return { check, pass: false, evidence: isContradicted ? `said both yes and no: ${no.evidence}` : no.evidence };
  });
}

/** The files that the findings refer to, by the paths that they name. */
export function filesShown(findings: readonly CheckFinding[]): string[] {
  return pathsOf(findings.flatMap((each) => (each.pass ? referencesIn(each.evidence) : [])));
}

/** The findings after what they show was looked at: a pass for which nothing holds, or something is wrong, is none. */
export function lookedAfter(findings: readonly CheckFinding[], looked: SeenReferences): readonly CheckFinding[] {
  return findings.map((finding) => {
    const why = finding.pass ? whyUnproven(referencesIn(finding.evidence, looked.ran), looked) : null;
    return why === null ? finding : { ...finding, pass: false, evidence: `${why}: ${finding.evidence.slice(0, 200)}` };
  });
}
