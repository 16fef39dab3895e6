import { html } from "hono/html";
import { typed } from "../installed.ts";
import { campaignOwnStateWords, campaignStandingWords } from "../core/cards/campaign-list-card.ts";
import { isCampaignOver } from "../core/campaigns/campaign.ts";
import { firstLine } from "../core/text.ts";
import { listCampaigns } from "../db/campaigns.ts";
import type { Deps } from "../deps.ts";
import { campaignLinesOf, type ListedCampaign } from "../facts/campaign-line.ts";
import { type DrawContext, drawTime } from "./draw.ts";
import { type Html, page } from "./layout.ts";

/** Draws every campaign in one line: those that are not over first, each part newest first. */
export async function campaignsPage(deps: Deps, context: DrawContext): Promise<Html> {
  const { db } = deps.database;
  const rows = (await listCampaigns(db)).reverse();
  const inOrder = [
    ...rows.filter((each) => !isCampaignOver(each.state)),
    ...rows.filter((each) => isCampaignOver(each.state)),
  ];
  const lines = await campaignLinesOf(db, inOrder);
  return page(
    "Campaigns",
    "campaigns",
    html`<h1>Campaigns</h1>
${lines.length === 0 ? invitation() : ""}
<ul class="goals" data-watches>${lines.map((line) => drawLine(line, context))}</ul>`,
  );
}

function drawLine(line: ListedCampaign, context: DrawContext): Html {
  const { campaignId, name, state, endedAt, updatedAt, endReason } = line;
  return html`<li class="${state}" data-subject="${campaignId}"><a href="/campaigns/${campaignId}"><bdi>${firstLine(name, 140)}</bdi></a>
  <span class="state">${campaignOwnStateWords(line)}</span><span>${campaignStandingWords(line).join(" · ")}</span>${endReason === null ? "" : html`<span><bdi>${firstLine(endReason, 200)}</bdi></span>`}<span class="note">${campaignId} · ${drawTime(endedAt ?? updatedAt, context.zone)}</span></li>`;
}

function invitation(): Html {
  return html`<section class="empty">
  <p>A campaign is days of work towards one goal, with milestones and a budget. Write the plan as an outline, or let a model plan it (COS_MODEL); nothing runs before you start it.</p>
  <pre>${typed.cos} campaign create --from plan.md --budget 20
${typed.cos} campaign create "Take card payments" --days 5 --budget 50</pre>
  <p>docs/campaigns.md shows what an outline looks like.</p>
</section>`;
}
