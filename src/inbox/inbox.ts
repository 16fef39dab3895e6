import type {
  CommandCall,
  FilledCommand,
  FormTold,
  HomePage,
  Inbox,
  Person,
  Refused,
  ReplyTold,
  ThreadReply,
  Told,
} from "../chat/inbox.ts";
import { NotRecorded } from "../chat/not-recorded.ts";
import type { Channel } from "../chat/platform.ts";
import type { Addresses } from "../chat/addresses.ts";
import {
  type Caller,
  type Command,
  type CommandResult,
  type ReadyCall,
  isReading,
  refused,
  type RefusedCall,
  UsageError,
} from "../commands/command.ts";
import { answerWords } from "../commands/answer-words.ts";
import { modify } from "../commands/decide.ts";
import { goalNotFound } from "../commands/goal-change.ts";
import { notComplete } from "../commands/goal-prove.ts";
import { execute, readRefusal, refusalFor, refusedForSpace } from "../commands/execute.ts";
import { commands } from "../commands/index.ts";
import { callOf } from "../commands/line.ts";
import { helpOf, usageOf } from "../commands/parse.ts";
import { pressed } from "../commands/pressed.ts";
import { reply as replyTo } from "../commands/reply.ts";
import { type Call, formOf, questionOf } from "../core/calls.ts";
import { chatCard } from "../core/cards/chat-card.ts";
import { type Card, linkedSubjects } from "../core/cards/card.ts";
import { type FormField, formFor } from "../core/cards/forms.ts";
import { pictureBelow } from "../core/cards/picture.ts";
import { batchCard } from "../core/cards/batch-card.ts";
import { drawnAtHome, homeCards } from "../core/cards/home-card.ts";
import { recommend } from "../core/reports/recommendation.ts";
import { linesCard } from "../core/cards/lists.ts";
import type { ChatPlatform } from "../core/chat-platforms.ts";
import { answerCheckpoint, editLabel, optionWithEffect } from "../core/checkpoints/checkpoint.ts";
import { goalCeiling } from "../core/goals/budget.ts";
import { stateOf } from "../core/goals/goal.ts";
import { toUsd } from "../core/money.ts";
import { spaceWordsOf } from "../core/space/no-space.ts";
import { firstLine } from "../core/text.ts";
import type { Word } from "../core/text/words.ts";
import { localDate } from "../core/time.ts";
import { recentBatches, shownQuestionsOfBatch } from "../db/batches.ts";
import { getCampaign } from "../db/campaigns.ts";
import { knownId, learnId } from "../db/channels.ts";
import { getCheckpoint, listPending } from "../db/checkpoints.ts";
import { isUnavailable } from "../db/connection/failures.ts";
import { once, RepeatedEvent } from "../db/events.ts";
import { getGoal, listGoals } from "../db/goals.ts";
import { forgetDeleted } from "../db/delivered-messages.ts";
import { addressesOf, messageAt, recentThreads } from "../db/messages.ts";
import { dayTotal } from "../db/spend.ts";
import { markNotice } from "../db/connection/marks.ts";
import { hidePaths } from "../core/text/server-paths.ts";
import { type Deps, sha256 } from "../deps.ts";
import { needsNow } from "../facts/needs.ts";
import { suggest } from "./suggest.ts";
import { gatherCheckpointCard } from "../projection/question.ts";

