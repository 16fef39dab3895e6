import { text } from "../core/cards/card.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { changedWords, type Understood, understoodBlock } from "../core/cards/understood.ts";
import { lostToWords, criteriaWordsRead } from "../core/acceptance/goal-contract.ts";
import { optionWithEffect } from "../core/checkpoints/find-option.ts";
import { editLabel } from "../core/checkpoints/options.ts";
import { newEstimate } from "../core/goals/budget.ts";
import { cleanTags } from "../core/goals/tags.ts";
import { cleanText, isBlank } from "../core/text.ts";
import { parseCheckpointAddress } from "../core/checkpoints/checkpoint.ts";
import { flagsFrom, noWorklogFlags, withFlags } from "../core/worklog/flags.ts";
import { globsProblem } from "../core/text/globs.ts";
import { reasonsOf } from "../core/checkpoints/question.ts";
import { unsettled } from "../core/goals/start.ts";
import { pendingCheckpoint } from "../db/checkpoints.ts";
import { type GoalChanges, lockGoal } from "../db/goals.ts";
import { findRepository } from "../db/repositories.ts";
import { answerIn } from "../turns/answers/answer.ts";
import { cutsTurn, editGoal, withoutEqual } from "../turns/shared/edit-goal.ts";
import { askAbout } from "../turns/shared/ask-about.ts";
import { gatherStart } from "../turns/goal/start-facts.ts";
import { withdrawQuestion } from "../turns/shared/end-session.ts";
import { readCriteria } from "../turns/shared/goal-request.ts";
import { runFault } from "../turns/shared/readable.ts";
import { repositorySource } from "../turns/shared/source-files.ts";
import { answerWords, editCommandWords } from "./answer-words.ts";
import { sourceFor } from "./source-files.ts";
import { goalFields } from "./goal-fields.ts";
import { withoutEmpty } from "./repo-settings.ts";
import { beginAnew, readOrder } from "./goal-order.ts";
import { type GoalChangeContext, changeGoal, goalNotFound, tellOfGoal } from "./goal-change.ts";
import { applyTransition } from "../db/transitions.ts";
import type { Deps } from "../deps.ts";
import {
  answererOf,
  type Caller,
  command,
  type CommandResult,
  done,
  misused,
  refused,
  type RefusedCall,
} from "./command.ts";
import { anyId, idOf, name, freeText, type Values } from "./fields.ts";

const { cost, priority, minutes, tier, criteria, run } = goalFields;
const { noWorklog, skipVerify, noCheckpoints, verboseLog, retryMemory } = goalFields;
const editing = {
  text: freeText("TEXT", "the new text").optional(),
  after: anyId("GOAL", "the goals that it is on top of, all of them; none: of nothing").array(),
  tag: name("T", "all of its tags from now on; '' leaves none").array(),
  cost,
  priority,
  minutes,
  tier,
  criteria,
  run,
  allow: name("GLOB", "all files that the goal may change; '' leaves none, which is any").array(),
  allowProof: name("GLOB", "all proof files that the goal may change; '' leaves none").array(),
  noWorklog,
  skipVerify,
  noCheckpoints,
  verboseLog,
  retryMemory,
};

type Wanted = Values<typeof editing>;

interface GoalEdit extends GoalChangeContext {
  /** The id that was named: the goal's, or that of a question about it. */
  readonly id: string;
  readonly wanted: Partial<Wanted> & Pick<Wanted, "after" | "tag" | "allow" | "allowProof">;
}

export const goalEdit = command({
  name: "goal edit",
  summary: "Change a goal, or the one that a question is about; what was asked, approved or begun for it starts over.",
  access: "change",
  positionals: { id: idOf("goal") },
  options: editing,
  run: (deps, caller, { id, ...wanted }) => {
    const ordered = wanted.after.length > 0;
    return changeGoal(deps, caller, { id, ordered }, (changing) => edit({ ...changing, id, wanted }));
  },
});

/** Answers a question with another command for its goal. `address`: the question with the version that was shown. */
export function editCommand(deps: Deps, caller: Caller, address: string, run: string): Promise<CommandResult> {
  const wanted = { run, after: [], tag: [], allow: [], allowProof: [] };
  return changeGoal(deps, caller, { id: address }, (changing) => edit({ ...changing, id: address, wanted }));
}

