import { confirmationCard } from "../core/cards/lists.ts";
import { answerable, type Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { answerOfReply } from "../core/replies/answer.ts";
import { type CompiledReply, compileReply, readBackWords } from "../core/replies/compile.ts";
import { readReply } from "../core/replies/reply.ts";
import { safeOutput } from "../core/secrets/mask.ts";
import { shorten } from "../core/text.ts";
import { getCampaign } from "../db/campaigns.ts";
import { getCheckpoint, pendingCheckpoint, pendingOfCampaign, pendingOfNight } from "../db/checkpoints.ts";
import { getGoal } from "../db/goals.ts";
import { getNight } from "../db/nights.ts";
import { getReply } from "../db/replies.ts";
import { getSession } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { questionsIn } from "../turns/shared/sessions.ts";
import {
  confirmReading,
  dismissReading,
  keepReading,
  takeBackReadings,
  type Written,
} from "../turns/answers/reading.ts";
import { answerWords, asksAgain, editCommandWords } from "./answer-words.ts";
import { answer } from "./decide.ts";
import { execute, refusalFor } from "./execute.ts";
import {
  answererOf,
  type Caller,
  command,
  type CommandResult,
  done,
  refused,
  type RefusedCall,
  UsageError,
} from "./command.ts";
import { choice, moment, name, restOfLine, text as textOf, type Values } from "./fields.ts";

const changes = ["said", "edited", "deleted"] as const;

/** What a reply became. */
interface ReplyValue {
  readonly became: "answer" | "proposal" | "question" | "comment";
  readonly subject: string;
}

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
  positionals: { subject: name(), text: restOfLine().optional() },
  options: replying,
  run: takeReply,
});

export const confirm = command({
  name: "confirm",
  chatName: null,
  summary: "Confirm how a reply was read: what it says is done.",
  access: "change",
  positionals: { id: name() },
  run: (deps, caller, { id }) => confirmReply(deps, caller, id),
});

export const dismiss = command({
  name: "dismiss",
  chatName: null,
  summary: "Put aside how a reply was read: nothing follows from it.",
  access: "change",
  positionals: { id: name() },
  run: (deps, caller, { id }) => dismissReply(deps, caller, id),
});

/**
 * A reply in the thread of a card, or its later change. Only what was said, about an open question, after that question
 * was asked, can decide anything: in one word at once, in prose when somebody has confirmed how it was read. A change of
 * a reply never decides by itself: how it was read before is not applied any more, and what it says now is read back
 * (F-404). Everything is kept in the timeline.
 */
async function takeReply(
  deps: Deps,
  caller: Caller,
  given: Partial<Values<typeof replying>> & { readonly subject: string; readonly text?: string | undefined },
): Promise<CommandResult<ReplyValue>> {
  const { subject, text = "", change = "said", message = null } = given;
  if (text.trim() === "" && change !== "deleted") throw new UsageError("TEXT is missing");
  const about = await findSubject(deps, subject);
  if (about === null) return refused(`nothing is called ${subject}`, "cos goals");
  const { checkpoint } = about;
  if (change !== "said") return await takeChange(deps, caller, { ...about, change, text, message, thread: subject });
  const isOpen = checkpoint?.status === "pending";
  if (checkpoint === null || !isOpen) {
    await keep(deps, caller, { ...about, change, text });
    if (checkpoint === null && (await readsAsAnswer(deps, subject, text)))
      return refused(
        "several goals have this thread; nothing was decided: answer under the question itself",
        "cos checkpoints",
      );
    const late = checkpoint?.status === "expired" ? lateWords(checkpoint) : null;
    return late ?? kept(subject);
  }

  // Who may, how long, and only then what it says.
  const refusal = refusalFor(deps, caller, answer);
  if (refusal !== null)
    return await hearStranger(deps, caller, { ...about, checkpoint, change, text }, subject, refusal);
  const longest = deps.policy.text.longestInput;
  if (text.length > longest) {
    await keep(deps, caller, { ...about, change, text });
    return refused(`the reply has ${text.length} characters, at most ${longest} are taken; nothing was decided`);
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
      return kept(subject);
    case "refused":
      await keep(deps, caller, { ...about, change, text });
      return refused(read.why, editCommandWords(checkpoint.goalId ?? ""));
    case "prose": {
      await keep(deps, caller, { ...about, change, text });
      return await propose(deps, caller, { checkpoint, thread: subject, text, message }, read.compiled);
    }
  }
}

