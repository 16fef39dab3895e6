import { safeAfter } from "../../core/secrets/mask.ts";
import type { OutputKeeper } from "../process/output.ts";

/** What an agent said and did, line by line into the kept output; its last message stands ready. */
export interface Transcript {
  /** A line of its own: a tool call, a line of a plan. */
  line(text: string): void;
  /** A piece of a message, as it comes. */
  words(text: string): void;
  /** The end of its last message, masked. */
  lastMessage(secrets: readonly string[]): string;
}

const longestMessage = 64_000;

/** Kept in front of it, so that a secret that the cut would go through is seen whole. */
const margin = 16_384;

/** Begins a transcript that hands its lines to `keeper` as they come, and keeps the end of the last message. */
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
      // Shortened only when it is twice too long: an agent may tell a word at a time, and each copy is of all of it.
      if (message.length > 2 * (longestMessage + margin)) message = message.slice(-longestMessage - margin);
      isInMessage = true;
      keeper.take(Buffer.from(text));
    },
    lastMessage: (secrets) => safeAfter(message, Math.max(0, message.length - longestMessage), secrets).trim(),
  };
}
