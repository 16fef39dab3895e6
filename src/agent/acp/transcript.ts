import { safeAfter } from "../../core/secrets/mask.ts";
import type { OutputKeeper } from "../process/output.ts";

/** Writes an agent's words and actions into the kept output, and keeps its last message. */
export interface Transcript {
  /** Writes a separate line: a tool call, a line of a plan. */
  line(text: string): void;
  /** Appends a piece of a message. */
  words(text: string): void;
  /** The end of the last message, masked. */
  lastMessage(secrets: readonly string[]): string;
}

const longestMessage = 64_000;

/** Characters kept in front of the message's end, so that a secret at the cut is masked whole. */
const margin = 16_384;

/** Opens a transcript that passes its lines to `keeper` at once, and keeps the end of the last message. */
export function openTranscript(keeper: OutputKeeper): Transcript {
  let message = "";
  let isInMessage = false;
  return {
    line(text) {
      keeper.take(Buffer.from(`${isInMessage ? "\n" : ""}${text}\n`));
      isInMessage = false;
    },
    words(text) {
      if (text === "") return;
      if (!isInMessage) message = "";
      message += text;
      // Cut only at twice the limit: an agent may send one word at a time, and each cut copies the whole text.
      if (message.length > 2 * (longestMessage + margin)) message = message.slice(-longestMessage - margin);
      isInMessage = true;
      keeper.take(Buffer.from(text));
    },
    lastMessage: (secrets) => safeAfter(message, Math.max(0, message.length - longestMessage), secrets).trim(),
  };
}
