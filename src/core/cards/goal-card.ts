import type { JudgedEntry } from "../acceptance/plan.ts";
import type { EvidenceTag } from "../acceptance/tag.ts";
import type { NotedFile } from "../files/noted.ts";
import type { Goal, GoalState } from "../goals/goal.ts";
import { type Isolation, notIsolatedSentence } from "../isolation/isolation.ts";
import { formatUsd } from "../money.ts";
import { type Rung, rungNames } from "../recovery/ladder.ts";
import type { Tried } from "../recovery/tried.ts";
import type { TriedProof } from "../trials/tried.ts";
import { count, firstLine, shorten } from "../text.ts";
import { flagWords, noFlags } from "../worklog/flags.ts";
import { tierOf } from "../worklog/tier.ts";
import { agentBlocks, type AgentNotes } from "./agent-words.ts";
import { type Card, type CardAction, type CardBlock, type CardTone, note, type Text, text, sentence } from "./card.ts";
import { addCriteriaLabel } from "./forms.ts";
import { runItems, runsLine } from "./command-runs.ts";
import { approachItems } from "./escalation-card.ts";
import { lookBlocks, proofBlocks } from "./proof-words.ts";
import { type GoalDay, goalDaySpans } from "./plan-words.ts";
import { statusWords } from "./session-card.ts";

export interface GoalCardFacts {
  readonly goal: Goal;
  readonly state: GoalState;
  readonly repositoryName: string;
  /** Null: it belongs to no campaign. */
  readonly campaign: GoalDay | null;
  readonly executor: string;
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
  /** What it took of an agent at a flat rate, in words; null: it is paid by what it uses. */
  readonly flat: string | null;
  readonly ceilingMicroUsd: number;
  readonly commit: string | null;
  readonly tag: EvidenceTag;
  /** Where each of its criteria stands. */
  /** The agent's own plan, held against them. */
  readonly plan: readonly JudgedEntry[];
  readonly criteria: readonly (CriterionFacts & { readonly method: string; readonly exitCode: number | null })[];
  /** The checks of its repository, as they ended with this work. */
  readonly checks: readonly CheckFacts[];
  readonly stat: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** What passed, put on trial (D38). */
  readonly trials: readonly TriedProof[];
  readonly trialsAreOff: boolean;
  /** Changed files that are neither plain source nor new tests. */
  readonly noted: readonly NotedFile[];
  /** What commands of its verification could reach: "npm test: cache:6379". */
  readonly reached: readonly string[];
  /** Its tasks, as they stand; empty for a goal that is one task itself. */
  readonly tasks: readonly TaskFacts[];
  /** Where its run stands on the recovery ladder, with what was tried; null before its first run. */
  readonly ladder: LadderView | null;
  /** What was decided last about its branch (D24). */
  readonly merge: MergeFacts | null;
  /** The goals that it is on top of, and where they stand (D37). */
  readonly onTopOf: readonly OnTopOfFacts[];
  /** What must be merged before it, in its order; of interest once it is complete. */
  readonly mergeFirst: readonly string[];
  /** What the goal's own processes tried to call and may not (D2), newest last. */
  readonly refusedCalls: readonly string[];
  /** What kept its commands and those of its verification from the rest of the machine; null: nothing was run. */
  readonly isolation: Isolation | null;
  readonly agent: AgentNotes;
  /** Null: its processes are known wherever they go. */
  readonly notFollowed: NotFollowed | null;
}

export interface OnTopOfFacts {
  readonly goalId: string;
  readonly content: string;
  /** "complete, verified", "waits for a person", … */
  readonly standing: string;
  readonly isReady: boolean;
}

/** Why a goal's processes cannot be told from a person's (D39, D45). */
export type NotFollowed = "no-processes" | "no-means" | "guard-ended";

export interface TaskFacts {
  readonly id: string;
  readonly title: string;
  readonly status: "pending" | "in_progress" | "passed" | "failed";
  readonly attempts: number;
}

