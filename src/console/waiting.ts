import { html } from "hono/html";
import { batchActions, groupTitle } from "../core/cards/batch-actions.ts";
import { batchCard } from "../core/cards/batch-card.ts";
import { accessibleLabel, type CardAction } from "../core/cards/card.ts";
import { groupsOf, type QuestionGroup } from "../core/checkpoints/batch.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { count } from "../core/text.ts";
import { heldBatches, shownQuestionsOfBatch } from "../db/batches.ts";
import type { Db } from "../db/connection/client.ts";
import { askedLines } from "../facts/asked-lines.ts";
import { drawAction, type DrawContext, drawSeconds } from "./draw.ts";
import type { Html } from "./layout.ts";

/** The id of the element that lists the open questions. */
export const waitingId = "waiting";

interface Open {
  readonly pending: readonly Checkpoint[];
  /** The questions whose cards are on the page. */
  readonly isThere: ReadonlySet<string>;
  readonly shownAt: Date;
}

/** What is known of each question while its group is drawn. */
interface Known extends Omit<Open, "pending"> {
  readonly asking: (question: Checkpoint) => string;
  readonly held: ReadonlyMap<string, HeldAnswer>;
}

/** An answer that was given to several questions at once and can still be undone. */
interface HeldAnswer {
  readonly choice: string;
  readonly dueAt: Date;
  readonly actor: string;
  /** The button that undoes all of them. */
  readonly undo: CardAction | null;
}

/** Draws the open questions by kind, with buttons that give several of them the same answer. Empty when none is open (F-411, F-502). */
export async function drawWaiting(db: Db, { pending, ...open }: Open, context: DrawContext): Promise<Html | ""> {
  if (pending.length === 0) return "";
  const known = { ...open, asking: await askedLines(db, pending), held: await heldAnswers(db) };
  return html`<aside class="waiting" id="${waitingId}" aria-label="Open questions">
    <strong>${count(pending.length, "question")} ${pending.length === 1 ? "waits" : "wait"} for you</strong>
    ${groupsOf(pending).map((group) => drawGroup(group, known, context))}
  </aside>`;
}

/** Returns the held answers by question. */
async function heldAnswers(db: Db): Promise<Map<string, HeldAnswer>> {
  const held = new Map<string, HeldAnswer>();
  for (const batch of await heldBatches(db)) {
    const questions = await shownQuestionsOfBatch(db, batch.batchId);
    const [undo = null] = batchCard({ ...batch, questions }).actions;
    for (const { checkpointId, became } of questions) if (became === null) held.set(checkpointId, { ...batch, undo });
  }
  return held;
}

/**
 * Draws the questions of one group, oldest first, and the buttons that answer together those without an answer, each as it is shown
 * (F-411).
 */
function drawGroup(group: QuestionGroup, known: Known, context: DrawContext): Html {
  const { asking, held, isThere, shownAt } = known;
  const free = group.joined.filter(({ checkpointId }) => !held.has(checkpointId));
  const actions = free.length < 2 ? [] : batchActions({ ...group, joined: free }, shownAt);
  const undoing = new Set(group.questions.flatMap(({ checkpointId }) => held.get(checkpointId)?.undo ?? []));
  const seen = ({ checkpointId, version }: Checkpoint): string => `${checkpointId}.${version}`;
  const box = (question: Checkpoint) =>
    actions.length > 0 && free.includes(question)
      ? html`<input type="checkbox" name="question" value="${seen(question)}" aria-label="Choose: ${asking(question)}"> `
      : "";
  const link = ({ checkpointId, goalId }: Checkpoint): string =>
    isThere.has(checkpointId) ? `#${checkpointId}` : `/goals/${goalId ?? ""}`;
  const line = (each: Checkpoint) =>
    html`<li>${box(each)}<a href="${link(each)}"><bdi>${asking(each)}</bdi></a>${drawHeld(held.get(each.checkpointId), context)}</li>`;
  const list = html`<ul>${group.questions.map(line)}</ul>`;
  const common = html`<input type="hidden" name="csrf" value="${context.csrf}"><input type="hidden" name="kind" value="${group.trigger}"><input type="hidden" name="shown" value="${shownAt.getTime()}">`;
  return html`<div class="group"><p>${groupTitle(group)}</p>
    ${
      actions.length === 0
        ? list
        : html`<form method="post" action="/answers">${common}
    ${list}
    <div class="actions">${group.choices.map((choice) => html`<button name="choice" value="${choice}">Answer the chosen: ${choice}</button>`)}</div></form>
    <form class="actions for-all" method="post" action="/answers">${common}${free.map((each) => html`<input type="hidden" name="question" value="${seen(each)}">`)}${actions.map((action) => html`<button name="choice" value="${action.call.choice}" aria-label="${accessibleLabel(action, context.zone)}">${action.label}</button>`)}</form>`
    }
    ${undoing.size === 0 ? "" : html`<div class="actions">${[...undoing].map((action) => drawAction(action, `group-${group.trigger}`, context))}</div>`}</div>`;
}

function drawHeld(held: HeldAnswer | undefined, { zone }: DrawContext): Html | "" {
  if (held === undefined) return "";
  return html` <span class="note">${held.choice} at ${drawSeconds(held.dueAt, zone)}, by <bdi>${held.actor}</bdi></span>`;
}
