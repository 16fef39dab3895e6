import type { Backing } from "../acceptance/backing.ts";
import { isOnlyClaimed } from "../acceptance/goal-contract.ts";
import type { JudgedEntry } from "../acceptance/plan.ts";
import type { Goal, Phase } from "../goals/goal.ts";
import { notIsolatedSentence } from "../isolation/isolation.ts";
import { count, firstLine, shorten } from "../text.ts";
import { flagWords, noWorklogFlags } from "../worklog/flags.ts";
import { tierOf } from "../worklog/tier.ts";
import { againBlock } from "./again-words.ts";
import { agentBlocks } from "./agent-words.ts";
import { type Card, type CardBlock, type CardTone, note, type Text, text, sentence } from "./card.ts";
import { goalActions } from "./goal-actions.ts";
import { costWords, goalBrief, mergeBlock, untakenBlock } from "./goal-brief.ts";
import type { GoalCardFacts, NotFollowed, OnTopOfFacts, TaskFacts } from "./goal-facts.ts";
import { ladderWords, runsWords, triedBlocks } from "./goal-ladder-words.ts";
import { backingWords, checkLine, criteriaWords, criterionLine } from "./goal-proof-words.ts";
import { leftOutBlocks } from "./left-out-words.ts";
import { lookBlocks, proofBlocks } from "./proof-words.ts";
import { pullSpans, pullTitle } from "./pull-words.ts";
import { goalDaySpans } from "./plan-words.ts";
import { backedStateWords, statusWords } from "./status-words.ts";

/** A goal's own card, which is edited in place: state, cost, branch, result. */
export function goalCard(facts: GoalCardFacts): Card {
  const { goal } = facts;
  const state = stateWords(facts);
  const what = firstLine(goal.content, 100);
  return {
    kind: "goal",
    tone: toneOf(facts),
    title: what,
    summary: `Goal ${state}: ${what}${goal.outcome === null ? "" : `. ${firstLine(goal.outcome, 300)}`}`,
    blocks: goalBlocks(facts),
    brief: goalBrief(facts),
    actions: goalActions(facts),
    state,
    goalId: goal.goalId,
  };
}

/** What the goal may change, with the field names of its creation. Empty when nobody restricted it. */
function allowedFields({ filesAllowed, proofAllowed }: Goal): { label: string; value: Text }[] {
  const field = (label: string, globs: readonly string[]) =>
    globs.length === 0 ? [] : [{ label, value: [shorten(globs.join(", "), 300)] }];
  return [...field("May change", filesAllowed), ...field("May change of the proof", proofAllowed)];
}

/** When a goal was added, and when its newest run began and ended. For a person who asks for one goal. */
export function timesBlock({
  addedAt,
  beganAt,
  endedAt,
}: {
  readonly addedAt: Date;
  readonly beganAt: Date | null;
  readonly endedAt: Date | null;
}): CardBlock {
  const field = (label: string, at: Date | null): { label: string; value: Text }[] =>
    at === null ? [] : [{ label, value: [{ at: at.toISOString(), withSeconds: true }] }];
  return {
    type: "fields",
    fields: [...field("Added", addedAt), ...field("Began", beganAt), ...field("Ended", endedAt)],
  };
}

