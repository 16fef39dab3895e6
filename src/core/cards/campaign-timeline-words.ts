import { formatUsd } from "../money.ts";
import { count, firstLine } from "../text.ts";

/** An event of a campaign or night, as far as its words need it. */
interface CampaignEvent {
  readonly event: string;
  readonly actor: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** "by ana in Slack" with a space before it, and what a detail says. */
interface Told {
  readonly by: string;
  readonly said: (name: string) => string;
}

/** What happened to a campaign or in a night, in words; null for every other event. */
export function campaignTimelineWords({ event, actor, detail }: CampaignEvent, { by, said }: Told): string | null {
  const number = (name: string): number => (typeof detail[name] === "number" ? detail[name] : 0);
  const goals = Array.isArray(detail["goals"]) ? detail["goals"].length : number("goals");
  switch (event) {
    case "campaign.created":
      return `campaign created${by}`;
    case "campaign.planned":
      return `planned by ${said("by")}: ${count(number("days"), "day")}, ${count(number("milestones"), "milestone")}`;
    case "campaign.started":
      return `campaign started${by}`;
    case "campaign.day-begun":
      return `day ${said("day")} (${said("date")}) begins: ${count(goals, "goal")}, up to ${formatUsd(number("budgetMicroUsd"))}`;
    case "campaign.day-over":
      return `day ${said("day")} is over: ${said("goalsCompleted")} of ${count(goals, "goal")} complete, ${formatUsd(number("costMicroUsd"))}${carriedWords(number("carried"))}`;
    case "campaign.milestone-done":
      return `milestone ${said("milestone") === "" ? said("milestoneId") : firstLine(said("milestone"), 100)} is done, ${actor === null ? "its goals are verified" : `on ${actor}'s word`}`;
    case "campaign.held":
      return heldWords(actor, said("reason"));
    case "campaign.goes-on":
      return "campaign goes on";
    case "campaign.run":
      return `its day was asked for${by}`;
    case "campaign.paused":
      return `campaign paused${by}`;
    case "campaign.resumed":
      return `campaign resumed${by}`;
    case "campaign.replan-asked":
      return `another plan was asked for${by}`;
    case "campaign.replanned":
      return `planned anew by ${said("by")}${detail["isAutomatic"] === true ? ", because it was late" : ""}: ${count(number("days"), "day")}`;
    case "campaign.completed":
    case "campaign.failed":
      return `campaign ${event.slice(9)}: ${firstLine(said("reason"), 300)}`;
    case "goal.dropped":
      return "left out of the new plan";
    case "night.began":
      return `night contract made${by}: ${count(goals, "goal")}`;
    case "night.ended":
      return `night over: ${firstLine(said("reason"), 300)}`;
    default:
      return null;
  }
}

/** What a question about a campaign is about; null for questions about goals. */
export function aboutWords(kind: string): string | null {
  switch (kind) {
    case "plan":
      return "may it start with this plan?";
    case "milestone":
      return "may the next milestone begin?";
    case "confirm":
      return "is the milestone done?";
    case "replan":
      return "should it be planned anew?";
    case "money":
      return "may it cost more?";
    default:
      return null;
  }
}

function carriedWords(carried: number): string {
  return carried === 0 ? "" : `, ${count(carried, "goal")} left for the next day`;
}

function heldWords(actor: string | null, reason: string): string {
  if (reason !== "") return `campaign held: ${firstLine(reason, 300)}`;
  return actor === null ? "campaign waits for an answer" : `campaign held: ${actor} stopped its day`;
}