/** Somebody edited or deleted what they wrote: nothing of it can be confirmed any more; new words are read back. */
async function takeChange(
  deps: Deps,
  caller: Caller,
  changed: Kept & { readonly change: "edited" | "deleted"; readonly message: string | null; readonly thread: string },
): Promise<CommandResult<ReplyValue>> {
  const { change, message, checkpoint, text, thread } = changed;
  await keep(deps, caller, changed);
  if (message === null) return kept(thread);
  const became = change === "edited" ? "edited" : "withdrawn";
  const by = answererOf(caller);
  await deps.database.transaction((tx) => takeBackReadings(tx, deps, { message, became, by }));
  const mayDecide = checkpoint?.status === "pending" && refusalFor(deps, caller, answer) === null;
  if (change === "deleted" || !mayDecide || text.length > deps.policy.text.longestInput) return kept(thread);
  const compiled = await readAnew(deps, checkpoint, text);
  if (compiled?.type === "unclear" && checkpoint.kind !== "escalation") return kept(thread);
  return await propose(deps, caller, { checkpoint, thread, text, message }, compiled);
}

async function runsFixedCommand(deps: Deps, { goalId }: Checkpoint): Promise<boolean> {
  const goal = goalId === null ? null : await getGoal(deps.database.db, goalId);
  return goal?.runCommand != null;
}

/** What edited words say: never an answer by itself, and nothing where the model is still to read them. */
async function readAnew(deps: Deps, checkpoint: Checkpoint, text: string): Promise<CompiledReply | null> {
  const asksClarification = checkpoint.kind === "clarify";
  const runsCommand = await runsFixedCommand(deps, checkpoint);
  const compiled = compileReply(text, { options: answerable(checkpoint), asksClarification, runsCommand });
  return compiled.type === "unclear" && deps.config.model !== null ? null : compiled;
}

/** As long as a choice that somebody writes in one word. */
const longestWord = 200;

/** Strangers are heard and decide nothing: what plainly means to answer is refused, everything else is kept. */
async function hearStranger(
  deps: Deps,
  caller: Caller,
  what: Kept & { readonly checkpoint: Checkpoint },
  thread: string,
  refusal: RefusedCall,
): Promise<CommandResult<ReplyValue>> {
  const { checkpoint, text } = what;
  const isUnderIt = thread === checkpoint.checkpointId || thread === checkpoint.subject;
  const isWord = isUnderIt && text.length <= longestWord && readReply(text, answerable(checkpoint)).type === "answer";
  if (isWord || checkpoint.kind === "clarify") return refusal;
  await keep(deps, caller, what);
  return kept(thread);
}

interface About {
  readonly goalId: string | null;
  readonly sessionId: string | null;
  /** The question that the reply may be about. */
  readonly checkpoint: Checkpoint | null;
}

/**
 * What is called so; the thread of a goal or campaign is about the question that is open about it, that of a session or night
 * about no question of its goals. Null when nothing is.
 */
async function findSubject(deps: Deps, subject: string): Promise<About | null> {
  const { db } = deps.database;
  const checkpoint = await getCheckpoint(db, subject);
  if (checkpoint !== null) return { goalId: checkpoint.goalId, sessionId: null, checkpoint };
  const session = await getSession(db, subject);
  if (session !== null) return { goalId: null, sessionId: subject, checkpoint: await pendingCheckpoint(db, subject) };
  const goal = await getGoal(db, subject);
  if (goal !== null) return { goalId: subject, sessionId: null, checkpoint: await pendingCheckpoint(db, subject) };
  if ((await getCampaign(db, subject)) !== null) {
    const [question, ...more] = await pendingOfCampaign(db, subject);
    return { goalId: null, sessionId: null, checkpoint: more.length > 0 ? null : (question ?? null) };
  }
  if ((await getNight(db, subject)) !== null) return { goalId: null, sessionId: null, checkpoint: null };
  const said = await getReply(db, subject);
  return said === null ? null : await findSubject(deps, said.checkpointId);
}

/** Whether somebody means a question of one of its goals, in the thread of a session or night. */
async function readsAsAnswer({ database: { db } }: Deps, subject: string, text: string): Promise<boolean> {
  const ofSession = (await getSession(db, subject)) === null ? [] : await questionsIn(db, subject);
  const open = [...ofSession, ...(await pendingOfNight(db, subject))];
  return open.some((question) => readReply(text, answerable(question)).type === "answer");
}

type Read =
  | { readonly type: "answer"; readonly choice: string; readonly instructions: string | null }
  /** `compiled` null: the model is still to read it. */
  | { readonly type: "prose"; readonly compiled: CompiledReply | null }
  /** Clear, and impossible: an instruction to a fixed command. */
  | { readonly type: "refused"; readonly why: string }
  | { readonly type: "comment" };

