import type { Campaign } from "../campaigns/campaign.ts";
import type { CertainQuestion, Rehearsal } from "../campaigns/rehearse.ts";
import { formatUsd } from "../money.ts";
import { count, firstLine } from "../text.ts";
import { type Card, type CardBlock, note, plainCard, type Span, text } from "./card.ts";
import { triggerNames } from "./checkpoint-card.ts";
import { sureWords } from "./rehearsal-words.ts";

/** What the coming days are likely to cost, which questions they will bring, and how sure the estimate is. */
export function rehearsalCard(campaign: Pick<Campaign, "name" | "totalBudgetMicroUsd">, rehearsal: Rehearsal): Card {
  const { cost, days, certain, during, sure } = rehearsal;
  const range = rangeWords(cost);
  const title = `Rehearsal: ${range} to come`;
  return plainCard({
    kind: "list",
    tone: "neutral",
    title,
    summary: `${firstLine(campaign.name, 100)}: ${range} to come, ${count(certain.length, "question")} for certain. How sure: ${sureWords(sure)}.`,
    blocks: [
      text(
        { strong: "Cost: " },
        `${range}; likely ${formatUsd(cost.likelyMicroUsd)}. ${totalWords(rehearsal, campaign.totalBudgetMicroUsd)}`,
      ),
      {
        type: "list",
        items: days
          .slice(0, 30)
          .map((day): Span[] => [
            { strong: `Day ${day.dayNumber}: ` },
            `${rangeWords(day.cost)} of ${formatUsd(day.budgetMicroUsd)}${day.reached === "unlikely" ? "" : `, its budget is ${day.reached === "likely" ? "likely" : "possibly"} reached`}`,
          ]),
      },
      text({ strong: "Certain to be asked: " }, certain.length === 0 ? "nothing" : count(certain.length, "question")),
      ...listOf(certain),
      text({ strong: "Asked during the work: " }, duringWords(during)),
      note(`How sure: ${sureWords(sure)}.`),
    ],
  });
}

function rangeWords({ lowMicroUsd, highMicroUsd }: Rehearsal["cost"]): string {
  return `${formatUsd(lowMicroUsd)} to ${formatUsd(highMicroUsd)}`;
}

function totalWords({ total }: Rehearsal, budgetMicroUsd: number): string {
  const budget = formatUsd(budgetMicroUsd);
  switch (total.type) {
    case "likely":
      return `The budget of ${budget} is likely used up on day ${total.dayNumber}.`;
    case "possible":
      return `The budget of ${budget} may be used up from day ${total.dayNumber} on.`;
    case "unlikely":
      return `The budget of ${budget} is enough.`;
  }
}

function listOf(certain: readonly CertainQuestion[]): CardBlock[] {
  const items = certain.slice(0, 15).map((each): Span[] => {
    switch (each.type) {
      case "milestone":
        return [`Day ${each.dayNumber}: milestone ${firstLine(each.name, 100)}`];
      case "goal":
        return [
          `Day ${each.dayNumber}: ${firstLine(each.content, 100)} (${each.triggers.map((trigger) => triggerNames[trigger]).join(", ")})`,
        ];
    }
  });
  return items.length === 0 ? [] : [{ type: "list", items }];
}

function duringWords(during: Rehearsal["during"]): string {
  if (during.type === "unknown") return "unknown, too few runs are recorded";
  const { low, high, likely, kinds, atNight } = during;
  const what = kinds.slice(0, 4).map(({ kind, count: times }) => `${kind} ${times.toFixed(1)}`);
  const night = atNight === null ? "" : `; ${atNight.toFixed(1)} of them at night`;
  return `${low} to ${high}, likely ${likely.toFixed(1)}${what.length === 0 ? "" : ` (${what.join(", ")})`}${night}`;
}
