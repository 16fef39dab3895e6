import { averageOf, type Score, type CriticsVerdict } from "../critics/critic.ts";
import { shorten } from "../text.ts";
import { type Card, note, plainCard, type Span, text } from "./card.ts";

/** What the critics say about a file, a folder or a diff, and which parts they did not look at. S4-CL-08. */
export function verdictCard(verdict: CriticsVerdict, leftOut: readonly string[] = []): Card {
  const { isApproved, blockingIssues, issues, scores, needsPerson } = verdict;
  const title = verdictTitle(verdict);
  return plainCard({
    kind: "list",
    tone: isApproved ? "good" : "bad",
    title,
    summary: title,
    blocks: [
      ...blockingIssues.map((issue) => text(`  - ${shorten(issue, 400)}`)),
      ...(issues.length === 0
        ? []
        : [
            note("Also said, and not blocking:"),
            { type: "list", items: issues.map((each) => [shorten(each, 400)]) } as const,
          ]),
      { type: "list", items: scores.map(scoreLine) },
      ...(leftOut.length === 0 ? [] : [note(`Not looked at: ${shorten(leftOut.join(", "), 600)}.`)]),
      ...(isApproved && needsPerson ? [note("A person should look at it: less than 80 % is covered.")] : []),
    ],
  });
}

/** The verdict in one line. It begins with the word that scripts search for, like the verdict's summary. */
function verdictTitle({ isApproved, isVetoed, scores }: CriticsVerdict): string {
  const average = `average score ${averageOf(scores).toFixed(2)} of 1`;
  if (isApproved) return `✓ APPROVED: by consensus, ${average}`;
  if (isVetoed) return "✗ NEEDS REVIEW: security concerns, which no other critic outvotes";
  const concerns = scores.filter((each) => !each.isApproved).map((each) => each.focus.replace("_", " "));
  return `✗ NEEDS REVIEW: concerns in ${concerns.join(", ")}, ${average}`;
}

/** One critic in one line: its result, and whether rules or a model decided it. */
export function scoreLine({ critic, score, isApproved, reasoning, by }: Score): Span[] {
  const why = reasoning === "" ? "" : `: ${shorten(reasoning, 300)}`;
  return [{ strong: critic }, ` ${isApproved ? "approves" : "does not approve"}, ${score.toFixed(2)} (${by})${why}`];
}
