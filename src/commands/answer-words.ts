import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import type { AnswerDecision } from "../core/checkpoints/answering.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { checkpointState } from "../core/cards/question-parts.ts";
import { pausedByWords, stillPausedWords } from "../core/cards/paused-words.ts";
import { tallyWords } from "../core/cards/tally.ts";
import { adjustLabel } from "../core/checkpoints/options.ts";
import { formatUsd } from "../core/money.ts";
import { firstLine } from "../core/text.ts";
import { formatTime } from "../core/time.ts";
import { shellWord } from "../core/text/shell-word.ts";
import type { Deps } from "../deps.ts";
import type { Answered } from "../turns/shared/audit.ts";
import { type CommandResult, done, groupsUnknownWords, refused } from "./command.ts";

type Refusal = Extract<
  AnswerDecision,
  {
    readonly type:
      | "already-answered"
      | "expired"
      | "changed"
      | "not-offered"
      | "fixed-command"
      | "not-taken"
      | "command-needed"
      | "instructions-needed"
      | "below-cost";
  }
>;

/** Returns the words for every result of an answer; a person whose answer came too late learns who answered (D10). S4-CL-03, S4-CL-04. */
export function answerWords(
  deps: Pick<Deps, "config">,
  { decision, checkpoint, paused: still = null }: Answered,
): CommandResult {
  const { checkpointId, goalId } = checkpoint;
  const value = { checkpointId, status: checkpoint.status, chosenOption: checkpoint.chosenOption, goalId };
  switch (decision.type) {
    case "recorded": {
      const { label, effect } = decision.option;
      const left = effect === "skip" || effect === "manual";
      const more = still === null ? [] : [stillPausedWords(still, left ? null : goalId)];
      if (effect === "edit") {
        const command = checkpoint.humanNotes ?? "";
        const line = `✓ ${goalId} runs this now: ${firstLine(command, 200)}`;
        return saidIf(more, done({ ...value, run: command }, confirmationCard(line, [editedWords, ...more])));
      }
      const how = effect === "modify" ? ", with your changes" : "";
      const line = `✓ ${label}: ${checkpointId} is answered${how}.`;
      return saidIf(more, done(value, confirmationCard(line, more)));
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
          `${checkpointId} is asked again with your changes (version ${decision.version}): votes start over.`,
        ),
      );
    case "not-counted": {
      if (decision.reason === "groups-unknown")
        return refused(
          `${groupsUnknownWords}, nor whether your vote counts; nothing was decided, try again in a moment`,
          null,
        );
      const why =
        decision.reason === "requester"
          ? "you asked for it, so others have to agree"
          : "your vote does not count for it";
      return refused(
        `${why}: ${checkpointId} has ${tallyWords(decision.tally)}; nothing was decided`,
        `cos reject ${checkpointId}`,
      );
    }
    case "paused": {
      const paused = checkpoint.campaignId === null ? "Session" : "Campaign";
      if (checkpoint.pausedBy === null) {
        const line =
          still === null
            ? `Nothing is worked that could be paused; ${checkpointId} stays open.`
            : `${still.id} is paused already, ${pausedByWords(still.pausedBy)}; ${checkpointId} stays open, and answering it resumes nothing: cos ${still.command}`;
        return saidIf([line], done({ ...value, paused: false }, confirmationCard(line)));
      }
      return done(
        { ...value, paused: true },
        confirmationCard(
          `${paused} paused; ${checkpointId} stays open and answering it resumes the ${paused.toLowerCase()}.`,
        ),
      );
    }
    case "acknowledged":
      return done(
        { ...value, acknowledgedBy: checkpoint.acknowledgedBy },
        confirmationCard(`${checkpointId} is seen by ${checkpoint.acknowledgedBy}; it stays open.`),
      );
    case "already-answered":
    case "expired":
    case "changed":
    case "not-offered":
    case "fixed-command":
    case "not-taken":
    case "command-needed":
    case "instructions-needed":
    case "below-cost":
      return refusalWords(deps, decision, checkpoint);
  }
}

/** Marks a result to be told to a person who pressed a button as well, when it says more than the question's card shows. */
function saidIf(more: readonly string[], result: CommandResult): CommandResult {
  return more.length === 0 || result.type === "refused" ? result : { ...result, isSaid: true };
}

