import { confirmationCard } from "../core/cards/lists.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { answerable } from "../core/checkpoints/find-option.ts";
import { compileReply } from "../core/replies/compile.ts";
import { readBackWords } from "../core/replies/read-back.ts";
import { meansTap, readTap } from "../core/replies/tapped.ts";
import { proposedReplies } from "../db/replies.ts";
import type { Deps } from "../deps.ts";
import { confirmReading, dismissReading, isSamePerson } from "../turns/answers/reading.ts";
import { answerWords } from "./answer-words.ts";
import { answererOf, type Caller, command, type CommandResult, done, refused } from "./command.ts";
import { anyId } from "./fields.ts";
import type { ReplyValue } from "./reply-kept.ts";

/** What happens to a reply that was read back: it is confirmed or dismissed, by a button or in words. */

export const confirm = command({
  name: "confirm",
  chatName: null,
  summary: "Confirm how a reply was read: what it says is done.",
  access: "change",
  positionals: { id: anyId() },
  run: (deps, caller, { id }) => confirmReply(deps, caller, id),
});

export const dismiss = command({
  name: "dismiss",
  chatName: null,
  summary: "Put aside how a reply was read: nothing follows from it.",
  access: "change",
  positionals: { id: anyId() },
  run: (deps, caller, { id }) => dismissReply(deps, caller, id),
});

/**
 * Handles a written answer to "Confirm?". A yes or no of the author of the reading is about the reading, not about the question above it.
 * A yes of somebody else, or with several readings, could mean either and decides nothing. Null when the reply is about the question.
 */
export async function typedTap(
  deps: Deps,
  caller: Caller,
  checkpoint: Checkpoint,
  { thread, text, at }: { readonly thread: string; readonly text: string; readonly at?: Date | undefined },
): Promise<CommandResult<ReplyValue> | null> {
  const { checkpointId, version, kind } = checkpoint;
  const said = readTap(text);
  const question = { options: answerable(checkpoint), asksClarification: kind === "clarify" };
  // "lgtm" after "I will go on. Confirm?" repeats the same.
  const read = compileReply(text, question);
  const isAgain = said === null && read.type === "proceed" && read.noted === undefined;
  const tap = isAgain ? "confirm" : said;
  if (tap === null) return null;
  const proposed = await proposedReplies(deps.database.db, checkpointId, version);
  const open = proposed.filter((each) => each.thread === thread || each.replyId === thread);
  const by = answererOf(caller);
  if (isAgain && open.some(({ compiled }) => compiled?.type !== "proceed")) return null;
  const means = meansTap(
    tap,
    open.map((each) => ({
      replyId: each.replyId,
      type: each.compiled?.type ?? "unclear",
      isOwn: isSamePerson(each, by, deps.config.people),
      isLater: at !== undefined && at < each.createdAt,
    })),
  );
  switch (means.type) {
    case "question":
      return null;
    case "confirm": {
      const confirmed = await confirmReply(deps, caller, means.replyId);
      return confirmed.type === "refused"
        ? confirmed
        : done({ became: "answer", subject: checkpointId }, confirmed.card);
    }
    case "dismiss": {
      const dismissed = await dismissReply(deps, caller, means.replyId);
      return dismissed.type === "refused"
        ? dismissed
        : done({ became: "comment", subject: checkpointId }, dismissed.card);
    }
    case "unclear": {
      const [reading] = open.filter((each) => each.replyId === means.replyId);
      const words = reading?.compiled == null ? "" : readBackWords(reading.compiled);
      return refused(
        `that could be a yes to the question, or to what ${reading?.actor ?? "somebody"} wrote (${words}); nothing was decided: press Confirm there, or say the choice by its name`,
        "cos checkpoints",
      );
    }
  }
}

async function confirmReply(deps: Deps, caller: Caller, replyId: string): Promise<CommandResult> {
  const by = answererOf(caller);
  const confirmed = await confirmReading(deps, replyId, by);
  if (confirmed === null) return refused(`Reply not found: ${replyId}`, "cos checkpoints");
  switch (confirmed.type) {
    case "answered":
      return answerWords(deps, confirmed.answered);
    case "not-open":
      return refused(`${replyId} does not wait for a tap: it is ${confirmed.status}`, "cos checkpoints");
    case "not-offered":
      return refused(`the question of ${replyId} does not offer that`, "cos checkpoints");
  }
}

async function dismissReply(deps: Deps, caller: Caller, replyId: string): Promise<CommandResult> {
  const by = answererOf(caller);
  if (!(await dismissReading(deps, replyId, by)))
    return refused(`${replyId} does not wait for a tap`, "cos checkpoints");
  return done({ replyId, status: "dismissed" }, confirmationCard(`${replyId} is put aside; nothing was decided.`));
}
