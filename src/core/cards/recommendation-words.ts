import type { Backing } from "../acceptance/backing.ts";
import { acceptedWords } from "./tag-words.ts";
import type { Recommendation } from "../reports/recommendation.ts";
import { readOnlyWords } from "../space/no-space.ts";
import { count, firstLine, formatDuration } from "../text.ts";
import { answerCommand } from "./answer-command.ts";
import { type Advice, newsWords, repositoryTroubleWords } from "./news-words.ts";
import { pausedByWords, resumeCommand } from "./paused-words.ts";

/** The recommendation with its reason, and the next command. */
export function recommendationWords(recommendation: Recommendation): Advice {
  switch (recommendation.type) {
    case "free-space":
      return spaceAdvice(recommendation.places);
    case "answer": {
      const { checkpointId, goalsBehind, sinceMs, recommended } = recommendation.question;
      const holds = goalsBehind === 0 ? "" : ` and holds ${count(goalsBehind, "more goal")}`;
      const advice = recommended === null ? "" : ` (recommended: ${recommended.label})`;
      return {
        text: `Answer ${checkpointId}: it has waited ${formatDuration(sinceMs)}${holds}${advice}.`,
        command: `cos ${answerCommand(recommendation.question)}`,
      };
    }
    case "resume-session": {
      const { session, goals } = recommendation;
      return {
        text: `Let the session on ${session.repositoryName} go on: it is paused ${pausedByWords(session.pausedBy)}, and ${count(goals, "goal")} ${goals === 1 ? "waits" : "wait"} in it.`,
        command: `cos ${resumeCommand(session)}`,
      };
    }
    case "resume-campaign": {
      const { name, campaignId, pausedBy } = recommendation.campaign;
      return {
        text: `Let the campaign ${firstLine(name, 80)} go on: it is paused ${pausedByWords(pausedBy)}.`,
        command: `cos campaign resume ${campaignId}`,
      };
    }
    case "replan-campaign": {
      const { name, campaignId, daysBehind } = recommendation.campaign;
      return {
        text: `Replan the campaign ${firstLine(name, 80)}: it is ${count(daysBehind, "day")} behind.`,
        command: `cos campaign replan ${campaignId}`,
      };
    }
    case "repair": {
      const { text, command } = repositoryTroubleWords(recommendation.trouble);
      return { text: `Repair a repository: ${text}.`, command };
    }
    case "start":
      return {
        text: `Start a session: ${count(recommendation.goals, "goal")} ${recommendation.goals === 1 ? "is" : "are"} pending, and nothing prevents it.`,
        command: "cos autopilot start",
      };
    case "start-campaign": {
      const { name, campaignId } = recommendation.campaign;
      return {
        text: `Start the campaign ${firstLine(name, 80)}: it is planned and has not begun.`,
        command: `cos campaign start ${campaignId}`,
      };
    }
    case "look-back": {
      const { branches, manual, olderThanMs } = recommendation.older;
      return {
        text: `Look at what is older than ${formatDuration(olderThanMs)}: ${olderWords({ branches, manual })}.`,
        command: branches > 0 ? "cos goals --status complete" : "cos goals --status manual_followup",
      };
    }
    case "wait":
      return waitWords(recommendation);
    case "add":
      return { text: "Add a goal: nothing is left to do.", command: "cos goal add TEXT" };
    case "add-repository":
      return {
        text: "Add a repository of yours (or try everything with cos sample): none is known yet.",
        command: "cos repo add PATH",
      };
    case "rework":
    case "restore":
    case "look":
    case "merge":
    case "resume-goal":
    case "review":
    case "merge-below":
    case "take-over":
      return goalWords(recommendation);
  }
}

type AboutGoal = Extract<
  Recommendation,
  { readonly type: "look" | "merge" | "merge-below" | "restore" | "resume-goal" | "review" | "rework" | "take-over" }
>;