export interface LadderView {
  readonly rung: Rung;
  readonly attempt: number;
  readonly ladder: number;
  readonly approach: string | null;
  readonly source: string | null;
  readonly attempts: readonly Tried[];
}

export interface MergeFacts {
  readonly status: "due" | "merging" | "merged" | "undone" | "refused" | "discarded";
  readonly into: string;
  readonly by: string;
  readonly dueAt: Date;
  readonly settledAt: Date | null;
  readonly resultCommit: string | null;
  readonly outcome: string | null;
}

export interface CheckFacts {
  readonly command: string;
  readonly status: CriterionFacts["status"];
  readonly exitCode: number | null;
  /** It failed before the work began. */
  readonly failedBefore: boolean;
  readonly evidenceId: number;
}

export interface CriterionFacts {
  readonly id: string;
  readonly title: string;
  readonly status: "pass" | "fail" | "requires-human" | "not-checked";
  readonly details: readonly string[];
  /** Of its kept output. */
  readonly evidenceId: number | null;
}

/** A goal's own card, edited in place: state, cost, branch, how it ended. */
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
    actions: [...branchActions(facts), ...proveActions(facts), ...checkActions(facts)],
    state,
    goalId: goal.goalId,
  };
}

/** How it ended or stands, what that rests on, and what became of its branch (F-407). */
function goalBrief(facts: GoalCardFacts): CardBlock[] {
  const { goal, stat, merge } = facts;
  const changes = stat === null ? "" : ` · ${count(stat.files, "file")}, +${stat.insertions} −${stat.deletions}`;
  const criteria = facts.criteria.length === 0 ? "" : ` · ${criteriaWords(facts.criteria)}`;
  const ladder = runsWords(facts) ?? ladderWords(facts);
  // What the proof is worth says more than how many criteria passed.
  const proof = goal.status === "complete" ? [...proofBlocks(facts), ...lookBlocks(facts.noted, facts.trials)] : [];
  const isSaid = goal.outcome === null || proof.length > 0;
  const ended = isSaid ? [] : [text(...sentence(firstLine(goal.outcome, 100)))];
  const waiting = facts.onTopOf.filter((each) => !each.isReady);
  return [
    ...(merge === null ? [] : [mergeBlock(merge)]),
    ...proof,
    ...(ladder === null ? [] : [text(ladder)]),
    ...ended,
    ...(waiting.length === 0 || facts.state !== "idle"
      ? []
      : [text({ strong: "Waits for " }, waiting.map((each) => each.goalId).join(" and "), ".")]),
    ...(facts.refusedCalls.length === 0
      ? []
      : [
          text({ strong: "Refused: " }, "its own process called ", {
            code: firstLine(facts.refusedCalls.at(-1) ?? "", 30),
          }),
        ]),
    ...(goal.status === "complete" ? [note(backingWords(facts))] : []),
    text(`${facts.flat ?? costWords(facts)}${changes}${criteria}`),
    text({ link: goal.goalId, to: `/goals/${goal.goalId}` }, ` · ${facts.repositoryName}`),
  ];
}

