import { formatUsd } from "../money.ts";
import type { AfterWeekly, LimitedLine, ReportFacts, ReportLine, WeeklyFacts } from "../reports/report-facts.ts";
import { firstLine, formatDuration } from "../text.ts";
import { addDays } from "../time.ts";
import { type Card, type CardBlock, plainCard, sentence, type Span, text } from "./card.ts";
import { spokenTitle } from "./plain.ts";
import { tagWords } from "./tag-words.ts";
import { chartBlock, weekBlocks, weekInBrief } from "./week-blocks.ts";

/** The week so far with its chart. Its title starts with "# Weekly Summary:" as the seed asks (S4-CL-07). */
export function weeklyCard({ report, week, summary, waitsForPerson: waiting, afterLast }: WeeklyFacts): Card {
  const late = afterLast === undefined ? [] : [text(...afterSpans(afterLast, week.from))];
  const planned = section(
    "Pending",
    report.planned.slice(0, 10).map((line) => goalSpans(line)),
  );
  const title = `# Weekly Summary: ${summary.weekStart} to ${summary.weekEnd}`;
  // The summary comes first, because a platform cuts off the end of a card that is too long.
  const card = reportCard(title, report, {
    waiting,
    before: [...late, ...weekBlocks(week, summary), chartBlock(week)],
    after: planned,
  });
  return { ...card, brief: [...late, ...weekInBrief(week, summary, waiting, report.failed)] };
}

/** "After last Friday's weekly: 2 done, 1 failed, $3.10", in the week that begins on `from`. */
function afterSpans({ date, spentMicroUsd, spentIsEstimated, ...goals }: AfterWeekly, from: string): Span[] {
  const isLastWeek = date >= addDays(from, -7);
  const weekday = new Date(`${date}T00:00:00Z`).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  const numbers = [
    `${goals.complete} done`,
    `${goals.failed} failed`,
    ...(goals.deferred === 0 ? [] : [`${goals.deferred} skipped`]),
    ...(goals.manual === 0 ? [] : [`${goals.manual} left to a person`]),
    `${formatUsd(spentMicroUsd)}${spentIsEstimated ? " (estimated)" : ""}`,
  ];
  const which = isLastWeek ? `After last ${weekday}'s weekly: ` : `After the weekly of ${date}: `;
  return [{ strong: which }, numbers.join(", ")];
}

/** The lists of a report, between the given blocks. */
function reportCard(
  title: string,
  facts: ReportFacts,
  around: { readonly waiting: number; readonly before: Card["blocks"]; readonly after: Card["blocks"] },
): Card {
  const spent = `${formatUsd(facts.spentMicroUsd)}${facts.spentIsEstimated ? " (estimated)" : ""}`;
  return plainCard({
    kind: "report",
    tone: "neutral",
    title,
    summary: `${spokenTitle(title)}: ${facts.done.length} done, ${facts.failed.length} failed, ${around.waiting} waiting for a person, ${spent} spent.`,
    blocks: [
      ...around.before,
      ...section(
        "Done",
        facts.done.map((line) => goalSpans(line)),
      ),
      ...section("Failed", facts.failed.map(failedSpans)),
      ...section("Skipped", facts.deferred.map(goalSpans)),
      ...section("Left to a person", facts.manual.map(goalSpans)),
      ...section(
        "Parked",
        facts.parked.map((line) => goalSpans(line)),
      ),
      ...section(
        "Waits for a person",
        facts.waiting.map((line) => [
          { link: line.checkpointId, to: `/#${line.checkpointId}` },
          ` ${firstLine(line.content, 100)}${ofRepository(line)}, for ${formatDuration(line.sinceMs)}`,
        ]),
      ),
      ...limitedBlocks(facts.limited),
      ...around.after,
    ],
  });
}

/** The goals that a provider's limit delayed. Empty when none was delayed. */
function limitedBlocks(limited: readonly LimitedLine[]): CardBlock[] {
  if (limited.length === 0) return [];
  return section(
    "Waited for the agent's provider",
    limited.map((line) => [
      { link: firstLine(line.content, 100), to: `/goals/${line.goalId}` },
      `${ofRepository(line)} from `,
      { at: line.from.toISOString() },
      " until ",
      { at: line.until },
      "; it cost no attempt",
    ]),
  );
}

/** A list below its name. Empty when the list is empty. */
function section(name: string, items: readonly Span[][]): CardBlock[] {
  if (items.length === 0) return [];
  return [text({ strong: name }), { type: "list", items }];
}

/** A failed goal. The tag "claimed" is left out: its work was checked and failed. */
function failedSpans(line: ReportLine): Span[] {
  const [tag, ...rest] = goalSpans(line);
  return line.tag === "claimed" || tag === undefined ? rest : [tag, ...rest];
}

function goalSpans(line: ReportLine): Span[] {
  const outcome = line.outcome === null ? [] : sentence(`: ${firstLine(line.outcome, 160)}`);
  return [
    tagWords(line),
    { link: firstLine(line.content, 100), to: `/goals/${line.goalId}` },
    ofRepository(line),
    ...outcome,
  ];
}

/** The repository's name, when the report covers several repositories. */
function ofRepository({ repositoryName }: { readonly repositoryName?: string }): string {
  return repositoryName === undefined ? "" : ` · ${repositoryName}`;
}