async function edit(changing: GoalEdit): Promise<CommandResult> {
  const { tx, deps, goal, open } = changing;
  if (goal.status === "complete") return refused(`${goal.goalId} is already complete`, "cos goal add TEXT");
  const read = await readChanges(changing);
  if (read.type === "refused") return read;
  const given = Object.keys(read.changes);
  if (given.length === 0) return refused("nothing to change was given", `cos goal edit --help`);
  const answered = await answerWithCommand(changing, read.changes);
  if (answered?.type === "refused") return answered;
  const now = (await lockGoal(tx, goal.goalId)) ?? goal;
  const { runCommand: _answered, ...others } = read.changes;
  const changes = withoutEqual(now, answered === null ? read.changes : others);
  const names = Object.keys(changes);
  if (names.length === 0) {
    const why = `nothing would change of ${goal.goalId}: ${changedWords(given)}`;
    return answered ?? refused(why, `cos goal show ${goal.goalId}`);
  }

  // A goal that is changed after it was planned into a session is no longer what was planned there (C-68). Changing what it builds on is
  // no such change (D14).
  const isOther = names.some((name) => name !== "after");
  const unplannedIn = isOther && open !== null && goal.sessionId === open.sessionId ? open.sessionId : goal.unplannedIn;
  await editGoal(tx, deps, now, { changes: { ...changes, unplannedIn }, isAnswer: false });
  if (changes.after !== undefined) await beginAnew(tx, deps, (await lockGoal(tx, goal.goalId)) ?? goal);
  const { runCommand } = changes;
  const commands = runCommand === undefined ? {} : { was: goal.runCommand, now: runCommand };
  await tellOfGoal(changing, { event: "goal.edited", detail: { fields: names, ...commands } });
  await askAgain(changing, names);
  const how = cutsTurn(now, changes) ? "; its running turn is interrupted and begins again" : "";
  const card = confirmationCard(`${goal.goalId} changed: ${changedWords(names)}${how}`);
  const understood = understoodBlock(understoodOf(changes, changing.wanted.criteria ?? null));
  const value = { goalId: goal.goalId, changed: names, ...(runCommand === undefined ? {} : { run: runCommand }) };
  if (answered === null) return done(value, { ...card, blocks: [understood] });
  // First what the answer says, which may be more than its card shows; then the changes.
  const { card: first } = answered;
  return { ...answered, value, card: { ...first, blocks: [...first.blocks, text(card.title), understood] } };
}

/** Returns the changes as they are read back to the person. */
function understoodOf(changes: GoalChanges, criteriaPath: string | null): Understood {
  const { content, tags, estimateMicroUsd, priority, estimatedMinutes, tier, worklogFlags, runCommand } = changes;
  const { filesAllowed, proofAllowed } = changes;
  const read = criteriaWordsRead(changes.criteria ?? null);
  return {
    ...(content === undefined ? {} : { content }),
    ...(tags === undefined ? {} : { tags }),
    ...(estimateMicroUsd === undefined ? {} : { estimateMicroUsd }),
    ...(priority === undefined ? {} : { priority }),
    ...(estimatedMinutes === undefined ? {} : { minutes: estimatedMinutes }),
    ...(tier === undefined ? {} : { tier }),
    ...(worklogFlags === undefined ? {} : { worklogFlags }),
    ...(runCommand === undefined ? {} : { command: runCommand }),
    ...(criteriaPath === null || changes.criteria === undefined ? {} : { criteria: criteriaPath }),
    ...(read === null ? {} : { criteriaRead: read }),
    ...(filesAllowed === undefined ? {} : { allow: filesAllowed }),
    ...(proofAllowed === undefined ? {} : { allowProof: proofAllowed }),
  };
}

/** Replaces an open question before the work by a new version that says what changed (D10). */
async function askAgain({ tx, deps, goal }: GoalChangeContext, names: readonly string[]): Promise<void> {
  const open = await pendingCheckpoint(tx, goal.goalId);
  const changed = await lockGoal(tx, goal.goalId);
  if (open === null || open.runId === null || changed === null || open.kind !== "start") return;
  const facts = await gatherStart(tx, deps, changed);
  const reasons = unsettled(facts.fired, facts.settled, facts.contentHash);
  if (reasons.length === 0) {
    await withdrawQuestion(tx, deps, goal.goalId);
    await applyTransition(tx, changed, { type: "isAnswered", phase: changed.phase }, { updatedAt: deps.now() });
    return;
  }
  await askAbout(tx, deps, {
    goal: changed,
    runId: open.runId,
    kind: "start",
    reasons: reasonsOf(reasons, changed, facts),
    details: [],
    fingerprint: null,
    changed: names.join(", "),
  });
}

