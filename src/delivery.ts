import { setTimeout as sleep } from "node:timers/promises";
import { drawPng } from "./chart.ts";
import type { Channel, NotNow, Platform, Post, PostOutcome } from "./chat/platform.ts";
import { linkedSubjects } from "./core/cards/card.ts";
import { pictureAlone } from "./core/cards/picture.ts";
import { recoverCard } from "./core/cards/plain.ts";
import { isQuiet } from "./core/checkpoints/quiet.ts";
import { chartSize, weekChart } from "./core/reports/chart.ts";
import {
  addressesOf,
  findMessage,
  forgetAddress,
  markPosting,
  type Message,
  postponeMessage,
  recordShown,
  recordShownHere,
  tellPosted,
  wantingMessages,
} from "./db/messages.ts";
import { openOwnership } from "./db/ownership.ts";
import type { Deps } from "./deps.ts";

/**
 * The one loop that posts and edits (D17): it makes every channel show what its rows want, in order, at most once.
 *
 *   wanted ──commit posting_since──► post ──record address──► shown ──version rises──► edit ──► shown
 *               │ died here, or the answer was lost               └─deleted by somebody─► wanted
 *               └► look for our key in the channel first ──found──► record, then edit
 *
 * A channel that must wait (limits, an outage) waits as a whole, so that its order is kept; others go on.
 */
export interface Delivery {
  /** Looks now; returns when this pass has done what could be done. Calls during a pass cause one more. */
  deliver(): Promise<void>;
  stop(): Promise<void>;
}

type Delivering = Pick<Deps, "database" | "channels" | "config" | "policy" | "log" | "now" | "signals">;

/** `lockUrl` is the database on which channel ownership is locked: one owner per channel over all bots. */
export function startDelivery(deps: Delivering, platforms: readonly Platform[], lockUrl: string): Delivery {
  const owner = openOwnership(lockUrl, (error) => deps.log.warn("delivery.no-owner", { error: error.message }));
  const loops = deps.channels.flatMap((channel) => {
    const platform = platforms.find((each) => each.name === channel.platform);
    if (platform === undefined) return [];
    const owns = () => owner.owns(`delivery ${channel.platform} ${channel.channel}`);
    return [startChannel(deps, platform, channel, owns)];
  });

  async function deliver(): Promise<void> {
    await Promise.all(loops.map((loop) => loop.deliver()));
  }

  const unsubscribe = deps.signals.on((signal) => {
    if (signal.type === "messages") void deliver();
  });
  const timer = setInterval(() => void deliver(), deps.policy.delivery.fallbackMs);

  return {
    deliver,
    async stop() {
      clearInterval(timer);
      unsubscribe();
      await Promise.all(loops.map((loop) => loop.stop()));
      await owner.release();
    },
  };
}

/** One channel's own loop, at its own pace. */
function startChannel(deps: Delivering, platform: Platform, channel: Channel, owns: () => Promise<boolean>): Delivery {
  const stopping = new AbortController();
  const pace = openPace(platform.everyMs, stopping.signal);
  let running: Promise<void> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | null = null;

  async function passes(): Promise<void> {
    do {
      again = false;
      if (!(await owns())) return;
      const waitMs = await deliverChannel(deps, platform, channel, pace).catch((error: unknown) => {
        deps.log.error("delivery.failed", { ...channel, error: String(error) });
        return null;
      });
      if (waitMs !== null) lookAgainIn(waitMs);
    } while (again && !stopping.signal.aborted);
  }

  function lookAgainIn(ms: number): void {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void deliver(), ms);
  }

  function deliver(): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve();
    again = true;
    running ??= passes().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    deliver,
    async stop() {
      stopping.abort();
      if (timer !== null) clearTimeout(timer);
      // A platform that does not answer is not waited for: what it was given is looked for at the next start.
      await Promise.race([running, sleep(longestStopMs, undefined, { ref: false })]);
    },
  };
}

const longestStopMs = 3_000;

