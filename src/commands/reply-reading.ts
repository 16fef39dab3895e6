import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { answerable } from "../core/checkpoints/find-option.ts";
import { answerOfReply } from "../core/replies/answer.ts";
import { mayBeNoAnswer } from "../core/replies/clarified.ts";
import { compileReply } from "../core/replies/compile.ts";
import type { CompiledReply } from "../core/replies/compiled-reply.ts";
import { offersAcknowledge, readReply } from "../core/replies/reply.ts";
import { acknowledges, isCourtesy } from "../core/replies/seen.ts";
import { wordless } from "../core/replies/wordless.ts";
import { getGoal } from "../db/goals.ts";
import type { Deps } from "../deps.ts";

/** True when the question's goal runs a fixed command, so that no agent can follow instructions. */
export async function runsFixedCommand(deps: Deps, { goalId }: Checkpoint): Promise<boolean> {
  const goal = goalId === null ? null : await getGoal(deps.database.db, goalId);
  return goal?.runCommand != null;
}

/** True when a reply in prose says what should be done with the question's goal, as far as that is clear without knowing its command. */
export function meansToAnswer(checkpoint: Checkpoint, text: string): boolean {
  const compiled = compileReply(text, { options: answerable(checkpoint), asksClarification: false });
  return compiled.type !== "unclear" || compiled.isMeant === true;
}

/** Reads an edited reply. The result is never applied without confirmation; null when the model still has to read it. */
export async function readAnew(deps: Deps, checkpoint: Checkpoint, text: string): Promise<CompiledReply | null> {
  const asksClarification = checkpoint.kind === "clarify";
  const runsCommand = await runsFixedCommand(deps, checkpoint);
  const compiled = compileReply(text, { options: answerable(checkpoint), asksClarification, runsCommand });
  return compiled.type === "unclear" && deps.config.model !== null && text !== wordless ? null : compiled;
}

type Read =
  | { readonly type: "answer"; readonly choice: string; readonly instructions: string | null; readonly reason?: string }
  /** `compiled` is null when the model still has to read it. */
  | { readonly type: "prose"; readonly compiled: CompiledReply | null }
  /** Clear but impossible: an instruction for a fixed command. */
  | { readonly type: "refused"; readonly why: string }
  | { readonly type: "comment" };

/** Decides how a reply to an open question is read: as a word under the question itself, as prose, or as a comment. */
export function readIn(
  deps: Deps,
  checkpoint: Checkpoint,
  { thread, text, runsCommand }: { readonly thread: string; readonly text: string; readonly runsCommand: boolean },
): Read {
  const options = answerable(checkpoint);
  const isSeen = offersAcknowledge(options) && acknowledges(text);
  const isUnderIt = thread === checkpoint.checkpointId || thread === checkpoint.subject || isSeen;
  const direct = isUnderIt ? readReply(text, options) : ({ type: "comment" } as const);
  const isInstruction = direct.type === "answer" && direct.instructions !== null;
  const asksClarification = checkpoint.kind === "clarify";
  const compiled = compileReply(text, { options, asksClarification, runsCommand });
  const isForUs = isInstruction && (runsCommand || compiled.type !== "modify");
  if (direct.type === "answer" && !isForUs) return direct;

  if (compiled.type === "unclear" && compiled.isRefused === true) return { type: "refused", why: compiled.question };
  // An answer that may not be meant as one is read back first, because the last attempt would begin with it.
  if (compiled.type === "answer" && mayBeNoAnswer(text, checkpoint.context)) return { type: "prose", compiled };
  if (compiled.type === "answer") {
    const choice = answerOfReply(compiled, options, checkpoint.version)?.choice;
    return choice === undefined ? { type: "comment" } : { type: "answer", choice, instructions: compiled.text };
  }
  if (compiled.type !== "unclear") return { type: "prose", compiled };
  if (deps.config.model !== null && text !== wordless) return { type: "prose", compiled: null };
  // An unclear reply under an ordinary question is a comment. Under an escalation its author wants something, and so does an author who
  // meant to decide.
  const isWanted = checkpoint.kind === "escalation" && !isCourtesy(text);
  const wantsSomething = isWanted || asksClarification || compiled.isMeant === true;
  return wantsSomething ? { type: "prose", compiled } : { type: "comment" };
}