/**
 * Answers an open question that offers to edit the command, because giving another command is its answer, whoever edits (D50). Null when
 * no such question is open and none was named.
 */
async function answerWithCommand(given: GoalEdit, changes: GoalChanges): Promise<CommandResult | null> {
  const { tx, deps, caller, id, goal } = given;
  if (changes.runCommand === undefined) return null;
  const named = parseCheckpointAddress(id);
  const isNamed = named.checkpointId !== goal.goalId;
  const open = isNamed ? null : await pendingCheckpoint(tx, goal.goalId);
  const offersEdit = open !== null && optionWithEffect(open.options, "edit") !== null;
  const command = changes.runCommand;
  if (!isNamed && (command === null || !offersEdit)) return null;
  const { checkpointId, version } = open === null ? named : { ...open, version: null };
  const fault = (reason: string, next: string) => ({ type: "refused", reason, next, option: "run" }) as const;
  if (command === null) return fault("the command to run instead is empty", editCommandWords(goal.goalId));
  if (command === goal.runCommand)
    return fault(`${goal.goalId} runs that already; Retry runs it again`, `cos answer ${checkpointId} Retry`);

  const answer = { choice: editLabel, version, command, ...noWords };
  const by = answererOf(caller);
  const answered = await answerIn(tx, deps, checkpointId, { answer, answerer: by });
  return answered === null ? goalNotFound(goal.goalId) : answerWords(deps, answered);
}

const noWords = { notes: null, instructions: null, criteria: null, budgetMicroUsd: null };

type ReadChanges = { readonly type: "read"; readonly changes: GoalChanges } | RefusedCall;

async function readChanges({ tx, deps, caller, wanted, goal }: GoalEdit): Promise<ReadChanges> {
  const changes: GoalChanges = {};
  const { after, cost, minutes, priority, tier, run } = wanted;
  const [allow, allowProof] = [withoutEmpty(wanted.allow), withoutEmpty(wanted.allowProof)];
  if (wanted.text !== undefined) {
    const content = cleanText(wanted.text).trim();
    const longest = deps.policy.text.longestInput;
    if (isBlank(content)) return misused("the goal's text is empty", "goal edit");
    if (content.length > longest)
      return misused(`the text has ${content.length} characters, at most ${longest} are taken`, "goal edit");
    changes.content = content;
  }
  if (wanted.criteria !== undefined) {
    const repository = await findRepository(tx, goal.repositoryId);
    if (repository === null) throw new Error(`the repository of ${goal.goalId} is not there`);
    const read = await readCriteria(
      repositorySource(deps, repository),
      wanted.criteria,
      sourceFor(caller),
      `cos goal edit ${goal.goalId}`,
    );
    if (read.type === "wrong") return refused(read.problem, read.next);
    const lost = lostToWords(goal.criteria, read.criteria);
    if (lost !== null) return refused(lost.problem, lost.next);
    changes.criteria = read.criteria;
  }
  const order = await readOrder(tx, goal, after);
  if (order !== null && "type" in order) return order;
  if (order !== null) changes.after = [...order];
  if (cost !== undefined) Object.assign(changes, newEstimate(goal, cost));
  if (minutes !== undefined) changes.estimatedMinutes = minutes;
  if (priority !== undefined) changes.priority = priority;
  if (tier !== undefined) changes.tier = tier;
  const flags = flagsFrom(wanted);
  if (flags !== null) changes.worklogFlags = withFlags(goal.worklogFlags ?? noWorklogFlags, flags);
  if (run !== undefined) changes.runCommand = run.trim() === "" ? null : run;
  const tags = cleanTags(wanted.tag);
  const problem =
    typeof tags === "string"
      ? tags
      : ((await runFault(run ?? null, deps.policy.text.longestInput)) ?? globsProblem([...allow, ...allowProof]));
  if (problem !== null || typeof tags === "string") return misused(problem ?? "", "goal edit");
  if (wanted.tag.length > 0) changes.tags = [...tags];
  if (wanted.allow.length > 0) changes.filesAllowed = allow;
  if (wanted.allowProof.length > 0) changes.proofAllowed = allowProof;
  return { type: "read", changes };
}
