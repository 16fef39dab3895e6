import type { NotNow, Platform, Post } from "../chat/platform.ts";
import { decidePutOff } from "../core/delivery/put-off.ts";
import { degradeMessage, putOffMessage } from "../db/delivered-messages.ts";
import { type Message } from "../db/messages.ts";
import type { Deps } from "../deps.ts";

/** What was not shown now: who waits for it, and until when. */

type Doors = Pick<Deps, "database" | "policy" | "log" | "now">;

/** What the platform did lately. In memory: a new process learns it anew. */
export interface PlatformState {
  /** How often in a row nobody was reached. */
  unreachable: number;
  /** How many messages it took so far. */
  taken: number;
  /** At which messages it failed, and how many it had taken when it did so for the first and for the last time. */
  readonly failing: Map<number, { readonly first: number; readonly last: number }>;
}

/** A message and how the platform is told of it. */
export interface MessageToPost {
  readonly message: Message;
  readonly post: Post;
}

/** A platform of which nothing is known yet. */
export function newPlatformState(): PlatformState {
  return { unreachable: 0, taken: 0, failing: new Map() };
}

/** A message that may be there already could not be looked for: it alone waits, and that is not its fault. */
export async function lookLater(deps: Doors, state: PlatformState, message: Message, outcome: NotNow): Promise<void> {
  const { why, reason } = outcome;
  if (why === "unreachable") state.unreachable += 1;
  const afterMs = why === "failed" ? Math.max(outcome.afterMs, lookAgainMs) : outcome.afterMs;
  const nobody = { failures: 0, failsAtOthers: false, tookOthers: false, isPlain: false };
  const facts = { why, afterMs, isAside: true, unreachable: state.unreachable, ...nobody };
  const { ms } = decidePutOff(facts, deps.policy);
  deps.log.info("post.looked-for", { messageId: message.messageId, pauseMs: ms, reason });
  const notBefore = new Date(deps.now().getTime() + ms);
  const putOff = { notBefore, holdsChannel: false, isCertain: false, failed: false };
  await putOffMessage(deps.database.db, message.messageId, putOff);
}

const lookAgainMs = 10_000;

/** The platform does not take a message now: it waits, alone or with its channel, or goes on as plain words. */
export async function putOff(
  deps: Doors,
  { platform, state }: { readonly platform: Platform; readonly state: PlatformState },
  { message, post }: MessageToPost,
  outcome: NotNow,
): Promise<void> {
  const { db } = deps.database;
  const { messageId, plain } = message;
  const { why, afterMs, reason, mayBeShown } = outcome;
  const failed = why === "failed" || why === "not-there-yet";
  const failures = message.attempts + (failed ? 1 : 0);
  const noted = noteTrouble(state, messageId, post, outcome);
  const facts = { why, afterMs, isAside: isAside(post), failures, isPlain: plain, ...noted };
  const decision = decidePutOff(facts, deps.policy);
  const isPoisoned = decision.type === "suspect" && (await platform.isWell());
  if (isPoisoned && decision.next === "give-up") {
    state.failing.delete(messageId);
    const often = `${reason}, ${failures} times`;
    deps.log.warn("post.rejected", { messageId, reason: often });
    return await degradeMessage(db, messageId, { undeliverable: often });
  }
  const holdsChannel = decision.type === "wait" && decision.who === "channel";
  deps.log.warn("post.put-off", { messageId, pauseMs: decision.ms, reason, holdsChannel, isPoisoned });
  await putOffMessage(db, messageId, {
    notBefore: new Date(deps.now().getTime() + decision.ms),
    holdsChannel,
    isCertain: !mayBeShown,
    failed,
    ...(isPoisoned ? { plain: true } : {}),
  });
}

/** Pictures go through other calls than cards: what they meet says nothing of the channel, and they hold nobody. */
function isAside(post: Post): boolean {
  return post.picture !== undefined;
}

/** The platform answered about a message, whatever it said. */
export function noteTaken(state: PlatformState, messageId: number, post: Post): void {
  state.unreachable = 0;
  if (isAside(post)) return;
  state.taken += 1;
  state.failing.delete(messageId);
}

function noteTrouble(
  state: PlatformState,
  messageId: number,
  post: Post,
  { why }: NotNow,
): { readonly unreachable: number; readonly failsAtOthers: boolean; readonly tookOthers: boolean } {
  const { taken, failing } = state;
  if (why === "unreachable") state.unreachable += 1;
  const first = failing.get(messageId)?.first ?? taken;
  if (why === "failed" && !isAside(post)) failing.set(messageId, { first, last: taken });
  const failsAtOthers = [...failing].some(([other, { last }]) => other !== messageId && last === taken);
  return { unreachable: state.unreachable, failsAtOthers, tookOthers: first < taken };
}
