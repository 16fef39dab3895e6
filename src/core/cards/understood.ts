import type { Linkage, Priority, Tier } from "../goals/goal.ts";
import { formatUsd } from "../money.ts";
import { count, firstLine, shorten } from "../text.ts";
import { flagWords, type WorklogFlags } from "../worklog/flags.ts";
import type { CardBlock, Text } from "./card.ts";

/** How the fields of a goal were understood when it was added or changed. An absent field is not read back. */
export interface Understood {
  readonly content?: string;
  readonly tags?: readonly string[];
  /** Null when nobody gave an estimate. */
  readonly estimateMicroUsd?: number | null;
  readonly priority?: Priority;
  readonly minutes?: number | null;
  readonly tier?: Tier | null;
  readonly worklogFlags?: WorklogFlags | null;
  readonly linkage?: Linkage;
  /** The source of the criteria: a path, or null for none. */
  readonly criteria?: string | null;
  /** What the criteria were read as: "2 criteria: AC-1, AC-2". */
  readonly criteriaRead?: string;
  readonly command?: string | null;
  readonly tasks?: string | null;
  readonly allow?: readonly string[];
  readonly allowProof?: readonly string[];
  readonly isUnplanned?: boolean;
}

/** The fields read back in the answer, so that a typing mistake is seen at once. */
export function understoodBlock(given: Understood): CardBlock {
  const fields = Object.entries({
    Text: given.content === undefined ? null : [contentWords(given.content)],
    Tags: given.tags === undefined ? null : [listWords(given.tags)],
    Cost: given.estimateMicroUsd === undefined ? null : [costWords(given.estimateMicroUsd)],
    Priority: given.priority === undefined ? null : [given.priority],
    Command: given.command === undefined ? null : commandText(given.command),
    Criteria: given.criteria === undefined ? null : [criteriaWords(given)],
    From: given.linkage === undefined || given.linkage.kind === "none" ? null : [linkWords(given.linkage)],
    Tasks: given.tasks == null ? null : [shorten(given.tasks, 300)],
    Minutes: given.minutes == null ? null : [String(given.minutes)],
    Tier: given.tier == null ? null : [given.tier],
    Worklog: given.worklogFlags == null ? null : [flagWords(given.worklogFlags).join(", ")],
    "May change": given.allow === undefined || given.allow.length === 0 ? null : [listWords(given.allow)],
    "May change of the proof":
      given.allowProof === undefined || given.allowProof.length === 0 ? null : [listWords(given.allowProof)],
    Plan: given.isUnplanned === true ? ["unplanned: asks first"] : null,
  } satisfies Record<string, Text | null>);
  return { type: "fields", fields: fields.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])) };
}

/** One line of a list of goals: "Round up · ui · $9.00". */
export function understoodLine(given: Understood): string {
  const { content = "", tags = [], estimateMicroUsd = null, criteriaRead } = given;
  const cost = estimateMicroUsd === null ? [] : [formatUsd(estimateMicroUsd)];
  const more = [...tags, ...cost, ...(criteriaRead === undefined ? [] : [criteriaRead])];
  return [firstLine(content, 100), ...more].join(" · ");
}

function criteriaWords({ criteria, criteriaRead }: Understood): string {
  const from = criteria == null ? null : shorten(criteria, 300);
  if (criteriaRead === undefined) return from ?? "none";
  return from === null ? criteriaRead : `${from} (${criteriaRead})`;
}

function contentWords(content: string): string {
  const lines = content.split("\n").length;
  return `${firstLine(content, 300)}${lines === 1 ? "" : ` (${count(lines, "line")})`}`;
}

function listWords(list: readonly string[]): string {
  return list.length === 0 ? "none" : shorten(list.join(", "), 300);
}

function costWords(estimateMicroUsd: number | null): string {
  return estimateMicroUsd === null ? "not estimated" : formatUsd(estimateMicroUsd);
}

function commandText(command: string | null): Text {
  return command === null ? ["none"] : [{ code: shorten(command, 500) }];
}

function linkWords(linkage: Exclude<Linkage, { readonly kind: "none" }>): string {
  switch (linkage.kind) {
    case "feature":
      return `issue ${linkage.issue} of ${linkage.feature}`;
    case "bug":
      return `bug ${linkage.bug}`;
    case "spec":
      return linkage.path;
    case "issue":
      return linkage.url;
  }
}

/** Names of columns of a goal, in the words of the options that change them: "text, cost". */
export function changedWords(names: readonly string[]): string {
  return names.map((name) => rowWords[name] ?? name).join(", ");
}

const rowWords: Readonly<Record<string, string>> = {
  content: "text",
  runCommand: "command",
  estimateMicroUsd: "cost",
  ceilingMicroUsd: "ceiling",
  estimatedMinutes: "minutes",
  filesAllowed: "allowed files",
  proofAllowed: "allowed proof files",
  worklogFlags: "flags",
};
