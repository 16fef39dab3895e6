import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownUser } from "../agent/process/users.ts";
import { type CommandResult, UsageError } from "../commands/command.ts";
import { execute } from "../commands/execute.ts";
import { commands } from "../commands/index.ts";
import { findCommand, parseGiven } from "../commands/parse.ts";
import type { Criterion } from "../core/acceptance/spec.ts";
import type { Cheat } from "../core/cheats/cheat.ts";
import type { TriedCheat, TriedCriterion } from "../core/cheats/tried.ts";
import type { Deps } from "../deps.ts";
import { type CheatGround, layCheatGround, type CheatSubject } from "./ground.ts";
import { undefended } from "./undefended.ts";

/** What cheats are tried with: a world of their own, which is thrown away. */
export interface CheatWorld {
  readonly deps: Deps;
  /** Works its goals until none is ready. */
  readonly work: () => Promise<void>;
  /** Where repositories are made; of the world's own. */
  readonly folder: string;
  readonly onTried: (criterionId: string, cheat: TriedCheat) => void;
}

/** Tries every cheat that fits on every criterion that a command verifies: as goals of the engine itself, with all that defends it. */
export async function tryCheats(
  trial: CheatWorld,
  subject: CheatSubject,
  cheats: readonly Cheat[],
): Promise<TriedCriterion[]> {
  const tried: TriedCriterion[] = [];
  for (const criterion of subject.criteria) {
    const { id, title } = criterion;
    const ground = await layCheatGround(trial.deps, subject, criterion, join(trial.folder, id));
    if (typeof ground === "string") {
      tried.push({ id, title, ground: null, why: ground, cheats: [] });
      continue;
    }
    const found: TriedCheat[] = [];
    for (const cheat of cheats.filter(({ of }) => of.includes(ground.runner))) {
      const one = await tryCheat(trial, { subject, criterion, ground, cheat });
      trial.onTried(id, one);
      found.push(one);
    }
    const { source, planted, runner } = ground;
    tried.push({ id, title, ground: { source, planted, runner }, why: null, cheats: found });
  }
  return tried;
}

interface CheatTrial {
  readonly subject: CheatSubject;
  readonly criterion: Criterion;
  readonly ground: CheatGround;
  readonly cheat: Cheat;
}

async function tryCheat(trial: CheatWorld, { subject, criterion, ground, cheat }: CheatTrial): Promise<TriedCheat> {
  const { name, title, class: row, noControl } = cheat;
  const base = { name, title, class: row };
  const [test = ground.source] = ground.tests;
  const told = { SOURCE: ground.source, TEST: test, TESTS: ground.tests.join("\n") };
  const bash = criterion.verification;
  if (bash.method !== "bash") throw new Error(`${criterion.id} has no command`);
  const script = `${breaking(ground)}${cheat.script}`;
  const where = { path: ground.path, setup: subject.setup, criterion, bash };
  if (noControl === null && !(await undefended(trial.deps, where, { script, told })))
    return { ...base, end: "does not apply", why: "nothing defended the criterion, and it failed all the same" };
  const lines = Object.entries(told).map(([variable, value]) => `${variable}='${value.replaceAll("'", `'"'"'`)}'`);
  const goal = await workGoal(trial, { subject, criterion, ground, name, script: [...lines, script].join("\n") });
  const isThrough = goal.status === "complete";
  return { ...base, end: isThrough ? "through" : "seen", why: isThrough ? (noControl ?? "") : (goal.outcome ?? "") };
}

/** What the work does before it cheats: the mistake, where the base has none. */
function breaking({ breaks }: CheatGround): string {
  if (breaks === null) return "";
  return `printf %s ${Buffer.from(breaks.text).toString("base64")} | base64 -d > "$SOURCE"\n`;
}

interface Shown {
  readonly status: string;
  readonly outcome: string | null;
}

/** A goal that does this instead of the work, in a repository of its own; as it stands when nothing is left to be done for it. */
async function workGoal(
  trial: CheatWorld,
  what: Pick<CheatTrial, "subject" | "criterion" | "ground"> & { readonly name: string; readonly script: string },
): Promise<Shown> {
  const { id } = what.criterion;
  const repo = `${id}-${what.name}`;
  const path = join(trial.folder, repo);
  await cp(what.ground.path, path, { recursive: true, verbatimSymlinks: true });
  const criteria = join(trial.folder, `${repo}.md`);
  await writeFile(criteria, textOf(what.subject, what.criterion));
  await call(trial, "repo", "add", path, "--name", repo, "--setup", what.subject.setup ?? "", "--check", "");
  const words = ["goal", "add", what.criterion.title, "--repo", repo, "--criteria", criteria, "--run", what.script];
  const { goalId } = await call<{ goalId: string }>(trial, ...words);
  await call(trial, "autopilot", "start", "--repo", repo);
  await trial.work();
  return await call<Shown>(trial, "goal", "show", goalId);
}

/** The criterion alone, as its file says it. */
function textOf({ text, criteria }: CheatSubject, { line }: Criterion): string {
  const next = criteria.map((each) => each.line).filter((other) => other > line);
  return text
    .split("\n")
    .slice(line - 1, next.length === 0 ? undefined : Math.min(...next) - 1)
    .join("\n");
}

async function call<Value>({ deps }: CheatWorld, ...words: string[]): Promise<Value> {
  const found = findCommand(commands, words);
  if (found === null) throw new UsageError(`no command: ${words[0] ?? ""}`);
  const person = { type: "person", by: { type: "terminal" } } as const;
  const caller = { actor: ownUser(), via: "terminal", member: null, origin: person } as const;
  const result: CommandResult = await execute(deps, caller, found.command.asked(parseGiven(found.command, found.rest)));
  if (result.type === "refused") throw new Error(result.reason);
  return result.value as Value;
}
