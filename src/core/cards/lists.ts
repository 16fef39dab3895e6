import { groupsOf } from "../checkpoints/batch.ts";
import type { Checkpoint } from "../checkpoints/checkpoint.ts";
import { formatUsd } from "../money.ts";
import { count, firstLine } from "../text.ts";
import { choiceCommand, recommendedCommand } from "./answer-command.ts";
import { batchActions, batchLine } from "./batch-actions.ts";
import { type Card, type CardBlock, note, plainCard, sentence, type Span, text } from "./card.ts";
import { type ListedGoal, listedWords } from "./goal-card.ts";
import { guardsNote } from "./tag-words.ts";
import { questionName } from "./question-name.ts";
import { awaitedUntil } from "./status-words.ts";

/** Cards that list rows: the answers of reading commands. */

/**
 * The open questions grouped by reason, oldest first. Each has its trigger in words (D52), its id, context, options and recommendation
 * (S4-CL-01, S4-CL-02). Above them are the buttons that answer a whole group (F-411). `shownAt`: when the questions were read.
 */
export function checkpointsCard(
  pending: readonly Checkpoint[],
  shownAt: Date,
  parkedGoalIds: readonly string[] = [],
): Card {
  if (pending.length === 0) {
    return plainCard({
      kind: "list",
      tone: "good",
      title: "No pending checkpoints.",
      summary: "No pending checkpoints.",
      blocks: parkedBlocks(parkedGoalIds),
    });
  }
  const groups = groupsOf(pending);
  const questions = groups.flatMap((group) => group.questions);
  const blocks = questions.flatMap((checkpoint): CardBlock[] => [
    questionHead(checkpoint),
    ...(checkpoint.reasons.length > 1
      ? [
          text(
            `also: ${checkpoint.reasons
              .slice(1)
              .map((reason) => firstLine(reason.context, 200))
              .join("; ")}`,
          ),
        ]
      : []),
    {
      type: "list",
      items: checkpoint.options.map((option) => [
        { strong: option.isRecommended ? `${option.label} (recommended)` : option.label },
        `: ${option.description}`,
      ]),
    },
    note(checkpoint.recommendation),
    note("answer by ", { at: checkpoint.expiresAt.toISOString() }, ": ", ...answerSpans(checkpoint)),
  ]);
  const title = `${count(pending.length, "question")} ${pending.length === 1 ? "waits" : "wait"} for an answer`;
  return {
    ...plainCard({
      kind: "list",
      tone: "asking",
      title,
      summary: title,
      blocks: [...groups.flatMap(batchLine), ...blocks],
    }),
    actions: groups.flatMap((group) => batchActions(group, shownAt, "with its group")),
  };
}

/** The reason, the question's id and its goal or campaign; on the next line, what is asked. */
function questionHead(checkpoint: Checkpoint): CardBlock {
  const { checkpointId, goalId, campaignId, context } = checkpoint;
  const about = goalId === null ? aboutLink(campaignId, "campaigns") : aboutLink(goalId, "goals");
  const asked = `\n${firstLine(context, 300)}`;
  return {
    type: "text",
    text: [{ strong: questionName(checkpoint) }, " ", { code: checkpointId }, ...about, asked],
    isApart: true,
  };
}

function aboutLink(id: string | null, pages: "goals" | "campaigns"): Span[] {
  return id === null ? [] : [" about ", { link: id, to: `/${pages}/${id}` }];
}

/** The question that a goal waits for, and the commands that answer it. For the page of a goal. */
export function questionBlock(checkpoint: Checkpoint): CardBlock {
  return text(
    { strong: "Waits for an answer to " },
    { code: checkpoint.checkpointId },
    `: ${firstLine(checkpoint.context, 300)}\n`,
    ...answerSpans(checkpoint),
  );
}

/** The command of the recommended choice, the command for another choice, and for an escalation the command that shows what was tried. */
function answerSpans({ checkpointId, kind, options }: Checkpoint): Span[] {
  const another: Span = { command: choiceCommand(checkpointId) };
  const tried: Span[] = kind === "escalation" ? ["; what was tried: ", { command: `escalation ${checkpointId}` }] : [];
  const recommended = options.find((option) => option.isRecommended) ?? null;
  const command = recommendedCommand({ checkpointId, kind, recommended });
  if (command === null) return [another, ...tried];
  if (kind !== "escalation" && recommended?.effect === "continue")
    return [{ command: `approve ${checkpointId}` }, ", or ", another];
  return [{ command }, ", or ", another, ...tried];
}

export interface GoalLine extends ListedGoal {
  readonly costMicroUsd: number;
  readonly costIsEstimated: boolean;
}

/** A list of goals, or `emptyHint` when there are none. */
export function goalsCard(
  lines: readonly GoalLine[],
  { emptyHint, hasOlder }: { readonly emptyHint: string; readonly hasOlder: boolean },
): Card {
  const title =
    lines.length === 0
      ? "No goals"
      : hasOlder
        ? `The newest ${count(lines.length, "goal")}; there are older ones (--limit)`
        : count(lines.length, "goal");
  return plainCard({
    kind: "list",
    tone: "neutral",
    title,
    summary: title,
    blocks:
      lines.length === 0
        ? [text(...sentence(emptyHint))]
        : [
            { type: "list", items: lines.map(goalLine) },
            ...guardsNote(lines.some((line) => listedWords(line).includes("guards only"))),
          ],
  });
}

function goalLine({ goal, state, backing, costMicroUsd, costIsEstimated }: GoalLine): Span[] {
  const cost = costMicroUsd > 0 ? ` · ${formatUsd(costMicroUsd)}${costIsEstimated ? " (estimated)" : ""}` : "";
  return [
    { strong: `${listedWords({ goal, state, backing })}: ` },
    { link: goal.goalId, to: `/goals/${goal.goalId}` },
    ` ${firstLine(goal.content, 100)}`,
    ...(state === "retrying" ? awaitedUntil(goal) : []),
    cost,
  ];
}

/** Says in one line that something was done, with more lines below if there are any. */
export function confirmationCard(line: string, more: readonly string[] = []): Card {
  return plainCard({
    kind: "notice",
    tone: "good",
    title: line,
    summary: line,
    blocks: more.map((each) => text(...sentence(each))),
  });
}

/** A heading above lines of text. */
export function linesCard(title: string, lines: readonly (readonly Span[])[], kind: Card["kind"] = "list"): Card {
  const blocks: CardBlock[] = lines.length === 0 ? [] : [{ type: "list", items: lines }];
  return plainCard({ kind, tone: "neutral", title, summary: title, blocks });
}

/** Parked goals: no question about them is open, and they go on only when a person says so. Reports count them as waiting for a person. */
function parkedBlocks(goalIds: readonly string[]): CardBlock[] {
  const [first] = goalIds;
  if (first === undefined) return [];
  if (goalIds.length === 1)
    return [text("1 goal is parked until a person resumes it: ", { command: `goal resume ${first}` })];
  return [
    text(`${goalIds.length} goals are parked until a person resumes them: `, { command: "goals --status blocked" }),
  ];
}
