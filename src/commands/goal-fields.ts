import { priorities, tiers } from "../core/goals/goal.ts";
import { checkRequest, parseGoalEntry, type RequestCheck } from "../core/goals/new-goal.ts";
import { toUsd } from "../core/money.ts";
import { defaultPolicy } from "../core/policy.ts";
import { flagsFrom } from "../core/worklog/flags.ts";
import { fewest } from "../core/text/bounds.ts";
import { readYaml } from "../core/text/yaml.ts";
import type { Deps } from "../deps.ts";
import { longestList, readNamedFile } from "../turns/shared/named-file.ts";
import { UsageError } from "./command.ts";
import {
  anyId,
  choice,
  commandLine,
  flag,
  localFile,
  name,
  typedNameOf,
  usd,
  type Values,
  wholeNumber,
} from "./fields.ts";

/** The fields of a goal; `goal edit` takes most of them too. */
export const goalFields = {
  repo: name(
    "N",
    "repository by name (default: COS_REPO, the only one, the folder you are in, or the one used last)",
  ).optional(),
  tag: name("T", "ui, architecture, … decide what is asked").array(),
  cost: usd("estimated cost; above 5 it asks first", 0).optional(),
  priority: choice("P", priorities, "high, medium (default) or low").optional(),
  minutes: wholeNumber("estimated minutes", 1, 100_000).optional(),
  feature: name("F", "with --issue: reads specs/F/issues/N.md or specs/F.md#N").optional(),
  issue: name("N", "the issue of --feature").optional(),
  bug: name("B", "reads bugs/B.md").optional(),
  spec: name("PATH", "a criteria file or prose in the repository").optional(),
  criteria: name(
    "PATH",
    "a file with acceptance criteria: of the repository, or of this machine (terminal)",
  ).optional(),
  doneWhen: commandLine("a shell command that passes when it is done, instead of a criteria file").optional(),
  tier: choice(
    "T",
    tiers,
    "how much account it gives: STRICT, STANDARD, LIGHT or EXEMPT (default: by its text, tags, links and files)",
  ).optional(),
  noWorklog: flag("keeps no worklog; what is asked and verified stays as it is"),
  skipVerify: flag("its stored todos are not read back; its criteria are verified all the same"),
  noCheckpoints: flag("no summaries of its phases; its questions are asked all the same"),
  verboseLog: flag("its worklog keeps results of tools, too"),
  retryMemory: flag("a store that was away is tried again while it is worked"),
  run: commandLine("a shell command that does the work instead of an agent").optional(),
  unplanned: flag("not part of the plan: asks first"),
  after: anyId("GOAL", "begins on that goal's commit when it is complete").array(),
  allow: name("GLOB", "files the goal may change").array(),
  allowProof: name("GLOB", "proof files the goal may change").array(),
  tasks: name("PATH", "a file of the repository with a task list (docs/tasks.md)").optional(),
  parallel: wholeNumber("tasks worked side by side, 1 (default) to 8", 1, defaultPolicy.tasks.parallel).optional(),
  from: localFile(
    "FILE",
    "a YAML or JSON list of goals, - for standard input; or the URL of an issue at GitHub, GitLab or Gitea",
  ).optional(),
};

export type GoalValues = Values<typeof goalFields> & { readonly text?: string | undefined };

/** Checks the fields of `goal add` as one request. */
export function goalRequest(deps: Pick<Deps, "policy">, given: GoalValues): RequestCheck {
  return checkRequest(
    {
      content: given.text ?? "",
      tags: given.tag,
      costUsd: given.cost === undefined ? null : toUsd(given.cost),
      priority: given.priority ?? "medium",
      minutes: given.minutes ?? null,
      feature: given.feature ?? null,
      issue: given.issue ?? null,
      bug: given.bug ?? null,
      spec: given.spec ?? null,
      criteriaPath: given.criteria ?? null,
      doneWhen: given.doneWhen ?? null,
      tier: given.tier ?? null,
      worklogFlags: flagsFrom(given),
      run: given.run ?? null,
      isUnplanned: given.unplanned,
      allow: given.allow,
      allowProof: given.allowProof,
      tasksPath: given.tasks ?? null,
      parallel: given.parallel ?? 1,
      after: given.after,
    },
    deps.policy.text.longestInput,
  );
}

/** Throws when fields of a single goal are given with `--from FILE`, because each goal of the list has its own. */
export function refuseBeside({ text = "", from: _from, repo: _repo, ...given }: GoalValues): void {
  const values = Object.entries(given);
  const named = values.filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false,
  );
  const [first] = named;
  const words = [...(text.trim() === "" ? [] : ["TEXT"]), ...named.map(([key]) => `--${typedNameOf(key)}`)];
  if (words.length > 0)
    throw new UsageError(
      `--from FILE and ${words.join(", ")} cannot be combined: each goal of the list says that itself`,
      first === undefined ? "from" : typedNameOf(first[0]),
    );
}

/** A list of goals, read from a file; `problem` is about the file as a whole. */
export type EntriesRead =
  | { readonly type: "read"; readonly checks: readonly RequestCheck[] }
  | { readonly type: "unread"; readonly problem: string };

/** Reads a list of goals from a YAML file, or from standard input (`-`); problems name their lines. */
export async function readEntries(deps: Pick<Deps, "policy">, from: string): Promise<EntriesRead> {
  const unread = (why: string): EntriesRead => ({ type: "unread", problem: `--from ${from} cannot be read: ${why}` });
  const file = await readNamedFile(from === "-" ? null : from, longestList);
  if (file.type === "unread") return unread(file.why);
  const read = readYaml(file.content.toString("utf8"));
  if (read.type === "wrong")
    return unread(fewest(read.faults.map(({ line, problem }) => `line ${line}: ${problem}`)).join("\n"));
  const { value } = read;
  const list = typeof value === "object" && value !== null && "goals" in value ? value.goals : value;
  if (!Array.isArray(list) || list.length === 0) {
    return { type: "unread", problem: `--from ${from}: expected a list of goals, or an object with a list "goals"` };
  }
  if (list.length > mostEntries) return unread(`it has ${list.length} goals, at most ${mostEntries} are taken at once`);
  return { type: "read", checks: list.map((entry) => parseGoalEntry(entry, deps.policy.text.longestInput)) };
}

const mostEntries = 1_000;
