import { estimateOf } from "../../core/goals/new-goal.ts";
import { type Db, withFreshId } from "../../db/connection/client.ts";
import { insertGoal, insertLoneGoal, insertPlanned } from "../../db/goals.ts";
import type { Linked } from "./goal-request.ts";
import type { Repository } from "../../db/repositories.ts";
import { insertTasks } from "../../db/tasks.ts";
import { appendTimeline } from "../../db/timeline.ts";
import { mark } from "../../db/connection/marks.ts";
import type { Deps, Doors } from "../../deps.ts";

/** The rows of a new goal. The files that its request names were read before (`goal-request.ts`). */

/** A goal that is about to be added. */
export interface GoalToAdd {
  readonly repository: Repository;
  readonly linked: Linked;
  /** True when the caller has seen no open session in its repository (`insertLoneGoal`). */
  readonly isLone?: boolean;
  /** The number of goals before it in the same list. Absent: 0. */
  readonly nth?: number;
  /** Its place in a campaign, and its id, which the plan has chosen. */
  readonly planned?: {
    readonly goalId: string;
    readonly campaignId: string;
    readonly campaignDay: number;
    readonly milestoneId: string | null;
  };
}

/** Inserts the goal with its tasks, and marks its card. Returns its id. */
export async function addGoal(
  tx: Db,
  deps: Doors & Pick<Deps, "newId">,
  caller: { readonly actor: string; readonly via: string; readonly requester: string | null },
  { repository, linked, isLone = false, nth = 0, planned }: GoalToAdd,
): Promise<string> {
  const { request, linkedText, criteria, tasks } = linked;
  const now = deps.now();
  let givenId: string | null = planned?.goalId ?? null;
  const insertUnplanned = isLone ? insertLoneGoal : insertGoal;
  const insert = planned === undefined ? insertUnplanned : insertPlanned;
  const place =
    planned === undefined
      ? {}
      : {
          campaignId: planned.campaignId,
          campaignDay: planned.campaignDay,
          milestoneId: planned.milestoneId,
        };
  const goalId = await withFreshId(
    () => {
      const id = givenId ?? deps.newId("goal");
      givenId = null;
      return id;
    },
    (id) =>
      insert(tx, {
        ...place,
        goalId: id,
        repositoryId: repository.repositoryId,
        content: request.content,
        tags: [...request.tags],
        priority: request.priority,
        tier: request.tier,
        worklogFlags: request.worklogFlags ?? null,
        estimatedMinutes: request.minutes,
        estimateMicroUsd: estimateOf(request),
        linkage: request.linkage,
        linkedText,
        criteria,
        filesAllowed: [...request.allow],
        proofAllowed: [...request.allowProof],
        runCommand: request.run,
        taskParallel: tasks === null ? null : request.parallel,
        taskSettings: tasks === null ? null : { useLayeredSkills: tasks.useLayeredSkills },
        instructions: [],
        isUnplanned: request.isUnplanned,
        createdBy: caller.actor,
        requester: caller.requester,
        // Goals are listed by age. One millisecond between two goals keeps the order of their list.
        createdAt: new Date(now.getTime() + nth),
        updatedAt: now,
      }),
  );
  if (tasks !== null) {
    const rows = tasks.tasks.map((task, position) => ({
      ...task,
      acceptanceCriteria: [...task.acceptanceCriteria],
      filesAllowed: [...task.filesAllowed],
      dependsOn: [...task.dependsOn],
      goalId,
      position,
      status: "pending" as const,
      updatedAt: now,
    }));
    await insertTasks(tx, rows);
  }
  await appendTimeline(tx, { event: "goal.added", goalId, actor: caller.actor, via: caller.via, at: now });
  mark(tx, "goal", goalId);
  return goalId;
}
