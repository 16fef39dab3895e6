import { html } from "hono/html";
import { repositoryName } from "../commands/sample.ts";
import { type TourStep, tourOf } from "../core/cards/tour-words.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import type { Db } from "../db/connection/client.ts";
import { listGoals } from "../db/goal-lists.ts";
import type { Repository } from "../db/repositories.ts";
import type { DrawContext } from "./draw.ts";
import type { Html } from "./layout.ts";

const mostGoals = 20;

/** Draws the tour for a system that contains only the sample; otherwise empty. */
export async function drawTour(
  db: Db,
  repositories: readonly Repository[],
  { pending, drawing }: { readonly pending: readonly Checkpoint[]; readonly drawing: DrawContext },
): Promise<Html | ""> {
  const [sample, ...others] = repositories;
  if (sample === undefined || others.length > 0 || sample.name !== repositoryName) return "";
  const goals = await listGoals(db, { repositoryId: sample.repositoryId, limit: mostGoals });
  const open = new Map(pending.map(({ goalId, checkpointId }) => [goalId, checkpointId]));
  const steps = tourOf(goals.map((goal) => ({ ...goal, checkpointId: open.get(goal.goalId) ?? null })));
  return html`<section class="tour" aria-labelledby="tour"><h2 id="tour">The tour</h2>
<ol>${steps.map((step) => drawStep(step, drawing))}</ol></section>`;
}

function drawStep({ title, words, to, isDone, line }: TourStep, context: DrawContext): Html {
  const name = to === null ? title : html`<a href="${to}">${title}</a>`;
  const button =
    line === null
      ? ""
      : html`<form method="post" action="/command"><input type="hidden" name="csrf" value="${context.csrf}"><input type="hidden" name="text" value="${line}"><button>Begin</button></form>`;
  return html`<li><strong>${name}</strong>${isDone ? html` <span class="state">done</span>` : ""}<p class="note">${words}</p>${button}</li>`;
}
