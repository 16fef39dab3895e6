import type { NotNow, Platform, Post } from "../chat/platform.ts";
import { decidePutOff } from "../core/delivery/put-off.ts";
import { degradeMessage, putOffMessage } from "../db/delivered-messages.ts";
import { type Message } from "../db/messages.ts";
import type { Deps } from "../deps.ts";

/** For messages that could not be shown now: what waits for them, and until when. */

type Doors = Pick<Deps, "database" | "policy" | "log" | "now">;

/** How the platform behaved lately. Only in memory: a new process starts without it. */
export interface PlatformState {
  /** How many calls in a row did not reach the platform. */
  unreachable: number;
  /** How many messages the platform has answered so far. */
  taken: number;
  /** Messages at which it failed, with the value of `taken` at the first and at the last failure. */
  readonly failing: Map<number, { readonly first: number; readonly last: number }>;
}

/** A message, and the form in which the platform gets it. */
export interface MessageToPost {
  readonly message: Message;
  readonly post: Post;
}

/** The state of a platform about which nothing is known yet. */
export function newPlatformState(): PlatformState {
  return { unreachable: 0, taken: 0, failing: new Map() };
}

/** A message that may be posted already could not be looked for. Only this message waits, and that does not count as its failure. */
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

/** The platform did not take a message now. It waits, alone or with its channel, or is posted as plain text, or is given up. */
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

/** Pictures use other calls than cards. Their failures say nothing about the channel, and block no other message. */
function isAside(post: Post): boolean {
  return post.picture !== undefined;
}

/** Records that the platform answered about a message, whatever the answer. */
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