/** Resolves when the next call is due, at most one every `everyMs`; false once it is stopping. */
type Pace = () => Promise<boolean>;

function openPace(everyMs: number, stopping: AbortSignal): Pace {
  let nextAt = 0;
  return async () => {
    const waitMs = nextAt - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined);
    nextAt = performance.now() + everyMs;
    return !stopping.aborted;
  };
}

/** Brings the channel up to date; the milliseconds after which it is worth looking again, null when nothing is put off. */
async function deliverChannel(
  deps: Delivering,
  platform: Platform,
  channel: Channel,
  pace: Pace,
): Promise<number | null> {
  if (platform.isIdempotent) {
    // Showing is recording here: the page reads the rows, and one statement serves all of them.
    await recordShownHere(deps.database.db, channel.platform, channel.channel, deps.now());
    return null;
  }
  // Asked again for every message: a card that was settled meanwhile comes before those that are still to be posted.
  while (true) {
    const next = await nextMessage(deps, channel);
    if (next.type === "nothing") return null;
    if (next.type === "wait") return next.ms;
    if (!(await pace())) return null;
    await deliverMessage(deps, platform, next.message, next.threadAddress);
  }
}

type Next =
  | { readonly type: "message"; readonly message: Message; readonly threadAddress: string | null }
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "nothing" };

async function nextMessage(deps: Delivering, { platform, channel }: Channel): Promise<Next> {
  for (const message of await wantingMessages(deps.database.db, platform, channel)) {
    const waitMs = (message.notBefore?.getTime() ?? 0) - deps.now().getTime();
    if (waitMs > 0) return { type: "wait", ms: waitMs };
    if (message.address !== null && !mayEdit(deps, message)) continue;
    if (message.address === null && mustNotWake(deps, message)) continue;
    const threadAddress = await threadOf(deps, message);
    if (threadAddress !== undefined) return { type: "message", message, threadAddress };
  }
  return { type: "nothing" };
}

async function deliverMessage(
  deps: Delivering,
  platform: Platform,
  message: Message,
  threadAddress: string | null,
): Promise<void> {
  const { db } = deps.database;
  const post = await postOf(deps, message, threadAddress);
  if (message.address !== null) {
    const outcome = await platform.update(message.address, post);
    return await recordOutcome(deps, platform, message, post, outcome);
  }

  if (message.postingSince !== null) {
    const found = await platform.find(post, message.postingSince);
    if (found.type === "retry") return await putOff(deps, platform, message, post, found);
    if (found.type === "found") {
      deps.log.info("post.found-again", { messageId: message.messageId });
      const { messageId, card } = message;
      await recordShown(db, { messageId, address: found.address, version: 0, card }, deps.now());
      return await tellPosted(db, message, deps.now());
    }
    if (mayStillAppear(deps, platform, message, post)) return await putOff(deps, platform, message, post, notSeenYet);
  }
  if (!(await markPosting(db, message.messageId, deps.now()))) return;
  deps.log.info("post.intended", { messageId: message.messageId, subject: message.subject });
  const outcome = await platform.post(post);
  deps.log.info("post.answered", { messageId: message.messageId, outcome: outcome.type });
  await recordOutcome(deps, platform, message, post, outcome);
}

/** A picture appears some time after its call was answered: what is not seen yet is not posted again. */
function mayStillAppear(deps: Delivering, platform: Platform, { postingSince }: Message, post: Post): boolean {
  if (post.drawPicture === undefined || postingSince === null) return false;
  return deps.now().getTime() - postingSince.getTime() < platform.picturesAppearWithinMs;
}

const notSeenYet: NotNow = {
  type: "retry",
  afterMs: 2_000,
  reason: "not seen yet",
  mayBeShown: true,
  mayBePoisoned: false,
};

