import type { ConversationOptions } from "./talk.ts";

const longestErrors = 4_000;

export interface SilenceWatch {
  /** It told something of a model or a tool, or was answered. */
  readonly sign: () => void;
  readonly stop: () => void;
}

/**
 * Says when an agent has told nothing of a model or a tool for `quietMs`, and when it goes on (F-307): some retry a provider's
 * limit by themselves for a long time, and write to standard error meanwhile, which is no work.
 */
export function watchSilence({
  request,
  observer,
  lastErrors,
}: Pick<ConversationOptions, "request" | "observer" | "lastErrors">): SilenceWatch {
  const { quietMs, timers } = request;
  let isSilent = false;
  let isOver = false;
  let endWait = (): void => {};
  let before = "";

  function wait(): void {
    if (quietMs === undefined || isOver) return;
    endWait();
    endWait = timers.after(quietMs, () => {
      isSilent = true;
      const errors = lastErrors();
      observer.onSilence?.({ afterMs: quietMs, errors: errors === before ? "" : errors.slice(-longestErrors) });
    });
  }

  wait();
  return {
    sign() {
      before = lastErrors();
      if (isSilent) observer.onSilence?.(null);
      isSilent = false;
      wait();
    },
    stop() {
      // A question that was open is answered only after this; that begins no new silence.
      isOver = true;
      endWait();
    },
  };
}
