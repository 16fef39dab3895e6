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

/** The temporary world in which cheats are tried. */
export interface CheatWorld {
  readonly deps: Deps;
  /** Works the world's goals until none is ready. */
  readonly work: () => Promise<void>;
  /** The folder of the world, in which repositories are made. */
  readonly folder: string;
  readonly onTried: (criterionId: string, cheat: TriedCheat) => void;
}

/**
 * Tries every matching cheat on every criterion that a command verifies. Each trial is a goal of the real engine, with all its defences.
 */
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

/** Returns the script that plants the mistake before the cheat, when the base does not contain it. */
function breaking({ breaks }: CheatGround): string {
  if (breaks === null) return "";
  return `printf %s ${Buffer.from(breaks.text).toString("base64")} | base64 -d > "$SOURCE"\n`;
}

interface Shown {
  readonly status: string;
  readonly outcome: string | null;
}

/**
 * Runs a goal that executes the cheat in place of the work, in a repository of its own. Returns its state when nothing is left to do for
 * it.
 */
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

/** Returns the part of the criteria file with this criterion alone. */
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
