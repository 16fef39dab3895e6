import { type BurnUpDay, burnUpOf } from "../core/campaigns/burn-up.ts";
import { linesPlot, type PlotLine } from "../core/reports/plots.ts";
import { count } from "../core/text.ts";
import type { CampaignView } from "../facts/campaign.ts";
import type { Html } from "./layout.ts";
import { drawPlot } from "./plot.ts";

/** Draws how much of a campaign was done after each day, compared with its plan. Empty before its first day. */
export function drawBurnUp({ days, goals }: Pick<CampaignView, "days" | "goals">): Html | "" {
  const burnt = burnUpOf(days, goals);
  const begun = burnt.flatMap(({ done }) => done ?? []);
  const last = begun.at(-1);
  if (last === undefined) return "";
  const now = burnt[begun.length - 1];
  const words = `${last.complete} of ${count(burnt.at(-1)?.planned ?? 0, "planned goal")} complete, ${last.verified} verified; by day ${now?.dayNumber ?? 0} the plan has ${now?.planned ?? 0}`;
  return drawPlot(`Burn-up: ${words}`, linesPlot(burnt.map(nameOf), linesOf(burnt, begun)), words);
}

function nameOf({ dayNumber }: BurnUpDay): string {
  return `day ${dayNumber}`;
}

function linesOf(burnt: readonly BurnUpDay[], begun: readonly NonNullable<BurnUpDay["done"]>[]): PlotLine[] {
  const plan = burnt.map(({ planned }) => planned);
  const complete = begun.map((each) => each.complete);
  const verified = begun.map((each) => each.verified);
  const differ = complete.some((value, index) => value !== verified[index]);
  return [
    { kind: "plan", words: "planned", isDashed: true, values: plan },
    ...(differ ? [{ kind: "claimed", words: "complete", isDashed: false, values: complete } as const] : []),
    { kind: "good", words: "verified", isDashed: false, values: verified },
  ];
}
