import { type Episode, kindTags } from "./episode.ts";

/** Which episodes are worth telling: the seed's score over candidates that indexes find (S4-RF-01…06, D53). */

/** An episode, and how much of the goal's text it shares. */
export interface Candidate {
  readonly episode: Episode;
  /** Different words of the goal that occur in the episode's goal. */
  readonly sharedWords: number;
  /** Different words of the episode's goal. */
  readonly ownWords: number;
}

/** What is to be done now. */
export interface RelevanceQuery {
  readonly tags: readonly string[];
  /** Different words of its text. */
  readonly words: number;
  readonly now: Date;
}

const dayMs = 24 * 60 * 60 * 1000;

/** 0.4 for each shared tag, recency, 0.2 for success, 0.1 for the first rung. S4-RF-01, S4-RF-02. */
export function scoreOf(episode: Episode, { tags, now }: Pick<RelevanceQuery, "tags" | "now">): number {
  const shared = new Set(episode.tags.filter((tag) => tags.includes(tag))).size;
  const days = Math.max(0, Math.floor((now.getTime() - episode.at.getTime()) / dayMs));
  const recency = days < 7 ? 0.3 * (1 - days / 7) : 0;
  return shared * 0.4 + recency + (episode.outcome.isSuccess ? 0.2 : 0) + (episode.recoveryLevel === 1 ? 0.1 : 0);
}

/** The best `most` of the candidates: by score, then by shared words, then the newest first (D53). */
export function mostRelevant(
  candidates: readonly Candidate[],
  wanted: RelevanceQuery,
  { most = 3 }: { readonly most?: number } = {},
): Episode[] {
  return candidates
    .map((each) => ({ ...each, score: scoreOf(each.episode, wanted) }))
    .toSorted(
      (one, other) =>
        other.score - one.score ||
        other.sharedWords - one.sharedWords ||
        other.episode.episodeNo - one.episode.episodeNo,
    )
    .slice(0, most)
    .map(({ episode }) => episode);
}

/** So many shared words say something where the goal's text is long, as that of a campaign. */
const fewestOfLong = 3;

/**
 * Whether an episode has anything to do with the goal: a tag that names something, half of the goal's words, or three that are half of
 * the episode's. Score alone would tell of whatever was done lately.
 */
export function isRelated({ episode, sharedWords, ownWords }: Candidate, { tags, words }: RelevanceQuery): boolean {
  const sharesName = episode.tags.some((tag) => !kindTags.has(tag) && tags.includes(tag));
  const isHalf = words > 0 && sharedWords * 2 >= words;
  return sharesName || isHalf || (sharedWords >= fewestOfLong && sharedWords * 2 >= ownWords);
}

/** Told twice or more in vain, and not more often with success: it misleads, and nobody is told of it any more. */
export function misleads({ toldDone, toldInVain }: Pick<Episode, "toldDone" | "toldInVain">): boolean {
  return toldInVain >= 2 && toldInVain > toldDone;
}

/** Tags of which sets are found by index; a goal with more is found by each of them alone. */
const mostCombined = 6;

/** What separates tags in the name of a set; no tag holds it. */
const separator = "\u001f";

/**
 * The names under which an episode is found: every set of its first tags, each of its other tags, and the empty set, which all
 * episodes have. So what carries all tags of a goal is one range of an index, however many episodes there are.
 */
export function keysOfEpisode(tags: readonly string[]): string[] {
  const combined = sorted(tags.slice(0, mostCombined));
  let sets: string[][] = [[]];
  for (const tag of combined) sets = [...sets, ...sets.map((set) => [...set, tag])];
  return [...new Set([...sets.map(keyOf), ...tags])];
}

/** The names of what a goal asks for: all of its tags together, and each of them. Without tags: everything. */
export function keysOfGoal(tags: readonly string[]): string[] {
  return [...new Set([keyOf(sorted(tags.slice(0, mostCombined))), ...tags])];
}

function keyOf(tags: readonly string[]): string {
  return tags.join(separator);
}

function sorted(tags: readonly string[]): string[] {
  return [...new Set(tags)].sort();
}
