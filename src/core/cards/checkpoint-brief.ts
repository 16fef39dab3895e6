import type { CheckpointOption, GoalCheckpoint } from "../checkpoints/checkpoint.ts";
import { formatUsd } from "../money.ts";
import type { Tried } from "../recovery/tried.ts";
import { firstLine } from "../text.ts";
import type { LineWidth } from "./brief-pair.ts";
import { type CardBlock, type Text, text } from "./card.ts";
import { outputOf } from "./command-runs.ts";
import { cutLines } from "./cut-block.ts";
import { codeColumns } from "./drawn-lines.ts";
import { consequenceLine, noAnswerHint, pausedLine } from "./question-parts.ts";

/**
 * What a question about a goal shows before its buttons (F-407): the reason, what the recommended choice does, and the last lines of a
 * failure.
 */

/** Maximum number of output lines on an escalation. */
const outputLines = 5;

interface BriefFacts {
  readonly checkpoint: GoalCheckpoint;
  readonly goal: { readonly goalId: string; readonly content: string; readonly runCommand: string | null };
  readonly attempts: readonly Tried[];
}

/** What the heading says after the title: the goal and the deadline. */
export function checkpointLead({ checkpoint, goal }: BriefFacts): Text {
  const about = { link: firstLine(goal.content, 100), to: `/goals/${goal.goalId}` };
  if (checkpoint.status !== "pending") return [about];
  return [about, ". Answer by ", { at: checkpoint.expiresAt.toISOString() }, "."];
}

/** `consequence`: what the recommended choice does, or what happens without an answer if no choice is recommended. */
export function openBrief(
  facts: BriefFacts,
  recommended: CheckpointOption | null,
  consequence: string,
  width: LineWidth,
): CardBlock[] {
  const { checkpoint, goal } = facts;
  const standing = standingLines(checkpoint, width);
  const choice = consequenceLine(recommended, consequence);
  const hint = noAnswerHint(recommended, checkpoint.kind);
  if (checkpoint.kind === "escalation") return [...standing, ...lastLines(facts, width), choice, ...hint];
  return [...standing, ...whyLines(checkpoint, goal, width), choice, moneyLine(checkpoint), ...hint];
}

/** What has happened to the question since it was asked: what changed, who has seen it, who paused. */
function standingLines({ changed, acknowledgedBy, pausedBy }: GoalCheckpoint, width: LineWidth): CardBlock[] {
  return [
    ...(changed === null ? [] : [text({ strong: "Changed: " }, firstLine(changed, 60 * width))]),
    ...(acknowledgedBy === null ? [] : [text({ strong: `Seen by ${firstLine(acknowledgedBy, 20 * width)}` })]),
    ...pausedLine("Session", pausedBy, width),
  ];
}

/** The reason if it says more than the goal's text, the first detail, and the command that would run. */
function whyLines(checkpoint: GoalCheckpoint, goal: BriefFacts["goal"], width: LineWidth): CardBlock[] {
  const content = firstLine(goal.content, 60);
  const said = checkpoint.reasons.find(({ context }) => !context.includes(content.replace(/…$/, "")));
  const [detail] = checkpoint.facts.details;
  return [
    ...(said === undefined ? [] : [text(firstLine(said.context, 70 * width))]),
    ...(detail === undefined
      ? []
      : [{ type: "code" as const, text: cutLines([firstLine(detail, 200)], codeColumns(width)) }]),
    ...(goal.runCommand === null ? [] : [text("Runs: ", { code: firstLine(goal.runCommand, 30 * width) })]),
  ];
}

function moneyLine({ facts }: GoalCheckpoint): CardBlock {
  const estimate = facts.estimateMicroUsd === null ? "" : `, estimate ${formatUsd(facts.estimateMicroUsd)}`;
  return text(`${formatUsd(facts.costMicroUsd)} spent${facts.costIsEstimated ? " (estimated)" : ""}${estimate}`);
}

/** The last output of the last attempt. When it printed nothing, the errors of all attempts. */
function lastLines({ checkpoint, attempts }: BriefFacts, width: LineWidth): CardBlock[] {
  const last = attempts.at(-1);
  const printed = last === undefined ? "" : outputOf(last);
  const errors = [...new Set(attempts.map(({ error }) => error))];
  const lines = (printed === "" ? (errors.length === 0 ? checkpoint.facts.details : errors) : printed.split("\n"))
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "")
    .slice(-outputLines);
  return lines.length === 0 ? [] : [{ type: "code", text: cutLines(lines, codeColumns(width)), isEnd: true }];
}
