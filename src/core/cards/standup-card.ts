import { guardsNote, tagText, tagWords } from "./tag-words.ts";
import { formatUsd } from "../money.ts";
import { recommend } from "../reports/recommendation.ts";
import type { StandupFacts } from "../reports/standup-facts.ts";
import { waitsForPerson } from "../reports/waits-for-person.ts";
import { count, formatDuration } from "../text.ts";
import { type Card, type CardBlock, plainCard, type Span, text } from "./card.ts";
import {
  adviceSpans,
  campaignSpans,
  colon,
  doneSpans,
  estimated,
  failedSpans,
  goalLink,
  goalSpans,
  goesOn,
  mergeSpans,
  plannedSpans,
  questionSpans,
  spendSpans,
  workingSpans,
} from "./standup-lines.ts";
import { standupBrief } from "./standup-brief.ts";
import { standupActions } from "./standup-actions.ts";
import { newsWords, repositoryTroubleWords } from "./news-words.ts";
import { recommendationWords } from "./recommendation-words.ts";

/** Maximum number of lines of a section that is read every day, and of one that is seldom long. Together they fit into one message. */
const mostLines = 6;
const fewLines = 3;

/** Maximum number of people that a heading names. */
const mostPeople = 5;

/**
 * The standup: what to do first; then every goal once, in its part (parts.ts), with an evidence tag where its work is mentioned (D27); the
 * cost; and differences between git and our rows. Empty sections are left out.
 */
export function standupCard(facts: StandupFacts): Card {
  const title = `Standup ${facts.date}`;
  const advice = recommendationWords(recommend(facts));
  const spent = `${formatUsd(facts.spend.sinceMicroUsd)}${estimated(facts.spend)}`;
  const card = plainCard({
    kind: "report",
    tone: "neutral",
    title,
    summary: `${title}: ${facts.done.length} done, ${facts.failed.length} failed, ${waitsForPerson(facts)} waiting for a person, ${spent} spent. ${advice.text}`,
    blocks: [
      text({ strong: "First: " }, ...adviceSpans(advice)),
      ...doneBlocks(facts),
      ...section({ name: "Failed", all: "goals --status failed", most: fewLines }, facts.failed.map(failedSpans)),
      ...section(
        { name: "Waits for ", before: askedOf(facts), all: "checkpoints", most: mostLines },
        facts.questions.map(questionSpans),
      ),
      ...section(
        { name: "Parked", all: "goals --status blocked", most: fewLines },
        facts.parked.map((line) => [...goalSpans(line), ...goesOn(line)]),
      ),
      ...section(
        { name: "Skipped", all: "goals --status deferred", most: fewLines },
        facts.deferred.map((line) => [...goalSpans(line), ...goesOn(line)]),
      ),
      ...section(
        { name: "Left to a person", all: "goals --status manual_followup", most: fewLines },
        facts.manual.map((line) => [...goalSpans(line), ...goesOn(line)]),
      ),
      ...unmergedBlocks(facts),
      ...section(
        { name: "At work", all: "goals --status in_progress", most: fewLines },
        facts.working.map(workingSpans),
      ),
      ...section({ name: "Today", all: "goals --status pending", most: mostLines }, facts.planned.map(plannedSpans)),
      ...section({ name: "Campaigns", all: "campaign list", most: fewLines }, facts.campaigns.map(campaignSpans)),
      ...guardsNote([...facts.done, ...facts.unmerged].some((line) => tagText(line).includes("guards only"))),
      text(...spendSpans(facts)),
      ...limitedBlocks(facts.limited),
      ...learntBlocks(facts.learnt),
      ...section({ name: "In git", all: "standup --json", most: fewLines }, gitLines(facts)),
    ],
  });
  return { ...card, brief: standupBrief(facts, advice), actions: standupActions(facts) };
}

interface Section {
  readonly name: string;
  /** Text before and after the number of lines. */
  readonly before?: readonly Span[];
  readonly after?: string;
  /** The command that lists all items. */
  readonly all: string;
  readonly most: number;
}

