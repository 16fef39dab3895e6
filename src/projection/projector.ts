import { setTimeout as sleep } from "node:timers/promises";
import type { MarksListener } from "../db/connection/client.ts";
import type { Marked } from "./draw.ts";
import { projectMarked, type ProjectionDeps } from "./project.ts";

/** When this process draws what it has marked: soon after the COMMIT, several at once; at once for a person. */
export interface Projector {
  /** Hears of marks that were committed (`Database.onMarks`). */
  readonly hear: MarksListener;
  /**
   * Draws now what was heard of, for somebody who waits, but not for long: what fails or takes longer goes on by itself. Never
   * throws.
   */
  readonly project: () => Promise<void>;
  /** Draws what is left, and nothing afterwards. */
  stop(): Promise<void>;
}

/** Draws what is marked, soon for changes and less often for progress, and tries again after `retryMs` where it failed. */
export function openProjector(deps: ProjectionDeps): Projector {
  const { windowMs, progressWindowMs, retryMs, longestWaitMs } = deps.policy.projection;
  let timer: NodeJS.Timeout | null = null;
  let dueAtMs = Infinity;
  /** What was heard of that no pass has begun with. */
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

  /** Returns when everything that was heard of before the call is drawn. */
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
