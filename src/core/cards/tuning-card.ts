import type { CheckpointOption, PolicyCheckpoint } from "../checkpoints/checkpoint.ts";
import { askedAboutWords, type PolicyKey, policyDiffWords } from "../memory/tuning.ts";
import { formatUsd } from "../money.ts";
import { capitalised, firstLine } from "../text.ts";
import { type Card, type CardBlock, note, plainCard, type Span, text } from "./card.ts";
import { withoutAnswer } from "./checkpoint-consequences.ts";
import { actionOf, checkpointState, consequenceLine, plainSettled, settledLine } from "./question-parts.ts";
import { momentText } from "./times-in.ts";

const title = "Checkpoint: when to ask";

/** The weekly proposal: which numbers would change, and which outcomes suggest it; or how it was settled. */
export function tuningCard(checkpoint: PolicyCheckpoint): Card {
  const { status, changes, reasons } = checkpoint;
  const diff: CardBlock = { type: "code", text: policyDiffWords(changes).join("\n") };
  const why: CardBlock = { type: "list", items: reasons.map((each) => [each.context]) };
  if (status !== "pending") {
    return {
      kind: "checkpoint",
      tone: status === "approved" ? "good" : "neutral",
      title,
      summary: `${title}. ${plainSettled(checkpoint)}`,
      lead: [firstLine(checkpoint.context, 60)],
      blocks: [diff, why, endedLine(checkpoint)],
      brief: [endedLine(checkpoint), diff, why],
      actions: [],
      state: checkpointState(checkpoint),
    };
  }
  return {
    kind: "checkpoint",
    tone: "asking",
    title,
    summary: `${title}: ${checkpoint.context}. Answer by ${momentText(checkpoint.expiresAt)}, or ${withoutAnswer("tuning")}.`,
    lead: [checkpoint.context, ". Answer by ", { at: checkpoint.expiresAt.toISOString() }, "."],
    blocks: [
      diff,
      why,
      {
        type: "list",
        items: [
          ...checkpoint.options.map((option): Span[] => [{ strong: `${option.label}: ` }, consequenceOf(option)]),
          [{ strong: "No answer: " }, `${withoutAnswer("tuning")}.`],
        ],
      },
      { type: "fields", fields: [{ label: "Answer by", value: [{ at: checkpoint.expiresAt.toISOString() }] }] },
      note("Ceilings stay as they are. What was changed, and how to undo it: ", { command: "policy" }),
    ],
    brief: [consequenceLine(null, `${withoutAnswer("tuning")}.`), diff, why],
    actions: checkpoint.options.map((option) => actionOf(checkpoint, option, "when to ask")),
    state: checkpointState(checkpoint),
  };
}

function consequenceOf({ effect }: CheckpointOption): string {
  return effect === "continue"
    ? "the next goal that begins is asked about by these numbers."
    : "nothing changes; these answers are not proposed from again.";
}

function endedLine(checkpoint: PolicyCheckpoint): CardBlock {
  return settledLine(checkpoint, {
    expired: [`${withoutAnswer("tuning")}. It is looked at again next week.`],
    withdrawn: "the policy is another one by now",
  });
}

/** A tunable number, as it is shown. */
export interface PolicyLine {
  readonly key: PolicyKey;
  readonly microUsd: number;
  /** Its value until somebody approves another one. */
  readonly defaultMicroUsd: number;
}

export interface PolicyChangeLine {
  readonly changeNo: number;
  readonly key: PolicyKey;
  readonly wasMicroUsd: number;
  readonly nowMicroUsd: number;
  /** The question whose change was approved. Null for a rollback, and for a value that somebody set. */
  readonly checkpointId: string | null;
  readonly rolledBackTo: number | null;
  readonly actor: string;
  readonly at: Date;
}

/** The numbers that a proposal may change, and every change, newest first. */
export function policyCard(lines: readonly PolicyLine[], changes: readonly PolicyChangeLine[]): Card {
  const heading = "What people are asked about";
  return plainCard({
    kind: "list",
    tone: "neutral",
    title: heading,
    summary: heading,
    blocks: [
      { type: "list", items: lines.map(policyLine) },
      ...(changes.length === 0
        ? []
        : [text({ strong: "Changes, the newest first" }), { type: "list", items: changes.map(changeLine) } as const]),
      note(
        "Others are proposed once a week from answers and outcomes. Set one: ",
        { command: "policy set goal|day USD" },
        ". Undo changes: ",
        { command: "policy rollback N" },
      ),
    ],
  });
}

function policyLine({ key, microUsd, defaultMicroUsd }: PolicyLine): Span[] {
  const other = microUsd === defaultMicroUsd ? "" : `, instead of ${formatUsd(defaultMicroUsd)}`;
  return [capitalised(`${askedAboutWords(key)} ${formatUsd(microUsd)}${other}`)];
}

const changedWords: Readonly<Record<PolicyKey, string>> = {
  "thresholds.singleMicroUsd": "a goal",
  "thresholds.dayMicroUsd": "a day",
};

function changeLine(change: PolicyChangeLine): Span[] {
  const { changeNo, key, wasMicroUsd, nowMicroUsd, checkpointId, rolledBackTo, actor, at } = change;
  const rolledBack = rolledBackTo === null ? "set" : `rolled back to before change ${rolledBackTo}`;
  const why = checkpointId === null ? `${rolledBack} by ${actor}` : `Proceed by ${actor} on ${checkpointId}`;
  return [
    `${changeNo}. `,
    { at: at.toISOString() },
    ` ${changedWords[key]} ${formatUsd(wasMicroUsd)} → ${formatUsd(nowMicroUsd)}: ${why}`,
  ];
}
