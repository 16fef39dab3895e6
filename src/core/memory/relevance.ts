import { type Episode, kindTags } from "./episode.ts";

/** Which episodes are told to an agent: the seed's score over candidates that indexes find (S4-RF-01…06, D53). */

/** An episode, and how many words of its goal's text it shares with the wanted goal. */
export interface Candidate {
  readonly episode: Episode;
  /** Number of different words of the wanted goal that occur in the episode's goal. */
  readonly sharedWords: number;
  /** Number of different words of the episode's goal. */
  readonly ownWords: number;
}

/** The goal for which episodes are wanted. */
export interface RelevanceQuery {
  readonly tags: readonly string[];
  /** Number of different words of its text. */
  readonly words: number;
  readonly now: Date;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The score: 0.4 for each shared tag, recency, 0.2 for success, 0.1 for the first rung. S4-RF-01, S4-RF-02. */
export function scoreOf(episode: Episode, { tags, now }: Pick<RelevanceQuery, "tags" | "now">): number {
  const shared = new Set(episode.tags.filter((tag) => tags.includes(tag))).size;
  const days = Math.max(0, Math.floor((now.getTime() - episode.at.getTime()) / dayMs));
  const recency = days < 7 ? 0.3 * (1 - days / 7) : 0;
  return shared * 0.4 + recency + (episode.outcome.isSuccess ? 0.2 : 0) + (episode.recoveryLevel === 1 ? 0.1 : 0);
}

/** The best `most` candidates: by score, then by shared words, then newest first (D53). */
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

/** Minimum number of shared words that counts when the goal's text is long, such as a campaign's. */
const fewestOfLong = 3;

/**
 * True when an episode is related to the goal: by a shared tag that names a subject, by half of the goal's words, or by three words that
 * are half of the episode's. The score alone would also select anything recent.
 */
export function isRelated({ episode, sharedWords, ownWords }: Candidate, { tags, words }: RelevanceQuery): boolean {
  const sharesName = episode.tags.some((tag) => !kindTags.has(tag) && tags.includes(tag));
  const isHalf = words > 0 && sharedWords * 2 >= words;
  return sharesName || isHalf || (sharedWords >= fewestOfLong && sharedWords * 2 >= ownWords);
}

/** True for an episode that was told in vain at least twice, and more often than with success. It misleads and is not told any more. */
export function misleads({ toldDone, toldInVain }: Pick<Episode, "toldDone" | "toldInVain">): boolean {
  return toldInVain >= 2 && toldInVain > toldDone;
}

/** Maximum number of tags that are combined into sets. Further tags are only found one by one. */
const mostCombined = 6;

/** Separates tags in the key of a set. No tag contains it. */
const separator = "\u001f";

/**
 * The keys under which an episode is found: every subset of its first tags (including the empty set, which all episodes have), and each of
 * its tags. Episodes with all of a goal's (first six) tags are therefore one range of an index, however many there are.
 */
export function keysOfEpisode(tags: readonly string[]): string[] {
  const combined = sorted(tags.slice(0, mostCombined));
  let sets: string[][] = [[]];
  for (const tag of combined) sets = [...sets, ...sets.map((set) => [...set, tag])];
  return [...new Set([...sets.map(keyOf), ...tags])];
}

/** The keys to look up for a goal: all its tags together, and each of them. Without tags, the key that all episodes have. */
export function keysOfGoal(tags: readonly string[]): string[] {
  return [...new Set([keyOf(sorted(tags.slice(0, mostCombined))), ...tags])];
}

function keyOf(tags: readonly string[]): string {
  return tags.join(separator);
}

function sorted(tags: readonly string[]): string[] {
  return [...new Set(tags)].sort();
}
