import type { ApprovalResponse, Episode } from "../memory/episode.ts";
import { formatUsd } from "../money.ts";
import { count, firstLine, formatDuration } from "../text.ts";
import { statusWords } from "./status-words.ts";
import { type Card, plainCard, type Span } from "./card.ts";

/** Episodes in the given order: the result of each run, its lesson, and who wrote the lesson. */
export function episodesCard(episodes: readonly Episode[]): Card {
  const title =
    episodes.length === 0 ? "No run has ended yet: nothing is remembered" : count(episodes.length, "episode");
  return plainCard({
    kind: "list",
    tone: "neutral",
    title,
    summary: title,
    blocks: episodes.length === 0 ? [] : [{ type: "list", items: episodes.map(episodeLine) }],
  });
}

function episodeLine(episode: Episode): Span[] {
  const { episodeId, at, goalId, goal, outcome, recoveryLevel, costMicroUsd, costIsEstimated, durationSeconds } =
    episode;
  const level = recoveryLevel === 1 ? "" : ` on level ${recoveryLevel}`;
  const cost = costMicroUsd === 0 ? "" : ` · ${formatUsd(costMicroUsd)}${costIsEstimated ? " estimated" : ""}`;
  return [
    { at: at.toISOString() },
    " ",
    { code: episodeId },
    " ",
    { link: goalId, to: `/goals/${goalId}` },
    ` ${statusWords(outcome.goalStatus)}${level}: ${firstLine(goal.content, 100)}${cost} · ${formatDuration(durationSeconds * 1000)}`,
    ...(episode.approvalResponse === null ? [] : [` · ${responseWords[episode.approvalResponse]}`]),
    ...(episode.reflection === null ? [] : [`. ${taughtWords(episode)}`]),
    ...(episode.toldDone + episode.toldInVain === 0
      ? []
      : [`. Told to ${count(episode.toldDone + episode.toldInVain, "run")}, ${episode.toldDone} done`]),
  ];
}

/** How a person answered the run's questions. */
const responseWords: Readonly<Record<ApprovalResponse, string>> = {
  accepted: "a person accepted it",
  modified: "a person changed it",
  rejected: "a person held it back",
};

/** The lesson of a run, and who wrote it: a model or the built-in rule. */
export function taughtWords({ reflection, reflectedBy }: Pick<Episode, "reflection" | "reflectedBy">): string {
  return `Its lesson (${reflectedBy ?? "nobody"}): ${reflection ?? "nothing"}`;
}
