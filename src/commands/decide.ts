import { specProblems } from "../core/acceptance/spec.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { checkpointState } from "../core/cards/question-parts.ts";
import { tallyWords } from "../core/cards/tally.ts";
import { formatTime } from "../core/time.ts";
import {
  type Answer,
  type AnswerDecision,
  type Checkpoint,
  type Effect,
  optionWithEffect,
} from "../core/checkpoints/checkpoint.ts";
import { cleanText, firstLine } from "../core/text.ts";
import { getCheckpoint } from "../db/checkpoints.ts";
import type { Deps } from "../deps.ts";
import { recordAnswer } from "../turns/answers/answer.ts";
import { readFile } from "node:fs/promises";
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
import { localFile, name, questionId, text, usd, type Values } from "./fields.ts";

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
  run: (deps, caller, { id, ...words }) => answerWith(deps, caller, id, words, "continue"),
});

export const reject = command({
  name: "reject",
  summary: "Answer a checkpoint with Skip: the goal ends as skipped.",
  access: "change",
  positionals: { id: questionId() },
  options: noting,
  run: (deps, caller, { id, ...words }) => answerWith(deps, caller, id, words, "skip"),
});

export const modify = command({
  name: "modify",
  summary: "Answer a checkpoint with other instructions, criteria or budget; the goal continues with them.",
  access: "change",
  positionals: { id: questionId() },
  options: modifying,
  run: (deps, caller, { id, ...words }) => answerWith(deps, caller, id, words, "modify"),
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
  words: Words,
  effect: Effect,
): Promise<CommandResult> {
  const { checkpointId } = question;
  const checkpoint = await getCheckpoint(deps.database.db, checkpointId);
  if (checkpoint === null) return notFound(checkpointId);
  const choice = optionWithEffect(checkpoint.options, effect);
  // What it would be told is looked at all the same: a fixed command takes no instructions, and says what it takes.
  if (choice === null && words.instructions !== undefined)
    return await decide(deps, caller, question, { ...words, choice: "Modify" });
  if (choice === null)
    return refused(`checkpoint ${checkpointId} does not offer that`, `cos answer ${checkpointId} CHOICE`);
  return await decide(deps, caller, question, { ...words, choice: choice.label });
}

async function decide(
  deps: Deps,
  caller: Caller,
  { checkpointId, version }: Question,
  words: Words & { readonly choice: string },
): Promise<CommandResult> {
  const read = await readAnswer(deps, words, version);
  if (read.type === "refused") return read;
  const answerer = answererOf(caller);
  const answered = await recordAnswer(deps, checkpointId, read.answer, answerer);
  if (answered === null) return notFound(checkpointId);
  if (answered.checkpoint.campaignId !== null) await deps.ring("run-campaign-day");
  return resultOf(deps, answered.decision, answered.checkpoint);
}

function notFound(checkpointId: string): CommandResult {
  return refused(`Checkpoint not found: ${checkpointId}`, "cos checkpoints");
}

type ReadAnswer = { readonly type: "read"; readonly answer: Answer } | RefusedCall;

async function readAnswer(
  deps: Deps,
  words: Words & { readonly choice: string },
  version: number | null,
): Promise<ReadAnswer> {
  const longest = deps.policy.text.longestInput;
  const { choice, notes, instructions, criteria: path, criteriaText, budget } = words;
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
    try {
      criteria = cleanText(await readFile(path, "utf8"));
    } catch (error) {
      throw new UsageError(
        `--criteria ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        "criteria",
      );
    }
  }
  const wrong = specProblems(criteria, path ?? "criteria");
  if (wrong !== null) return { type: "refused", reason: wrong, next: null, option: "criteria-text" };
  return {
    type: "read",
    answer: {
      choice,
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

/** The words for every outcome; losers learn who won (D10). S4-CL-03, S4-CL-04. */
export function resultOf(deps: Pick<Deps, "config">, decision: AnswerDecision, checkpoint: Checkpoint): CommandResult {
  const { checkpointId, goalId } = checkpoint;
  const value = { checkpointId, status: checkpoint.status, chosenOption: checkpoint.chosenOption, goalId };
  switch (decision.type) {
    case "recorded": {
      if (decision.option.effect === "edit") {
        const command = checkpoint.humanNotes ?? "";
        const line = `✓ ${goalId} runs this now: ${firstLine(command, 200)}`;
        return done({ ...value, run: command }, confirmationCard(line, [editedWords]));
      }
      const how = decision.option.effect === "modify" ? ", with your changes" : "";
      const line = `✓ ${decision.option.label}: ${checkpointId} is answered${how}.`;
      return done(value, confirmationCard(line));
    }
    case "voted": {
      if (!decision.isNew) return refused(`you have voted already: ${tallyWords(decision.tally)}`, null);
      const line = `Your vote on ${checkpointId} counts: ${tallyWords(decision.tally)}.`;
      return done({ ...value, voted: true }, confirmationCard(line));
    }
    case "reopened":
      return done(
        { ...value, version: decision.version },
        confirmationCard(
          `${checkpointId} is asked again with your changes (version ${decision.version}): votes begin anew.`,
        ),
      );
    case "not-counted": {
      const why =
        decision.reason === "requester"
          ? "you asked for it, so others have to agree"
          : "your vote does not count for it";
      return refused(
        `${why}: ${checkpointId} has ${tallyWords(decision.tally)}; nothing was decided`,
        `cos reject ${checkpointId}`,
      );
    }
    case "paused":
      if (checkpoint.pausedBy === null) {
        const goOn = `cos ${checkpoint.campaignId === null ? "autopilot resume" : `campaign resume ${checkpoint.campaignId}`}`;
        const line = `It is paused already, or over; ${checkpointId} stays open, and answering it resumes nothing: ${goOn}`;
        return done({ ...value, paused: false }, confirmationCard(line));
      }
      return done(
        { ...value, paused: true },
        confirmationCard(`Session paused; ${checkpointId} stays open and answering it resumes the session.`),
      );
    case "acknowledged":
      return done(
        { ...value, acknowledgedBy: checkpoint.acknowledgedBy },
        confirmationCard(`${checkpointId} is seen by ${checkpoint.acknowledgedBy}; it stays open.`),
      );
    case "already-answered": {
      const when = decision.at === null ? "" : `, ${formatTime(decision.at, deps.config.timezone)}`;
      const who =
        decision.by === null ? checkpointState(checkpoint) : `${decision.choice ?? "answered"} by ${decision.by}`;
      return refused(
        `checkpoint ${checkpointId} is already answered: ${who}${when}`,
        goalId === null ? null : `cos why ${goalId}`,
      );
    }
    case "expired":
      return refused(
        `checkpoint ${checkpointId} expired ${formatTime(decision.at, deps.config.timezone)}; nothing was decided`,
        asksAgain(checkpoint),
      );
    case "changed":
      return refused(
        `checkpoint ${checkpointId} changed since you looked (now version ${decision.version})`,
        "cos checkpoints",
      );
    case "not-offered":
      return refused(
        `checkpoint ${checkpointId} does not offer that; it offers ${decision.offered.join(", ")}`,
        `cos answer ${checkpointId} ${decision.offered[0] ?? ""}`,
      );
    case "fixed-command":
      return {
        type: "refused",
        reason: `${goalId} runs a fixed command, which takes no instructions; nothing was decided`,
        next: editCommandWords(goalId ?? ""),
        option: "instructions",
      };
    case "command-needed":
      return {
        type: "refused",
        reason: "Edit the command needs the command to run instead",
        next: editCommandWords(goalId ?? ""),
        option: "run",
      };
    case "instructions-needed":
      if (checkpoint.kind === "money")
        return {
          type: "refused",
          reason: "Modify needs a budget: what the campaign may cost in all",
          next: `cos modify ${checkpointId} --budget USD`,
          option: "budget",
        };
      return {
        type: "refused",
        reason: "Modify needs instructions, criteria or a budget",
        next: `cos modify ${checkpointId} --instructions "…"`,
        option: "instructions",
      };
  }
}

const editedWords = "It begins anew: what was approved or tried before does not count for it.";

/** How the command of a goal is changed. */
export function editCommandWords(goalId: string): string {
  return `cos goal edit ${goalId} --run "…"`;
}

/** The command that asks again what nobody answered in time (D12). */
export function asksAgain({ kind, goalId, campaignId }: Checkpoint): string {
  if (kind === "tuning") return "cos policy";
  if (campaignId === null) return `cos goal resume ${goalId ?? ""}`;
  if (kind === "plan") return `cos campaign start ${campaignId}`;
  return kind === "confirm" ? `cos campaign status ${campaignId}` : `cos campaign resume ${campaignId}`;
}