function goalBlocks(facts: GoalCardFacts): CardBlock[] {
  const { goal } = facts;
  const fields: { label: string; value: Text }[] = [
    { label: "Goal", value: [{ link: goal.goalId, to: `/goals/${goal.goalId}` }] },
    { label: "Repository", value: [facts.repositoryName] },
    { label: "Worked by", value: [facts.executor] },
    { label: facts.flat === null ? "Cost" : "Used", value: [facts.flat ?? costWords(facts)] },
    { label: "Tier", value: [tierWords(goal)] },
    ...(facts.campaign === null ? [] : [{ label: "Campaign", value: goalDaySpans(facts.campaign) }]),
    ...allowedFields(goal),
  ];
  if (facts.onTopOf.length > 0) fields.push({ label: "On top of", value: onTopOfSpans(facts.onTopOf) });
  if (facts.tasks.length > 0) {
    const passed = facts.tasks.filter((task) => task.status === "passed").length;
    fields.push({ label: "Tasks", value: [`${passed}/${facts.tasks.length} passed`] });
  }
  const runs = runsWords(facts);
  const ladder = runs ?? ladderWords(facts);
  if (ladder !== null) fields.push({ label: runs === null ? "Recovery" : "Runs", value: [ladder] });
  if (facts.criteria.length > 0) fields.push({ label: "Criteria", value: [criteriaWords(facts.criteria)] });
  if (facts.stat !== null) {
    const { files, insertions, deletions } = facts.stat;
    fields.push({ label: "Changes", value: [`${count(files, "file")}, +${insertions} −${deletions}`] });
  }
  if (goal.branch !== null) fields.push({ label: "Branch", value: [{ code: goal.branch }] });
  if (goal.linkage.kind === "issue") {
    const { url } = goal.linkage;
    fields.push({ label: "Issue", value: [{ link: url, to: url }] });
  }
  if (facts.pull !== null) fields.push({ label: pullTitle(facts.pull), value: pullSpans(facts.pull) });
  if (facts.commit !== null) fields.push({ label: "Commit", value: [{ code: facts.commit.slice(0, 12) }] });
  if (facts.state === "retrying" && goal.wakeAt !== null)
    fields.push({ label: "Goes on at", value: [{ at: goal.wakeAt.toISOString() }] });
  const blocks: CardBlock[] = [{ type: "fields", fields }];
  if (goal.content.trim().includes("\n")) blocks.unshift(text(shorten(goal.content.trim(), 600)));
  if (goal.outcome !== null) blocks.push(text(...sentence(shorten(goal.outcome, 1200))));
  if (goal.status === "failed") blocks.push(againBlock(facts));
  const waiting = facts.onTopOf.filter((each) => !each.isReady);
  if (waiting.length > 0 && facts.state === "idle")
    blocks.push(text({ strong: "Waits for " }, waiting.map((each) => each.goalId).join(" and "), "."));
  if (facts.untaken !== null) blocks.push(untakenBlock(facts.untaken));
  if (facts.criteria.length > 0) blocks.push({ type: "list", items: facts.criteria.slice(0, 30).map(criterionLine) });
  if (facts.checks.length > 0) blocks.push({ type: "list", items: facts.checks.slice(0, 10).map(checkLine) });
  if (goal.status === "complete") blocks.push(...proofBlocks(facts), ...lookBlocks(facts.noted, facts.trials));
  if (facts.leftOut !== undefined) blocks.push(...leftOutBlocks(facts.leftOut));
  if (facts.reached.length > 0) blocks.push(note(`Could reach: ${facts.reached.slice(0, 5).join("; ")}.`));
  if (facts.tasks.length > 0) blocks.push({ type: "list", items: facts.tasks.slice(0, 20).map(taskLine) });
  blocks.push(...triedBlocks(facts));
  blocks.push(...planBlocks(facts.plan));
  if (facts.merge !== null) blocks.push(mergeBlock(facts.merge));
  const [first] = facts.mergeFirst;
  if (goal.status === "complete" && goal.branch !== null && first !== undefined)
    blocks.push(
      text("To be merged before this: ", facts.mergeFirst.join(", "), ". ", { command: `goal merge ${first}` }),
    );
  if (facts.refusedCalls.length > 0) {
    const last = facts.refusedCalls.at(-1) ?? "";
    blocks.push(
      text(
        { strong: "Refused: " },
        "the goal's own process called ",
        { code: shorten(last, 100) },
        "; nothing was changed by it.",
      ),
    );
  }
  blocks.push(...agentBlocks(facts.agent));
  const open = facts.isolation === null ? null : notIsolatedSentence(facts.isolation);
  if (open !== null) blocks.push(note(...sentence(open)));
  if (facts.notFollowed !== null)
    blocks.push(note(...sentence(`not isolated: ${notFollowedWords[facts.notFollowed]}`)));
  if (goal.status === "complete") {
    blocks.push(note(backingWords(facts)));
  }
  return blocks;
}

