import type { JobName } from "./core/jobs.ts";

/** Whoever works in this process: true when he is free and looks now. */
type FreeWorker = () => boolean;

/** The bell of a process whose own worker hears it first: what he can do at once needs no queue. */
export interface OwnBell {
  /** False: nobody here is free, or the job is another one or for later; the queue is told. */
  ring(job: JobName, afterMs: number): boolean;
  /** From now on goals that became ready are told here first; returns what ends that. */
  hear(worker: FreeWorker): () => void;
}

/** Nobody listens yet. `ring` is true where a free worker of this process takes what is ready. */
export function openOwnBell(): OwnBell {
  const workers = new Set<FreeWorker>();
  return {
    ring: (job, afterMs) => job === "run-goal" && afterMs <= 0 && [...workers].some((worker) => worker()),
    hear(worker) {
      workers.add(worker);
      return () => workers.delete(worker);
    },
  };
}
