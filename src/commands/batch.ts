import { batchCard } from "../core/cards/batch-card.ts";
import { becameBefore, commonChoices, mayJoin, oldestFirst } from "../core/checkpoints/batch.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { namedTriggers, type Trigger, triggers } from "../core/checkpoints/triggers.ts";
import { isInDoubt, needsVotes, rulesOf, whoIs } from "../core/checkpoints/quorum.ts";
import { localAccount } from "../core/people.ts";
import {
  type Batch,
  getBatch,
  heldBatches,
  lockBatches,
  questionsOfBatch,
  shownQuestionsOfBatch,
} from "../db/batches.ts";
import { getCheckpoint, listPending } from "../db/checkpoints.ts";
import { changedSince } from "../db/timeline.ts";
import type { Db } from "../db/connection/client.ts";
import type { Deps } from "../deps.ts";
import { holdBatch, type BatchRequest, undoBatch } from "../turns/answers/batch.ts";
import { voterOf } from "../turns/answers/vote.ts";
import type { Answerer } from "../turns/shared/audit.ts";
import {
  answererOf,
  type Caller,
  command,
  type CommandResult,
  done,
  groupsUnknownWords,
  refused,
  unknownId,
  type RefusedCall,
} from "./command.ts";
import { count } from "../core/text.ts";
import { anyId, choice as oneOf, moment, name, questionId } from "./fields.ts";

export const batchAnswer = command({
  name: "batch answer",
  summary: "Answer all open questions of one kind with the same choice, after 15 s in which all of it can be undone.",
  access: "change",
  positionals: {
    kind: oneOf("KIND", [...triggers, "ux", "cost", "scope"], "why they ask: ux, cost, architecture, scope"),
    choice: name("", "Proceed or Skip"),
  },
  options: {
    shown: moment("TIME", "leave out what was asked or changed after this time (ISO 8601)").optional(),
    only: questionId("ID", "of that kind only these questions, each by its id").array(),
  },
  run: (deps, caller, asked) => answerAll(deps, caller, asked),
});

export const batchUndo = command({
  name: "batch undo",
  summary: "Undo answers to many questions at once that were not given yet.",
  access: "change",
  positionals: { id: anyId().optional() },
  run: (deps, caller, { id }) => undoAll(deps, caller, id),
});

interface Asked {
  readonly kind: string;
  readonly choice: string;
  readonly shown?: Date | undefined;
  /** Empty for all questions of that kind. */
  readonly only?: readonly Chosen[] | undefined;
}

/** One chosen question, with the version that was shown; null for the current version. */
interface Chosen {
  readonly checkpointId: string;
  readonly version: number | null;
}

type LeftOut = BatchRequest["leftOut"][number];

/** Holds the answers, and shows which questions would be answered with what. Safe to repeat: one person holds each answer once. */
async function answerAll(
  deps: Deps,
  caller: Caller,
  { kind, choice, shown, only = [] }: Asked,
): Promise<CommandResult> {
  const by = answererOf(caller);
  const held = await deps.database.transaction(async (tx): Promise<Batch | RefusedCall> => {
    await lockBatches(tx);
    const found = await questionsFor(tx, deps, caller, { kind, shown, only });
    if ("type" in found) return found;
    const label = commonChoices(found.questions).find((each) => each.toLowerCase() === choice.trim().toLowerCase());
    if (label === undefined) return notOffered(found.questions, choice);
    const offered = { questions: found.questions, label };
    if (isVoteInDoubt(deps, by, offered))
      return refused(
        `${groupsUnknownWords}, nor whether your votes count; nothing was done, try again in a moment`,
        null,
      );
    return await holdBatch(tx, deps, { ...found, choice: label, by, consoleName: caller.session?.name ?? null });
  });
  if ("type" in held) return held;
  const { batchId, dueAt } = held;
  const questions = await shownQuestionsOfBatch(deps.database.db, batchId);
  const idsOf = (wanted: boolean): string[] =>
    questions.flatMap(({ checkpointId, became }) => ((became === null) === wanted ? [checkpointId] : []));
  const value = { batchId, choice: held.choice, dueAt, checkpoints: idsOf(true), leftOut: idsOf(false) };
  return done(value, batchCard({ ...held, questions }));
}

/** True when it cannot be told yet whether one of these answers counts as a vote. */
function isVoteInDoubt(
  { config }: Pick<Deps, "config">,
  by: Answerer,
  { questions, label }: { readonly questions: readonly Checkpoint[]; readonly label: string },
): boolean {
  const isVote = ({ options }: Checkpoint) => options.some((each) => each.label === label && needsVotes(each.effect));
  const voter = voterOf({ config }, by);
  return questions.filter(isVote).some((each) => isInDoubt(rulesOf(each, config.quorums), voter, by.inDoubt ?? []));
}

