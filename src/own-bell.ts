import type { JobName } from "./core/jobs.ts";

/** Whoever works in this process: true when he is free and looks now. */
type Ear = () => boolean;

/** The bell of a process whose own worker hears it first: what he can do at once needs no queue. */
export interface OwnBell {
  /** False: nobody here is free, or the job is another one or for later; the queue is told. */
  ring(job: JobName, afterMs: number): boolean;
  /** From now on goals that became ready are told here first; returns what ends that. */
  hear(ear: Ear): () => void;
}

export function openOwnBell(): OwnBell {
  const ears = new Set<Ear>();
  return {
    ring: (job, afterMs) => job === "run-goal" && afterMs <= 0 && [...ears].some((ear) => ear()),
    hear(ear) {
      ears.add(ear);
      return () => ears.delete(ear);
    },
  };
}
