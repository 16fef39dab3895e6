import type { StandupNeeds } from "../reports/standup-facts.ts";
import { nextToMerge } from "../reports/recommendation.ts";
import { count, firstLine } from "../text.ts";
import type { CardAction } from "./card.ts";
import { resumeCall } from "./paused-words.ts";

/**
 * A person can do from a standup what it asks for (F-412): answer, merge, resume. Each button names what was shown; if that has changed,
 * the press is refused.
 */

/**
 * Maximum number of Merge buttons, so that the lines and buttons of a full day fit into one message. The lines have the commands of the
 * others.
 */
const mostMerges = 2;
const longestName = 40;

/** The buttons, in the order of priority of `recommend`. */
export function standupActions(facts: StandupNeeds): CardAction[] {
  return [...answering(facts), ...resuming(facts), ...merging(facts)];
}

function answering({ questions }: StandupNeeds): CardAction[] {
  if (questions.length === 0) return [];
  const number = count(questions.length, "question");
  return [
    action({ choice: "answer", label: `Answer ${number}`, call: { command: "checkpoints" }, about: "what waits" }),
  ];
}

function resuming({ sessions, campaigns }: StandupNeeds): CardAction[] {
  // A campaign that waits for answers goes on when they are given; Resume would do nothing.
  const paused = campaigns.filter(({ state, pausedBy }) => state === "paused" && pausedBy !== null);
  // Resuming a campaign also resumes the session of its day.
  const ofPaused = new Set(paused.map(({ campaignId }) => campaignId));
  const held = sessions.filter(
    ({ isPaused, campaignId }) => isPaused && !(campaignId !== null && ofPaused.has(campaignId)),
  );
  return [
    ...held.slice(0, 1).map((session) =>
      action({
        choice: "resume-session",
        label: `Resume ${firstLine(session.repositoryName, longestName)}`,
        call: resumeCall(session),
        about: "the paused session",
      }),
    ),
    ...paused.slice(0, 1).map(({ campaignId, name }) =>
      action({
        choice: "resume-campaign",
        label: `Resume ${firstLine(name, longestName)}`,
        call: { command: "campaign resume", id: campaignId },
        about: "the paused campaign",
      }),
    ),
  ];
}

function merging(facts: StandupNeeds): CardAction[] {
  return nextToMerge(facts)
    .slice(0, mostMerges)
    .map(({ goalId, content }, index) =>
      action({
        choice: `merge-${index + 1}`,
        label: `Merge ${firstLine(content, longestName)}`,
        call: { command: "goal merge", id: goalId },
        about: "verified, not merged",
      }),
    );
}

function action(given: Pick<CardAction, "choice" | "label" | "call" | "about">): CardAction {
  return { ...given, style: "default", until: null };
}
