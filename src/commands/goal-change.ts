import { buildersWords, lostness, lostWords } from "../core/cards/ground-words.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { groundState } from "../core/goals/ground.ts";
import { type Understood, understoodBlock } from "../core/cards/understood.ts";
import { endedStatuses, type Goal, priorities, tiers } from "../core/goals/goal.ts";
import { cleanTags, runProblem } from "../core/goals/new-goal.ts";
import { dollars } from "../core/money.ts";
import { cleanText } from "../core/text.ts";
import { editLabel, optionWithEffect, parseCheckpointAddress } from "../core/checkpoints/checkpoint.ts";
import { globsProblem } from "../core/text/globs.ts";
import { reasonsOf } from "../core/checkpoints/question.ts";
import { unsettled } from "../core/goals/start.ts";
import { getCheckpoint, pendingCheckpoint } from "../db/checkpoints.ts";
import type { Db } from "../db/client.ts";
import { getGoal, type GoalChanges, lockGoal, updateGoal } from "../db/goals.ts";
import { buildersOf, groundsOf } from "../db/grounds.ts";
import { findRepository, lockRepository } from "../db/repositories.ts";
import { updateRun } from "../db/runs.ts";
import type { Session } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { releaseBuilders, reopenBuilders } from "../turns/builders.ts";
import { answerIn } from "../turns/answer.ts";
import { editGoal } from "../turns/edit-goal.ts";
import { deferGoal } from "../turns/effects.ts";
import { askAbout } from "../turns/park.ts";
import { sayGoal } from "../turns/say.ts";
import { lockSessionsOf } from "../turns/sessions.ts";
import { gatherStart } from "../turns/start.ts";
import { wakeSession, withdrawQuestion } from "../turns/wake.ts";
import {
  type Caller,
  choiceOption,
  type Command,
  type CommandResult,
  done,
  type Given,
  numberOption,
  wholeNumberOption,
  option,
  options,
  refused,
  word,
} from "./command.ts";
import { readCriteria } from "../turns/new-goal.ts";
import { editCommandWords, resultOf } from "./decide.ts";
import { sourceFor } from "./source-files.ts";
import { goalAdd } from "./goal-add.ts";
import { beginAnew, readOrder } from "./goal-order.ts";

const id = { name: "id", required: true };

export const goalEdit: Command = {
  name: "goal edit",
  summary: "Change a goal, or the one that a question is about; what was asked, approved or begun for it begins anew.",
  access: "change",
  positionals: [id],
  options: {
    text: { value: "TEXT", description: "the new text" },
    after: {
      value: "GOAL",
      multiple: true,
      description: "the goals that it is on top of, all of them; none: of nothing",
    },
    ...Object.fromEntries(
      ["tag", "cost", "priority", "minutes", "tier", "criteria", "run", "allow", "allow-proof"].flatMap((name) => {
        const found = goalAdd.options[name];
        return found === undefined ? [] : [[name, found]];
      }),
    ),
  },
  run: (deps, caller, given) => changeGoal(deps, caller, given, edit),
};

export const goalSkip: Command = {
  name: "goal skip",
  summary: "Defer a goal; its session goes on with the next one.",
  access: "change",
  positionals: [id],
  options: {},
  run: (deps, caller, given) => changeGoal(deps, caller, given, skip),
};

export const goalPause: Command = {
  name: "goal pause",
  summary: "Park a goal; its session goes on with the next one.",
  access: "change",
  positionals: [id],
  options: {},
  run: (deps, caller, given) => changeGoal(deps, caller, given, pause),
};

export const goalResume: Command = {
  name: "goal resume",
  summary: "Work a parked, failed, deferred or finished goal again; questions are asked again.",
  access: "change",
  positionals: [id],
  options: {},
  run: (deps, caller, given) => changeGoal(deps, caller, given, resume),
};

interface Changing {
  readonly tx: Db;
  readonly deps: Deps;
  readonly caller: Caller;
  readonly given: Given;
  readonly goal: Goal;
  /** The open session of its repository, locked; null: there is none that still works goals. */
  readonly open: Session | null;
}