/** The engine's side of a chat platform: what people do there becomes calls of commands, each once (D13). */
export function openInbox(deps: Deps, platform: ChatPlatform): Inbox {
  const door: ChatDoor = { deps, platform };
  return {
    press: async (person, { eventId, call }) => await toldOf(door, await runCall(door, person, eventId, pressed(call))),
    submit: async (person, filled) =>
      await toldOf(door, await runCall(door, person, filled.eventId, pressed(filled.call, filled.typed))),
    command: (person, call) => command(door, person, call),
    form: (person, call) => available(() => form(door, person, call)),
    knows: async (address) => (await available(() => messageAt(deps.database.db, platform, address))) !== null,
    reply: (person, reply) => takeReply(door, person, reply),
    home: (person) => available(() => home(door, person)),
    suggest: async (person, asked) =>
      readRefusal(deps, callerOf(door, person)) === null
        ? await available(() => suggest(deps.database.db, deps.config.serverPlaces, asked))
        : [],
    openThreads: () => available(() => openThreads(door)),
    deleted: (address) => available(() => forgetDeleted(deps.database.db, platform, address)),
    channelId: {
      known: () => available(async () => knownId(deps.database.db, ourChannel(door))),
      learn: (id) =>
        available(() => deps.database.transaction((tx) => learnId(tx, ourChannel(door), { id, now: deps.now() }))),
    },
  };
}

/** Where this platform's cards go. Throws where they go nowhere. */
function ourChannel({ deps, platform }: ChatDoor): Channel {
  const found = deps.channels.find((each) => each.platform === platform);
  if (found === undefined) throw new Error(`${platform} has no channel`);
  return found;
}

interface ChatDoor {
  readonly deps: Deps;
  readonly platform: ChatPlatform;
}

const mostThreads = 100;

async function openThreads({ deps, platform }: ChatDoor): Promise<readonly string[]> {
  const since = new Date(deps.now().getTime() - deps.policy.chat.lookBackMs);
  return await recentThreads(deps.database.db, platform, since, mostThreads);
}

function callerOf({ platform }: ChatDoor, person: Person): Caller {
  const groups = person.groups.map((group) => `${platform}:${group}`);
  const { isActive, membership } = person;
  const member = { id: `${platform}:${person.id}`, isActive, groups, membership };
  return { actor: person.name, via: platform, member, origin: { type: "person", by: { type: "chat" } } };
}

/** A database that is away is something to wait for, unless it is full; everything else is a mistake of ours. */
async function available<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUnavailable(error) && spaceWordsOf(error) === null)
      throw new NotRecorded("the database is not available", { cause: error });
    throw error;
  }
}

async function command(door: ChatDoor, person: Person, call: CommandCall): Promise<Told> {
  const { asked, eventId, isPublic, isHere } = call;
  // Elsewhere are people who may not read it.
  if (isPublic && !isHere)
    return refusedWith(door, refused("answers are shared only in the channel where I post", null));
  if (asked.type === "unread") return refusedWith(door, refused(`${asked.problem}; nothing was done`, "cos help"));
  const result =
    asked.type === "words"
      ? await run(door, person, eventId, asked.words)
      : await runFilled(door, person, eventId, asked);
  if (isPublic && result.type === "done") await sharePicture(door, eventId, result.card);
  return await toldOf(door, result);
}

async function toldOf(door: ChatDoor, result: Outcome): Promise<Told> {
  if (result.type === "repeated") return result;
  if (result.type === "refused") return refusedWith(door, result);
  const card = chatCard(result.card, door.deps.config.serverPlaces);
  return { type: "done", card, addresses: await addressesIn(door, [card]) };
}

/** An answer holds no picture of ours: one that is shared is posted beside it. The event names it, so it is posted once. */
async function sharePicture({ deps, platform }: ChatDoor, eventId: string, card: Card): Promise<void> {
  const { below } = pictureBelow(card);
  if (below === null) return;
  const id = `shared.${sha256(eventId).slice(0, 16)}`;
  const notice = { card: below, threadSubject: null, platform };
  await available(() => deps.database.transaction(async (tx) => markNotice(tx, id, notice)));
}

/** `repeated`: its event was delivered before, and done then. */
type Outcome<Value = unknown> = CommandResult<Value> | { readonly type: "repeated" };

/** Runs the command that the words name; a wrong call is refused with the command's usage. */
async function run(door: ChatDoor, person: Person, eventId: string, words: readonly Word[]): Promise<Outcome> {
  const call = callOf(words);
  switch (call.type) {
    case "unknown":
      return { type: "refused", reason: `unknown command: ${call.words}`, next: "cos help" };
    case "wrong": {
      const fault = call.option === null ? {} : { option: call.option };
      return { type: "refused", reason: call.problem, next: call.usage, ...fault };
    }
    case "help":
      return helpFor(call.command);
    case "call":
      return await runCall(door, person, eventId, call.command.asked(call.given));
  }
}

