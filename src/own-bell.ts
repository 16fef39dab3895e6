import type { JobName } from "./core/jobs.ts";

/** A worker in this process; returns true when it is free and looks now. */
type FreeWorker = () => boolean;

/** The bell of a process whose own worker hears it first: work that can start here needs no queue. */
export interface OwnBell {
  /** False when no worker here is free, or the job is another one or for later; then the queue must be rung. */
  ring(job: JobName, afterMs: number): boolean;
  /** Registers a worker that is rung first for ready goals; returns a function that ends this. */
  hear(worker: FreeWorker): () => void;
}

/** Opens a bell without workers. `ring` is true when a free worker of this process takes the work. */
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