/** Returns why nothing was decided, and what to do instead. */
function refusalWords(deps: Pick<Deps, "config">, decision: Refusal, checkpoint: Checkpoint): CommandResult {
  const { checkpointId, goalId, campaignId } = checkpoint;
  switch (decision.type) {
    case "already-answered": {
      const when = decision.at === null ? "" : `, ${formatTime(decision.at, deps.config.timezone)}`;
      if (decision.by === null)
        return refused(
          `checkpoint ${checkpointId} is over: ${checkpointState(checkpoint)}${when}; nothing was decided`,
          afterAnswer(checkpoint),
        );
      const who = `${decision.choice ?? "answered"} by ${decision.by}`;
      return refused(`checkpoint ${checkpointId} is already answered: ${who}${when}`, afterAnswer(checkpoint));
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
    case "not-offered": {
      const [first] = decision.offered;
      const instead = first === undefined ? "" : `; it offers ${decision.offered.join(", ")}`;
      return refused(
        `checkpoint ${checkpointId} does not offer that${instead}`,
        `cos answer ${checkpointId} ${first ?? "CHOICE"}`,
      );
    }
    case "fixed-command":
      return {
        type: "refused",
        reason: `${goalId} runs a fixed command, which takes no instructions; nothing was decided`,
        next: editCommandWords(goalId ?? ""),
        option: "instructions",
      };
    case "not-taken":
      return notTakenWords(decision, checkpointId);
    case "command-needed":
      return {
        type: "refused",
        reason: "Edit the command needs the command to run instead",
        next: editCommandWords(goalId ?? ""),
        option: "run",
      };
    case "below-cost":
      return {
        type: "refused",
        reason: `${goalId ?? campaignId ?? "it"} has cost ${formatUsd(decision.spentMicroUsd)}, and its ceiling is what it may cost in all; nothing was decided`,
        next: `cos modify ${checkpointId} --budget USD`,
        option: "budget",
      };
    case "instructions-needed":
      if (checkpoint.kind === "money")
        return {
          type: "refused",
          reason: "Modify needs a budget: what the campaign may cost in all",
          next: `cos modify ${checkpointId} --budget USD`,
          option: "budget",
        };
      if (decision.takesNoWords === true) return fixedCommandWords(checkpoint.kind, checkpointId, goalId);
      return {
        type: "refused",
        reason:
          checkpoint.kind === "milestone"
            ? `${adjustLabel} needs instructions or criteria`
            : "Modify needs instructions, criteria or a budget",
        next: `cos modify ${checkpointId} --instructions "…"`,
        option: "instructions",
      };
  }
}

/** Returns the refusal of Modify without changes for a fixed command: a proof question needs criteria, others may take a higher ceiling. */
function fixedCommandWords(kind: Checkpoint["kind"], checkpointId: string, goalId: string | null): CommandResult {
  return {
    type: "refused",
    reason: `Modify needs criteria or a budget: ${goalId} runs a fixed command, which takes no instructions`,
    ...(kind === "proof"
      ? { next: `cos modify ${checkpointId} --criteria FILE`, option: "criteria" }
      : { next: `cos modify ${checkpointId} --budget USD`, option: "budget" }),
  };
}

function notTakenWords(
  { option, instead }: Extract<Refusal, { readonly type: "not-taken" }>,
  checkpointId: string,
): CommandResult {
  const choice = shellWord(option.label);
  if (option.effect === "modify")
    return {
      type: "refused",
      reason: `${option.label} takes instructions and criteria, and no budget; nothing was decided`,
      next: `cos answer ${checkpointId} ${choice} --instructions "…"`,
      option: "budget",
    };
  const spoken = option.effect === "continue" ? choice : `${choice} --notes "…"`;
  return {
    type: "refused",
    reason: `${option.label} takes no instructions, criteria or budget; nothing was decided`,
    next: `cos answer ${checkpointId} ${instead === null ? spoken : `${shellWord(instead)} with them, or ${spoken}`}`,
    option: "instructions",
  };
}

const editedWords = "It starts over: what was approved or tried before does not count for it.";

/** Returns the command that changes the command of a goal. */
export function editCommandWords(goalId: string): string {
  return `cos goal edit ${goalId} --run "…"`;
}

/** Returns what to do after somebody's answer: resume the goal if the answer left it, else look at its result. */
function afterAnswer({ goalId, campaignId, options, chosenOption }: Checkpoint): string | null {
  if (goalId === null) return campaignId === null ? null : `cos campaign status ${campaignId}`;
  const effect = options.find(({ label }) => label === chosenOption)?.effect;
  return effect === "skip" || effect === "manual" ? `cos goal resume ${goalId}` : `cos why ${goalId}`;
}

/** Returns the command that asks an expired question again (D12). */
export function asksAgain({ kind, goalId, campaignId }: Checkpoint): string {
  if (kind === "tuning") return "cos policy";
  if (campaignId === null) return `cos goal resume ${goalId ?? ""}`;
  if (kind === "plan") return `cos campaign start ${campaignId}`;
  return kind === "confirm" ? `cos campaign status ${campaignId}` : `cos campaign resume ${campaignId}`;
}
