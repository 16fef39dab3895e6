import { type Ground, groundState } from "../goals/ground.ts";
import { count, firstLine, shownPath } from "../text.ts";

/** Goals that build on other goals, in words (D37). */

/** Why a goal whose ground is lost cannot be worked, and the next command: to bring the ground back, or to do without it. */
export interface Lost {
  readonly reason: string;
  readonly next: string;
}

type Lostness = "skipped" | "failed" | "left to a person" | "discarded" | "parked";

/** How the ground was lost. */
export function lostness({ status, merge }: Pick<Ground, "status" | "merge">): Lostness {
  switch (status) {
    case "deferred":
      return "skipped";
    case "failed":
      return "failed";
    case "manual_followup":
      return "left to a person";
    case "complete":
      return merge === "discarded" ? "discarded" : "parked";
    case "pending":
    case "in_progress":
    case "blocked":
      return "parked";
  }
}

/** "goal-1a2b3c4d (Round prices), which it is on top of, was skipped". `goalId`: the goal on top; null while it does not exist yet. */
export function lostWords(ground: Pick<Ground, "goalId" | "content">, how: Lostness, goalId: string | null): Lost {
  const was = how === "failed" ? "failed" : how === "parked" ? "is parked" : `was ${how}`;
  const reason = `${ground.goalId} (${firstLine(ground.content, 60)}), which it is on top of, ${was}`;
  const isPersons = how === "left to a person" && goalId !== null;
  const next = isPersons ? `cos goal edit ${goalId} --after none` : `cos goal resume ${ground.goalId}`;
  return { reason, next };
}

/** The outcome of a goal that was parked because its ground was lost. */
export function parkedWords(ground: Pick<Ground, "goalId" | "content">, how: Lostness, goalId: string): string {
  const { reason, next } = lostWords(ground, how, goalId);
  const without = `cos goal edit ${goalId} --after none`;
  const other = next === without ? "" : `; without it: ${without}`;
  return `${reason.replace(", which it is on top of, ", ", which this is on top of, ")}. Go on with: ${next}${other}`;
}

/** The state of a ground, for the card of a goal on top of it. */
export function groundWords(ground: Ground, tag: string): string {
  switch (groundState(ground)) {
    case "ready":
      return ground.merge === "merged" ? "merged" : `complete, ${tag}`;
    case "lost":
      return lostness(ground);
    case "to-come":
      return ground.status === "blocked" ? "waits for a person" : ground.status === "pending" ? "pending" : "working";
  }
}

/** "goal-1a2b3c4d (waits for a person) and goal-5e6f7a8b (pending)": the grounds that a goal waits for. */
export function waitsForWords(grounds: readonly Ground[]): string {
  return grounds.map((ground) => `${ground.goalId} (${groundWords(ground, "")})`).join(" and ");
}

/** "2 goals that build on it are parked: goal-1a2b3c4d, goal-5e6f7a8b". Empty when there are none. */
export function buildersWords(goalIds: readonly string[], became: "parked" | "waiting"): string {
  if (goalIds.length === 0) return "";
  const many = goalIds.length > 1;
  const what = became === "parked" ? `${many ? "are" : "is"} parked` : `${many ? "wait" : "waits"} for it`;
  return `${count(goalIds.length, "goal")} that ${many ? "build" : "builds"} on it ${what}: ${goalIds.join(", ")}`;
}

/** Why a goal cannot be merged yet: its grounds have to be merged first. `first`: those grounds in their order. */
export function mergeFirstWords(goalId: string, first: readonly string[]): Lost {
  const [next] = first;
  const others = first.length > 1 ? `${first.slice(1).join(", ")} after that` : "";
  const order = others === "" ? "" : ` (first ${next ?? ""}, ${others})`;
  const direct = first.at(-1) ?? "";
  return {
    reason: `${goalId} is on top of ${direct}, which is not merged${order}`,
    next: `cos goal merge ${next ?? ""}`,
  };
}

/** The outcome of a goal whose several grounds cannot be merged with each other. */
export function splitWords(names: readonly string[], files: readonly string[], goalId: string): string {
  return `${names.join(" and ")} change the same places (${files.slice(0, 10).map(shownPath).join(", ")}), so nothing can be on top of all of them. Merge one, have the other worked again, then: cos goal resume ${goalId}`;
}

/** The outcome of a goal whose ground's commit cannot be found. */
export function unfoundWords(ground: string, goalId: string): string {
  return `The commit of ${ground}, which this is on top of, is neither here nor on a branch of the repository. Work that again: cos goal resume ${ground}; without it: cos goal edit ${goalId} --after none`;
}

/** The question about a goal whose work conflicts with a ground that has changed. */
export function conflictWords(goals: readonly string[], branch: string, isOwnCommand: boolean): string {
  const proceed = isOwnCommand ? "runs its command again on top of that" : "has the agent merge it";
  return `${goals.join(" and ")}, which this is on top of, changed and conflicts with its work. Proceed ${proceed}, Skip leaves ${branch} as it is`;
}