/** Locks session and goal (D9), changes, wakes the session, rings. */
async function changeGoal(
  deps: Deps,
  caller: Caller,
  given: Given,
  change: (changing: Changing) => Promise<CommandResult>,
): Promise<CommandResult> {
  const named = word(given, "id");
  const goalId = (await goalOfQuestion(deps, named)) ?? named;
  const seen = await getGoal(deps.database.db, goalId);
  if (seen === null) return goalNotFound(goalId);
  let ring = false;
  const result = await deps.database.transaction(async (tx) => {
    // What goals are on top of changes for one at a time: together two could go in a circle.
    if (options(given, "after").length > 0) await lockRepository(tx, seen.repositoryId);
    const open = await lockSessionsOf(tx, seen);
    const goal = await lockGoal(tx, goalId);
    if (goal === null) return goalNotFound(goalId);
    const changed = await change({ tx, deps, caller, given, goal, open });
    if (changed.type === "refused") return changed;
    await sayGoal(tx, deps, goalId);
    const after = await getGoal(tx, goalId);
    ring = await wakeSession(tx, deps, after?.sessionId ?? null);
    // Goals on top of it may be in the open one, while its own is over.
    if (open !== null && open.sessionId !== after?.sessionId)
      ring = (await wakeSession(tx, deps, open.sessionId)) || ring;
    return changed;
  });
  if (ring) await deps.ring("run-goal");
  return result;
}

/** The goal that a question is about, named as its buttons name it (`cp-1a2b3c4d.2`); null when it names none. */
async function goalOfQuestion(deps: Deps, named: string): Promise<string | null> {
  const { checkpointId } = parseCheckpointAddress(named);
  return (await getCheckpoint(deps.database.db, checkpointId))?.goalId ?? null;
}

export function goalNotFound(goalId: string): CommandResult {
  return refused(`Goal not found: ${goalId}`, "cos goals");
}

async function tell(
  { tx, deps, caller, goal }: Changing,
  event: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const { goalId, sessionId, runId } = goal;
  await appendTimeline(tx, {
    event,
    goalId,
    sessionId,
    runId,
    actor: caller.actor,
    via: caller.via,
    at: deps.now(),
    detail,
  });
}

async function skip(changing: Changing): Promise<CommandResult> {
  const { tx, deps, caller, goal } = changing;
  if (endedStatuses.includes(goal.status))
    return refused(`${goal.goalId} is already ${goal.status}`, `cos goal show ${goal.goalId}`);
  await withdrawQuestion(tx, deps, goal.goalId);
  await tell(changing, "goal.skipped");
  await deferGoal(tx, deps, goal, `Skipped by ${caller.actor}.`);
  const parked = (await buildersOf(tx, goal.goalId)).filter((each) => each.parkedFor === goal.goalId);
  const ids = parked.map((each) => each.goalId);
  const also = ids.length === 0 ? [] : [buildersWords(ids, "parked")];
  return done(
    { goalId: goal.goalId, status: "deferred", parked: ids },
    confirmationCard(`${goal.goalId} is deferred`, also),
  );
}

async function pause(changing: Changing): Promise<CommandResult> {
  const { tx, deps, caller, goal } = changing;
  if (endedStatuses.includes(goal.status))
    return refused(`${goal.goalId} is already ${goal.status}`, `cos goal show ${goal.goalId}`);
  await withdrawQuestion(tx, deps, goal.goalId);
  await tell(changing, "goal.paused");
  const outcome = `Parked by ${caller.actor}. Go on with: cos goal resume ${goal.goalId}`;
  const parked: GoalChanges = goal.leasedBy === null ? { status: "blocked", wakeAt: null } : { stopRequested: "stop" };
  await updateGoal(tx, goal.goalId, { ...parked, parkedFor: null, outcome, updatedAt: deps.now() });
  return done({ goalId: goal.goalId, status: "blocked" }, confirmationCard(`${goal.goalId} is parked`));
}

