import type { StandupNeeds } from "../reports/standup-facts.ts";
import { nextToMerge } from "../reports/recommendation.ts";
import { count, firstLine } from "../text.ts";
import type { CardAction } from "./card.ts";
import { resumeCall } from "./paused-words.ts";

/** What a standup asks for can be done from it (F-412): answer, merge, resume. Each names what was seen; what changed since is refused. */

/** Few: a full day's lines and their buttons are one message. The rest stands in the lines, with its commands. */
const mostMerges = 2;
const longestName = 40;

/** Buttons in the order in which `recommend` puts their matters. */
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
  // One that waits for answers goes on with them, and with nothing else.
  const paused = campaigns.filter(({ state, pausedBy }) => state === "paused" && pausedBy !== null);
  // Whoever lets a campaign go on has let its day go on.
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