/** Runs a command whose options were filled in one by one. */
async function runFilled(door: ChatDoor, person: Person, eventId: string, filled: FilledCommand): Promise<Outcome> {
  const found = commands.find(({ name }) => name === filled.name);
  if (found === undefined) return { type: "refused", reason: `unknown command: ${filled.name}`, next: "cos help" };
  return await runCall(door, person, eventId, found.asked(filled));
}

async function runCall<Value>(
  door: ChatDoor,
  person: Person,
  eventId: string,
  call: ReadyCall<Value>,
): Promise<Outcome<Value>> {
  try {
    return await available(() => executeOnce(door, person, eventId, call));
  } catch (error) {
    if (error instanceof RepeatedEvent) return { type: "repeated" };
    const noSpace = spaceWordsOf(error);
    if (noSpace !== null) return refusedForSpace(noSpace, false);
    if (!(error instanceof UsageError)) throw error;
    const fault = error.option === null ? {} : { option: error.option };
    return { type: "refused", reason: error.message, next: usageOf(call.command), ...fault };
  }
}

/** The command and its event are committed together, so that it happens once however often it is delivered. */
async function executeOnce<Value>(
  door: ChatDoor,
  person: Person,
  eventId: string,
  call: ReadyCall<Value>,
): Promise<CommandResult<Value>> {
  const { deps } = door;
  const { database, settle } = once(deps.database, eventId, deps.now());
  const result = await execute({ ...deps, database }, callerOf(door, person), call);
  if (!isReading(call.command)) await settle();
  return result;
}

function helpFor(asked: Command): CommandResult {
  const [usage = "", ...lines] = helpOf(asked);
  const shown = lines.map((line) => line.trim()).filter((line) => line !== "");
  return {
    type: "done",
    value: null,
    card: linesCard(
      usage,
      shown.map((line) => [line]),
    ),
  };
}

async function addressesIn({ deps, platform }: ChatDoor, cards: readonly Card[]): Promise<Addresses> {
  return await available(() => addressesOf(deps.database.db, platform, cards.flatMap(linkedSubjects)));
}

/** The form's field in which an option of a command is filled. */
const fields: Readonly<Record<string, FormField>> = {
  instructions: "instructions",
  criteria: "criteria",
  "criteria-text": "criteria",
  budget: "budget",
  run: "run",
};

function refusedWith({ deps }: ChatDoor, { reason, next, ask = [], option = "" }: RefusedCall): Refused {
  const words = hidePaths(reason, deps.config.serverPlaces);
  return { type: "refused", reason: words, next, ask, field: fields[option] ?? null };
}

/** Whether a form may be filled by this person for this version of the question, and what it shows. */
async function form(door: ChatDoor, person: Person, call: Call): Promise<FormTold> {
  const { deps } = door;
  const refusal = refusalFor(deps, callerOf(door, person), modify);
  if (refusal !== null) return refusedWith(door, refusal);

  if (call.command === "goal prove") return await criteriaForm(door, call.id);
  const { db } = deps.database;
  const { checkpointId, version } = questionOf(call);
  const checkpoint = await getCheckpoint(db, checkpointId);
  const goal = checkpoint?.goalId == null ? null : await getGoal(db, checkpoint.goalId);
  const campaign = checkpoint?.campaignId == null ? null : await getCampaign(db, checkpoint.campaignId);
  if (checkpoint === null || (goal === null && campaign === null)) {
    return refusedWith(door, {
      type: "refused",
      reason: `Checkpoint not found: ${checkpointId}`,
      next: "cos checkpoints",
    });
  }
  const kind = formOf(call) ?? "modify";
  const changing = optionWithEffect(checkpoint.options, "modify")?.label ?? "Modify";
  const filled = kind === "edit" ? { choice: editLabel, command: "…" } : { choice: changing };
  const trial = { ...filled, version, notes: null, instructions: null, criteria: "…", budgetMicroUsd: null };
  const words = answerWords(deps, answerCheckpoint(checkpoint, trial, deps.now()), checkpoint);
  if (words.type === "refused") return refusedWith(door, words);
  const facts = {
    command: goal?.runCommand ?? "",
    about: firstLine(goal?.content ?? campaign?.name ?? "", 200),
    until: checkpoint.expiresAt.toISOString(),
    ceilingUsd: toUsd(goal === null ? (campaign?.totalBudgetMicroUsd ?? 0) : goalCeiling(goal, deps.policy)),
  };
  return { type: "form", form: formFor(kind, facts) };
}

