import { answerCheckpoint } from "../core/checkpoints/answering.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { acknowledgeLabel } from "../core/checkpoints/options.ts";
import { readReply } from "../core/replies/reply.ts";
import type { Deps } from "../deps.ts";
import { answerWords, asksAgain } from "./answer-words.ts";
import { type Caller, type CommandResult, type RefusedCall, refused } from "./command.ts";
import { answer } from "./decide.ts";
import { refusalFor } from "./execute.ts";
import type { ReplyValue } from "./reply-kept.ts";
import { wouldChange } from "./reply-subject.ts";

/**
 * Refuses a reply that came too late. For an expired question, names the command that asks again (D12). For a settled one, says who
 * answered, if the reply chose something else. Null when the reply would decide nothing.
 */
export function tooLate(
  deps: Deps,
  caller: Caller,
  checkpoint: Checkpoint,
  { thread, text }: { readonly thread: string; readonly text: string },
): CommandResult<ReplyValue> | null {
  const { checkpointId, kind, status, options, chosenOption } = checkpoint;
  if (status === "expired") {
    if (kind === "clarify" || kind === "breaker") return null;
    return refused(`${checkpointId} expired; nothing was decided`, asksAgain(checkpoint));
  }
  const isLong = text.length > deps.policy.text.longestInput;
  if (thread !== checkpointId || isLong || refusalFor(deps, caller, answer) !== null) return null;
  const read = readReply(text, options);
  if (read.type !== "answer") return wouldChange(checkpoint, text) ? settledAlready(checkpoint) : null;
  if (read.choice === chosenOption || read.choice === acknowledgeLabel) return null;
  const said = { ...nothingElse, choice: read.choice, instructions: read.instructions };
  const told = answerWords(deps, { decision: answerCheckpoint(checkpoint, said, deps.now()), checkpoint });
  return told.type === "refused" ? told : null;
}

/** Refuses instructions about a settled question, because they are no longer read. */
function settledAlready({ checkpointId, goalId, status, chosenOption }: Checkpoint): RefusedCall {
  const how = chosenOption === null ? status : `answered with ${chosenOption}`;
  return {
    type: "refused",
    reason: `${checkpointId} is ${how} already; what you wrote changes nothing`,
    next: goalId === null ? "cos status" : `cos why ${goalId}`,
  };
}

const nothingElse = { version: null, notes: null, criteria: null, budgetMicroUsd: null };
