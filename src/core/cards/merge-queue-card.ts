import type { QueuedState } from "../merging/queue.ts";
import { count, firstLine } from "../text.ts";
import { type Card, note, type Text, text } from "./card.ts";

export interface MergeQueueFacts {
  readonly into: string;
  readonly repositoryName: string;
  readonly requestedBy: string;
  readonly endReason: string | null;
  readonly isOver: boolean;
  /** In the order in which they are merged. */
  readonly branches: readonly {
    readonly goalId: string;
    readonly content: string;
    readonly state: QueuedState;
    readonly reason: string | null;
    readonly tip: string | null;
    readonly dueAt: Date | null;
  }[];
}

/** A merge queue: its order, and the state of each branch. */
export function mergeQueueCard(facts: MergeQueueFacts): Card {
  const { into, branches, isOver } = facts;
  const merged = branches.filter((each) => each.state === "merged").length;
  const title = `Merging into ${into} of ${facts.repositoryName}: ${merged} of ${count(branches.length, "branch", "branches")} merged`;
  const state = isOver ? (facts.endReason ?? "over") : "under way";
  return {
    kind: "notice",
    tone: isOver ? "neutral" : "working",
    title,
    summary: `${title}. ${state}. Asked for by ${facts.requestedBy}.`,
    blocks: [
      { type: "list", items: branches.slice(0, 20).map((each, index) => branchLine(each, index, facts)) },
      ...(branches.length > 20 ? [text(`and ${branches.length - 20} more`)] : []),
      isOver
        ? note(`Over: ${facts.endReason ?? ""} Asked for by ${facts.requestedBy}.`)
        : note(
            `Each is verified on what was merged before it. Stop the rest: `,
            { command: `merge stop --repo ${facts.repositoryName}` },
            `; leave one out in the half minute before it is merged: `,
            { command: "goal undo ID" },
          ),
    ],
    actions: isOver
      ? []
      : [
          {
            choice: "stop",
            label: "Stop",
            call: { command: "merge stop", repo: facts.repositoryName },
            style: "default",
            about: `the rest of the merges into ${into}`,
            until: null,
          },
        ],
    state: null,
  };
}

function branchLine(
  branch: MergeQueueFacts["branches"][number],
  index: number,
  { into, isOver }: Pick<MergeQueueFacts, "into" | "isOver">,
): Text {
  const { goalId, content, state, reason, tip, dueAt } = branch;
  const name: Text = [`${index + 1}. `, { link: firstLine(content, 70), to: `/goals/${goalId}` }, " · "];
  const because = reason === null ? "" : `: ${firstLine(reason, 160)}`;
  const waits = reason === null ? [] : [`. ${firstLine(reason, 160)}`];
  switch (state) {
    case "waits":
      return [...name, "waits", because];
    case "verifies":
      return [...name, `is being verified on ${into}`, ...(tip === null ? [] : [" at ", { code: tip.slice(0, 12) }])];
    case "returned":
      return [...name, { strong: "is worked again" }, because === "" ? "; it is merged when it is verified" : because];
    case "merges":
      return dueAt === null
        ? [...name, isOver ? "was being merged when this ended" : "is being merged", ...waits]
        : [
            ...name,
            "merges at ",
            { at: dueAt.toISOString() },
            ", until then ",
            { command: `goal undo ${goalId}` },
            ...waits,
          ];
    case "merged":
      return [...name, { strong: "merged" }, because];
    case "left-out":
      return [...name, { strong: "left out" }, because];
  }
}
