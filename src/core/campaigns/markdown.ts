import { count, shorten } from "../text.ts";
import { type Block, type ListItem, readBlocks } from "../text/blocks.ts";
import type { Complain, Draft, DraftGoal, DraftMilestone, DraftRequest } from "./draft.ts";
import { readItem } from "./markdown-goal.ts";

/** Reads a Markdown outline. Emphasis and links are kept as written, because an agent reads them so. Null when it cannot be read. */
export function readMarkdown(source: string, given: DraftRequest, complain: Complain): Draft | null {
  const reading: DraftSoFar = { title: null, words: [], parts: [], goals: [], day: null, isDoneWhen: false };
  const read = readBlocks(source);
  if (read.type === "wrong") {
    complain(`line ${read.fault.line}`, read.fault.problem);
    return null;
  }
  for (const block of read.blocks) readBlock(block, reading, { given, complain, line: block.line });
  const { title, words, parts, goals } = reading;
  const whole = [...(title === null ? [] : [title]), ...words].join("\n\n");
  const done = parts.reduce((sum, part) => sum + part.doneGoals, 0);
  return {
    name: title,
    goal: whole === "" ? null : whole,
    milestones: parts.map(
      (part): DraftMilestone => ({ ...part, description: part.words.join("\n\n"), criteria: part.criteria }),
    ),
    goals,
    notes: done === 0 ? [] : [`${count(done, "goal")} marked done: left out.`],
  };
}

/** What has been read so far, and where the next block belongs. */
interface DraftSoFar {
  title: string | null;
  /** Paragraphs below the title. */
  readonly words: string[];
  readonly parts: Part[];
  readonly goals: DraftGoal[];
  /** The day of the last heading such as `### Day 3`, for the goals below it. */
  day: number | null;
  /** True when the next list contains conditions of "Done when". */
  isDoneWhen: boolean;
}

/** A milestone that is being read. */
interface Part {
  readonly at: string;
  readonly name: string | null;
  readonly day: number | null;
  readonly words: string[];
  readonly criteria: string[];
  doneGoals: number;
}

interface Place {
  readonly given: DraftRequest;
  readonly complain: Complain;
  readonly line: number;
}

function readBlock(block: Block, draft: DraftSoFar, place: Place): void {
  switch (block.type) {
    case "heading":
      return readHeading(block.depth, block.text, draft, place);
    case "list":
      return readList(block.raw, block.items, draft, place);
    case "code":
    case "words":
      return readWords(block.raw.trim(), draft);
    case "rule":
  }
}

const longestHeading = 1_000;

function readHeading(depth: number, text: string, draft: DraftSoFar, { complain, line }: Place): void {
  const at = `line ${line}`;
  const title = text.trim();
  const shown = `"${"#".repeat(depth)} ${shorten(title, 60)}"`;
  draft.isDoneWhen = false;
  if (title === "") return complain(at, "a heading without words");
  if (title.length > longestHeading) return complain(at, `a heading of ${title.length} characters`);
  const day = /^day\s+(\d{1,9})\s*(?:[:–—-].*)?$/i.exec(title)?.[1];
  if (depth === 1) {
    if (draft.title !== null)
      return complain(at, `${shown} is a second title: a file has one, and milestones are "## Name"`);
    draft.title = title;
    return;
  }
  if (depth === 2) {
    if (day !== undefined)
      return complain(at, `${shown} names a day: days are "### Day ${day}", under a milestone or before all of them`);
    const due = /\(\s*(?:by )?day (\d{1,9})\s*\)$/i.exec(title);
    const name = (due === null ? title : title.slice(0, due.index)).trim();
    if (name === "") return complain(at, `${shown} names no milestone`);
    draft.parts.push({ ...emptyPart(at, name), day: due === null ? null : Number(due[1]) });
    draft.day = null;
    return;
  }
  if (depth > 3 || day === undefined) {
    return complain(at, `${shown} is not understood: "## Name" begins a milestone, "### Day 3" a day of it`);
  }
  draft.day = Number(day);
}

function emptyPart(at: string, name: string | null): Part {
  return { at, name, day: null, words: [], criteria: [], doneGoals: 0 };
}

function readWords(raw: string, draft: DraftSoFar): void {
  if (raw === "" || (raw.startsWith("<!--") && raw.endsWith("-->"))) return;
  const part = draft.parts.at(-1);
  if (/^\W*goals\W*$/i.test(raw.slice(0, 20))) {
    draft.isDoneWhen = false;
    return;
  }
  const label = /^(?:\*\*|__)?done when(?:\*\*|__)?:(?:\*\*|__)?/i.exec(raw);
  draft.isDoneWhen = label !== null;
  if (part === undefined || label === null) {
    (part ?? draft).words.push(raw);
    return;
  }
  const rest = raw.slice(label[0].length).trim();
  if (rest !== "") part.criteria.push(rest);
}

function readList(raw: string, items: readonly ListItem[], draft: DraftSoFar, { given, complain, line }: Place): void {
  const { isDoneWhen, day } = draft;
  draft.isDoneWhen = false;
  if (isDoneWhen && draft.parts.length === 0) {
    draft.words.push(raw.trim());
    return;
  }
  const part = draft.parts.at(-1) ?? emptyPart(`line ${line}`, null);
  if (draft.parts.length === 0) draft.parts.push(part);
  for (const item of items) {
    if (isDoneWhen) {
      part.criteria.push(item.text.trim());
      continue;
    }
    const read = readItem(item, { day, longest: given.policy.text.longestInput }, complain);
    if (read.type === "done") part.doneGoals += 1;
    if (read.type === "goal") draft.goals.push({ ...read.goal, milestone: draft.parts.length - 1 });
  }
}
