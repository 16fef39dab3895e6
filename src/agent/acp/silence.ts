import type { ConversationOptions } from "./talk.ts";

const longestErrors = 4_000;

export interface SilenceWatch {
  /** Called when the agent reported something of a model or a tool, or got an answer. */
  readonly sign: () => void;
  readonly stop: () => void;
}

/**
 * Reports when an agent has reported nothing of a model or a tool for `quietMs`, and when it goes on (F-307). Some agents retry a
 * provider's limit for a long time. What they write to standard error meanwhile is not work.
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
      // An open question is answered only after this, and must not begin a new silence.
      isOver = true;
      endWait();
    },
  };
}
