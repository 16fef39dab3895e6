import { type Document, isPair, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { z } from "zod";
import { parseGoalEntry } from "../goals/new-goal.ts";
import { shorten } from "../text.ts";
import { type Complain, type Draft, type DraftGoal, type DraftMilestone, type Given } from "./draft.ts";
import { mostOfPlan } from "./plan-shape.ts";

const name = z.string().trim().min(1).max(mostOfPlan.name);
const day = z.int().min(1).nullable().default(null);
const fileSchema = z.strictObject({
  name: name.optional(),
  goal: z.string().trim().min(1).optional(),
  milestones: z
    .array(
      z.strictObject({
        name,
        description: z.string().trim().default(""),
        day,
        criteria: z.union([z.array(z.string().trim().min(1)), z.string().transform((one) => [one])]).default([]),
      }),
    )
    .default([]),
  goals: z.array(z.unknown()),
});
const placeSchema = z.looseObject({ milestone: name.nullable().default(null), day });

/**
 * Reads a YAML or JSON list of goals, or an object with `goals` and, where wanted, `name`, `goal` and `milestones`.
 * Milestones that no list names come in the order in which goals name them. Null: it cannot be read at all.
 */
export function readGoalList(source: string, given: Given, complain: Complain): Draft | null {
  const lines = new LineCounter();
  // Without pretty errors and the parser's own look for repeated keys: both take minutes with hostile text.
  const document = parseDocument(source, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: "error",
  });
  const lineAt = (offset: number): string => `line ${lines.linePos(offset).line}`;
  for (const error of document.errors) complain(lineAt(error.pos[0]), error.message.split("\n")[0] ?? error.message);
  if (document.errors.length > 0) return null;
  for (const { key, offset } of repeatedKeys(document))
    complain(lineAt(offset), `"${shorten(key, 60)}" is there twice`);

  const raw = valueOf(document, complain);
  if (raw === null) return null;
  const isList = Array.isArray(raw.value);
  const parsed = fileSchema.safeParse(isList ? { goals: raw.value } : raw.value);
  const where = (path: readonly PropertyKey[]): string | null => {
    const offset = offsetOf(document, path);
    return offset === null ? null : lineAt(offset);
  };
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const named = issue.path.join(".") || "the plan";
      complain(issue.path.length === 0 ? named : `${where(issue.path) ?? "the plan"} (${named})`, issue.message);
    }
    return null;
  }
  const { goals, milestones } = parsed.data;
  const entries = goals.map((entry, index) => {
    const line = where(isList ? [index] : ["goals", index]);
    return readEntry(entry, line === null ? `goal ${index + 1}` : `goal ${index + 1} (${line})`, given, complain);
  });
  const listed = milestones.map((each, index): DraftMilestone => {
    const { name, description, day, criteria } = each;
    return {
      at: where(["milestones", index]) ?? `milestone ${index + 1}`,
      name,
      description,
      day,
      criteria,
      doneGoals: 0,
    };
  });
  return draftOf(
    parsed.data,
    listed,
    entries.flatMap((entry) => entry ?? []),
    complain,
  );
}

/** The value; null, with a problem, when its aliases are wrong or too many. */
function valueOf(document: Document, complain: Complain): { readonly value: unknown } | null {
  try {
    return { value: document.toJS({ maxAliasCount: 10 }) };
  } catch (error) {
    complain("the plan", error instanceof Error ? error.message : String(error));
    return null;
  }
}

function repeatedKeys(document: Document): { key: string; offset: number }[] {
  const repeated: { key: string; offset: number }[] = [];
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const text = String(key.value);
        if (seen.has(text)) repeated.push({ key: text, offset: key.range?.[0] ?? 0 });
        seen.add(text);
      }
    },
  });
  return repeated;
}

/** Where the value of a path begins, or the nearest one around it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | null {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (typeof node !== "object" || node === null || isPair(node) || !("range" in node)) continue;
    const { range } = node;
    if (Array.isArray(range) && typeof range[0] === "number") return range[0];
  }
  return null;
}

/** A goal with the name of its milestone. */
type Entry = Omit<DraftGoal, "milestone"> & { readonly milestone: string | null };

function readEntry(entry: unknown, at: string, { policy }: Given, complain: Complain): Entry | null {
  const isObject = typeof entry === "object" && entry !== null && !Array.isArray(entry);
  const place = placeSchema.safeParse(isObject ? entry : {});
  if (!place.success) {
    for (const issue of place.error.issues) complain(at, `${issue.path.join(".")}: ${issue.message}`);
    return null;
  }
  const { milestone, day, ...rest } = place.data;
  const check = parseGoalEntry(isObject ? rest : entry, policy.text.longestInput);
  if (check.type === "invalid") {
    complain(at, check.problem);
    return null;
  }
  if (check.order.after.length > 0 || check.order.name !== null)
    complain(at, "name and after are for goal add --from: in a campaign the days order its goals");
  return { at, milestone, day, request: check.request };
}

/** Puts goals with their milestones; those that name none belong to one of their own, before all that are listed. */
function draftOf(
  file: { readonly name?: string | undefined; readonly goal?: string | undefined },
  listed: readonly DraftMilestone[],
  entries: readonly Entry[],
  complain: Complain,
): Draft {
  const unnamed = entries.find((entry) => entry.milestone === null);
  const milestones = listed.length > 0 && unnamed !== undefined ? [empty(unnamed), ...listed] : [...listed];
  for (const entry of entries) {
    if (milestones.some(({ name }) => name === entry.milestone)) continue;
    if (listed.length === 0) milestones.push(empty(entry));
    else complain(entry.at, `"${shorten(entry.milestone ?? "", 80)}" is none of the milestones listed`);
  }
  const goals = entries.map(({ milestone, ...goal }) => ({
    ...goal,
    milestone: milestones.findIndex(({ name }) => name === milestone),
  }));
  return {
    name: file.name ?? null,
    goal: file.goal ?? null,
    milestones,
    goals: goals.toSorted((one, other) => one.milestone - other.milestone),
    notes: [],
  };
}

function empty({ at, milestone }: Entry): DraftMilestone {
  return { at, name: milestone, description: "", day: null, criteria: [], doneGoals: 0 };
}