/** How a reply to an open question is taken: a word under the question itself, prose, or talk. */
function readIn(
  deps: Deps,
  checkpoint: Checkpoint,
  { thread, text, runsCommand }: { readonly thread: string; readonly text: string; readonly runsCommand: boolean },
): Read {
  const options = answerable(checkpoint);
  const isUnderIt = thread === checkpoint.checkpointId || thread === checkpoint.subject;
  const direct = isUnderIt ? readReply(text, options) : ({ type: "comment" } as const);
  const isInstruction = direct.type === "answer" && direct.instructions !== null;
  if (direct.type === "answer" && !(isInstruction && runsCommand)) return direct;

  const asksClarification = checkpoint.kind === "clarify";
  const compiled = compileReply(text, { options, asksClarification, runsCommand });
  if (compiled.type === "unclear" && compiled.isRefused === true) return { type: "refused", why: compiled.question };
  if (compiled.type === "answer") {
    const choice = answerOfReply(compiled, options, checkpoint.version)?.choice;
    return choice === undefined ? { type: "comment" } : { type: "answer", choice, instructions: compiled.text };
  }
  if (compiled.type !== "unclear") return { type: "prose", compiled };
  if (deps.config.model !== null) return { type: "prose", compiled: null };
  // Talk under an ordinary question is talk; under an escalation somebody wants something.
  const wantsSomething = checkpoint.kind === "escalation" || asksClarification;
  return wantsSomething ? { type: "prose", compiled } : { type: "comment" };
}

/** Words that came too late, with the command that asks again (D12). */
function lateWords(checkpoint: Checkpoint): RefusedCall | null {
  if (checkpoint.kind === "clarify" || checkpoint.kind === "breaker") return null;
  return refused(`${checkpoint.checkpointId} expired; nothing was decided`, asksAgain(checkpoint));
}

function kept(subject: string): CommandResult<ReplyValue> {
  const value: ReplyValue = { became: "comment", subject };
  return done(value, confirmationCard(`Kept in the timeline of ${subject}.`));
}

/** Prose is read back in its thread; what is not clear is asked back. */
async function propose(
  deps: Deps,
  caller: Caller,
  what: Pick<Written, "checkpoint" | "thread" | "text" | "message">,
  compiled: CompiledReply | null,
): Promise<CommandResult<ReplyValue>> {
  const writer = answererOf(caller);
  const text = safeOutput(what.text, deps.config.secrets);
  const replyId = await deps.database.transaction((tx) => keepReading(tx, deps, { ...what, text, writer }, compiled));
  if (compiled === null) await deps.ring("read-replies");
  const became = compiled?.type === "unclear" ? "question" : "proposal";
  const value: ReplyValue & { replyId: string } = { became, subject: what.checkpoint.checkpointId, replyId };
  if (compiled === null) return done(value, confirmationCard(`${replyId} is being read.`));
  const next = became === "question" ? "" : ` Confirm? cos confirm ${replyId}`;
  return done(value, confirmationCard(`${readBackWords(compiled)}${next}`));
}

async function confirmReply(deps: Deps, caller: Caller, replyId: string): Promise<CommandResult> {
  const by = answererOf(caller);
  const confirmed = await confirmReading(deps, replyId, by);
  if (confirmed === null) return refused(`Reply not found: ${replyId}`, "cos checkpoints");
  switch (confirmed.type) {
    case "answered":
      return answerWords(deps, confirmed.answered.decision, confirmed.answered.checkpoint);
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

async function answerBy(
  deps: Deps,
  caller: Caller,
  checkpoint: Checkpoint,
  read: { readonly choice: string; readonly instructions: string | null },
): Promise<CommandResult<ReplyValue>> {
  const { checkpointId, version } = checkpoint;
  const words = read.instructions === null ? {} : { instructions: read.instructions };
  const call = answer.with({ id: { checkpointId, version }, choice: read.choice, ...words });
  const answered = await execute(deps, caller, call);
  if (answered.type === "refused") return answered;
  const value: ReplyValue = { became: "answer", subject: checkpointId };
  return done(value, answered.card);
}

function wasWrittenBefore(checkpoint: Checkpoint, at: Date | undefined): boolean {
  return at !== undefined && at < checkpoint.askedAt;
}

interface Kept {
  readonly goalId: string | null;
  readonly sessionId: string | null;
  readonly checkpoint: Checkpoint | null;
  readonly change: (typeof changes)[number];
  readonly text: string;
}

async function keep(deps: Deps, caller: Caller, { goalId, sessionId, checkpoint, change, text }: Kept): Promise<void> {
  const kept = shorten(safeOutput(text, deps.config.secrets), deps.policy.text.longestInput);
  await deps.database.transaction(async (tx) => {
    await appendTimeline(tx, {
      event: `reply.${change}`,
      goalId,
      sessionId,
      checkpointId: checkpoint?.checkpointId ?? null,
      actor: caller.actor,
      via: caller.via,
      at: deps.now(),
      detail: { text: kept, by: caller.member?.id ?? null },
    });
  });
}