function costWords({ costMicroUsd, ceilingMicroUsd, costIsEstimated }: GoalCardFacts): string {
  return `${formatUsd(costMicroUsd)} of ${formatUsd(ceilingMicroUsd)}${costIsEstimated ? " (estimated)" : ""}`;
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
  if (facts.commit !== null) fields.push({ label: "Commit", value: [{ code: facts.commit.slice(0, 12) }] });
  if (facts.state === "retrying" && goal.wakeAt !== null)
    fields.push({ label: "Goes on at", value: [{ at: goal.wakeAt.toISOString() }] });
  const blocks: CardBlock[] = [{ type: "fields", fields }];
  if (goal.content.trim().includes("\n")) blocks.unshift(text(shorten(goal.content.trim(), 600)));
  if (goal.outcome !== null) blocks.push(text(...sentence(shorten(goal.outcome, 1200))));
  const waiting = facts.onTopOf.filter((each) => !each.isReady);
  if (waiting.length > 0 && facts.state === "idle")
    blocks.push(text({ strong: "Waits for " }, waiting.map((each) => each.goalId).join(" and "), "."));
  if (facts.criteria.length > 0) blocks.push({ type: "list", items: facts.criteria.slice(0, 30).map(criterionLine) });
  if (facts.checks.length > 0) blocks.push({ type: "list", items: facts.checks.slice(0, 10).map(checkLine) });
  if (goal.status === "complete") blocks.push(...proofBlocks(facts), ...lookBlocks(facts.noted, facts.trials));
  if (facts.reached.length > 0) blocks.push(note(`Could reach: ${facts.reached.slice(0, 5).join("; ")}.`));
  if (facts.tasks.length > 0) blocks.push({ type: "list", items: facts.tasks.slice(0, 20).map(taskLine) });
  blocks.push(...triedBlocks(facts.ladder));
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

/** "STRICT: its text says "auth" (92 % sure)", and what is left out. */
function tierWords(goal: Goal): string {
  const { tier, confidence, reason } = tierOf(goal);
  const sure = confidence === 1 ? "" : ` (${Math.round(confidence * 100)} % sure)`;
  const flags = flagWords(goal.worklogFlags ?? noFlags);
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

/** "run once, failed once; runs again in a fresh place"; null when it has not failed, and of an agent. */
function runsWords({ ladder, goal }: GoalCardFacts): string | null {
  if (ladder === null || ladder.attempts.every((each) => each.end === "passed")) return null;
  const line = runsLine(ladder.attempts);
  const isRunAgain = goal.status === "in_progress" && ladder.attempt > 1;
  return line === null || !isRunAgain ? line : `${line}; runs again in a fresh place`;
}

const notFollowedWords: Readonly<Record<NotFollowed, string>> = {
  "no-processes": "on this machine callers cannot be told apart: cos doctor",
  "no-means": "on this machine its processes cannot be told from others: cos doctor",
  "guard-ended": "the guard of its processes was ended; look for what they left running, which cannot decide either",
};

/** What the tag of a complete goal rests on (D27). */
function backingWords({ tag, criteria, checks }: Pick<GoalCardFacts, "tag" | "criteria" | "checks">): string {
  const passed = checks.filter((each) => each.status === "pass").map((each) => firstLine(each.command, 60));
  const some = passed.length < 4 ? passed.join(", ") : `${passed.slice(0, 2).join(", ")} and ${passed.length - 2} more`;
  // What a check shows, and what it does not (F-209).
  const shown =
    passed.length === 0 ? "" : `; ${some} passed: what that tests still holds, not that the goal is reached`;
  switch (tag) {
    case "verified":
      return "verified: by the evidence kept for this goal";
    case "claimed":
      return criteria.length === 0
        ? `claimed: the executor says so; no acceptance criterion was run${shown}`
        : `claimed: not every criterion was run by the system${shown}`;
    case "not checked":
      return `not checked: no criterion was run, and not even its executor says that it is done${shown}`;
  }
}

/** "2/4 alternate approach, attempt 1", while it climbs or when it took more than one attempt; null otherwise. */
function ladderWords({ ladder, goal }: GoalCardFacts): string | null {
  if (ladder === null || ladder.attempts.every((each) => each.end === "passed")) return null;
  const tried = `${count(ladder.attempts.length, "attempt")} so far`;
  if (goal.status === "complete") return `${rungNames[ladder.rung]}, after ${count(ladder.attempts.length, "attempt")}`;
  if (goal.recoveryLevel === 4) return `4/4 ${rungNames[4]}, ${tried}`;
  const again = ladder.ladder > 1 ? `, ladder ${ladder.ladder}` : "";
  return `${ladder.rung}/4 ${rungNames[ladder.rung]}, attempt ${ladder.attempt}${again} (${tried})`;
}

const taskWords = { pending: "to do", in_progress: "worked now", passed: "passed", failed: "goes back" } as const;

function taskLine({ id, title, status, attempts }: TaskFacts): Text {
  const tries = attempts > 1 ? ` (attempt ${attempts})` : "";
  return [{ strong: `${taskWords[status]} ` }, `${id}: ${shorten(title, 120)}${tries}`];
}

/** "same approach $0.12, alternate approach $0.08": what each rung cost. */
function rungCosts(attempts: readonly Tried[]): string {
  const rungs = [...new Set(attempts.map((each) => each.rung))].toSorted((one, other) => one - other);
  return rungs
    .map((rung) => {
      const mine = attempts.filter((each) => each.rung === rung);
      const total = mine.reduce((sum, each) => sum + each.costMicroUsd, 0);
      return `${rungNames[rung]} ${formatUsd(total)}${mine.some((each) => each.costIsEstimated) ? " (estimated)" : ""}`;
    })
    .join(", ");
}

/** What each approach tried, what it cost and how it ended. */
function triedBlocks(ladder: LadderView | null): CardBlock[] {
  if (ladder === null || ladder.attempts.every((each) => each.end === "passed")) return [];
  if (runsLine(ladder.attempts) !== null) return [{ type: "list", items: runItems(ladder.attempts).slice(-8) }];
  return [
    text({ strong: "Tried so far" }),
    { type: "list", items: approachItems(ladder.attempts).slice(0, 8) },
    note(`Cost by rung: ${rungCosts(ladder.attempts)}`),
  ];
}

/** "5/7 verified", and what is left to a person. */
function criteriaWords(criteria: GoalCardFacts["criteria"]): string {
  const automated = criteria.filter((each) => each.method !== "manual");
  const left = criteria.filter((each) => each.status === "requires-human").length;
  const pass = automated.filter((each) => each.status === "pass").length;
  const words = [
    ...(automated.length === 0 ? [] : [`${pass}/${automated.length} verified`]),
    ...(left === 0 ? [] : [`${left} for a person`]),
  ];
  return words.length === 0 ? "checked by a person" : words.join(", ");
}

const criterionWords = {
  pass: "verified",
  fail: "fails",
  "requires-human": "for a person",
  "not-checked": "not checked",
} as const;

function criterionLine(criterion: GoalCardFacts["criteria"][number]): Text {
  const { id, title, status, method, details, evidenceId } = criterion;
  const name = `${id}: ${shorten(title, 100)}`;
  const isPersons = method === "manual" && status === "pass";
  const why = (status === "pass" && !isPersons) || details[0] === undefined ? "" : `: ${shorten(details[0], 200)}`;
  return [
    { strong: `${isPersons ? "holds" : criterionWords[status]} ` },
    evidenceId === null || method === "manual" ? name : { link: name, to: `/evidence/${evidenceId}` },
    why,
  ];
}

/** "passed npm test (exit code 0)": run by the system beside the goal's own criteria. */
function checkLine({ command, status, exitCode, failedBefore, evidenceId }: CheckFacts): Text {
  const words = { pass: "passed", fail: "failed", "requires-human": "for a person", "not-checked": "not run" } as const;
  const exit = exitCode === null ? "" : ` (exit code ${exitCode})`;
  const before = failedBefore ? ", as before the work began: not blamed on it" : "";
  return [
    { strong: `${words[status]} ` },
    { link: firstLine(command, 100), to: `/evidence/${evidenceId}` },
    `${exit}, a check of the repository${before}`,
  ];
}

/** What can be done with a finished branch: merge, discard, or undo a merge while there is time (D24). */
function branchActions({ goal, merge }: GoalCardFacts): CardAction[] {
  if (goal.status !== "complete" || goal.branch === null) return [];
  const action = (choice: "undo" | "merge" | "discard", label: string, style: CardAction["style"]): CardAction => ({
    choice,
    label,
    style,
    call: { command: `goal ${choice}`, id: goal.goalId },
    about: firstLine(goal.content, 100),
    until: null,
  });
  switch (merge?.status) {
    case "due":
      return [action("undo", "Undo", "default")];
    case "merging":
    case "merged":
    case "discarded":
      return [];
    case "undone":
    case "refused":
    case undefined:
      return [action("merge", "Merge", "primary"), action("discard", "Discard", "danger")];
  }
}

/** What nobody has proven can still be: criteria are added, and the system runs them (D27, F-213). */
function proveActions({ goal, tag, merge }: GoalCardFacts): CardAction[] {
  const isOpen = merge === null || merge.status === "undone" || merge.status === "refused";
  if (goal.status !== "complete" || tag === "verified" || !isOpen) return [];
  return [
    {
      choice: "prove",
      label: addCriteriaLabel,
      style: "default",
      call: { command: "goal prove", id: goal.goalId },
      about: firstLine(goal.content, 100),
      until: null,
    },
  ];
}

/** A person says that a manual criterion holds; it never blocks (AC-13). */
function checkActions({ goal, criteria }: GoalCardFacts): CardAction[] {
  if (goal.status !== "complete") return [];
  return criteria
    .filter((criterion) => criterion.status === "requires-human")
    .slice(0, 3)
    .map((criterion) => ({
      choice: `check-${criterion.id.toLowerCase()}`,
      label: `${criterion.id} holds`,
      style: "default",
      call: { command: "goal check", id: goal.goalId, criterion: criterion.id },
      about: `${criterion.title} of ${firstLine(goal.content, 80)}`,
      until: null,
    }));
}

function mergeBlock(merge: MergeFacts): CardBlock {
  const { into, by } = merge;
  const at = { at: (merge.settledAt ?? merge.dueAt).toISOString() };
  switch (merge.status) {
    case "due":
      return text({ strong: `Merging into ${into}` }, " at ", at, `, asked by ${by}. Undo stops it until then.`);
    case "merging":
      return text({ strong: `Merging into ${into}` }, merge.outcome === null ? " now." : `. ${merge.outcome}`);
    case "merged":
      return text({ strong: `Merged into ${into}` }, `, by ${by}, `, at, " as ", {
        code: (merge.resultCommit ?? "").slice(0, 12),
      });
    case "undone":
      return note(`The merge into ${into} was not done: ${merge.outcome ?? "undone"}.`);
    case "refused":
      return text({ strong: "Not merged. " }, ...sentence(merge.outcome ?? ""));
    case "discarded":
      return text(
        { strong: "Discarded" },
        `, by ${by}, `,
        at,
        "; kept as ",
        { code: merge.outcome ?? "" },
        " for 30 days.",
      );
  }
}

/** Of an agent's plan only what it should not have: work that serves no criterion, ticks that nothing proves. */
function planBlocks(plan: readonly JudgedEntry[]): CardBlock[] {
  const told = plan.filter((entry) => entry.judgement !== "planned").slice(0, 5);
  if (told.length === 0) return [];
  const words = (entry: JudgedEntry): string =>
    entry.judgement === "claimed" ? "ticked, not proven" : "serves no criterion";
  return [
    text({ strong: "The agent's plan: " }, `${plan.length} entries, of which`),
    { type: "list", items: told.map((entry) => [`${shorten(entry.text, 120)}: `, { strong: words(entry) }]) },
  ];
}

/** The state in words, for badges and lists. */
export function stateWords({ goal, state }: Pick<GoalCardFacts, "goal" | "state">): string {
  switch (state) {
    case "ended":
      return statusWords(goal.status);
    case "running":
      if (goal.phase === "verify") return "verifying";
      return goal.phase === "implement" ? "working" : "starting";
    case "waiting":
      return "waiting for an answer";
    case "parked":
      return "parked";
    case "retrying":
      return "retrying";
    case "ready":
      return "next";
    case "idle":
      return goal.status === "in_progress" ? "interrupted" : "pending";
  }
}

function toneOf({ goal, state }: GoalCardFacts): CardTone {
  if (goal.status === "complete") return "good";
  if (goal.status === "failed") return "bad";
  if (state === "running") return "working";
  if (state === "waiting") return "asking";
  return "neutral";
}