async function resume(changing: Changing): Promise<CommandResult> {
  const { tx, deps, goal, open } = changing;
  const next = `cos goal show ${goal.goalId}`;
  if (goal.leasedBy !== null) return refused(`${goal.goalId} is being worked`, next);
  if ((await pendingCheckpoint(tx, goal.goalId)) !== null)
    return refused(`${goal.goalId} waits for an answer`, "cos checkpoints");
  if (goal.status === "pending" || goal.status === "in_progress")
    return refused(`${goal.goalId} is ${goal.status}`, next);
  const lost = [...(await groundsOf(tx, goal.after)).values()].find((ground) => groundState(ground) === "lost");
  if (lost !== undefined) {
    const words = lostWords(lost, lostness(lost), goal.goalId);
    return refused(words.reason, words.next);
  }

  // A parked goal with work of its own goes on where it was; everything else begins a new run and asks again (D3).
  const goesOn = goal.status === "blocked" && goal.phase !== "start";
  if (!goesOn && goal.runId !== null) await updateRun(tx, goal.runId, { status: "ended", endedAt: deps.now() });
  const joins = open !== null && open.sessionId !== goal.sessionId;
  await updateGoal(tx, goal.goalId, {
    ...(joins ? { joinedAt: deps.now() } : {}),
    ...(goesOn ? { status: "in_progress" } : { status: "pending", phase: "start", runId: null }),
    sessionId: open?.sessionId ?? null,
    stopRequested: null,
    parkedFor: null,
    outcome: null,
    wakeAt: null,
    updatedAt: deps.now(),
  });
  await tell(changing, "goal.resumed");
  const sessionId = open?.sessionId ?? null;
  const reopened = await reopenBuilders(tx, deps, goal.goalId, sessionId);
  const released = await releaseBuilders(tx, deps, goal.goalId, sessionId);
  const builders = [...new Set([...reopened, ...released])];
  const start = goal.campaignId === null ? "cos autopilot start" : `cos autopilot start --goal ${goal.goalId}`;
  const where = open === null ? `it waits for the next session: ${start}` : `it is in ${open.sessionId}`;
  return done(
    { goalId: goal.goalId, sessionId, builders },
    confirmationCard(
      `${goal.goalId} will be worked again; ${where}`,
      builders.length === 0 ? [] : [buildersWords(builders, "waiting")],
    ),
  );
}

async function edit(changing: Changing): Promise<CommandResult> {
  const { tx, deps, goal, open } = changing;
  if (goal.status === "complete") return refused(`${goal.goalId} is already complete`, "cos goal add TEXT");
  const read = await readChanges(changing);
  if (read.type === "refused") return read;
  const names = Object.keys(read.changes);
  if (names.length === 0) return refused("nothing to change was given", `cos goal edit --help`);
  const answered = await answerWithCommand(changing, read.changes);
  if (answered !== null && (answered.type === "refused" || names.length === 1)) return answered;

  // Changed after it was planned into a session: there it is not what was planned any more (C-68). Where it begins is no
  // such change (D14).
  const isOther = names.some((name) => name !== "after");
  const unplannedIn = isOther && open !== null && goal.sessionId === open.sessionId ? open.sessionId : goal.unplannedIn;
  const anew = read.changes.after === undefined ? {} : await beginAnew(tx, deps, goal);
  const now = (await lockGoal(tx, goal.goalId)) ?? goal;
  await editGoal(tx, deps, now, { changes: { ...read.changes, ...anew, unplannedIn }, isAnswer: false });
  const { runCommand } = read.changes;
  const commands = runCommand === undefined ? {} : { was: goal.runCommand, now: runCommand };
  await tell(changing, "goal.edited", { fields: names, ...commands });
  await askAgain(changing, names);
  const running = goal.leasedBy !== null;
  const how = running ? "; its running turn is cut and begins again" : "";
  const card = confirmationCard(
    `${goal.goalId} changed: ${names.map((name) => fieldWords[name] ?? name).join(", ")}${how}`,
  );
  const understood = understoodBlock(understoodOf(read.changes, option(changing.given, "criteria")));
  return done(
    { goalId: goal.goalId, changed: names, ...(runCommand === undefined ? {} : { run: runCommand }) },
    { ...card, blocks: [understood] },
  );
}

/** The changes in the words of their read-back. */
function understoodOf(changes: GoalChanges, criteriaPath: string | null): Understood {
  const { content, tags, estimateMicroUsd, priority, estimatedMinutes, tier, runCommand } = changes;
  const { filesAllowed, proofAllowed } = changes;
  return {
    ...(content === undefined ? {} : { content }),
    ...(tags === undefined ? {} : { tags }),
    ...(estimateMicroUsd === undefined ? {} : { estimateMicroUsd }),
    ...(priority === undefined ? {} : { priority }),
    ...(estimatedMinutes === undefined ? {} : { minutes: estimatedMinutes }),
    ...(tier === undefined ? {} : { tier }),
    ...(runCommand === undefined ? {} : { command: runCommand }),
    ...(criteriaPath === null ? {} : { criteria: criteriaPath }),
    ...(filesAllowed === undefined ? {} : { allow: filesAllowed }),
    ...(proofAllowed === undefined ? {} : { allowProof: proofAllowed }),
  };
}

