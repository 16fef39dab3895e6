import { lostToWords } from "../core/acceptance/goal-contract.ts";
import { inPlainYaml } from "../core/acceptance/shell-not.ts";
import { specProblems } from "../core/acceptance/spec.ts";
import type { Checkpoint, Effect } from "../core/checkpoints/checkpoint.ts";
import type { Answer } from "../core/checkpoints/answering.ts";
import { findOption, optionMeant, optionWithEffect, sameWord } from "../core/checkpoints/find-option.ts";
import { editLabel } from "../core/checkpoints/options.ts";
import { cleanText } from "../core/text.ts";
import { getCheckpoint, pendingCheckpoint } from "../db/checkpoints.ts";
import { getGoal } from "../db/goals.ts";
import { repositoryOfGoal } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { repositorySource } from "../turns/shared/source-files.ts";
import { readCriteria, whyNoForge } from "../turns/shared/goal-request.ts";
import { unreadableCriteria } from "../turns/shared/readable.ts";
import { recordAnswer } from "../turns/answers/answer.ts";
import { answerWords } from "./answer-words.ts";
import {
  answererOf,
  type Caller,
  command,
  type CommandResult,
  refused,
  unknownId,
  type RefusedCall,
  UsageError,
} from "./command.ts";
import { editCommand } from "./goal-edit.ts";
import { goalFields } from "./goal-fields.ts";
import { sourceFor } from "./source-files.ts";
import { questionId, restOfLine, freeText, usd, type Values } from "./fields.ts";

const noting = { notes: freeText("T", "a note for the audit trail").optional() };
const modifying = {
  instructions: freeText("T", "what to do differently").optional(),
  criteria: goalFields.criteria,
  criteriaText: freeText("TEXT", "the acceptance criteria themselves").optional(),
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
  summary: "Answer a checkpoint with Skip: the goal ends as skipped. A milestone that would begin pauses its campaign.",
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
  positionals: { id: questionId(), choice: restOfLine("as on its button") },
  options: { ...modifying, run: goalFields.run },
  run: (deps, caller, { id, choice, run, ...words }) =>
    run === undefined
      ? decide(deps, caller, id, { ...words, choice })
      : answerWithCommand(deps, caller, id, { ...words, choice, run }),
});

/** Answers "Edit the command" with the command, as `goal edit ID --run CMD` does. */
async function answerWithCommand(
  deps: Deps,
  caller: Caller,
  { checkpointId, version }: Question,
  { choice, run, ...words }: Words & { readonly choice: string; readonly run: string },
): Promise<CommandResult> {
  const question = await getCheckpoint(deps.database.db, checkpointId);
  if (!sameWord(choice, editLabel)) {
    if (question === null) return await notFound(deps, checkpointId);
    // For a word that is no choice, the refusal lists the choices.
    if (question.status === "pending" && findOption(question.options, choice) === null)
      return answerWords(deps, {
        decision: { type: "not-offered", offered: question.options.map(({ label }) => label) },
        checkpoint: question,
      });
    throw new UsageError(`--run is for "${editLabel}"`, "run");
  }
  if (Object.values(words).some((each) => each !== undefined))
    throw new UsageError(`"${editLabel}" takes --run and nothing beside it`, "run");
  const isOpen = question?.status === "pending" && optionWithEffect(question.options, "edit") !== null;
  // A question that is not open, or offers no Edit, is refused like for every other choice.
  if (!isOpen) return await decide(deps, caller, { checkpointId, version }, { choice });
  return await editCommand(deps, caller, version === null ? checkpointId : `${checkpointId}.${version}`, run);
}

async function answerWith(
  deps: Deps,
  caller: Caller,
  question: Question,
  { effect, ...words }: Words & { readonly effect: Effect },
): Promise<CommandResult> {
  // Without a matching option the answer is checked all the same: the refusal for a fixed command then says what it takes.
  const other = words.instructions === undefined ? null : "Modify";
  const choice: ChooseOption = ({ options }) => optionMeant(options, effect)?.label ?? other;
  return await decide(deps, caller, question, { ...words, choice });
}

/** Chooses among the options of a question; null for none. */
type ChooseOption = (question: Checkpoint) => string | null;

