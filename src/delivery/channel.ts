import type { Channel, NotNow, Platform, PostOutcome } from "../chat/platform.ts";
import { nameOfCard } from "../core/cards/outside-thread.ts";
import { isQuiet } from "../core/checkpoints/quiet.ts";
import {
  degradeMessage,
  markPosting,
  type NextMessage,
  nextMessage,
  recordShown,
  recordShownHere,
  tellPosted,
} from "../db/delivered-messages.ts";
import { forgetAddress } from "../db/deleted-messages.ts";
import { type Message } from "../db/messages.ts";
import { isSameChannel, sayWhereItIs } from "../db/channels.ts";
import type { Deps } from "../deps.ts";
import { logAbout } from "../log.ts";
import { carefully } from "./careful.ts";
import { renewReminder } from "./late-reminder.ts";
import { postOf, type PostThread } from "./post.ts";
import { lookLater, noteTaken, putOff, type PlatformState, type MessageToPost } from "./put-off.ts";

/** Dependencies of one channel's loop. */
export type ChannelDeps = Pick<Deps, "database" | "config" | "policy" | "log" | "now" | "tracing">;

/** Resolves when the next call is due. "stopped" when it must not be made: delivery is stopping, or another process owns the channel. */
export type AwaitPace = () => Promise<"due" | "waited" | "stopped">;

/** A channel with the state of its one loop. */
export interface ChannelPlace {
  readonly platform: Platform;
  readonly channel: Channel;
  /** Channels that settings do not name any more. Their cards say where they continue. */
  readonly left: readonly Channel[];
  readonly pace: AwaitPace;
  readonly state: PlatformState;
}

/** Brings the channel up to date. Returns the milliseconds after which to look again, or null when nothing is put off. */
export async function deliverChannel(deps: ChannelDeps, place: ChannelPlace): Promise<number | null> {
  const { platform, channel } = place;
  const { db } = deps.database;
  if (platform.isIdempotent) {
    // A stored message is a shown one here: the page reads the rows, and one statement records all of them.
    await recordShownHere(db, channel.platform, channel.channel, deps.now());
    return null;
  }
  const { config, policy } = deps;
  await platform.locate();
  // Queries again for every message: a card that was settled meanwhile comes before those that are still to be posted.
  while (true) {
    const now = deps.now();
    const seen = await lookNow();
    if (seen.type === "nothing") return null;
    if (seen.type === "wait") return seen.until.getTime() - now.getTime();
    const pace = await place.pace();
    if (pace === "stopped") return null;
    // A card that was clicked meanwhile comes first.
    const next = pace === "waited" ? await lookNow() : seen;
    if (next.type !== "message") continue;
    const { message, threadAddress, answers, goalId } = next;
    const thread = { threadAddress, ...(answers === null ? {} : { belongsTo: nameOfCard(answers) }) };
    const about = { messageId: message.messageId, subject: message.subject, ...(goalId === null ? {} : { goalId }) };
    const told = { goal: goalId, message: message.messageId, subject: message.subject, platform: platform.name };
    await logAbout(deps, about, (doors) =>
      deps.tracing.span(`deliver ${platform.name}`, told, () => deliverMessage(doors, place, message, thread)),
    );
  }

  async function lookNow(): Promise<NextMessage> {
    const now = deps.now();
    const quiet = isQuiet(now, config.quietHours, config.timezone);
    const { progressEveryMs, awaitParentMs } = policy.delivery;
    return await nextMessage(db, channel, { now, isQuiet: quiet, progressEveryMs, awaitParentMs });
  }
}

