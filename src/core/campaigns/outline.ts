import { marked, type Token, type Tokens } from "marked";
import { parse as parseYaml } from "yaml";
import { parseGoalEntry } from "../goals/new-goal.ts";
import type { Policy } from "../policy.ts";
import { cleanText, firstLine, shorten } from "../text.ts";
import { placeGoals } from "./place.ts";
import type { Plan, PlanGoal, PlannedMilestone } from "./plan.ts";

/**
 * A plan that a person wrote: a Markdown outline, or a list of goals in YAML or JSON.
 *
 *   # The campaign          its goal in a paragraph
 *   ## A milestone (day 3)  a paragraph, "Done when:" with a list, then
 *   ### Day 2               (pins what follows)
 *   - a goal
 *     - cost: 2             the options of `goal add --from`, and `day`
 */
export type ParsedPlan =
  | { readonly type: "ok"; readonly plan: Plan }
  | { readonly type: "invalid"; readonly problems: readonly string[] };

export interface PlanSettings {
  /** What a person said it is for; the plan's own title when null. */
  readonly goal: string | null;
  readonly days: number | null;
  readonly policy: Policy;
}

/** Reads a plan; every problem is named with its place. Never throws, whatever the text is. C-88. */
export function parsePlanFile(text: string, settings: PlanSettings): ParsedPlan {
  if (text.length > longestFile)
    return invalid(`the file has ${text.length} characters, at most ${longestFile} are read`);
  const clean = cleanText(text);
  const isOutline =
    /^ {0,3}(#{1,3} |[-*] )/m.test(clean) &&
    !/^\s*(-\s+)?(goals|text|content)\s*:/m.test(clean.slice(0, 2000)) &&
    !/^\s*[[{]/.test(clean);
  const draft = isOutline ? readOutline(clean, settings.policy) : readList(clean, settings.policy);
  if (draft.problems.length > 0) return { type: "invalid", problems: draft.problems.slice(0, 30) };
  return build(draft, settings);
}

const longestFile = 1_000_000;

interface Draft {
  readonly name: string | null;
  readonly description: string | null;
  readonly milestones: readonly DraftMilestone[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

interface DraftMilestone {
  name: string | null;
  description: string;
  day: number | null;
  criteria: string[];
  goals: DraftGoal[];
}

interface DraftGoal {
  readonly request: PlanGoal["request"];
  readonly day: number | null;
}

function invalid(...problems: string[]): ParsedPlan {
  return { type: "invalid", problems };
}

function build(draft: Draft, { goal, days, policy }: PlanSettings): ParsedPlan {
  const { longestDays, goalsADay, goalMinutes, dayMinutes } = policy.campaigns;
  const all = draft.milestones.flatMap((milestone, index) =>
    milestone.goals.map((each) => ({ ...each, milestone: index })),
  );
  if (all.length === 0) return invalid("the plan has no goal: write each as a list item");
  const name = goal ?? draft.name ?? all[0]?.request.content ?? "";
  const places = placeGoals(
    all.map((each) => ({ minutes: each.request.minutes ?? goalMinutes, day: each.day })),
    { days, dayMinutes },
  );
  const last = Math.max(...places, ...draft.milestones.map((each) => each.day ?? 0), days ?? 0);
  if (last > longestDays) return invalid(`the plan has ${last} days, at most ${longestDays} are taken`);
  const planned = Array.from({ length: last }, (_, index): PlanGoal[] =>
    all.filter((_each, at) => places[at] === index + 1).map(({ request, milestone }) => ({ request, milestone })),
  );
  const full = planned.findIndex((each) => each.length > goalsADay);
  if (full !== -1)
    return invalid(
      `day ${full + 1} has ${planned[full]?.length ?? 0} goals, at most ${goalsADay} are taken: give it more days (--days N)`,
    );
  const milestones = draft.milestones.map((milestone, index): PlannedMilestone => {
    const own = places.filter((_, at) => all[at]?.milestone === index);
    return {
      name: milestone.name ?? firstLine(name, 80),
      description: milestone.description,
      targetDay: milestone.day ?? Math.max(1, ...own),
      successCriteria: milestone.criteria,
    };
  });
  const description = draft.description ?? "";
  const whole = goal ?? [draft.name ?? name, description].filter((each) => each !== "").join("\n\n");
  return {
    type: "ok",
    plan: {
      name: firstLine(name, 1000).slice(0, 50),
      goal: shorten(whole, policy.text.longestInput),
      milestones,
      days: planned,
      notes: draft.notes,
    },
  };
}

/** `(day 3)` at the end of a heading. */
const dayMark = /\s*\(day (\d{1,4})\)\s*$/i;

function readOutline(text: string, policy: Policy): Draft {
  const problems: string[] = [];
  const notes: string[] = [];
  const milestones: DraftMilestone[] = [];
  let name: string | null = null;
  const description: string[] = [];
  let day: number | null = null;
  let isCriteria = false;
  let at = 1;

  const current = (): DraftMilestone => {
    const last = milestones.at(-1);
    if (last !== undefined) return last;
    const made = { name: null, description: "", day: null, criteria: [], goals: [] };
    milestones.push(made);
    return made;
  };

  for (const token of lex(text)) {
    const line = at;
    at += token.raw.split("\n").length - 1;
    switch (token.type) {
      case "heading": {
        const { depth, text: words } = token as Tokens.Heading;
        isCriteria = false;
        if (depth === 1) {
          if (name !== null) problems.push(`line ${line}: a second title; milestones are headings of level 2`);
          name ??= plainWords(words);
        } else if (depth === 2) {
          day = null;
          const marked = dayMark.exec(words)?.[1];
          milestones.push({
            name: plainWords(words.replace(dayMark, "").replace(/^milestone:?\s*/i, "")),
            description: "",
            day: marked === undefined ? null : readDay(marked, line, policy, problems),
            criteria: [],
            goals: [],
          });
        } else {
          const pinned = /^day\s+(\d{1,4})\b/i.exec(words)?.[1];
          if (pinned === undefined)
            problems.push(`line ${line}: found the heading ${JSON.stringify(shorten(words, 60))}, expected "Day N"`);
          else day = readDay(pinned, line, policy, problems);
        }
        break;
      }
      case "paragraph": {
        const words = (token as Tokens.Paragraph).text.trim();
        isCriteria = /done when:?$/i.test(words.replaceAll("*", ""));
        if (isCriteria) break;
        const milestone = milestones.at(-1);
        if (milestone === undefined) description.push(words);
        else milestone.description = [milestone.description, words].filter((each) => each !== "").join("\n\n");
        break;
      }
      case "list": {
        const items = itemsOf(token as Tokens.List, line);
        if (isCriteria) current().criteria.push(...items.map((item) => plainWords(item.words)));
        else for (const item of items) readItem(item, { milestone: current(), day, policy, problems, notes });
        isCriteria = false;
        break;
      }
      default:
        break;
    }
  }
  for (const milestone of milestones)
    if (milestone.goals.length === 0 && milestone.day === null)
      problems.push(`the milestone ${JSON.stringify(milestone.name)} has no goal and no "(day N)"`);
  return { name, description: description.join("\n\n"), milestones, notes, problems };
}

/** Deeply nested text makes the lexer recurse: what is nested deeper than anybody writes is not read as lists. */
function lex(text: string): Token[] {
  const shallow = text.replace(/^[ \t]{24,}/gm, " ".repeat(24)).replace(/^([ \t]*>){8,}/gm, "");
  try {
    return marked.lexer(shallow);
  } catch {
    return [];
  }
}

interface Item {
  readonly words: string;
  readonly isDone: boolean;
  readonly options: readonly string[];
  readonly line: number;
}

function itemsOf(list: Tokens.List, line: number): Item[] {
  let at = line;
  return list.items.map((item) => {
    const start = at;
    at += item.raw.split("\n").length - (item.raw.endsWith("\n") ? 1 : 0);
    const nested = item.tokens.filter((each): each is Tokens.List => each.type === "list");
    const words = item.tokens
      .filter((each) => each.type === "text" || each.type === "paragraph")
      .map((each) => each.raw.trim())
      .join("\n");
    const box = /^\[([ xX])\]\s*/.exec(words);
    return {
      words: words.replace(/^\[[ xX]\]\s*/, ""),
      isDone: item.checked === true || box?.[1]?.toLowerCase() === "x",
      options: nested.flatMap((each) => each.items.map((option) => option.text.split("\n")[0]?.trim() ?? "")),
      line: start,
    };
  });
}

interface Reading {
  readonly milestone: DraftMilestone;
  readonly day: number | null;
  readonly policy: Policy;
  readonly problems: string[];
  readonly notes: string[];
}

function readItem(item: Item, { milestone, day, policy, problems, notes }: Reading): void {
  const where = `line ${item.line}`;
  if (item.isDone) {
    notes.push(`left out, marked as done: ${firstLine(item.words, 100)}`);
    return;
  }
  const entry: Record<string, unknown> = { text: item.words };
  let pinned = day;
  for (const option of item.options) {
    const found = /^([a-z-]+):\s*(.+)$/i.exec(option);
    if (found?.[1] === undefined || found[2] === undefined) {
      problems.push(
        `${where}: found ${JSON.stringify(shorten(option, 60))} under a goal, expected an option such as "cost: 2"`,
      );
      continue;
    }
    const key = found[1].toLowerCase();
    if (key === "day") pinned = readDay(found[2], item.line, policy, problems);
    else entry[key] = readValue(key, found[2]);
  }
  const parsed = parseGoalEntry(entry, policy.text.longestInput);
  if (parsed.type === "invalid") problems.push(`${where}: ${parsed.problem}`);
  else milestone.goals.push({ request: parsed.request, day: pinned });
}

/** Numbers and yes or no as YAML reads them; tags and globs by commas; everything else as it is written. */
function readValue(key: string, text: string): unknown {
  if (["tags", "tag", "allow", "allow-proof"].includes(key)) return text.split(",").map((each) => each.trim());
  if (["cost", "minutes", "parallel"].includes(key))
    return Number(text.replace(/^\$/, "").replace(/\s*(min|minutes|usd)$/i, ""));
  if (key === "unplanned") return text.trim() === "true" || text.trim() === "yes";
  return text.replace(/^`(.*)`$/, "$1");
}

function readDay(text: string, line: number, { campaigns }: Policy, problems: string[]): number | null {
  const day = Number(text);
  if (Number.isInteger(day) && day >= 1 && day <= campaigns.longestDays) return day;
  problems.push(`line ${line}: found day ${JSON.stringify(shorten(text, 20))}, expected 1 to ${campaigns.longestDays}`);
  return null;
}

function plainWords(text: string): string {
  return shorten(
    text
      .replace(/\*\*(.+?)\*\*/g, "$1")
      .replace(/`(.+?)`/g, "$1")
      .trim(),
    300,
  );
}

function readList(text: string, policy: Policy): Draft {
  const nothing: Draft = { name: null, description: null, milestones: [], notes: [], problems: [] };
  let document: unknown;
  try {
    document = parseYaml(text, { maxAliasCount: 20 });
  } catch (error) {
    const said = error instanceof Error ? firstLine(error.message, 200) : String(error);
    return { ...nothing, problems: [`neither an outline with headings and lists nor YAML: ${said}`] };
  }
  const whole = isRecord(document) ? document : { goals: document };
  const unknown = Object.keys(whole).filter((key) => !["goals", "name", "goal", "milestones"].includes(key));
  const problems = unknown.map((key) => `found ${JSON.stringify(key)}, expected goals, name, goal or milestones`);
  if (!Array.isArray(whole["goals"]) || whole["goals"].length === 0)
    return { ...nothing, problems: [...problems, 'expected a list of goals, or an object with a list "goals"'] };

  const milestones = readMilestones(whole["milestones"], policy, problems);
  for (const [index, entry] of whole["goals"].entries()) {
    const where = `goal ${index + 1}`;
    const { milestone, day, ...rest }: Record<string, unknown> = isRecord(entry) ? entry : { text: entry };
    const parsed = parseGoalEntry(rest, policy.text.longestInput);
    const pinned = day === undefined ? null : readEntryDay(day, where, policy, problems);
    if (parsed.type === "invalid") problems.push(`${where}: ${parsed.problem}`);
    else milestoneNamed(milestones, milestone, where, problems).goals.push({ request: parsed.request, day: pinned });
  }
  const empty = milestones.filter((each) => each.goals.length === 0 && each.day === null);
  problems.push(...empty.map((each) => `the milestone ${JSON.stringify(each.name)} has no goal and no day`));
  const words = (value: unknown): string | null =>
    typeof value === "string" && value.trim() !== "" ? value.trim() : null;
  return {
    ...nothing,
    name: words(whole["name"]) ?? words(whole["goal"]),
    description: words(whole["goal"]),
    milestones,
    problems,
  };
}

function readMilestones(value: unknown, policy: Policy, problems: string[]): DraftMilestone[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.push('found something else under "milestones", expected a list');
    return [];
  }
  return value.map((each, index) => {
    const where = `milestone ${index + 1}`;
    const given: Record<string, unknown> = isRecord(each) ? each : { name: each };
    if (typeof given["name"] !== "string") problems.push(`${where}: expected a name`);
    const criteria = Array.isArray(given["criteria"]) ? given["criteria"].map(String) : [];
    return {
      name: String(given["name"]),
      description: typeof given["description"] === "string" ? given["description"] : "",
      day: given["day"] === undefined ? null : readEntryDay(given["day"], where, policy, problems),
      criteria,
      goals: [],
    };
  });
}

function milestoneNamed(
  milestones: DraftMilestone[],
  name: unknown,
  where: string,
  problems: string[],
): DraftMilestone {
  const wanted = typeof name === "string" ? name : null;
  if (name !== undefined && wanted === null) problems.push(`${where}: milestone is no name`);
  const found = milestones.find((each) => each.name === wanted);
  if (found !== undefined) return found;
  const made = { name: wanted, description: "", day: null, criteria: [], goals: [] };
  milestones.push(made);
  return made;
}

function readEntryDay(value: unknown, where: string, { campaigns }: Policy, problems: string[]): number | null {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= campaigns.longestDays)
    return value;
  problems.push(`${where}: found day ${JSON.stringify(value)}, expected 1 to ${campaigns.longestDays}`);
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
