import { html, raw } from "hono/html";
import { typed } from "../installed.ts";
import { listPending } from "../db/checkpoints.ts";
import { listGoals } from "../db/goal-lists.ts";
import { type Message, shownAbout, shownMessages } from "../db/messages.ts";
import { listRepositories, type Repository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { drawCard, type DrawnCard, type DrawContext } from "./draw.ts";
import { type Flash, type FlashPlaces, placeFlash } from "./flash.ts";
import { type Html, page } from "./layout.ts";
import { drawTour } from "./tour.ts";
import { drawWaiting, waitingId } from "./waiting.ts";

/** The contents of the composer; text that was refused is shown again. */
export interface Composer {
  readonly text: string;
  /** The chosen repository; null when none was chosen. */
  readonly repository: string | null;
}

const shownAtMost = 200;

const main = { platform: "console", channel: "main" };

/** Draws the channel: all open questions, and the newest cards in order, newest last (F-502). */
export async function channelPage(
  deps: Deps,
  context: DrawContext,
  flash: Flash | null,
  composer: Composer,
): Promise<Html> {
  const { db } = deps.database;
  const newestCards = await shownMessages(db, main, shownAtMost);
  const repositories = await listRepositories(db);
  const lastGoal = (await listGoals(db, { limit: 1 }))[0] ?? null;
  const isNew = repositories.length === 0 && lastGoal === null;
  const pending = await listPending(db);
  const messages = withQuestions(
    await shownAbout(
      db,
      main,
      pending.map(({ checkpointId }) => checkpointId),
    ),
    newestCards,
  );
  const isThere = new Set(messages.map((message) => message.subject));
  const oldest = newestCards.length < shownAtMost ? null : (newestCards[0]?.messageId ?? null);
  const said = placeFlash(flash, [...isThere, ...(pending.length === 0 ? [] : [waitingId])], context);
  const newest = Math.max(0, ...messages.map((message) => message.changed));

  return page(
    "Channel",
    "channel",
    html`<div class="channel" data-since="${newest}">
  ${isNew ? welcome(context) : await drawTour(db, repositories, { pending, drawing: context })}
  ${await drawWaiting(db, { pending, isThere, shownAt: deps.now() }, context)}${said.below(waitingId)}
  <h1 class="visually-hidden">Channel</h1>
  ${oldest === null ? "" : olderLink(oldest)}
  <section id="cards" role="log" aria-live="polite" aria-label="Cards">${drawCards(messages, said, context)}</section>
  ${said.apart}
  <form class="composer" method="post" action="/command">
    <input type="hidden" name="csrf" value="${context.csrf}"><input type="hidden" name="sent" value="${crypto.randomUUID()}">
    <label for="text" class="visually-hidden">A goal, or a command that starts with a slash or with cos</label>
    ${drawRepositories(repositories, composer.repository ?? lastGoal?.repositoryId ?? null)}
    <textarea id="text" name="text" rows="1" placeholder="A goal for ${repositories.length === 1 ? repositories[0]?.name : "your repository"}, or /standup, /goals, /autopilot start, /help" required>${composer.text}</textarea>
    <button class="primary">Send</button>
  </form>
</div>`,
  );
}

/** Draws the cards before a message in their current state, so that questions among them can be answered. */
export async function olderPage(deps: Deps, context: DrawContext, flash: Flash | null, before: number): Promise<Html> {
  const messages = await shownMessages(deps.database.db, main, shownAtMost, before);
  const oldest = messages.length < shownAtMost ? null : (messages[0]?.messageId ?? null);
  const shown = messages.map(({ subject }) => subject);
  const said = placeFlash(flash, shown, context);
  return page(
    "Older cards",
    "channel",
    html`<div class="channel">
  <h1>Older cards</h1>
  <p><a href="/">The newest cards</a></p>
  ${said.apart}
  ${oldest === null ? "" : olderLink(oldest)}
  ${messages.length === 0 ? html`<p class="empty">There is nothing older.</p>` : ""}
  <section id="cards" aria-label="Cards">${drawCards(messages, said, context)}</section>
</div>`,
  );
}

function olderLink(before: number): Html {
  return html`<p class="older"><a href="/older/${before}">Older cards</a></p>`;
}

/** Puts open questions that are older than the newest cards in front of them. */
function withQuestions(questions: readonly Message[], newest: readonly Message[]): Message[] {
  return [...questions.filter((each) => !newest.some(({ messageId }) => messageId === each.messageId)), ...newest];
}

/** Draws the choice of the goal's repository; empty when there is at most one. */
function drawRepositories(repositories: readonly Repository[], chosen: string | null): Html | string {
  if (repositories.length < 2) return "";
  return html`<label for="repository" class="visually-hidden">Repository of the goal</label>
    <select id="repository" name="repository">${repositories.map(
      ({ repositoryId, name }) =>
        html`<option value="${repositoryId}" ${repositoryId === chosen ? raw("selected") : ""}>${name}</option>`,
    )}</select>`;
}

/** Puts replies directly under the message that they answer, with the replies to them; otherwise keeps the order. */
function inOrder(messages: readonly Message[]): Message[] {
  const threads = new Map(messages.map(({ subject, threadSubject }) => [subject, threadSubject]));
  const topOf = (subject: string): string => {
    const thread = threads.get(subject) ?? null;
    return thread === null || !threads.has(thread) ? subject : topOf(thread);
  };
  return messages
    .filter(({ subject }) => topOf(subject) === subject)
    .flatMap((top) => [top, ...messages.filter((each) => each !== top && topOf(each.subject) === top.subject)]);
}

function drawCards(messages: readonly Message[], said: FlashPlaces, context: DrawContext): Html[] {
  return inOrder(messages).map((message) => html`${drawCard(drawnOf(message), context)}${said.below(message.subject)}`);
}

/** Returns a message's card as the channel shows it. */
export function drawnOf(message: Message): DrawnCard {
  return {
    elementId: message.subject,
    card: message.postedCard ?? message.card,
    changed: message.changed,
    at: message.createdAt,
    isReply: message.threadSubject !== null,
    isBrief: true,
  };
}

function welcome(context: DrawContext): Html {
  return html`<section class="empty">
  <h2>Give it goals and go to sleep</h2>
  <p>Goals are worked one after another in git worktrees of their own. When a decision is yours, the work stops and a card appears here with buttons. What is finished arrives as a branch in your repository.</p>
  <form method="post" action="/command">
    <input type="hidden" name="csrf" value="${context.csrf}">
    <input type="hidden" name="text" value="/sample">
    <button class="primary">Try the sample</button>
    <p class="note">A small repository with three goals, worked by a scripted agent: no model is called, but files are really edited and tests really run.</p>
  </form>
  <p>Or with a repository of yours, in a second terminal:</p>
  <pre>${typed.cos} repo add ~/code/yours
${typed.cos} goal add "Write down how it is built" --run "echo 'npm ci' > BUILDING.md" --done-when "test -s BUILDING.md"
${typed.cos} autopilot start</pre>
  <p class="note">Without --run an agent does the work: docs/agents.md says how one is set (COS_AGENT).</p>
</section>`;
}
