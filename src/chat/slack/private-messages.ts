import type { types, webApi } from "@slack/bolt";
import type { Text } from "../../core/cards/card.ts";
import {
  neverWords,
  notYetWords,
  refusalTexts,
  unknownButtonWords,
  workingOnItWords,
} from "../../core/cards/chat-words.ts";
import type { FormWords } from "../../core/cards/forms.ts";
import type { MakeCall } from "../calls.ts";
import type { Refused, ChatAnswer } from "../inbox.ts";
import { errorWord, networkWord, troubleOf } from "./clients.ts";
import { drawCard } from "./draw.ts";
import type { Words } from "./mrkdwn.ts";
import { blocksView, drawLines, section, typedBlocks, wordsView } from "./views.ts";

/** A message that only one person sees. */
export interface PrivateMessage {
  readonly text: string;
  readonly blocks?: types.KnownBlock[];
}

/** The title of a window that shows a result. A window that says why nothing happened has another title. */
export const doneWindow = "Done";

/** Where a person can be told something, best first: beside what they pressed, in the window that is open, or in a new window. */
export interface PrivateTarget {
  readonly userId: string;
  readonly channel: string | null;
  readonly threadTs: string | null;
  readonly triggerId: string | null;
  /** A window that their action opened. */
  readonly viewId: string | null;
  /** The URL at which Slack takes an answer to their action even from an app outside the channel; null when there is none. */
  readonly responseUrl: string | null;
  /** The title, if it is shown in a window. */
  readonly title?: string;
}

/**
 * Tells one person something. Returns the id of the window that shows it, or null for a message in a channel. A message in a channel
 * waits for rate limits; a window opens within seconds or not at all. Rejects with what the client rejects with, or with both errors when
 * the response URL failed too.
 */
export async function sendPrivately(
  { client, patiently }: { readonly client: webApi.WebClient; readonly patiently: MakeCall },
  target: PrivateTarget,
  said: PrivateMessage,
): Promise<string | null> {
  const { userId: user, channel, threadTs, triggerId, viewId, responseUrl, title } = target;
  if (channel !== null) {
    const thread = threadTs === null ? {} : { thread_ts: threadTs };
    await patiently(() => client.chat.postEphemeral({ channel, user, ...said, ...thread })).catch(
      async (error: unknown) => {
        if (responseUrl === null || mayBeSeen(error)) throw error;
        await respond(responseUrl, { ...said, ...thread }).catch((why: unknown) => {
          throw new Error(`${errorWord(error)}; and as an answer: ${networkWord(why)}`, { cause: error });
        });
      },
    );
    return null;
  }
  if (viewId !== null) {
    await patiently(() => client.views.update({ view_id: viewId, view: saidView(said, title) }));
    return viewId;
  }
  if (triggerId === null) return null;
  const opened = await client.views.open({ trigger_id: triggerId, view: saidView(said, title) });
  return opened.view?.id ?? null;
}

/** True when the message may have arrived although the call failed; it is then not sent a second time. */
function mayBeSeen(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.type === "retry" && trouble.mayBeShown;
}

const respondWithinMs = 10_000;

/**
 * Answers an action at its response URL, which Slack accepts for half an hour. Throws what fetch throws, and when Slack does not accept
 * the answer.
 */
async function respond(url: string, said: object): Promise<void> {
  const body = JSON.stringify({ response_type: "ephemeral", replace_original: false, ...said });
  const headers = { "content-type": "application/json" };
  const answered = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(respondWithinMs) });
  if (!answered.ok) throw new Error(`the answer was not taken (HTTP ${answered.status})`);
  await answered.body?.cancel();
}

/** Draws a private message as a window. */
export function saidView({ text, blocks }: PrivateMessage, title?: string): types.ModalView {
  return blocks === undefined ? wordsView([text], title) : blocksView(blocks, title);
}

/** Draws lines as a private message. */
export function privateMessage(lines: readonly Text[]): PrivateMessage {
  return { text: drawLines(lines).join("\n") };
}

/** Adds the values that were typed into a form that was not taken. */
export function withTyped(said: PrivateMessage, typed: FormWords): PrivateMessage {
  const given = typedBlocks(typed);
  return given.length === 0 ? said : { ...said, blocks: [section(said.text), ...given] };
}

export const notYet = privateMessage([[notYetWords]]);
export const workingOnIt = privateMessage([[workingOnItWords]]);
export const never = privateMessage([[neverWords]]);
export const unknownButton = privateMessage([[unknownButtonWords]]);

/** Returns the message that says why something was refused, and what to do. */
export function refusal(refused: Refused): PrivateMessage {
  return privateMessage(refusalTexts(refused));
}

/** Returns the answer to a command. */
export function answerOf(told: Exclude<ChatAnswer, { type: "repeated" }>, words: Words): PrivateMessage {
  return told.type === "refused" ? refusal(told) : drawCard(told.card, words);
}
