import { formatUsd } from "../money.ts";
import { count, firstLine } from "../text.ts";
import type { EventWords } from "./event-words.ts";

/** The words for events of campaigns and nights. */
export const campaignWords = {
  "campaign.created": (_, { by }) => `campaign created${by}`,
  "campaign.planned": ({ by, days, milestones }) =>
    `planned by ${by}: ${count(days, "day")}, ${count(milestones, "milestone")}`,
  "campaign.started": (_, { by }) => `campaign started${by}`,
  "campaign.day-begun": ({ day, date, goals, budgetMicroUsd }) =>
    `day ${day} (${date}) begins: ${count(goals.length, "goal")}, up to ${formatUsd(budgetMicroUsd)}`,
  "campaign.day-over": ({ day, goalsCompleted, goals, costMicroUsd, carried }) =>
    `day ${day} is over: ${goalsCompleted} of ${count(goals, "goal")} complete, ${formatUsd(costMicroUsd)}${carriedWords(carried)}`,
  "campaign.milestone-done": ({ milestoneId }, { actor }) =>
    `milestone ${firstLine(milestoneId, 100)} is done, ${actor === null ? "its goals are verified" : `on ${actor}'s word`}`,
  "campaign.held": ({ reason }, { actor }) => heldWords(actor, reason),
  "campaign.goes-on": () => "campaign goes on",
  "campaign.run": (_, { by }) => `its day was asked for${by}`,
  "campaign.paused": (_, { by }) => `campaign paused${by}`,
  "campaign.resumed": (_, { by }) => `campaign resumed${by}`,
  "campaign.replan-asked": (_, { by }) => `another plan was asked for${by}`,
  "campaign.replanned": ({ by, isAutomatic, days }) =>
    `replanned by ${by}${isAutomatic ? ", because it was late" : ""}: ${count(days, "day")}`,
  "campaign.completed": ({ reason }) => `campaign completed: ${firstLine(reason, 300)}`,
  "campaign.failed": ({ reason }, { by }) => `campaign ${by === "" ? "failed" : "ended"}: ${firstLine(reason, 300)}`,
  "goal.dropped": () => "left out of the new plan",
  "night.began": ({ goals }, { by }) => `night contract made${by}: ${count(goals.length, "goal")}`,
  "night.ended": ({ reason }) => `night over: ${firstLine(reason, 300)}`,
} satisfies Partial<EventWords>;

/** The subject of a question about a campaign, the policy or a ceiling. Null for other questions about goals. */
export function aboutWords(kind: string): string | null {
  switch (kind) {
    case "plan":
      return "may it start with this plan?";
    case "milestone":
      return "may the next milestone begin?";
    case "confirm":
      return "is the milestone done?";
    case "replan":
      return "should it be replanned?";
    case "ceiling":
    case "money":
      return "may it cost more?";
    case "tuning":
      return "should the policy be another one?";
    default:
      return null;
  }
}

function carriedWords(carried: number): string {
  return carried === 0 ? "" : `, ${count(carried, "goal")} left for the next day`;
}

function heldWords(actor: string | null, reason: string | undefined): string {
  if (reason !== undefined && reason !== "") return `campaign held: ${firstLine(reason, 300)}`;
  return actor === null ? "campaign waits for an answer" : `campaign held: ${actor} stopped its day`;
}
