import { z } from "zod";
import { dollars } from "../money.ts";
import { cleanText, isBlank, storable } from "../text.ts";
import { globsProblem } from "../text/globs.ts";
import { wrongValueWords } from "../text/wrong-value.ts";
import { flagsFrom, type WorklogFlags } from "../worklog/flags.ts";
import { type Linkage, priorities, tiers } from "./goal.ts";
import { oneWordOf } from "./one-word.ts";
import { cleanTags } from "./tags.ts";

/** A goal as a person gives it, before it has an id. Money in dollars, as people write it. */
export interface GoalRequest {
  readonly content: string;
  readonly tags: readonly string[];
  readonly costUsd: number | null;
  readonly priority: "high" | "medium" | "low";
  readonly minutes: number | null;
  readonly linkage: Linkage;
  readonly criteriaPath: string | null;
  /** A command that passes when the goal is done, instead of a criteria file. Absent or null: none. */
  readonly doneWhen?: string | null;
  readonly tier: "STRICT" | "STANDARD" | "LIGHT" | "EXEMPT" | null;
  /** Parts that its worklog leaves out. Absent or null: nothing. */
  readonly worklogFlags?: WorklogFlags | null;
  readonly run: string | null;
  readonly isUnplanned: boolean;
  readonly allow: readonly string[];
  readonly allowProof: readonly string[];
  /** A file of the repository with a task list. `parallel`: how many tasks are worked at once. */
  readonly tasksPath: string | null;
  readonly parallel: number;
}

/** The goal's name in its list, and the goals that it builds on: names from that list, or goal ids (D37). */
export interface Order {
  readonly name: string | null;
  readonly after: readonly string[];
}

export type RequestCheck =
  | { readonly type: "ok"; readonly request: GoalRequest; readonly order: Order }
  /** `field`: for an entry of a file, the key with the wrong value, when the problem is about one key. */
  | { readonly type: "invalid"; readonly problem: string; readonly field?: string };

const listOrOne = z.union([z.array(z.string()), z.string().transform((one) => [one])]);

/** One entry of `goal add --from`. `description` is accepted for `text` or `content` (C-95). */
const entrySchema = z
  .strictObject({
    text: z.string().optional(),
    content: z.string().optional(),
    description: z.string().optional(),
    tags: listOrOne.default([]),
    tag: listOrOne.optional(),
    cost: z.number().nonnegative().max(1_000_000).optional(),
    priority: oneWordOf(priorities).default("medium"),
    minutes: z.int().positive().max(100_000).optional(),
    feature: z.string().optional(),
    issue: z.union([z.string(), z.number()]).transform(String).optional(),
    bug: z.string().optional(),
    spec: z.string().optional(),
    criteria: z.string().optional(),
    "done-when": z.string().optional(),
    tier: oneWordOf(tiers).optional(),
    "no-worklog": z.boolean().optional(),
    "skip-verify": z.boolean().optional(),
    "no-checkpoints": z.boolean().optional(),
    "verbose-log": z.boolean().optional(),
    "retry-memory": z.boolean().optional(),
    run: z.string().optional(),
    unplanned: z.boolean().default(false),
    name: z.string().trim().min(1).max(100).optional(),
    after: listOrOne.default([]),
    allow: listOrOne.default([]),
    "allow-proof": listOrOne.default([]),
    tasks: z.string().optional(),
    parallel: z.int().min(1).max(8).default(1),
  })
  .strict();

/** The keys that an entry may have. */
export const goalKeys: readonly string[] = Object.keys(entrySchema.shape);

/** Parses one entry of a goals file; the problem names the field. `known`: the keys to list when a key is unknown. */
export function parseGoalEntry(entry: unknown, longest: number, known = goalKeys): RequestCheck {
  const parsed = entrySchema.safeParse(typeof entry === "string" ? { text: entry } : entry);
  if (!parsed.success) {
    const problem = parsed.error.issues
      .map((issue) => `${issue.path.join(".") || "entry"}: ${wrongValueWords(issue)}`)
      .join("; ");
    const isUnknown = parsed.error.issues.some(({ code }) => code === "unrecognized_keys");
    const field = String(parsed.error.issues[0]?.path[0] ?? "");
    return { type: "invalid", problem: isUnknown ? `${problem}; known are ${known.join(", ")}` : problem, field };
  }
  const given = parsed.data;
  return checkRequest(
    {
      content: given.text ?? given.content ?? given.description ?? "",
      tags: [...given.tags, ...(given.tag ?? [])],
      costUsd: given.cost ?? null,
      priority: given.priority,
      minutes: given.minutes ?? null,
      feature: given.feature ?? null,
      issue: given.issue ?? null,
      bug: given.bug ?? null,
      spec: given.spec ?? null,
      criteriaPath: given.criteria ?? null,
      ...(given["done-when"] === undefined ? {} : { doneWhen: given["done-when"] }),
      tier: given.tier ?? null,
      worklogFlags: flagsFrom({
        noWorklog: given["no-worklog"],
        skipVerify: given["skip-verify"],
        noCheckpoints: given["no-checkpoints"],
        verboseLog: given["verbose-log"],
        retryMemory: given["retry-memory"],
      }),
      run: given.run ?? null,
      isUnplanned: given.unplanned,
      allow: given.allow,
      allowProof: given["allow-proof"],
      tasksPath: given.tasks ?? null,
      parallel: given.parallel,
      name: given.name ?? null,
      after: given.after,
    },
    longest,
  );
}

