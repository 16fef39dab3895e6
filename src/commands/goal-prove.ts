import { criteriaOfCommand } from "../core/acceptance/one-command.ts";
import { contractOf } from "../core/acceptance/goal-contract.ts";
import { inPlainYaml } from "../core/acceptance/shell-not.ts";
import { specProblems } from "../core/acceptance/spec.ts";
import { confirmationCard } from "../core/cards/lists.ts";
import { notJoinedWords } from "../core/cards/session-words.ts";
import type { Goal } from "../core/goals/goal.ts";
import { statusWords } from "../core/cards/status-words.ts";
import { cleanText, count } from "../core/text.ts";
import { mark } from "../db/connection/marks.ts";
import { getGoal, lockGoal, updateGoal } from "../db/goals.ts";
import { isSettledAt, lastMerge } from "../db/merges.ts";
import { findRepository, lockRepository, type Repository } from "../db/repositories.ts";
import { getRun } from "../db/runs.ts";
import { findOpenSession } from "../db/sessions.ts";
import type { Deps } from "../deps.ts";
import { workAgain } from "../turns/goal/again.ts";
import { readCriteria, whyNoForge } from "../turns/shared/goal-request.ts";
import { unreadableCriteria } from "../turns/shared/readable.ts";
import { repositorySource } from "../turns/shared/source-files.ts";
import { lockSessionsOf } from "../turns/shared/sessions.ts";
import { goalFields } from "./goal-fields.ts";
import { goalNotFound, refuseRemoved, tellOfGoal } from "./goal-change.ts";
import { type Caller, command, type CommandResult, done, refused, type RefusedCall, UsageError } from "./command.ts";
import { idOf, freeText, type Values } from "./fields.ts";
import { sourceFor } from "./source-files.ts";

const proving = {
  criteria: goalFields.criteria,
  criteriaText: freeText("TEXT", "the acceptance criteria themselves").optional(),
  doneWhen: goalFields.doneWhen,
};

export const goalProve = command({
  name: "goal prove",
  summary: "Add acceptance criteria to a complete goal, and have the system run them against its work.",
  access: "change",
  positionals: { id: idOf("goal") },
  options: proving,
  run: prove,
});

/**
 * Gives criteria to a goal that was only claimed, and starts another run at the recorded commit, with everything that was settled: only
 * the criteria are new. What does not hold goes back to its agent, as in any round (D27, F-213).
 */
async function prove(
  deps: Deps,
  caller: Caller,
  { id, ...given }: Values<typeof proving> & { readonly id: string },
): Promise<CommandResult> {
  const seen = await getGoal(deps.database.db, id);
  if (seen === null) return goalNotFound(id);
  const repository = await findRepository(deps.database.db, seen.repositoryId);
  if (repository === null) return refused(`the repository of ${id} is not known any more`, "cos repo list");
  const read = await criteriaGiven(deps, repository, caller, { id, ...given });
  if (read.type === "refused") return read;

  return await deps.database.transaction(async (tx) => {
    await lockRepository(tx, seen.repositoryId);
    const removed = refuseRemoved(await findRepository(tx, seen.repositoryId));
    if (removed !== null) return removed;
    const open = await lockSessionsOf(tx, seen);
    const held = open ?? (await findOpenSession(tx, seen.repositoryId));
    const why = held === null ? null : notJoinedWords(held, { repositoryName: repository.name, until: null });
    if (why !== null) return refused(why, `once it is over: cos goal prove ${id} --criteria PATH`);
    const goal = await lockGoal(tx, id);
    if (goal === null) return goalNotFound(id);
    if (goal.status !== "complete") return notComplete(goal);
    const run = goal.runId === null ? null : await getRun(tx, goal.runId);
    const merge = await lastMerge(tx, id);
    const isUnderWay = merge?.status === "due" || merge?.status === "merging";
    if (merge !== null && (isUnderWay || isSettledAt(merge, run?.headCommit ?? null)))
      return refused(
        `the branch of ${id} is ${merge.status === "due" ? "about to be merged" : merge.status}`,
        "cos goal add TEXT --criteria PATH",
      );
    if (run === null) return refused(`nothing was worked for ${id}`, `cos why ${id}`);

    await updateGoal(tx, id, { criteria: read.criteria, updatedAt: deps.now() });
    const outcome = `Criteria were added by ${caller.actor}: its work must pass them.`;
    const proven = { ...goal, criteria: read.criteria };
    await workAgain(tx, deps, { goal: proven, run, open, phase: "verify", feedback: null, outcome, by: caller });
    await tellOfGoal({ tx, deps, caller, goal }, { event: "goal.edited", detail: { fields: ["criteria"] } });
    mark(tx, "goal", id);
    return done(
      { goalId: id, criteria: read.ids },
      confirmationCard(
        `${id} must pass ${count(read.ids.length, "criterion").replace(/criterions$/, "criteria")}: ${read.ids.join(", ")}`,
      ),
    );
  });
}

/** Refuses to prove a goal that is not complete. */
export function notComplete({ goalId, status }: Pick<Goal, "goalId" | "status">): RefusedCall {
  const next =
    status === "failed" || status === "deferred"
      ? `cos goal resume ${goalId}`
      : `cos goal edit ${goalId} --criteria PATH`;
  return refused(`${goalId} is not complete: ${statusWords(status)}`, next);
}

type Read = { readonly type: "read"; readonly criteria: string; readonly ids: readonly string[] };

async function criteriaGiven(
  deps: Pick<Deps, "config">,
  repository: Repository,
  caller: Caller,
  given: Values<typeof proving> & { readonly id: string },
): Promise<Read | RefusedCall> {
  const fault = (reason: string, next: string): RefusedCall => ({ type: "refused", reason, next, option: "criteria" });
  const { criteria: path, criteriaText, doneWhen } = given;
  const format = `write "#### AC-1: TITLE" and a yaml block below it, as docs/done.md shows, or give the command that shows it: cos goal prove ${given.id} --done-when CMD`;
  const many = [path, criteriaText, doneWhen].filter((each) => (each ?? "").trim() !== "").length;
  if (many === 0) return fault("no criteria were given", `cos goal prove ${given.id} --criteria PATH`);
  if (many > 1 && doneWhen !== undefined)
    throw new UsageError("--done-when is given instead of --criteria and --criteria-text", "done-when");
  if (many > 1) throw new UsageError("--criteria and --criteria-text: give one of them", "criteria");
  const written = doneWhen === undefined ? cleanText(criteriaText ?? "").trim() : criteriaOfCommand(doneWhen);
  const read =
    written === ""
      ? await readCriteria(
          repositorySource(deps, repository),
          path ?? "",
          sourceFor(caller),
          `cos goal prove ${given.id}`,
        )
      : ({ type: "read", criteria: inPlainYaml(written) } as const);
  if (read.type === "wrong") return fault(read.problem, read.next);
  const wrong = specProblems(read.criteria, "criteria") ?? (await unreadableCriteria(read.criteria));
  if (wrong !== null) return fault(wrong, format);
  const unseen = whyNoForge(repositorySource(deps, repository), read.criteria);
  if (unseen !== null) return fault(unseen.problem, unseen.next);
  const ids = contractOf(read.criteria, [], 1).criteria.map((criterion) => criterion.id);
  if (ids.length === 0) return fault("no criterion is in it that anybody could run or check", format);
  return { type: "read", criteria: read.criteria, ids };
}
