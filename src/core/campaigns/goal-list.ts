import { z } from "zod";
import { goalKeys, parseGoalEntry } from "../goals/new-goal.ts";
import { cleanText, shorten } from "../text.ts";
import { wrongValueWords } from "../text/wrong-value.ts";
import { readYaml } from "../text/yaml.ts";
import { type Complain, type Draft, type DraftGoal, type DraftMilestone, type DraftRequest } from "./draft.ts";
import { mostOfPlan } from "./plan-shape.ts";

const text = z.string().overwrite(cleanText);
const name = text.trim().min(1).max(mostOfPlan.name);
const day = z.int().min(1).nullable().default(null);
const fileSchema = z.strictObject({
  name: name.optional(),
  goal: z.string().trim().min(1).optional(),
  milestones: z
    .array(
      z.strictObject({
        name,
        description: text.trim().default(""),
        day,
        criteria: z.union([z.array(text.trim().min(1)), text.transform((one) => [one])]).default([]),
      }),
    )
    .default([]),
  goals: z.array(z.unknown()),
});
const placeSchema = z.looseObject({ milestone: name.nullable().default(null), day });

/** The allowed keys of a goal in a plan. `name` and `after` are missing, because the days order the goals. */
const keysHere = [...goalKeys.filter((key) => key !== "name" && key !== "after"), ...Object.keys(placeSchema.shape)];

/**
 * Reads a YAML or JSON list of goals, or an object with `goals` and optionally `name`, `goal` and `milestones`. Without a list of
 * milestones, they come in the order in which goals name them. Null when it cannot be read at all.
 */
export function readGoalList(source: string, given: DraftRequest, complain: Complain): Draft | null {
  const read = readYaml(source, { characters: source.length, line: source.length });
  if (read.type === "wrong") {
    for (const { line, problem } of read.faults) complain(`line ${line}`, problem);
    return null;
  }
  const isList = Array.isArray(read.value);
  const parsed = fileSchema.safeParse(isList ? { goals: read.value } : read.value);
  const where = (path: readonly PropertyKey[]): string | null => {
    const line = read.lineOf(path);
    return line === null || path.length === 0 ? null : `line ${line}`;
  };
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const named = issue.path.join(".") || "the plan";
      complain(
        issue.path.length === 0 ? named : `${where(issue.path) ?? "the plan"} (${named})`,
        wrongValueWords(issue),
      );
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

/** True when the word is a key of a goal. */
export function isKeyOfGoal(word: string): boolean {
  return goalKeys.includes(word) || keysHere.includes(word);
}

/** A goal with the name of its milestone. */
type Entry = Omit<DraftGoal, "milestone"> & { readonly milestone: string | null };

function readEntry(entry: unknown, at: string, { policy }: DraftRequest, complain: Complain): Entry | null {
  const isObject = typeof entry === "object" && entry !== null && !Array.isArray(entry);
  const place = placeSchema.safeParse(isObject ? entry : {});
  if (!place.success) {
    for (const issue of place.error.issues) complain(at, `${issue.path.join(".")}: ${wrongValueWords(issue)}`);
    return null;
  }
  const { milestone, day, ...rest } = place.data;
  const check = parseGoalEntry(isObject ? rest : entry, policy.text.longestInput, keysHere);
  if (check.type === "invalid") {
    complain(at, check.problem);
    return null;
  }
  if (check.order.after.length > 0 || check.order.name !== null)
    complain(at, "name and after are for goal add --from: in a campaign the days order its goals");
  return { at, milestone, day, request: check.request };
}

/** Assigns goals to their milestones. Goals that name none get a milestone of their own, before all listed ones. */
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