/** A heading with the number of items, above the items. Empty when there are none. */
function section(
  { name, before = [], after = "", all, most }: Section,
  items: readonly (readonly Span[])[],
): CardBlock[] {
  if (items.length === 0) return [];
  const left = items.length - most;
  const more: Span[][] = left > 0 ? [[`and ${left} more: `, { command: all }]] : [];
  return [
    text({ strong: name }, ...before, `: ${items.length}${after}`),
    { type: "list", items: [...items.slice(0, most), ...more] },
  ];
}

/** Done goals. Those with news from git come first, so that they are not cut off when something has to be done about them. */
function doneBlocks({ done, failed, since, news }: StandupFacts): CardBlock[] {
  const from: Span[] = [" since ", { at: since.toISOString() }];
  const newsOf = (line: { readonly goalId: string }) => news.find((each) => each.goalId === line.goalId);
  if (done.length === 0) {
    return [text({ strong: "Done" }, ...from, failed.length === 0 ? ": nothing, and nothing failed" : ": nothing")];
  }
  return section(
    { name: "Done", before: from, all: "goals --status complete", most: mostLines },
    done
      .toSorted((one, other) => Number(newsOf(other) !== undefined) - Number(newsOf(one) !== undefined))
      .map((line) => doneSpans(line, newsOf(line))),
  );
}

/** Preferences that answers have changed since the last standup. The other ones are shown by `preferences`. */
function learntBlocks(learnt: StandupFacts["learnt"]): CardBlock[] {
  const told = learnt.filter(({ isNew }) => isNew);
  if (told.length === 0) return [];
  const named = told.slice(0, fewLines).map(({ key, reading }) => `${key.replaceAll("_", " ")} ${reading}`);
  const more = told.length > fewLines ? ` and ${told.length - fewLines} more` : "";
  return [text({ strong: "Learnt from answers: " }, `${named.join(", ")}${more}: `, { command: "preferences" })];
}

/** Who is asked. Platforms draw mentions; "you" is the local person. */
function askedOf({ askedOf: people, isPosted }: StandupFacts): Span[] {
  if (people.length === 0) return [{ strong: "you" }];
  if (isPosted) return [{ strong: people.length === 1 ? "the approver" : `one of ${people.length} approvers` }];
  const left = people.length - mostPeople;
  return [
    ...people.slice(0, mostPeople).flatMap((person, index): Span[] => [...(index === 0 ? [] : [", "]), { person }]),
    ...(left > 0 ? [` and ${left} more`] : []),
  ];
}

/** Finished goals that are not merged. The goals of today say so in their own lines. */
function unmergedBlocks({ unmerged, lateMerges }: StandupFacts): CardBlock[] {
  const { number, afterMs } = lateMerges;
  const after = number === 0 ? "" : `, ${number} of them for more than ${formatDuration(afterMs)}`;
  return section(
    { name: "Finished, not merged", after, all: "goals --status complete", most: fewLines },
    unmerged.map((line) => [
      tagWords(line),
      goalLink(line),
      ` · for ${formatDuration(line.sinceMs)}`,
      ...mergeSpans(line),
    ]),
  );
}

/** How often a provider's limit or outage delayed work. The lines of the goals say which goals were delayed. */
function limitedBlocks(limited: StandupFacts["limited"]): CardBlock[] {
  const last = limited.at(-1);
  if (last === undefined) return [];
  const times = `${count(limited.length, "time")}, last until `;
  return [text({ strong: "Waited for the agent's provider: " }, times, { at: last.until }, "; it cost no attempt")];
}

/** Problems of repositories, and news from git about goals that the Done section does not list. */
function gitLines({ troubles, news, done }: StandupFacts): Span[][] {
  const listed = new Set(done.map((line) => line.goalId));
  return [
    ...troubles.map((trouble): Span[] => adviceSpans(colon(repositoryTroubleWords(trouble)))),
    ...news
      .filter((each) => !listed.has(each.goalId))
      .map((each): Span[] => [goalLink(each), " · ", ...adviceSpans(colon(newsWords(each)))]),
  ];
}
