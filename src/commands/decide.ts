import { lostToWords } from "../core/acceptance/goal-contract.ts";
import { specProblems } from "../core/acceptance/spec.ts";
import { type Checkpoint, type Effect, optionWithEffect } from "../core/checkpoints/checkpoint.ts";
import type { Answer } from "../core/checkpoints/answering.ts";
import { cleanText } from "../core/text.ts";
import { getCheckpoint, pendingCheckpoint } from "../db/checkpoints.ts";
import { getGoal } from "../db/goals.ts";
import { repositoryOfGoal } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { longestFile, readNamedFile } from "../turns/shared/named-file.ts";
import { readingOf } from "../turns/shared/source-files.ts";
import { whyNoForge } from "../turns/shared/goal-request.ts";
import { recordAnswer } from "../turns/answers/answer.ts";
import { answerWords } from "./answer-words.ts";
import {
  answererOf,
  type Caller,
  command,
  type CommandResult,
  refused,
  type RefusedCall,
  UsageError,
} from "./command.ts";
import { localFile, name, questionId, restOfLine, text, usd, type Values } from "./fields.ts";

const noting = { notes: text("T", "a note for the audit trail").optional() };
const modifying = {
  instructions: text("T", "what to do differently").optional(),
  criteria: localFile("PATH", "a file with acceptance criteria").optional(),
  criteriaText: text("TEXT", "the acceptance criteria themselves").optional(),
  budget: usd("the goal's new ceiling").optional(),
  ...noting,
};
type Question = ReturnType<ReturnType<typeof questionId>["parse"]>;
type Words = Partial<Values<typeof modifying>>;

export const approve = command({
  name: "approve",
  summary: "Answer a checkpoint with the choice that continues (Proceed).",
  access: "change",
  positionals: { id: questionId() },
  options: noting,
  run: (deps, caller, { id, ...words }) => answerWith(deps, caller, id, { ...words, effect: "continue" }),
});

export const reject = command({
  name: "reject",
  summary: "Answer a checkpoint with Skip: the goal ends as skipped.",
  access: "change",
  positionals: { id: questionId() },
  options: noting,
  run: (deps, caller, { id, ...words }) => answerWith(deps, caller, id, { ...words, effect: "skip" }),
});

export const modify = command({
  name: "modify",
  summary: "Answer a checkpoint with other instructions, criteria or budget; the goal continues with them.",
  access: "change",
  positionals: { id: questionId(), text: restOfLine().optional() },
  options: modifying,
  run: (deps, caller, { id, text: instructions, ...words }) => {
    if (instructions !== undefined && words.instructions !== undefined)
      throw new UsageError("the instructions are given twice: as TEXT and as --instructions", "instructions");
    return answerWith(deps, caller, id, {
      ...words,
      instructions: instructions ?? words.instructions,
      effect: "modify",
    });
  },
});

export const answer = command({
  name: "answer",
  summary: "Answer a checkpoint with any choice it offers.",
  access: "change",
  positionals: { id: questionId(), choice: name() },
  options: modifying,
  run: (deps, caller, { id, choice, ...words }) => decide(deps, caller, id, { ...words, choice }),
});

async function answerWith(
  deps: Deps,
  caller: Caller,
  question: Question,
  { effect, ...words }: Words & { readonly effect: Effect },
): Promise<CommandResult> {
  // What it would be told is looked at all the same: a fixed command takes no instructions, and says what it takes.
  const other = words.instructions === undefined ? null : "Modify";
  const choice: Choosing = ({ options }) => optionWithEffect(options, effect)?.label ?? other;
  return await decide(deps, caller, question, { ...words, choice });
}

/** What is chosen of what the question offers; null: nothing. */
type Choosing = (question: Checkpoint) => string | null;

async function decide(
  deps: Deps,
  caller: Caller,
  { checkpointId, version }: Question,
  { choice, ...words }: Words & { readonly choice: string | Choosing },
): Promise<CommandResult> {
  const read = await readAnswer(deps, words, version);
  if (read.type === "refused") return read;
  const unfit = await unfitCriteria(deps, checkpointId, read.said.criteria);
  if (unfit !== null) return unfit;
  const answer = (question: Checkpoint): Answer | null => {
    const chosen = typeof choice === "string" ? choice : choice(question);
    return chosen === null ? null : { ...read.said, choice: chosen };
  };
  const answered = await recordAnswer(deps, checkpointId, answer, answererOf(caller));
  if (answered === null) return await notFound(deps, checkpointId);
  if (answered.checkpoint.campaignId !== null) await deps.ring("run-campaign-day");
  return answerWords(deps, answered.decision, answered.checkpoint);
}

/** Criteria that nobody could read the outcome of where the goal's repository is, or words in the place of what can be run. */
async function unfitCriteria(deps: Deps, checkpointId: string, criteria: string | null): Promise<RefusedCall | null> {
  const { db } = deps.database;
  const goalId = criteria === null ? null : ((await getCheckpoint(db, checkpointId))?.goalId ?? null);
  const goal = goalId === null ? null : await getGoal(db, goalId);
  if (goal === null) return null;
  const repository = await repositoryOfGoal(db, goal.goalId);
  const unseen = repository === null ? null : whyNoForge(readingOf(deps, repository), criteria);
  const why = unseen ?? lostToWords(goal.criteria, criteria);
  return why === null ? null : { type: "refused", reason: why.problem, next: why.next, option: "criteria-text" };
}

/** Who names what a question is about has perhaps not seen it: it is named, not answered. */
async function notFound({ database }: Deps, named: string): Promise<CommandResult> {
  const open = await pendingCheckpoint(database.db, named);
  return open === null
    ? refused(`Checkpoint not found: ${named}`, "cos checkpoints")
    : refused(`${named} is no checkpoint: ${open.checkpointId} is open about it`, `cos details ${open.checkpointId}`);
}

/** What is said with a choice. */
type ReadAnswer = { readonly type: "read"; readonly said: Omit<Answer, "choice"> } | RefusedCall;

async function readAnswer(deps: Deps, words: Words, version: number | null): Promise<ReadAnswer> {
  const longest = deps.policy.text.longestInput;
  const { notes, instructions, criteria: path, criteriaText, budget } = words;
  for (const [name, value] of Object.entries({ notes, instructions, "criteria-text": criteriaText })) {
    if (value !== undefined && value.length > longest) {
      return {
        type: "refused",
        reason: `--${name} has ${value.length} characters, at most ${longest} are taken`,
        next: null,
        option: name,
      };
    }
  }
  let criteria = filled(criteriaText);
  if (path !== undefined && path.trim() !== "") {
    const read = await readNamedFile(path, longestFile);
    if (read.type === "unread") {
      const reason = `--criteria ${path} cannot be read: ${read.why}`;
      return { type: "refused", reason, next: "check the path", option: "criteria" };
    }
    criteria = cleanText(read.content.toString("utf8"));
  }
  const wrong = specProblems(criteria, path ?? "criteria");
  if (wrong !== null) return { type: "refused", reason: wrong, next: null, option: "criteria-text" };
  return {
    type: "read",
    said: {
      version,
      notes: filled(notes),
      instructions: filled(instructions),
      criteria,
      budgetMicroUsd: budget ?? null,
    },
  };
}

function filled(text: string | undefined): string | null {
  const clean = text === undefined ? "" : cleanText(text).trim();
  return clean === "" ? null : clean;
}
