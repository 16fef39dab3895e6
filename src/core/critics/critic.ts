import { wholeCharacters } from "../text.ts";

/**
 * Critics review a spec, code or tests before a person does (seed 004 §6). Each has one focus. They vote together, and the security critic
 * has a veto.
 */
export const artifactTypes = ["spec", "code", "test"] as const;
export type ArtifactType = (typeof artifactTypes)[number];

export type Focus = "completeness" | "feasibility" | "security" | "style" | "coverage" | "edge_cases";

export interface Critic {
  /** `CodeCritic-style` (S4-VL-12). */
  readonly name: string;
  readonly focus: Focus;
  readonly hasVeto: boolean;
  /** In thousandths, from 100 to 1000 (C-92), so that every critic always counts. */
  readonly weightMilli: number;
}

const foci: Readonly<Record<ArtifactType, readonly Focus[]>> = {
  spec: ["completeness", "feasibility", "security"],
  code: ["style", "security"],
  test: ["coverage", "edge_cases"],
};

const prefixes: Readonly<Record<ArtifactType, string>> = { spec: "SpecCritic", code: "CodeCritic", test: "TestCritic" };

export const leastWeightMilli = 100;
export const mostWeightMilli = 1000;

/** The critics of a kind of artefact, with the weights that a person has set. S4-VL-01, S4-VL-02. */
export function criticsOf(type: ArtifactType, weights: ReadonlyMap<string, number> = new Map()): Critic[] {
  return foci[type].map((focus) => {
    const name = `${prefixes[type]}-${focus}`;
    return { name, focus, hasVeto: focus === "security", weightMilli: weights.get(name) ?? usualWeightMilli(focus) };
  });
}

/** The style critic has half a vote: with equal weights, either of two critics could stop everything (C-91). */
function usualWeightMilli(focus: Focus): number {
  return focus === "style" ? 500 : mostWeightMilli;
}

/** The critic with that name; null when there is none. */
export function findCritic(name: string): Critic | null {
  return artifactTypes.flatMap((type) => criticsOf(type)).find((critic) => critic.name === name) ?? null;
}

/** The result of one critic for an artefact. */
export interface Score {
  readonly critic: string;
  readonly focus: Focus;
  /** From 0 to 1. */
  readonly score: number;
  readonly isApproved: boolean;
  readonly issues: readonly string[];
  readonly suggestions: readonly string[];
  readonly reasoning: string;
  /** Who answered: the built-in rules, or also a model with the version of its prompt. */
  readonly by: string;
  /** Covered lines from 0 to 1, from the repository's own report. Absent when nothing was measured; the score is then an opinion. */
  readonly measured?: number;
}

/** The common verdict of the critics. */
export interface CriticsVerdict {
  readonly artifactType: ArtifactType;
  readonly artifactId: string;
  readonly isApproved: boolean;
  readonly isVetoed: boolean;
  readonly scores: readonly Score[];
  /** What must change; empty when it is approved (C-91). */
  readonly blockingIssues: readonly string[];
  /** Other remarks. */
  readonly issues: readonly string[];
  readonly summary: string;
  readonly needsPerson: boolean;
}

/** The share of votes that approves (S4-VL-04), and the coverage below which a person looks (S4-VL-14). */
const enough = 0.6;
export const leastCoverage = 0.8;

/**
 * The critics' votes as one verdict. A security veto blocks whatever the others say; otherwise 60 % of the weight decides. Pure.
 * S4-VL-03…07, S4-VL-11, S4-VL-14, C-91.
 */
