import { answersIn, type ExaminationAnswer } from "./examination-answers.ts";
import { type SeenReferences, pathsOf, referencesIn, whyUnproven } from "./shown.ts";

/** The finding of a sub-agent for one check of a criterion. */
export interface CheckFinding {
  readonly check: string;
  readonly pass: boolean;
  readonly evidence: string;
}

/** The last message of an examiner, and the examination that it should answer. */
export interface Examined {
  /** Its last message; for a program without messages, everything that it printed. */
  readonly message: string;
  /** True when the message also contains output of other programs (F-204). Then only an answer at its very end is the examiner's. */
  readonly isTranscript: boolean;
  /** The id of this examination, given in the prompt. An answer that was written earlier cannot know it. */
  readonly nonce: string;
  readonly checks: readonly string[];
}

/**
 * Parses a sub-agent's answer to this examination. A check that it leaves out does not pass. A check that any object in the message answers
 * with no does not pass either. Null when there is no answer to this examination, or one cannot be parsed completely.
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

/** The paths that the passing findings refer to. */
export function filesShown(findings: readonly CheckFinding[]): string[] {
  return pathsOf(findings.flatMap((each) => (each.pass ? referencesIn(each.evidence) : [])));
}

/** The findings after their references were checked. A pass is dropped when no reference holds, or one is wrong. */
export function lookedAfter(findings: readonly CheckFinding[], looked: SeenReferences): readonly CheckFinding[] {
  return findings.map((finding) => {
    const why = finding.pass ? whyUnproven(referencesIn(finding.evidence, looked.ran), looked) : null;
    return why === null ? finding : { ...finding, pass: false, evidence: `${why}: ${finding.evidence.slice(0, 200)}` };
  });
}