/** A request whose links are still separate fields, as command-line options give them. */
export type LooseRequest = Omit<GoalRequest, "linkage"> &
  Partial<Order> & {
    readonly feature: string | null;
    readonly issue: string | null;
    readonly bug: string | null;
    readonly spec: string | null;
  };

/** Cleans and checks the texts and resolves the links: feature, then bug, then spec (S4-AP-14, D30). */
export function checkRequest(loose: LooseRequest, longest: number): RequestCheck {
  const { feature, issue, bug, spec, name = null, after = [], ...rest } = loose;
  const content = cleanText(rest.content).trim();
  if (isBlank(content)) return { type: "invalid", problem: "the goal's text is empty" };
  if (content.length > longest) {
    return {
      type: "invalid",
      problem: `the goal's text has ${content.length} characters, at most ${longest} are taken`,
    };
  }
  if (rest.run !== null && rest.tasksPath !== null)
    return { type: "invalid", problem: "--run and --tasks cannot be combined: tasks are worked by an agent" };
  if (rest.parallel > 1 && rest.tasksPath === null)
    return { type: "invalid", problem: "--parallel needs --tasks: a goal without tasks is worked as one" };
  if (rest.run !== null && rest.run.trim() === "") return { type: "invalid", problem: "--run is empty" };
  const empty = emptyProblem(loose);
  if (empty !== null) return { type: "invalid", problem: empty };
  if (issue !== null && feature === null) return { type: "invalid", problem: "--issue needs --feature" };
  if (feature !== null && issue === null) return { type: "invalid", problem: "--feature needs --issue" };
  const problem =
    runProblem(rest.run, longest) ??
    doneWhenProblem(rest, longest) ??
    namesProblem([feature, issue, bug, spec, rest.criteriaPath]) ??
    oddProblem([rest.run, rest.doneWhen, rest.tasksPath, feature, issue, bug, spec, rest.criteriaPath, name]) ??
    oddProblem([...after, ...rest.allow, ...rest.allowProof]);
  if (problem !== null) return { type: "invalid", problem };
  const tags = cleanTags(rest.tags);
  if (typeof tags === "string") return { type: "invalid", problem: tags };
  const globs = globsProblem([...rest.allow, ...rest.allowProof]);
  if (globs !== null) return { type: "invalid", problem: globs };
  const linkage = linkageOf(feature, issue, bug, spec);
  const order = { name, after: [...new Set(after.map((each) => each.trim()))] };
  return { type: "ok", request: { ...rest, content, tags, linkage }, order };
}

/** Returns the problem with a goal's own command. Null when there is none. */
export function runProblem(run: string | null, longest: number): string | null {
  if (run === null || run.length <= longest) return null;
  return `--run has ${run.length} characters, at most ${longest} are taken`;
}

function doneWhenProblem({ doneWhen, criteriaPath }: Partial<GoalRequest>, longest: number): string | null {
  if (doneWhen == null) return null;
  if (criteriaPath != null)
    return "--done-when and --criteria cannot be combined: write the command into the criteria file";
  if (doneWhen.trim() === "") return "--done-when is empty";
  if (doneWhen.length <= longest) return null;
  return `--done-when has ${doneWhen.length} characters, at most ${longest} are taken`;
}

/** Finds a link, a file or another goal that is named with nothing. */
function emptyProblem({ feature, issue, bug, spec, criteriaPath, tasksPath, after = [] }: LooseRequest): string | null {
  const named = { feature, issue, bug, spec, criteria: criteriaPath, tasks: tasksPath };
  const empty = Object.entries(named).find(([, value]) => value != null && isBlank(value))?.[0];
  if (empty !== undefined) return `--${empty} is empty`;
  return after.some(isBlank) ? "--after names an empty goal" : null;
}

function namesProblem(names: readonly (string | null)[]): string | null {
  const long = names.find((name) => name !== null && name.length > 1000);
  return long == null ? null : `"${long.slice(0, 40)}…" has ${long.length} characters, at most 1000 are taken`;
}

/** Finds a text that the database cannot store. In a goal's own text and tags such characters are replaced instead. */
function oddProblem(texts: readonly (string | null | undefined)[]): string | null {
  const odd = texts.find((each) => each != null && storable(each) !== each);
  return odd == null ? null : `${JSON.stringify(odd.slice(0, 40))} holds a NUL or half of a character`;
}

function linkageOf(feature: string | null, issue: string | null, bug: string | null, spec: string | null): Linkage {
  if (feature !== null && issue !== null) return { kind: "feature", feature, issue };
  if (bug !== null) return { kind: "bug", bug };
  if (spec !== null) return { kind: "spec", path: spec };
  return { kind: "none" };
}

/** Returns the files that a link may refer to, in the order in which they are tried (D30), relative to the repository. */
export function linkedFiles(linkage: Linkage): readonly { readonly path: string; readonly section: string | null }[] {
  switch (linkage.kind) {
    case "feature":
      return [
        { path: `specs/${linkage.feature}/issues/${linkage.issue}.md`, section: null },
        { path: `specs/${linkage.feature}.md`, section: linkage.issue },
      ];
    case "bug":
      return [{ path: `bugs/${linkage.bug}.md`, section: null }];
    case "spec":
      return [{ path: linkage.path, section: null }];
    case "issue":
    case "none":
      return [];
  }
}

/** Returns the estimate in micro-dollars. */
export function estimateOf(request: Pick<GoalRequest, "costUsd">): number | null {
  return request.costUsd === null ? null : dollars(request.costUsd);
}