async function recordOutcome(
  deps: Delivering,
  platform: Platform,
  message: Message,
  post: Post,
  outcome: PostOutcome,
): Promise<void> {
  const { db } = deps.database;
  switch (outcome.type) {
    case "shown": {
      const { messageId, version, card } = message;
      await recordShown(db, { messageId, address: outcome.address, version, card }, deps.now());
      if (message.address === null) await tellPosted(db, message, deps.now());
      return;
    }
    case "gone":
      deps.log.info("post.gone", { messageId: message.messageId });
      return await forgetAddress(db, message.messageId);
    case "retry":
      return await putOff(deps, platform, message, post, outcome);
    case "rejected":
      return await degrade(deps, platform, message, post, outcome.reason);
  }
}

/** Once more as plain text, before anything that comes after it; then it is given up and the channel goes on (D17). */
async function degrade(
  deps: Delivering,
  platform: Platform,
  message: Message,
  post: Post,
  reason: string,
): Promise<void> {
  const { db } = deps.database;
  deps.log.warn("post.rejected", { messageId: message.messageId, reason });
  if (message.plain) return await postponeMessage(db, message.messageId, { undeliverable: reason });
  await postponeMessage(db, message.messageId, { plain: true, postingSince: null });
  await deliverMessage(deps, platform, { ...message, plain: true, postingSince: null }, post.threadAddress);
}

async function putOff(
  deps: Delivering,
  platform: Platform,
  message: Message,
  post: Post,
  { afterMs, reason, mayBeShown, mayBePoisoned }: NotNow,
): Promise<void> {
  const { longestPauseMs, attemptsBeforePoisoned } = deps.policy.delivery;
  const attempts = message.attempts + 1;
  if (mayBePoisoned && attempts >= attemptsBeforePoisoned && (await platform.isWell())) {
    return await degrade(deps, platform, message, post, `${reason}, ${attempts} times`);
  }
  // What the platform asked for is kept to; a failure without such a word is tried less and less often.
  const isFailure = mayBeShown || mayBePoisoned;
  const pauseMs = isFailure ? Math.min(longestPauseMs, afterMs * 2 ** Math.min(attempts - 1, 10)) : afterMs;
  deps.log.warn("post.put-off", { messageId: message.messageId, pauseMs, reason });
  const notBefore = new Date(deps.now().getTime() + pauseMs);
  const certain = mayBeShown ? {} : { postingSince: null };
  await postponeMessage(deps.database.db, message.messageId, { notBefore, ...certain });
}

/** The address of the message it hangs under; null at top level, undefined while that one is not posted yet. */
async function threadOf(deps: Delivering, message: Message): Promise<string | null | undefined> {
  if (message.threadSubject === null) return null;
  const parent = await findMessage(deps.database.db, message.platform, message.channel, message.threadSubject);
  if (parent === null || parent.undeliverable !== null) return null;
  return parent.address ?? undefined;
}

/** State changes at once, progress at most every so often (D17). */
function mayEdit(deps: Delivering, message: Message): boolean {
  if (message.urgentVersion > (message.postedVersion ?? 0)) return true;
  const sincePosted = deps.now().getTime() - (message.postedAt?.getTime() ?? 0);
  return sincePosted >= deps.policy.delivery.progressEveryMs;
}

/** Quiet hours hold what wants a person: it is posted when they are over, while edits and progress go on. */
function mustNotWake({ now, config }: Delivering, { card }: Message): boolean {
  const wantsSomebody = card.tone === "asking" || card.tone === "bad";
  return wantsSomebody && isQuiet(now(), config.quietHours, config.timezone);
}

async function postOf(deps: Delivering, message: Message, threadAddress: string | null): Promise<Post> {
  const { channel, plain } = message;
  const card = plain ? recoverCard(message.card) : message.card;
  const addresses = await addressesOf(deps.database.db, message.platform, linkedSubjects(card));
  const key = `cos-${message.messageId}`;
  const post = { channel, key, threadAddress, card, plain, addresses };
  const shown = pictureAlone(card);
  if (shown === null) return post;
  return { ...post, drawPicture: () => drawPng(weekChart(shown.picture.week, "light"), chartSize.width) };
}