function goalWords(recommendation: AboutGoal): Advice {
  switch (recommendation.type) {
    case "rework":
      return {
        text: `Have ${firstLine(recommendation.goal.content, 80)} worked again: it was merged and then reverted.`,
        command: `cos goal resume ${recommendation.goal.goalId}`,
      };
    case "restore": {
      const { text, command } = newsWords(recommendation.goal);
      return { text: `Look at ${firstLine(recommendation.goal.content, 80)}: ${text}.`, command };
    }
    case "look":
      return {
        text: `See why ${named(recommendation)} failed: nobody works on it any more.`,
        command: `cos why ${recommendation.goal.goalId}`,
      };
    case "merge":
      return {
        text: `Merge ${named(recommendation)}: it is verified, and nothing is merged before it.`,
        command: `cos goal merge ${recommendation.goal.goalId}`,
      };
    case "resume-goal":
      return {
        text: `Say whether ${named(recommendation)} goes on: it is parked, and nobody works on it.`,
        command: `cos goal resume ${recommendation.goal.goalId}`,
      };
    case "review": {
      const { goal, branches } = recommendation;
      const others = branches > 1 ? ` (and ${count(branches - 1, "more branch", "more branches")})` : "";
      return {
        text: `Look at ${firstLine(goal.content, 80)}${others}: it is finished and ${unprovenWords(goal)}; merge or discard it.`,
        command: `cos goal show ${goal.goalId}`,
      };
    }
    case "merge-below": {
      const { goal, above } = recommendation;
      return {
        text: `Merge ${firstLine(goal.content, 80)} first: ${firstLine(above.content, 80)} is finished and on top of it.`,
        command: `cos goal merge ${goal.goalId}`,
      };
    }
    case "take-over":
      return {
        text: `Do ${named(recommendation)} yourself: it was left to a person.`,
        command: `cos why ${recommendation.goal.goalId}`,
      };
  }
}

/** "Round prices up (and 2 more goals like it)". */
function named({ goal, goals }: { readonly goal: { readonly content: string }; readonly goals: number }): string {
  const others = goals > 1 ? ` (and ${count(goals - 1, "more goal")} like it)` : "";
  return `${firstLine(goal.content, 80)}${others}`;
}

function olderWords({ branches, manual }: { readonly branches: number; readonly manual: number }): string {
  return [
    ...(branches === 0 ? [] : [`${count(branches, "finished branch", "finished branches")} without a decision`]),
    ...(manual === 0 ? [] : [`${count(manual, "goal")} left to a person`]),
  ].join(", ");
}

function waitWords({ goals, merging, campaign }: Extract<Recommendation, { type: "wait" }>): Advice {
  if (goals === 0 && merging > 0) {
    const are = merging === 1 ? "is" : "are";
    return {
      text: `Nothing needs you: ${count(merging, "branch", "branches")} ${are} being merged.`,
      command: "cos goals --status complete",
    };
  }
  if (goals > 0 || campaign === null) {
    return {
      text: `Nothing needs you: ${count(goals, "goal")} ${goals === 1 ? "goes on by itself" : "go on by themselves"}.`,
      command: "cos autopilot status",
    };
  }
  return {
    text: `Nothing needs you: the campaign ${firstLine(campaign.name, 80)} goes on by itself.`,
    command: `cos campaign status ${campaign.campaignId}`,
  };
}

function spaceAdvice(places: string): Advice {
  const what = places.includes(readOnlyWords) ? "Make the disk writable" : "Free space";
  return { text: `${what}: no goal starts before that (${places}).`, command: "cos doctor" };
}

/** The most urgent thing as a heading: "2 goals are parked". Null when nothing needs a person. */
export function headline(recommendation: Recommendation): string | null {
  const are = (number: number, what: string): string =>
    `${count(number, "goal")} ${number === 1 ? "is" : "are"} ${what}`;
  switch (recommendation.type) {
    case "free-space":
      return "no space for goals to start";
    case "answer":
      return `${count(recommendation.questions, "decision")} to make`;
    case "resume-session":
      return "a session is paused";
    case "resume-campaign":
      return "a campaign is paused";
    case "replan-campaign":
      return "a campaign is late";
    case "rework":
      return "merged work was reverted";
    case "restore":
      return "merged work is gone";
    case "look":
      return `${count(recommendation.goals, "goal")} failed`;
    case "repair":
      return "a repository cannot be read";
    case "merge":
    case "review":
    case "merge-below":
      return `${count(recommendation.branches, "finished branch", "finished branches")} to merge or discard`;
    case "start":
      return are(recommendation.goals, "ready to start");
    case "start-campaign":
      return "a campaign is ready to start";
    case "resume-goal":
      return are(recommendation.goals, "parked");
    case "take-over":
      return are(recommendation.goals, "left to a person");
    case "look-back":
      return olderWords(recommendation.older);
    case "wait":
    case "add":
    case "add-repository":
      return null;
  }
}

/** Why a person should look at a finished goal before it is merged. */
function unprovenWords({ guardsOnly, accepted }: Backing): string {
  if (accepted !== undefined) return `its proof was ${acceptedWords(accepted)}`;
  return guardsOnly === true ? "nothing proves its change" : "not verified";
}
