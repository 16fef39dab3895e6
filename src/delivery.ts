import type { Channel, Platform, Post } from "./chat/platform.ts";
import { recoverCard } from "./core/cards/plain.ts";
import {
  findMessage,
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
 *               │ died here, or the answer was lost
 *               └► look for our key in the channel first ──found──► record, then edit
 */
export interface Delivery {
  /** Looks now; returns when this pass has done what could be done. Calls during a pass cause one more. */
  deliver(): Promise<void>;
  stop(): Promise<void>;
}

type Delivering = Pick<Deps, "database" | "channels" | "policy" | "log" | "now" | "signals">;

/** `lockUrl` is the database on which channel ownership is locked: one owner per channel over all bots. */
export function startDelivery(deps: Delivering, platforms: readonly Platform[], lockUrl: string): Delivery {
  const owner = openOwnership(lockUrl, (error) => deps.log.warn("delivery.no-owner", { error: error.message }));
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let again = false;

  async function passes(): Promise<void> {
    do {
      again = false;
      for (const channel of deps.channels) {
        const platform = platforms.find((each) => each.name === channel.platform);
        if (
          platform === undefined ||
          stopping.signal.aborted ||
          !(await owner.owns(`delivery ${channel.platform} ${channel.channel}`))
        )
          continue;
        await deliverChannel(deps, platform, channel).catch((error: unknown) => {
          deps.log.error("delivery.failed", { ...channel, error: String(error) });
        });
      }
    } while (again && !stopping.signal.aborted);
  }

  function deliver(): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve();
    again = true;
    running ??= passes().finally(() => {
      running = null;
    });
    return running;
  }

  const unsubscribe = deps.signals.on((signal) => {
    if (signal.type === "messages") void deliver();
  });
  const timer = setInterval(() => void deliver(), deps.policy.delivery.fallbackMs);

  return {
    deliver,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      unsubscribe();
      await running;
      await owner.release();
    },
  };
}

async function deliverChannel(deps: Delivering, platform: Platform, channel: Channel): Promise<void> {
  if (platform.isIdempotent) {
    // Showing is recording here: the page reads the rows, and one statement serves all of them.
    await recordShownHere(deps.database.db, channel.platform, channel.channel, deps.now());
    return;
  }
  for (const message of await wantingMessages(deps.database.db, channel.platform, channel.channel, deps.now())) {
    const goOn = await deliverMessage(deps, platform, message);
    if (!goOn) return;
  }
}

/** False when the channel must wait: order is kept, so nothing after this message goes out now. */
async function deliverMessage(deps: Delivering, platform: Platform, message: Message): Promise<boolean> {
  const { db } = deps.database;
  const threadAddress = await threadOf(deps, message);
  if (threadAddress === undefined) return true;
  if (message.address !== null) {
    if (!mayEdit(deps, message)) return true;
    const outcome = await platform.update(message.address, postOf(message, threadAddress));
    return await recordOutcome(deps, platform, message, outcome);
  }

  if (message.postingSince !== null) {
    const found = await platform.find(message.channel, keyOf(message));
    if (found.type === "retry") return await putOff(deps, message, found.afterMs, found.reason);
    if (found.type === "found") {
      deps.log.info("post.found-again", { messageId: message.messageId });
      await recordShown(
        db,
        { messageId: message.messageId, address: found.address, version: 0, card: message.card },
        deps.now(),
      );
      return await deliverMessage(deps, platform, {
        ...message,
        address: found.address,
        postedVersion: 0,
        postingSince: null,
      });
    }
  }
  if (!(await markPosting(db, message.messageId, deps.now()))) return true;
  deps.log.info("post.intended", { messageId: message.messageId, subject: message.subject });
  const outcome = await platform.post(postOf(message, threadAddress));
  deps.log.info("post.answered", { messageId: message.messageId, outcome: outcome.type });
  return await recordOutcome(deps, platform, message, outcome);
}

async function recordOutcome(
  deps: Delivering,
  platform: Platform,
  message: Message,
  outcome: Awaited<ReturnType<Platform["post"]>>,
): Promise<boolean> {
  const { db } = deps.database;
  switch (outcome.type) {
    case "shown": {
      const { messageId, version, card } = message;
      await recordShown(db, { messageId, address: outcome.address, version, card }, deps.now());
      if (message.address === null) await tellPosted(db, message, deps.now());
      return true;
    }
    case "retry":
      return await putOff(deps, message, outcome.afterMs, outcome.reason);
    case "rejected": {
      deps.log.warn("post.rejected", { messageId: message.messageId, reason: outcome.reason });
      if (message.plain) {
        await postponeMessage(db, message.messageId, { undeliverable: outcome.reason });
        return true;
      }
      // Once more as plain text, before anything that comes after it; then it is given up and the channel goes on (D17).
      await postponeMessage(db, message.messageId, { plain: true });
      return await deliverMessage(deps, platform, { ...message, plain: true });
    }
  }
}

async function putOff(deps: Delivering, message: Message, afterMs: number, reason: string): Promise<boolean> {
  deps.log.warn("post.put-off", { messageId: message.messageId, afterMs, reason });
  const notBefore = new Date(deps.now().getTime() + afterMs);
  await postponeMessage(deps.database.db, message.messageId, { notBefore });
  return false;
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

function keyOf(message: Message): string {
  return `cos-${message.messageId}`;
}

function postOf(message: Message, threadAddress: string | null): Post {
  const { channel, plain } = message;
  const card = plain ? recoverCard(message.card) : message.card;
  return { channel, key: keyOf(message), threadAddress, card, plain };
}