/** The form for criteria of a complete goal: about no question, so it ends at no time. */
async function criteriaForm(door: ChatDoor, goalId: string): Promise<FormTold> {
  const goal = await getGoal(door.deps.database.db, goalId);
  if (goal === null) return refusedWith(door, goalNotFound(goalId));
  if (goal.status !== "complete") return refusedWith(door, notComplete(goal));
  const facts = { about: firstLine(goal.content, 200), until: null, ceilingUsd: 0, command: "" };
  return { type: "form", form: formFor("criteria", facts) };
}

/** A reply reaches the command `reply` with the subject of the message that its thread hangs under. */
async function takeReply(door: ChatDoor, person: Person, reply: ThreadReply): Promise<ReplyTold> {
  const { deps, platform } = door;
  const root = await available(() => messageAt(deps.database.db, platform, reply.threadAddress));
  if (root === null) return refusedWith(door, { type: "refused", reason: "that thread is none of mine", next: null });
  const { change, at, text } = reply;
  const message = `${platform}:${reply.message}`;
  const said = replyTo.with({ subject: root.subject, text, change, at, message });
  const result = await runCall(door, person, reply.eventId, said);
  if (result.type === "repeated") return result;
  if (result.type === "refused") return refusedWith(door, result);
  return result.value.became === "answer" ? { type: "answered" } : { type: "kept" };
}

async function home(door: ChatDoor, person: Person): Promise<HomePage> {
  const { deps } = door;
  const refusal = readRefusal(deps, callerOf(door, person));
  if (refusal !== null) return { cards: [linesCard(refusal.reason, [])], addresses: {} };
  const { db } = deps.database;
  const shownAt = deps.now();
  const open = await listPending(db);
  const isDrawn = drawnAtHome(open);
  const waiting = [];
  for (const checkpoint of open) {
    const card = isDrawn.has(checkpoint.checkpointId) ? await gatherCheckpointCard(db, deps, checkpoint) : null;
    waiting.push({ checkpoint, card });
  }
  const goals = await listGoals(db, { status: "in_progress" });
  const running = goals.map((goal) => ({ goal, state: stateOf(goal, false, deps.now()) }));
  const today = await dayTotal(db, localDate(deps.now(), deps.config.timezone));
  const cards = homeCards({
    first: recommend(await needsNow(db, deps)),
    waiting,
    shownAt,
    batches: await lateBatches(deps),
    running: running.filter(({ state }) => state === "running" || state === "ready" || state === "retrying"),
    spentMicroUsd: today.spentMicroUsd,
    spentIsEstimated: today.isEstimated,
    dayCeilingMicroUsd: deps.policy.ceilings.dayMicroUsd,
  });
  const shown = cards.map((card) => chatCard(card, deps.config.serverPlaces));
  return { cards: shown, addresses: await addressesIn(door, shown) };
}

/** How long the app's home shows what became of answers to many questions. */
const batchesForMs = 10 * 60_000;

async function lateBatches({ database: { db }, now }: Deps): Promise<Card[]> {
  const cards = [];
  for (const batch of await recentBatches(db, new Date(now().getTime() - batchesForMs), 2))
    cards.push(batchCard({ ...batch, questions: await shownQuestionsOfBatch(db, batch.batchId) }));
  return cards;
}