async function decide(
  deps: Deps,
  caller: Caller,
  { checkpointId, version }: Question,
  { choice, ...words }: Words & { readonly choice: string | ChooseOption },
): Promise<CommandResult> {
  const read = await readAnswer(deps, caller, { checkpointId, version }, words);
  if (read.type === "refused") return read;
  const answer = (question: Checkpoint): Answer | null => {
    const chosen = typeof choice === "string" ? choice : choice(question);
    return chosen === null ? null : { ...read.said, choice: chosen };
  };
  const answered = await recordAnswer(deps, checkpointId, answer, answererOf(caller));
  if (answered === null) return await notFound(deps, checkpointId);
  if (answered.checkpoint.campaignId !== null) await deps.ring("run-campaign-day");
  return answerWords(deps, answered);
}

/**
 * Returns the criteria that were given: as text, or from a file, which is read like that of `goal add` (D51). Refused when their result
 * could not be read for the goal's repository, or when words would replace criteria that can be run.
 */
async function criteriaGiven(
  deps: Deps,
  caller: Caller,
  checkpointId: string,
  given: Pick<Words, "criteria" | "criteriaText">,
): Promise<{ readonly type: "read"; readonly criteria: string | null } | RefusedCall> {
  const [path, written] = [(given.criteria ?? "").trim(), inPlainYaml(filled(given.criteriaText) ?? "")];
  if (path === "" && written === "") return { type: "read", criteria: null };
  if (path !== "" && written !== "")
    throw new UsageError("--criteria and --criteria-text: give one of them", "criteria");
  const { db } = deps.database;
  const question = await getCheckpoint(db, checkpointId);
  if (question === null) return await notFound(deps, checkpointId);
  const goal = question.goalId === null ? null : await getGoal(db, question.goalId);
  const repository = goal === null ? null : await repositoryOfGoal(db, goal.goalId);
  const reading = repository === null ? null : repositorySource(deps, repository);
  const fault = (reason: string, next: string | null, option = "criteria-text"): RefusedCall => ({
    type: "refused",
    reason,
    next,
    option,
  });
  if (path !== "" && reading === null)
    return fault(`${checkpointId} is about no goal: it takes no criteria`, null, "criteria");
  const read =
    path === "" || reading === null
      ? ({ type: "read", criteria: written } as const)
      : await readCriteria(reading, path, sourceFor(caller), `cos answer ${checkpointId} CHOICE`);
  if (read.type === "wrong") return fault(read.problem, read.next, "criteria");
  const wrong = specProblems(read.criteria, "criteria") ?? (await unreadableCriteria(read.criteria));
  if (wrong !== null) return fault(wrong, null);
  const unseen = reading === null ? null : whyNoForge(reading, read.criteria);
  const why = unseen ?? (goal === null ? null : lostToWords(goal.criteria, read.criteria));
  return why === null ? read : fault(why.problem, why.next);
}

/**
 * Refuses an unknown question. If the id is the subject of an open question, the refusal names that question, because the person may not
 * have seen it.
 */
async function notFound({ database }: Deps, named: string): Promise<RefusedCall> {
  const open = await pendingCheckpoint(database.db, named);
  return open === null
    ? unknownId("Checkpoint", named)
    : refused(`${named} is no checkpoint: ${open.checkpointId} is open about it`, `cos details ${open.checkpointId}`);
}

/** The words that were given with a choice. */
type ReadAnswer = { readonly type: "read"; readonly said: Omit<Answer, "choice"> } | RefusedCall;

async function readAnswer(
  deps: Deps,
  caller: Caller,
  { checkpointId, version }: Question,
  words: Words,
): Promise<ReadAnswer> {
  const longest = deps.policy.text.longestInput;
  const { notes, instructions, criteriaText, budget } = words;
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
  const given = await criteriaGiven(deps, caller, checkpointId, words);
  if (given.type === "refused") return given;
  return {
    type: "read",
    said: {
      version,
      notes: filled(notes),
      instructions: filled(instructions),
      criteria: given.criteria,
      budgetMicroUsd: budget ?? null,
    },
  };
}

function filled(text: string | undefined): string | null {
  const clean = text === undefined ? "" : cleanText(text).trim();
  return clean === "" ? null : clean;
}
