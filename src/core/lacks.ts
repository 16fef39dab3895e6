import { lackingLabels, lackingWords } from "./labels.ts";

/** What workers cannot work because of their machine, and what follows for a goal. */

/** Why a worker cannot work the goals of a repository. */
export interface Lack {
  readonly repositoryId: string;
  /** What is missing. Without the agent, goals with their own command can still be worked; `no-agent`: none is configured. */
  readonly what: "repository" | "agent" | "no-agent";
  /** A sentence without its full stop. */
  readonly reason: string;
  /** What to do. */
  readonly next: string;
}

/** A worker that is running, or was running recently. */
export interface KnownWorker {
  readonly machine: string;
  readonly labels: readonly string[];
  readonly lacks: readonly Lack[];
  readonly isRunning: boolean;
}

/** What a goal requires of its worker. */
export interface GoalNeeds {
  readonly repositoryId: string;
  readonly labels: readonly string[];
  /** True when the goal has no command of its own. */
  readonly agent: boolean;
}

/** Returns the lack that keeps a worker from a goal. Null when there is none. */
export function lackOf(lacks: readonly Lack[], { repositoryId, agent }: Omit<GoalNeeds, "labels">): Lack | null {
  return lacks.find((lack) => lack.repositoryId === repositoryId && (agent || lack.what === "repository")) ?? null;
}

/** The goals that a worker leaves to others, by their repositories. */
export interface LeftToOthers {
  readonly repositories: readonly string[];
  /** Only goals that need an agent. */
  readonly ofAgents: readonly string[];
}

export const leavesNothing: LeftToOthers = { repositories: [], ofAgents: [] };

/**
 * Returns the goals that a worker leaves to workers on other machines. Without other workers it leaves none; then the goal itself reports
 * the problem. When no agent is configured anywhere, the goals are a person's, and any worker may report that.
 */
export function leftToOthers(lacks: readonly Lack[], others: readonly KnownWorker[]): LeftToOthers {
  if (others.length === 0) return leavesNothing;
  const left = lacks.filter((lack) => lack.what !== "no-agent" || others.some((other) => hasAgent(other, lack)));
  const of = (isWanted: (lack: Lack) => boolean) => left.filter(isWanted).map(({ repositoryId }) => repositoryId);
  return {
    repositories: of(({ what }) => what === "repository"),
    ofAgents: of(({ what }) => what !== "repository"),
  };
}

function hasAgent({ lacks }: KnownWorker, { repositoryId }: Lack): boolean {
  return !lacks.some((lack) => lack.repositoryId === repositoryId && lack.what !== "repository");
}

/** Why no running worker takes a goal. */
export type Untaken =
  | { readonly type: "labels"; readonly labels: readonly string[] }
  | {
      readonly type: "lacks";
      /** What each machine with a running worker lacks. */
      readonly machines: readonly { readonly machine: string; readonly reason: string; readonly next: string }[];
      /** Machines whose workers could take it but are not running. */
      readonly could: readonly string[];
    };

/** Returns why no running worker takes a goal. Null when one may, when none runs and no label is required, or when no agent exists. */
export function untakenBy(needs: GoalNeeds, workers: readonly KnownWorker[]): Untaken | null {
  const running = workers.filter(({ isRunning }) => isRunning);
  const labels = lackingLabels(needs.labels, running);
  if (labels.length > 0) return { type: "labels", labels };
  const fit = workers.filter((worker) => needs.labels.every((label) => worker.labels.includes(label)));
  const machines = new Map<string, Lack>();
  for (const { machine, lacks, isRunning } of fit) {
    if (!isRunning) continue;
    const lack = lackOf(lacks, needs);
    if (lack === null) return null;
    machines.set(machine, lack);
  }
  if (machines.size === 0) return null;
  const able = fit.filter((worker) => !worker.isRunning && lackOf(worker.lacks, needs) === null);
  const isForNobody = [...machines.values()].every(({ what }) => what === "no-agent");
  if (isForNobody && able.length === 0) return null;
  return {
    type: "lacks",
    machines: [...machines].map(([machine, { reason, next }]) => ({ machine, reason, next })),
    could: [...new Set(able.map(({ machine }) => machine))],
  };
}

/** Maximum number of machines that are named. */
const mostNamed = 3;

/** Returns a sentence such as "no worker that runs can work it: on build-2, there is no /srv/shop", without a full stop. */
export function untakenWords(untaken: Untaken): string {
  if (untaken.type === "labels") return lackingWords(untaken.labels);
  const { machines, could } = untaken;
  const named = machines.slice(0, mostNamed).map(({ machine, reason }) => `on ${machine}, ${reason}`);
  const more = machines.length > mostNamed ? [`and ${machines.length - mostNamed} machines more`] : [];
  const does = could.length === 0 ? "" : `; ${could.slice(0, mostNamed).join(", ")} could, and no worker runs there`;
  return `no worker that runs can work it: ${[...named, ...more].join("; ")}${does}`;
}

/** Returns what to do about it. Null when the sentence already says it. */
export function untakenAdvice(untaken: Untaken): string | null {
  if (untaken.type === "labels") return null;
  const [could] = untaken.could;
  if (could !== undefined) return `start the worker on ${could}`;
  return untaken.machines[0]?.next ?? null;
}
