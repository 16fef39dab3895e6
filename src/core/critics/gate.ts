import { shorten } from "../text.ts";
import { coveredWords, wholeParts } from "./coverage.ts";
import { type ArtifactType, leastCoverage, type CriticsVerdict } from "./critic.ts";

/** Decides what follows a review of a goal's work by critics (seed 004 §6.4). */

export interface GateFacts {
  readonly verdict: Pick<
    CriticsVerdict,
    "artifactType" | "isApproved" | "isVetoed" | "needsPerson" | "summary" | "blockingIssues" | "issues" | "scores"
  >;
  /** How often critics have sent back this run's work before. */
  readonly sentBack: number;
  /** Maximum number of times that work is sent back. */
  readonly mostSentBack: number;
  /** The work is a document that a person approves, whatever the critics say (S4-AP-13). */
  readonly wantsApproval: boolean;
  /** The name of the work: a document's path, or the kind of the change. */
  readonly name: string;
}

export type GateDecision =
  | { readonly type: "go-on" }
  /** Back to the agent, with the issues. S4-AP-17. */
  | { readonly type: "again"; readonly feedback: string }
  /** A person decides, with the lines shown: after a veto, after too many attempts of the agent, or about a spec that is ready (C-70). */
  | {
      readonly type: "ask";
      readonly kind: "critics" | "approval";
      readonly context: string;
      readonly details: readonly string[];
    };

/** Pure. An agent never gets a veto to resolve: it could hide the finding instead of fixing it. S4-VL-03, S4-VL-13, C-70. */
export function decideGate({ verdict, sentBack, mostSentBack, wantsApproval, name }: GateFacts): GateDecision {
  const details = verdict.blockingIssues.map((each) => shorten(each, 300)).slice(0, 20);
  const failed = `${failedPrefix}${verdict.summary}`;
  if (verdict.isVetoed) return { type: "ask", kind: "critics", context: `${failed}: ${name}`, details };
  if (!verdict.isApproved) {
    if (sentBack < mostSentBack) return { type: "again", feedback: feedbackOf(verdict) };
    const context = `${failed}: ${name}, given back ${sentBack} times`;
    return { type: "ask", kind: "critics", context, details };
  }
  if (wantsApproval) {
    const said = verdict.issues.map((each) => shorten(each, 300)).slice(0, 20);
    return { type: "ask", kind: "approval", context: `Ready for approval: ${name}. ${verdict.summary}`, details: said };
  }
  if (!verdict.needsPerson) return { type: "go-on" };
  return {
    type: "ask",
    kind: "critics",
    context: `${thinWords(verdict.scores)}: ${name}. ${verdict.summary}`,
    details: verdict.scores.flatMap(({ focus, reasoning }) => (focus === "coverage" ? [reasoning] : [])),
  };
}

/** Why a person looks at approved tests: the measured coverage, or else the critic's score. */
function thinWords(scores: CriticsVerdict["scores"]): string {
  const coverage = scores.find(({ focus }) => focus === "coverage");
  const measured = coverage?.measured ?? 1;
  if (measured < leastCoverage)
    return `Less than ${leastCoverage * 100} % is covered by tests (${coveredWords(measured)} of lines)`;
  const given = (wholeParts(coverage?.score ?? 0, 100) / 100).toFixed(2);
  return `The coverage critic gave ${given} of 1, a person looks below ${leastCoverage.toFixed(2)}`;
}

/** The prefix of every message about work that critics rejected. S4-AP-17. */
const failedPrefix = "Validation failed: ";

function feedbackOf({ summary, blockingIssues }: GateFacts["verdict"]): string {
  const issues = blockingIssues.map((each) => `- ${shorten(each, 500)}`).slice(0, 30);
  return [`${failedPrefix}${summary}`, ...issues].join("\n");
}

/** Identifies the subject of a question about a review: one kind of artefact at one commit. */
export function reviewFingerprint(type: ArtifactType, commit: string): string {
  return `${type}:${commit}`;
}