export function verdictOf(
  { type, id }: { readonly type: ArtifactType; readonly id: string },
  critics: readonly Critic[],
  scores: readonly Score[],
): CriticsVerdict {
  const about = { artifactType: type, artifactId: id, scores };
  const against = scores.filter((each) => !each.isApproved);
  const vetoes = against.filter((each) => critics.some((critic) => critic.name === each.critic && critic.hasVeto));
  if (vetoes.length > 0) {
    return {
      ...about,
      isApproved: false,
      isVetoed: true,
      blockingIssues: vetoes.flatMap((each) => each.issues),
      issues: scores.filter((each) => !vetoes.includes(each)).flatMap((each) => each.issues),
      summary: "BLOCKED: Security concerns require human review",
      needsPerson: true,
    };
  }
  const weigh = (all: readonly Critic[]): number => all.reduce((sum, critic) => sum + critic.weightMilli, 0);
  const inFavour = critics.filter((critic) => scores.some((each) => each.critic === critic.name && each.isApproved));
  const total = weigh(critics);
  const isApproved = total > 0 && weigh(inFavour) / total >= enough;
  const average = averageOf(scores);
  const isThin = type === "test" && scores.some((each) => each.focus === "coverage" && each.score < leastCoverage);
  return {
    ...about,
    isApproved,
    isVetoed: false,
    blockingIssues: isApproved ? [] : against.flatMap((each) => each.issues),
    issues: (isApproved ? scores : scores.filter((each) => each.isApproved)).flatMap((each) => each.issues),
    summary: isApproved
      ? `APPROVED by consensus (avg score: ${average.toFixed(2)})`
      : scores.length === 0
        ? "NEEDS REVIEW: no critic gave a score"
        : `NEEDS REVIEW: concerns in ${against.map((each) => each.focus).join(", ")} (avg: ${average.toFixed(2)})`,
    needsPerson: !isApproved || isThin,
  };
}

/** The mean of the scores, from 0 to 1; 0 without scores. */
export function averageOf(scores: readonly Score[]): number {
  return scores.length === 0 ? 0 : scores.reduce((sum, each) => sum + each.score, 0) / scores.length;
}

/**
 * Combines several scores of one critic for parts of an artefact: any rejection counts, the lowest score stands. Null without scores. C-91.
 */
export function together(looks: readonly Score[]): Score | null {
  const [first] = looks;
  if (first === undefined) return null;
  const against = looks.filter((each) => !each.isApproved);
  const reasons = [...new Set((against.length > 0 ? against : looks).map((each) => each.reasoning))].filter(
    (words) => words !== "",
  );
  return {
    ...first,
    score: Math.min(...looks.map((each) => each.score)),
    isApproved: against.length === 0,
    issues: [...new Set(looks.flatMap((each) => each.issues))].slice(0, 50),
    suggestions: [...new Set(looks.flatMap((each) => each.suggestions))].slice(0, 20),
    reasoning: reasons.slice(0, 3).join(" "),
    by: [...new Set(looks.map((each) => each.by))].join("; "),
  };
}

/** The score of a critic that gave no usable answer. It counts as a rejection. S4-VL-15. */
export function failedScore(critic: Critic, why: string, by: string): Score {
  const { name, focus } = critic;
  return {
    critic: name,
    focus,
    score: 0,
    isApproved: false,
    issues: [`critic failed: ${why}`],
    suggestions: [],
    reasoning: "It gave no usable answer.",
    by,
  };
}

/** Maximum size of a part that a model's critic sees at once (S4-VL-10), and maximum number of parts per artefact. */
export const chunkLength = 4000;
export const mostChunks = 25;

/** The parts of an artefact, cut at line ends where possible. Null when there are more than `mostChunks`. C-91. */
export function chunksOf(text: string): readonly string[] | null {
  if (text.length > chunkLength * mostChunks) return null;
  const chunks: string[] = [];
  let rest = text;
  while (rest.length > chunkLength) {
    const lineEnd = rest.lastIndexOf("\n", chunkLength - 1);
    const end = lineEnd > chunkLength / 2 ? lineEnd + 1 : wholeCharacters(rest, chunkLength);
    chunks.push(rest.slice(0, end));
    rest = rest.slice(end);
    if (chunks.length === mostChunks && rest !== "") return null;
  }
  return [...chunks, rest];
}
