import { secretsIn } from "../../agent/critics/secrets.ts";
import {
  type ArtifactType,
  chunksOf,
  type Critic,
  criticsOf,
  failedScore,
  type Score,
  together,
  type CriticsVerdict,
  verdictOf,
} from "../../core/critics/critic.ts";
import type { Artifact } from "../../core/critics/lines.ts";
import { ruleScore } from "../../core/critics/rules.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import { criticQuestion } from "../../core/prompts/critic.ts";
import type { ModelFailure } from "../../core/prompts/model-failure.ts";
import { weightsOfCritics } from "../../db/reviews.ts";
import type { Deps } from "../../deps.ts";
import { type ConsultationSubject, consult } from "./consult.ts";

/** The subject of a review. */
export interface ReviewSubject {
  readonly type: ArtifactType;
  readonly id: string;
  /** The text for a model. */
  readonly text: string;
  readonly artifact: Artifact;
  /** Line coverage from 0 to 1, from the repository's own report. Null when it makes none. */
  readonly coverage: number | null;
}

export type Reviewed =
  | { readonly type: "verdict"; readonly verdict: CriticsVerdict }
  /** The model cannot be asked now, or git cannot read the work. That is no verdict. */
  | { readonly type: "unreachable"; readonly of: "model" | "work"; readonly words: string };

/**
 * Runs all critics of an artefact's kind at once (S4-VL-09): the built-in rules and tools, and the model if `about` says what pays for it.
 * A model cannot overrule a finding of a tool. An invalid answer of a model counts as not approved (S4-VL-15). If the model cannot be
 * reached, there is no verdict.
 */
export async function review(
  deps: Deps,
  subject: ReviewSubject,
  about: ConsultationSubject | null,
  signal: AbortSignal,
): Promise<Reviewed> {
  const { type, id, artifact, coverage } = subject;
  const critics = criticsOf(type, await weightsOfCritics(deps.database.db));
  const found = { secrets: await secretsIn(artifact.added, deps.config.secrets), coverage };
  const looks = await Promise.all(
    critics.map(async (critic) => {
      const rule = ruleScore(type, critic, artifact, found);
      const model =
        about === null || deps.config.model === null
          ? []
          : await ofModel(deps, { reviewing: subject, critic, about }, signal);
      return typeof model === "string" ? model : together([rule, ...model]);
    }),
  );
  const away = looks.find((each) => typeof each === "string");
  if (away !== undefined) return { type: "unreachable", of: "model", words: away };
  const scores = looks.flatMap((each): Score[] =>
    each === null || typeof each === "string" ? [] : [withoutSecrets(each, deps.config.secrets)],
  );
  return { type: "verdict", verdict: verdictOf({ type, id }, critics, scores) };
}

/** Masks secrets in a score. Findings quote the work, and secrets must not be stored or shown. */
function withoutSecrets(score: Score, known: readonly string[]): Score {
  const safe = (words: string): string => maskSecrets(words, known);
  const { issues, suggestions, reasoning } = score;
  return { ...score, issues: issues.map(safe), suggestions: suggestions.map(safe), reasoning: safe(reasoning) };
}

interface CriticCall {
  readonly reviewing: ReviewSubject;
  readonly critic: Critic;
  readonly about: ConsultationSubject;
}

/** Returns the model's score of each part of the text. If it cannot be asked: the reason, as a string. */
async function ofModel(
  deps: Deps,
  { reviewing: { type, text }, critic, about }: CriticCall,
  signal: AbortSignal,
): Promise<Score[] | string> {
  const name = deps.config.model?.name ?? "";
  const chunks = chunksOf(text);
  if (chunks === null) return [failedScore(critic, `${text.length} characters are more than it reads`, name)];
  const scores: Score[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const question = criticQuestion({ type, focus: critic.focus, text: chunk, part: index + 1, parts: chunks.length });
    const asked = await consult(deps, about, question, signal);
    if (asked.type === "no-model") return [];
    const by = `${name}, ${question.version}`;
    if (asked.type === "failed") {
      if (isAway(asked.reason)) return `${asked.reason}: ${asked.words}`;
      scores.push(failedScore(critic, `${asked.reason} answer`, by));
      continue;
    }
    const { score, approved: isApproved, issues, suggestions, reasoning } = asked.value;
    scores.push({ critic: critic.name, focus: critic.focus, score, isApproved, issues, suggestions, reasoning, by });
  }
  return scores;
}

/** True for failures that say nothing about the reviewed work. */
function isAway(reason: ModelFailure): boolean {
  switch (reason) {
    case "unreachable":
    case "limited":
    case "timeout":
    case "rejected":
    case "over-budget":
      return true;
    case "refused":
    case "malformed":
    case "truncated":
      return false;
  }
}
