import { formatUsd } from "../money.ts";
import type { StandupFacts } from "../reports/standup-facts.ts";
import { firstLine } from "../text.ts";
import { type CardBlock, type Text, text } from "./card.ts";
import { askedLine } from "./question-name.ts";
import { adviceSpans, estimated, goalLink } from "./standup-lines.ts";
import type { Advice } from "./news-words.ts";

/**
 * What a channel shows of a standup (F-407), for people who read only that: the numbers, what to do first, and the names of goals that
 * failed, wait, are parked or were done. Details has every line.
 */
export function standupBrief(facts: StandupFacts, advice: Advice): CardBlock[] {
  return [
    text({ strong: "Since " }, { at: facts.since.toISOString() }, `: ${numberWords(facts)}`),
    text({ strong: "First: " }, ...adviceSpans(advice)),
    ...failedLine(facts.failed),
    ...named(
      "Waits for an answer",
      facts.questions.map(
        ({ checkpointId, context, content }): Text => [
          { link: firstLine(askedLine(context, content), 60), to: `/#${checkpointId}` },
        ],
      ),
    ),
    ...named("Parked", facts.parked.map(nameOf)),
    ...named("Done", facts.done.map(nameOf)),
    ...named("At work", facts.working.map(nameOf)),
  ];
}

/** "2 done, 1 failed, 1 parked, $6.00 spent". */
function numberWords({ done, failed, questions, parked, manual, spend }: StandupFacts): string {
  const some = (number: number, what: string): string[] => (number === 0 ? [] : [`${number} ${what}`]);
  const ended = done.length + failed.length === 0 ? ["nothing done, nothing failed"] : [`${done.length} done`];
  return [
    ...ended,
    ...some(failed.length, "failed"),
    ...some(questions.length, questions.length === 1 ? "waits for an answer" : "wait for an answer"),
    ...some(parked.length, "parked"),
    ...some(manual.length, "left to a person"),
    `${formatUsd(spend.sinceMicroUsd)}${estimated(spend)} spent`,
  ].join(", ");
}

/** In characters. Two names fit into two lines of a phone. */
const longestName = 40;

function nameOf({ goalId, content }: { readonly goalId: string; readonly content: string }): Text {
  return [goalLink({ goalId, content: firstLine(content, longestName) })];
}

/**
 * The names of failed goals, which are always shown. They take at most two lines of a phone; the first recommendation gives way to them.
 */
function failedLine(failed: StandupFacts["failed"]): CardBlock[] {
  const longest = failed.length === 1 ? longestName : 22;
  const names = failed.map(({ goalId, content }): Text => [goalLink({ goalId, content: firstLine(content, longest) })]);
  return named("Failed", names, 2).map((block) => (block.type === "text" ? { ...block, isKept: true } : block));
}

/** Maximum number of names. The numbers above say how many there are. */
const mostNamed = 3;

function named(label: string, names: readonly Text[], most = mostNamed): CardBlock[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, most).flatMap((name, index): Text => [...(index === 0 ? [] : ["; "]), ...name]);
  const left = names.length - most;
  return [text({ strong: `${label}: ` }, ...shown, ...(left > 0 ? [` and ${left} more`] : []))];
}
