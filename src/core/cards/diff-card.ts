import { count, firstLine, shorten, shownPath } from "../text.ts";
import { type Card, plainCard, type Span, text } from "./card.ts";

export interface DiffFacts {
  readonly goal: { readonly goalId: string; readonly content: string; readonly branch: string | null };
  readonly commit: string;
  readonly stat: { readonly files: number; readonly insertions: number; readonly deletions: number };
  readonly files: readonly { readonly path: string; readonly status: string }[];
  readonly patch: string;
}

const mostFiles = 30;

/** The changes of a goal's recorded work: their size, the files, the beginning of the patch. */
export function diffCard(facts: DiffFacts): Card {
  const { goal, stat, files } = facts;
  const what = firstLine(goal.content, 80);
  const size = `${count(stat.files, "file")}, +${stat.insertions} −${stat.deletions}`;
  const items = files.slice(0, mostFiles).map((file): Span[] => [`${file.status} `, { code: shownPath(file.path) }]);
  const more = files.length > mostFiles ? [text(`and ${files.length - mostFiles} more files`)] : [];
  return plainCard({
    kind: "report",
    tone: "neutral",
    title: `Diff: ${what}`,
    summary: `Diff of ${what}: ${size}`,
    blocks: [
      text(size, " on ", { code: goal.branch ?? goal.goalId }, " at ", { code: facts.commit.slice(0, 12) }),
      ...(items.length === 0 ? [] : [{ type: "list" as const, items }]),
      ...more,
      ...(facts.patch.trim() === ""
        ? []
        : [{ type: "code" as const, text: shorten(facts.patch, 6000), isDiff: true as const }]),
    ],
  });
}
