import { confirmationCard } from "../core/cards/lists.ts";
import { askedSoAt, type Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { answerable } from "../core/checkpoints/find-option.ts";
import type { CompiledReply } from "../core/replies/compiled-reply.ts";
import { asksForState } from "../core/replies/asks-state.ts";
import { readBackWords } from "../core/replies/read-back.ts";
import { readReply } from "../core/replies/reply.ts";
import { safeOutput } from "../core/secrets/mask.ts";
import { shorten } from "../core/text.ts";
import type { Db } from "../db/connection/client.ts";
import { lastReading } from "../db/replies.ts";
import type { Deps } from "../deps.ts";
import { whyUnreadable } from "../turns/shared/readable.ts";
import { keepReading, takeBackReadings, type Written } from "../turns/answers/reading.ts";
import { editCommandWords } from "./answer-words.ts";
import {
  answererOf,
  type Caller,
  type CommandResult,
  command,
  done,
  type RefusedCall,
  refused,
  unknownSubject,
  UsageError,
} from "./command.ts";
import { answer } from "./decide.ts";
import { execute, refusalFor } from "./execute.ts";
import { anyId, choice, moment, restOfLine, freeText as textOf, type Values } from "./fields.ts";
import { changes, type ReplyToKeep, keep, keepIn, kept, type ReplyValue } from "./reply-kept.ts";
import { meansToAnswer, readAnew, readIn, runsFixedCommand } from "./reply-reading.ts";
import { tooLate } from "./reply-late.ts";
import { findSubject, readsAsAnswer, tellingCommand } from "./reply-subject.ts";
import { typedTap } from "./reply-tap.ts";

const replying = {
  change: choice("C", changes, "said (default), edited or deleted: what happened to the reply").optional(),
  at: moment("TIME", "when it was written (ISO 8601), for replies that arrive late").optional(),
  message: textOf("ID", "the platform's own id of what was written, by which a later change finds it").optional(),
};

export const reply = command({
  name: "reply",
  chatName: null,
  summary:
    "Say something about a goal or question: `ok`, `skip`, `pause` answer an open question, the rest is read back or kept.",
  access: "comment",
  positionals: { subject: anyId(), text: restOfLine().optional() },
  options: replying,
  run: takeReply,
});

/**
 * Handles a reply in the thread of a card, or a later change of it. A reply can decide something only if it is new, about an open
 * question, and was written after that was asked. One word decides at once; prose decides when somebody has confirmed its reading. A
 * changed reply never decides by itself: its earlier reading is withdrawn, and the new text is read back (F-404). Everything is kept in
 * the timeline.
 */
export async function takeReply(
  deps: Deps,
  caller: Caller,
  given: Partial<Values<typeof replying>> & { readonly subject: string; readonly text?: string | undefined },
): Promise<CommandResult<ReplyValue>> {
  const { subject, text = "", change = "said", message = null } = given;
  if (text.trim() === "" && change !== "deleted") throw new UsageError("TEXT is missing");
  const about = await findSubject(deps, subject);
  if (about === null) return unknownSubject(subject);
  const { checkpoint } = about;
  if (change !== "deleted" && message !== null && (await isReadSo(deps, message, text))) return kept(subject, about);
  if (change !== "said")
    return await takeChange(deps, caller, { ...about, change, text, message, thread: subject, at: given.at });
  if (asksForState(text)) {
    await keep(deps, caller, { ...about, change, text });
    return refused("that is a question, so nothing was decided; see what happened so far", tellingCommand(about));
  }
  const isOpen = checkpoint?.status === "pending";
  if (checkpoint === null || !isOpen) {
    await keep(deps, caller, { ...about, change, text });
    if (checkpoint === null && (await readsAsAnswer(deps, subject, text)))
      return refused(
        "several goals have this thread; nothing was decided: answer under the question itself",
        "cos checkpoints",
      );
    return (
      (checkpoint === null ? null : tooLate(deps, caller, checkpoint, { thread: subject, text })) ??
      kept(subject, about, "none")
    );
  }

  // The checks come in this order: whether the person may answer, the length, and then what the reply says.
  const refusal = refusalFor(deps, caller, answer);
  if (refusal !== null)
    return await hearStranger(deps, caller, { ...about, checkpoint, change, text, thread: subject }, refusal);
  const longest = deps.policy.text.longestInput;
  if (text.length > longest) {
    await keep(deps, caller, { ...about, change, text });
    return refused(`the reply has ${text.length} characters, at most ${longest} are taken; nothing was decided`);
  }
  const tapped = await typedTap(deps, caller, checkpoint, { thread: subject, text, at: given.at });
  if (tapped !== null) {
    await keep(deps, caller, { ...about, change, text });
    return tapped;
  }
  const runsCommand = await runsFixedCommand(deps, checkpoint);
  const read = readIn(deps, checkpoint, { thread: subject, text, runsCommand });
  if (read.type !== "comment" && wasWrittenBefore(checkpoint, given.at)) {
    await keep(deps, caller, { ...about, change, text });
    const said = shorten(text, 40);
    return refused(`the question changed after you wrote "${said}"; nothing was decided`, "cos checkpoints");
  }
  switch (read.type) {
    case "answer":
      return await answerBy(deps, caller, checkpoint, read);
    case "comment":
      await keep(deps, caller, { ...about, change, text });
      return kept(subject, about, "open");
    case "refused":
      await keep(deps, caller, { ...about, change, text });
      return refused(read.why, editCommandWords(checkpoint.goalId ?? ""));
    case "prose":
      return await propose(
        deps,
        caller,
        { ...about, checkpoint, change, text, thread: subject, message },
        read.compiled,
      );
  }
}

/** Handles an edited or deleted reply: its earlier reading can no longer be confirmed, and new words are read back. */
async function takeChange(
  deps: Deps,
  caller: Caller,
  changed: ReplyToKeep & {
    readonly change: "edited" | "deleted";
    readonly message: string | null;
    readonly thread: string;
    readonly at: Date | undefined;
  },
): Promise<CommandResult<ReplyValue>> {
  const { change, message, checkpoint, text, thread } = changed;
  // A reply that was first written before the question was asked is about something else.
  const isAboutIt = message !== null && checkpoint?.status === "pending" && !wasWrittenBefore(checkpoint, changed.at);
  const mayDecide = isAboutIt && refusalFor(deps, caller, answer) === null;
  if (mayDecide && change === "edited" && text.length <= deps.policy.text.longestInput) {
    const compiled = await readAnew(deps, checkpoint, text);
    const isTalk = compiled?.type === "unclear" && checkpoint.kind !== "escalation";
    if (!isTalk) return await propose(deps, caller, { ...changed, checkpoint }, compiled);
  }
  await deps.database.transaction((tx) => keepChange(tx, deps, caller, changed));
  return kept(thread, changed);
}

/** Keeps a reply; after a change of it, its earlier readings can no longer be confirmed. */
async function keepChange(
  tx: Db,
  deps: Deps,
  caller: Caller,
  reply: ReplyToKeep & Pick<Written, "message">,
): Promise<void> {
  const { change, message, text } = reply;
  // A deletion without known text may be that of a card. It withdraws readings, and is not recorded as a reply.
  if (change !== "deleted" || text !== "") await keepIn(tx, deps, caller, reply);
  if (message === null || change === "said") return;
  const became = change === "edited" ? "edited" : "withdrawn";
  await takeBackReadings(tx, deps, { message, became, by: answererOf(caller) });
}

/**
 * True when the last reading was of exactly these words: a message that was written and edited while no process was listening is fetched
 * in its current form.
 */
async function isReadSo({ database, config }: Deps, message: string, text: string): Promise<boolean> {
  const last = await lastReading(database.db, message);
  return last !== null && last.text === safeOutput(text, config.secrets);
}

/** Maximum length of a reply that is one of the choices. */
const longestWord = 200;

/**
 * Handles a reply of somebody who may not answer. It is kept and decides nothing. If the person clearly means to answer, they are told
 * that they may not.
 */
async function hearStranger(
  deps: Deps,
  caller: Caller,
  what: ReplyToKeep & { readonly checkpoint: Checkpoint; readonly thread: string },
  refusal: RefusedCall,
): Promise<CommandResult<ReplyValue>> {
  const { checkpoint, text, thread } = what;
  const isUnderIt = thread === checkpoint.checkpointId || thread === checkpoint.subject;
  const isShort = isUnderIt && text.length <= longestWord;
  const isWord = isShort && readReply(text, answerable(checkpoint)).type === "answer";
  if (isWord || checkpoint.kind === "clarify") return refusal;
  await keep(deps, caller, what);
  return isShort && meansToAnswer(checkpoint, text) ? refusal : kept(thread, what);
}

/**
 * Reads back prose in its thread, or asks about unclear prose. Refuses a command that no shell can parse. The reply and its reading are
 * stored in one transaction.
 */
async function propose(
  deps: Deps,
  caller: Caller,
  what: ReplyToKeep & Pick<Written, "checkpoint" | "thread" | "message">,
  compiled: CompiledReply | null,
): Promise<CommandResult<ReplyValue>> {
  const { checkpoint, thread, message } = what;
  const text = safeOutput(what.text, deps.config.secrets);
  const unread = compiled?.type === "edit" ? await whyUnreadable(compiled.command) : null;
  if (unread !== null) {
    await deps.database.transaction((tx) => keepChange(tx, deps, caller, what));
    return refused(unread, editCommandWords(checkpoint.goalId ?? ""));
  }
  const written = { checkpoint, thread, text, message, writer: answererOf(caller) };
  const replyId = await deps.database.transaction(async (tx) => {
    await keepChange(tx, deps, caller, what);
    return await keepReading(tx, deps, written, compiled);
  });
  if (compiled === null) await deps.ring("read-replies");
  const became = compiled?.type === "unclear" ? "question" : "proposal";
  const value: ReplyValue & { replyId: string } = { became, subject: what.checkpoint.checkpointId, replyId };
  if (compiled === null) return done(value, confirmationCard(`${replyId} is being read.`));
  const next = became === "question" ? [] : [`Confirm? cos confirm ${replyId}`];
  return done(value, confirmationCard(readBackWords(compiled), next));
}

async function answerBy(
  deps: Deps,
  caller: Caller,
  checkpoint: Checkpoint,
  read: { readonly choice: string; readonly instructions: string | null; readonly reason?: string },
): Promise<CommandResult<ReplyValue>> {
  const { checkpointId, version } = checkpoint;
  const words = {
    ...(read.instructions === null ? {} : { instructions: read.instructions }),
    ...(read.reason === undefined ? {} : { notes: safeOutput(read.reason, deps.config.secrets) }),
  };
  const call = answer.with({ id: { checkpointId, version }, choice: read.choice, ...words });
  const answered = await execute(deps, caller, call);
  if (answered.type === "refused") return answered;
  const value: ReplyValue = { became: "answer", subject: checkpointId };
  return { ...answered, value };
}

function wasWrittenBefore(checkpoint: Checkpoint, at: Date | undefined): boolean {
  return at !== undefined && at < askedSoAt(checkpoint);
}
