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

/** Something said to one person only. */
export interface PrivateMessage {
  readonly text: string;
  readonly blocks?: types.KnownBlock[];
}

/** The title of a window that says what came of something; one that says why nothing did has another. */
export const doneWindow = "Done";

/**
 * Where one person can be told something, best first: beside what they pressed, in the window that they see already, or in one that is
 * opened for it.
 */
export interface PrivateTarget {
  readonly userId: string;
  readonly channel: string | null;
  readonly threadTs: string | null;
  readonly triggerId: string | null;
  /** A window that was opened by what they did. */
  readonly viewId: string | null;
  /** Where Slack takes an answer to what they did also from an app that is not in the channel; null where it gave none. */
  readonly responseUrl: string | null;
  /** What the window is called, where it is one. */
  readonly title?: string;
}

/**
 * Tells one person; the id of the window that says it, null for a line in a channel. A line in a channel is told after a limit, too; a
 * window opens within seconds or not at all. Rejects with what the client rejects with, or with both words where neither way was taken.
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

/** Nobody is told twice: where Slack did not say that it refused, they may see it. */
function mayBeSeen(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.type === "retry" && trouble.mayBeShown;
}

const respondWithinMs = 10_000;

/** Answers what somebody pressed, which Slack takes for half an hour. Throws what fetch throws, and where Slack does not take it. */
async function respond(url: string, said: object): Promise<void> {
  const body = JSON.stringify({ response_type: "ephemeral", replace_original: false, ...said });
  const headers = { "content-type": "application/json" };
  const answered = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(respondWithinMs) });
  if (!answered.ok) throw new Error(`the answer was not taken (HTTP ${answered.status})`);
  await answered.body?.cancel();
}

/** The window in which something is said. */
export function saidView({ text, blocks }: PrivateMessage, title?: string): types.ModalView {
  return blocks === undefined ? wordsView([text], title) : blocksView(blocks, title);
}

/** Lines for one person. */
export function privateMessage(lines: readonly Text[]): PrivateMessage {
  return { text: drawLines(lines).join("\n") };
}

/** The same, with what was typed into a form that was not taken. */
export function withTyped(said: PrivateMessage, typed: FormWords): PrivateMessage {
  const given = typedBlocks(typed);
  return given.length === 0 ? said : { ...said, blocks: [section(said.text), ...given] };
}

export const notYet = privateMessage([[notYetWords]]);
export const workingOnIt = privateMessage([[workingOnItWords]]);
export const never = privateMessage([[neverWords]]);
export const unknownButton = privateMessage([[unknownButtonWords]]);

/** A private message that says why something was refused, and what to do. */
export function refusal(refused: Refused): PrivateMessage {
  return privateMessage(refusalTexts(refused));
}

/** What a command answered. */
export function answerOf(told: Exclude<ChatAnswer, { type: "repeated" }>, words: Words): PrivateMessage {
  return told.type === "refused" ? refusal(told) : drawCard(told.card, words);
}
