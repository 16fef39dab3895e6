import { cleanText } from "../text.ts";

/** Maximum sizes of the parts of a plan, from files and from models. */
export const mostOfPlan = { milestones: 20, name: 200, description: 4000, criteria: 20, criterion: 500 } as const;

/** The name of a campaign: the first 50 characters of its goal or title (S4-PN-02). */
export function campaignName(goal: string): string {
  return Array.from(cleanText(goal).trim().replace(/\s+/g, " ")).slice(0, 50).join("").trim();
}

/** For each milestone with goals, the last day that has one of them. */
export function lastDays<Key>(days: readonly (readonly { readonly milestone: Key }[])[]): Map<Key, number> {
  return new Map(days.flatMap((goals, index) => goals.map((goal) => [goal.milestone, index + 1] as const)));
}
