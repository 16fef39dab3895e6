import { setTimeout as sleep } from "node:timers/promises";
import type { MarksListener } from "../db/connection/client.ts";
import type { Marked } from "./draw.ts";
import { projectMarked, type ProjectionDeps } from "./project.ts";

/** Draws what this process has marked: soon after the COMMIT, several marks together; at once for a waiting person. */
export interface Projector {
  /** Receives marks after their COMMIT (`Database.onMarks`). */
  readonly hear: MarksListener;
  /** Draws the received marks now and waits for it, but not longer than `longestWaitMs`. The rest continues alone. Never throws. */
  readonly project: () => Promise<void>;
  /** Draws the remaining marks, then nothing more. */
  stop(): Promise<void>;
}

/** Draws marks soon for changes and less often for progress. After a failure it tries again after `retryMs`. */
export function openProjector(deps: ProjectionDeps): Projector {
  const { windowMs, progressWindowMs, retryMs, longestWaitMs } = deps.policy.projection;
  let timer: NodeJS.Timeout | null = null;
  let dueAtMs = Infinity;
  /** Received marks that no pass has started with. */
  let heard: readonly Marked[] = [];
  let isStopped = false;
  let pass: Promise<void> | null = null;
  let nextPass: Promise<void> | null = null;

  function drawIn(ms: number): void {
    const at = performance.now() + ms;
    if (isStopped || at >= dueAtMs) return;
    if (timer !== null) clearTimeout(timer);
    dueAtMs = at;
    timer = setTimeout(() => void draw(), ms);
  }

  /** Resolves when all marks that were received before the call are drawn. */
  function draw(): Promise<void> {
    if (pass !== null && heard.length > 0) {
      nextPass ??= pass.then(() => {
        nextPass = null;
        return draw();
      });
      return nextPass;
    }
    if (pass !== null || heard.length === 0) return pass ?? Promise.resolve();
    const wanted = heard;
    heard = [];
    if (timer !== null) clearTimeout(timer);
    dueAtMs = Infinity;
    pass = onePass(wanted).finally(() => {
      pass = null;
    });
    return pass;
  }

  async function onePass(wanted: readonly Marked[]): Promise<void> {
    try {
      await projectMarked(deps, wanted);
    } catch (error) {
      deps.log.warn("projection.failed", { error });
      heard = [...wanted, ...heard];
      drawIn(retryMs);
    }
  }

  return {
    hear(marks) {
      heard = [...heard, ...marks];
      drawIn(marks.some((each) => each.urgency === "now") ? windowMs : progressWindowMs);
    },
    project: () => Promise.race([draw(), sleep(longestWaitMs, undefined, { ref: false })]),
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await draw();
    },
  };
}