/** An open question before the work becomes a new version that says what changed (D10). */
async function askAgain({ tx, deps, goal }: Changing, names: readonly string[]): Promise<void> {
  const open = await pendingCheckpoint(tx, goal.goalId);
  const changed = await lockGoal(tx, goal.goalId);
  if (open === null || open.runId === null || changed === null || open.kind !== "start") return;
  const facts = await gatherStart(tx, deps, changed);
  const reasons = unsettled(facts.fired, facts.settled, facts.contentHash);
  if (reasons.length === 0) {
    await withdrawQuestion(tx, deps, goal.goalId);
    await updateGoal(tx, goal.goalId, { status: "pending", updatedAt: deps.now() });
    return;
  }
  await askAbout(tx, deps, changed, open.runId, {
    kind: "start",
    reasons: reasonsOf(reasons, changed, deps.policy),
    details: [],
    fingerprint: null,
    changed: names.join(", "),
  });
}

/** Names of rows, in the words of the options that change them. */
const fieldWords: Readonly<Record<string, string>> = {
  content: "text",
  runCommand: "command",
  estimateMicroUsd: "cost",
  estimatedMinutes: "minutes",
  filesAllowed: "allowed files",
  proofAllowed: "allowed proof files",
};

/**
 * Another command is the answer to a question that offers to edit it: settled as such, by whoever edits (D50). Null: no
 * such question is open, and none was named.
 */
async function answerWithCommand(changing: Changing, changes: GoalChanges): Promise<CommandResult | null> {
  const { tx, deps, caller, given, goal } = changing;
  if (changes.runCommand === undefined) return null;
  const named = parseCheckpointAddress(word(given, "id"));
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
  const by = { actor: caller.actor, actorId: caller.member?.id ?? null, via: caller.via };
  const answered = await answerIn(tx, deps, checkpointId, answer, by);
  return answered === null ? goalNotFound(goal.goalId) : resultOf(deps, answered.decision, answered.checkpoint);
}

const noWords = { notes: null, instructions: null, criteria: null, budgetMicroUsd: null };

type ReadChanges =
  | { readonly type: "read"; readonly changes: GoalChanges }
  | Extract<CommandResult, { type: "refused" }>;

async function readChanges({ tx, deps, caller, given, goal }: Changing): Promise<ReadChanges> {
  const changes: GoalChanges = {};
  const text = option(given, "text");
  if (text !== null) {
    const content = cleanText(text).trim();
    const longest = deps.policy.text.longestInput;
    if (content === "") return { type: "refused", reason: "the goal's text is empty", next: null };
    if (content.length > longest)
      return {
        type: "refused",
        reason: `the text has ${content.length} characters, at most ${longest} are taken`,
        next: null,
      };
    changes.content = content;
  }
  const criteriaPath = option(given, "criteria");
  if (criteriaPath !== null) {
    const repository = await findRepository(tx, goal.repositoryId);
    if (repository === null) throw new Error(`the repository of ${goal.goalId} is not there`);
    const read = await readCriteria(repository, criteriaPath, sourceFor(caller));
    if (read.type === "wrong") return { type: "refused", reason: read.problem, next: read.next };
    changes.criteria = read.criteria;
  }
  const order = await readOrder(tx, given, goal);
  if (order !== null && "type" in order) return order;
  if (order !== null) changes.after = [...order];
  const cost = numberOption(given, "cost", 0, 1_000_000);
  const minutes = wholeNumberOption(given, "minutes", 1, 100_000);
  const priority = choiceOption(given, "priority", priorities);
  const tier = choiceOption(given, "tier", tiers);
  const run = option(given, "run");
  if (cost !== null) changes.estimateMicroUsd = dollars(cost);
  if (minutes !== null) changes.estimatedMinutes = minutes;
  if (priority !== null) changes.priority = priority;
  if (tier !== null) changes.tier = tier;
  if (run !== null) changes.runCommand = run.trim() === "" ? null : run;
  const [allow, allowProof] = [options(given, "allow"), options(given, "allow-proof")];
  const tags = cleanTags(options(given, "tag"));
  const problem =
    typeof tags === "string"
      ? tags
      : (runProblem(run, deps.policy.text.longestInput) ?? globsProblem([...allow, ...allowProof]));
  if (problem !== null || typeof tags === "string")
    return { type: "refused", reason: problem ?? "", next: "cos goal edit --help" };
  if (tags.length > 0) changes.tags = [...tags];
  if (allow.length > 0) changes.filesAllowed = [...allow];
  if (allowProof.length > 0) changes.proofAllowed = [...allowProof];
  return { type: "read", changes };
}