async function deliverMessage(
  deps: ChannelDeps,
  place: ChannelPlace,
  message: Message,
  thread: PostThread,
): Promise<void> {
  const { db } = deps.database;
  const { picturesAppearWithinMs } = place.platform;
  const platform = carefully(place.platform, deps.log);
  const post = await postOf(deps, message, thread);
  if (message.address !== null) {
    const outcome = await platform.update(message.address, post);
    return await recordOutcome(deps, place, { message, post }, outcome);
  }

  if (message.postingSince !== null) {
    const found = await platform.find(post, message.postingSince);
    if (found.type === "retry") return await lookLater(deps, place.state, message, found);
    if (found.type === "found") return await recordFound(deps, place, message, found);
    if (post.picture !== undefined) {
      const { postingSince, pictureUnderWay } = message;
      if (pictureUnderWay?.isTaken === true) return await putOff(deps, place, { message, post }, notSeenYet(0));
      const waitedMs = deps.now().getTime() - postingSince.getTime();
      // A picture appears some time after its call was answered: one that is not visible yet is not posted again.
      if (waitedMs < picturesAppearWithinMs) return await lookLater(deps, place.state, message, notSeenYet(waitedMs));
    }
  }
  // After a change of the reminder, the loop reads the message again.
  if (message.postingSince === null && (await renewReminder(deps, message))) return;
  if (!(await markPosting(db, message.messageId, deps.now()))) return;
  deps.log.info("post.intended", { messageId: message.messageId, subject: message.subject });
  const outcome = await platform.post(post);
  deps.log.info("post.answered", { messageId: message.messageId, outcome: outcome.type });
  await recordOutcome(deps, place, { message, post }, outcome);
}

/** The longer a picture is missing, the less often it is looked for. */
function notSeenYet(waitedMs: number): NotNow {
  const afterMs = Math.min(Math.max(waitedMs, 2_000), 10_000);
  return { type: "retry", why: "not-there-yet", afterMs, reason: "not seen yet", mayBeShown: true };
}

async function recordFound(
  deps: ChannelDeps,
  place: ChannelPlace,
  message: Message,
  { address, isPicture }: { readonly address: string; readonly isPicture: boolean },
): Promise<void> {
  const { db } = deps.database;
  const { messageId, card } = message;
  deps.log.info("post.found-again", { messageId });
  place.state.unreachable = 0;
  // The content of a picture does not change. Any other message that was found may show an older version.
  await recordShown(db, { messageId, address, version: isPicture ? message.version : 0, card }, deps.now());
  await notePosted(deps, place, message);
}

/** Records the first post of a message in the timeline, and in its copies in channels that were left. */
async function notePosted(deps: ChannelDeps, { left }: ChannelPlace, message: Message): Promise<void> {
  const { db } = deps.database;
  await tellPosted(db, message, deps.now());
  if (left.length > 0) await deps.database.transaction((tx) => sayWhereItIs(tx, message, left, deps.now()));
}

async function recordOutcome(
  deps: ChannelDeps,
  place: ChannelPlace,
  { message, post }: MessageToPost,
  outcome: PostOutcome,
): Promise<void> {
  const { db } = deps.database;
  // In a left channel nobody needs the card, and the platform may refuse us for good: a permanent failure counts as shown.
  if (place.left.some((each) => isSameChannel(each, message)) && outcome.type !== "shown" && !isPassing(outcome))
    return await recordShown(db, { ...message, address: message.address ?? "" }, deps.now());
  if (outcome.type === "retry") return await putOff(deps, place, { message, post }, outcome);
  noteTaken(place.state, message.messageId, post);
  switch (outcome.type) {
    case "shown": {
      const { messageId, version, card } = message;
      await recordShown(db, { messageId, address: outcome.address, version, card }, deps.now());
      if (message.address === null) await notePosted(deps, place, message);
      return;
    }
    case "gone":
      deps.log.info("post.gone", { messageId: message.messageId });
      return await forgetAddress(db, message.messageId);
    case "rejected": {
      const { messageId } = message;
      deps.log.warn("post.rejected", { messageId, reason: outcome.reason });
      if (message.plain) return await degradeMessage(db, messageId, { undeliverable: outcome.reason });
      // Once more as plain text, before any later message. If that is rejected too, it is given up and the channel continues (D17).
      await degradeMessage(db, messageId, { plain: true, postingSince: null });
      await deliverMessage(deps, place, { ...message, plain: true, postingSince: null }, post);
    }
  }
}

function isPassing(outcome: PostOutcome): boolean {
  return outcome.type === "retry" && ["limit", "message-limit", "unreachable"].includes(outcome.why);
}