/** "STRICT: its text says "auth" (92 % sure)", and what the worklog leaves out. */
function tierWords(goal: Goal): string {
  const { tier, confidence, reason } = tierOf(goal);
  const sure = confidence === 1 ? "" : ` (${Math.round(confidence * 100)} % sure)`;
  const flags = flagWords(goal.worklogFlags ?? noWorklogFlags);
  return `${tier}: ${reason}${sure}${flags.length === 0 ? "" : `, ${flags.join(", ")}`}`;
}

function onTopOfSpans(grounds: readonly OnTopOfFacts[]): Text {
  return grounds
    .slice(0, 5)
    .flatMap(
      ({ goalId, content, standing }, index): Text => [
        ...(index === 0 ? [] : ["; "]),
        { link: firstLine(content, 60), to: `/goals/${goalId}` },
        ` (${standing})`,
      ],
    );
}

const notFollowedWords: Readonly<Record<NotFollowed, string>> = {
  "no-processes": "on this machine callers cannot be distinguished: cos doctor",
  "no-means": "on this machine its processes cannot be distinguished from others: cos doctor",
  "guard-ended": "the guard of its processes was ended; look for what they left running, which cannot decide either",
};

const taskWords = { pending: "to do", in_progress: "worked now", passed: "passed", failed: "goes back" } as const;

function taskLine({ id, title, status, attempts }: TaskFacts): Text {
  const tries = attempts > 1 ? ` (attempt ${attempts})` : "";
  return [{ strong: `${taskWords[status]} ` }, `${id}: ${shorten(title, 120)}${tries}`];
}

/** From an agent's plan, only the entries that are wrong: work that serves no criterion, and ticks without proof. */
function planBlocks(plan: readonly JudgedEntry[]): CardBlock[] {
  const told = plan.filter((entry) => entry.judgement !== "planned").slice(0, 5);
  if (told.length === 0) return [];
  const words = (entry: JudgedEntry): string =>
    entry.judgement === "claimed" ? "ticked, not proven" : "serves no criterion";
  return [
    text({ strong: "The agent's plan: " }, `${count(plan.length, "entry", "entries")}, of which`),
    { type: "list", items: told.map((entry) => [`${shorten(entry.text, 120)}: `, { strong: words(entry) }]) },
  ];
}

/** What a goal that is being worked does, by its phase. */
const atWork: Readonly<Record<Phase, string>> = {
  start: "starting",
  recover: "looking for another way",
  implement: "working",
  verify: "verifying",
  finish: "pushing",
};

/** The state in words, for badges and lists. */
export function stateWords({ goal, state }: Pick<GoalCardFacts, "goal" | "state">): string {
  switch (state) {
    case "ended":
      return statusWords(goal.status);
    case "running":
      return atWork[goal.phase];
    case "waiting":
      return "waiting for an answer";
    case "parked":
      return "parked";
    case "retrying":
      return "retrying";
    case "ready":
      // A lease that is set here has expired.
      return goal.leasedBy === null ? "next" : "interrupted";
    case "idle":
      return goal.status === "in_progress" ? "waiting for its turn" : "pending";
  }
}

/** A goal as lists show it. */
export type ListedGoal = Pick<GoalCardFacts, "goal" | "state"> & {
  /** Set for a complete goal with criteria that are run. Null for other goals. */
  readonly backing: Backing | null;
};

/** The state for a list, where nothing else shows the evidence: "complete, claimed", "complete, verified" (D27). */
export function listedWords({ goal, state, backing }: ListedGoal): string {
  if (isOnlyClaimed(goal)) return backedStateWords(goal.status, { tag: "claimed" });
  return backing === null || state !== "ended" ? stateWords({ goal, state }) : backedStateWords(goal.status, backing);
}

/** Like `listedWords`, but with "working" for every phase. */
export function nowWords(listed: ListedGoal): string {
  return listed.state === "running" ? "working" : listedWords(listed);
}

function toneOf({ goal, state }: GoalCardFacts): CardTone {
  if (goal.status === "complete") return "good";
  if (goal.status === "failed") return "bad";
  if (state === "running") return "working";
  if (state === "waiting") return "asking";
  return "neutral";
}