/** Returns the open questions that this person may answer together now, and those that changed since they were shown. */
async function questionsFor(
  tx: Db,
  deps: Deps,
  caller: Caller,
  { kind, shown, only = [] }: Pick<Asked, "kind" | "shown" | "only">,
): Promise<Pick<BatchRequest, "questions" | "leftOut"> | RefusedCall> {
  const wanted: readonly Trigger[] = namedTriggers(kind) ?? [];
  const pending = await listPending(tx);
  const ofKind = pending.filter((each) => wanted.includes(each.trigger) && isChosen(only, each));
  const open = oldestFirst(ofKind.filter(mayJoin));
  const gone = await goneOf(tx, only, pending);
  if ("type" in gone) return gone;
  // Questions that were asked again since they were shown, perhaps as another kind.
  const anew = pending.filter((each) => isOther(only, each) && !open.includes(each));
  const other = only.find(
    ({ checkpointId: id }) => ![...open, ...anew, ...gone.questions].some((each) => each.checkpointId === id),
  );
  if (other !== undefined)
    return refused(
      `${other.checkpointId} is answered by itself, or is of another kind`,
      `cos answer ${other.checkpointId} CHOICE`,
    );
  if (open.length === 0 && anew.length === 0 && gone.questions.length === 0)
    return refused(
      ofKind.length === 0 ? `no question of that kind is open: ${kind}` : "these questions are answered one by one",
      "cos checkpoints",
    );
  const ids = open.map(({ checkpointId }) => checkpointId);
  const changed = shown === undefined ? new Set<string>() : await changedSince(tx, ids, shown);
  const isNewer = (each: Checkpoint): boolean =>
    isOther(only, each) || (shown !== undefined && (each.askedAt > shown || changed.has(each.checkpointId)));
  const seen = open.filter((each) => !isNewer(each));
  const waiting = await askedAlready(tx, deps, caller);
  const questions = seen.filter(({ checkpointId }) => !waiting.has(checkpointId));
  const newer = [...open.filter(isNewer), ...anew].map((question): LeftOut => ({ question, became: "newer" }));
  if (questions.length > 0) return { questions, leftOut: [...newer, ...gone.leftOut] };
  const first = seen.flatMap(({ checkpointId }) => waiting.get(checkpointId) ?? [])[0];
  if (first !== undefined) return refused("you have asked for these answers already", `cos batch undo ${first}`);
  if (gone.questions.length === 0)
    return refused("all of them came or changed after the list was shown: look at it again", "cos checkpoints");
  const others = newer.length === 0 ? "" : `, ${count(newer.length, "other")} changed`;
  return refused(
    `none of them can be answered: ${count(gone.questions.length, "question")} open no more${others}`,
    "cos checkpoints",
  );
}

function isChosen(only: readonly Chosen[], { checkpointId }: Checkpoint): boolean {
  return only.length === 0 || only.some((each) => each.checkpointId === checkpointId);
}

/** True when the question was chosen in an older version. */
function isOther(only: readonly Chosen[], { checkpointId, version }: Checkpoint): boolean {
  return only.some((each) => each.checkpointId === checkpointId && each.version !== null && each.version !== version);
}

/** Returns the chosen questions that are no longer open. */
async function goneOf(
  tx: Db,
  only: readonly Chosen[],
  pending: readonly Checkpoint[],
): Promise<{ readonly questions: Checkpoint[]; readonly leftOut: LeftOut[] } | RefusedCall> {
  const questions: Checkpoint[] = [];
  const leftOut: LeftOut[] = [];
  for (const { checkpointId } of only) {
    if (pending.some((each) => each.checkpointId === checkpointId)) continue;
    const question = await getCheckpoint(tx, checkpointId);
    if (question === null) return unknownId("Checkpoint", checkpointId);
    if (question.status === "pending" || questions.some((each) => each.checkpointId === checkpointId)) continue;
    questions.push(question);
    leftOut.push({ question, became: becameBefore(question.status) });
  }
  return { questions, leftOut };
}

/** Returns the questions for which one person already holds an answer, each with its batch. */
async function askedAlready(tx: Db, { config }: Deps, caller: Caller): Promise<Map<string, string>> {
  const personOf = (actorId: string | null): string => whoIs(actorId ?? localAccount, config.people);
  const me = personOf(answererOf(caller).actorId);
  const waiting = new Map<string, string>();
  for (const { batchId, actorId } of await heldBatches(tx)) {
    if (personOf(actorId) !== me) continue;
    for (const { checkpointId } of await questionsOfBatch(tx, batchId)) waiting.set(checkpointId, batchId);
  }
  return waiting;
}

function notOffered(questions: readonly Checkpoint[], choice: string): RefusedCall {
  const all = commonChoices(questions);
  const offered = all.length === 0 ? "answer them one by one" : `all of them offer ${all.join(", ")}`;
  return refused(`not every question offers ${JSON.stringify(choice)}: ${offered}`, "cos checkpoints");
}

async function undoAll(deps: Deps, caller: Caller, id: string | undefined): Promise<CommandResult> {
  const held = await heldBatches(deps.database.db);
  const batchId = id ?? (held.length === 1 ? held[0]?.batchId : undefined);
  if (batchId === undefined)
    return held.length === 0
      ? refused("nothing can be undone: no answers are held", "cos checkpoints")
      : refused(`say which: ${held.map((each) => each.batchId).join(", ")}`, `cos batch undo ${held[0]?.batchId}`);
  const undone = await deps.database.transaction((tx) => undoBatch(tx, deps, batchId, caller));
  const batch = await getBatch(deps.database.db, batchId);
  if (batch === null) return refused(`nothing is called ${batchId}`, "cos checkpoints");
  if (!undone) return tooLate(batch);
  const questions = await shownQuestionsOfBatch(deps.database.db, batchId);
  return done({ batchId, status: batch.status }, batchCard({ ...batch, questions }));
}

function tooLate({ batchId, status, undoneBy }: Batch): RefusedCall {
  if (status === "undone") return refused(`${batchId} was undone already, by ${undoneBy}`, "cos checkpoints");
  return refused(`too late to undo ${batchId}: its answers were given`, "cos checkpoints");
}
