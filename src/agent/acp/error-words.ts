import type { RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { AgentWords } from "../../core/recovery/agent-words.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { firstLine } from "../../core/text.ts";

/** Reads an error that an agent answered with over its protocol. */

/** ACP's code for "authentication required". Some agents say so only in the message. */
const authRequired = -32_000;

/** Maximum number of characters that are read of one text. */
const longest = 4_000;

/** Converts a protocol error into the agent's own words, including its data. */
export function protocolErrorWords(
  error: RequestError,
  secrets: readonly string[],
): Extract<AgentWords, { from: "protocol" }> {
  const texts = [error.message, ...saidIn(error.data), jsonWords(error.data)];
  const safe = texts.map((text) => safeOutput(text.trim().slice(0, longest), secrets)).filter((text) => text !== "");
  return { from: "protocol", texts: safe, asksForLogin: error.code === authRequired };
}

/**
 * Returns the error as one line for people. The protocol's library reports an error that the agent did not catch as "Internal error",
 * and puts the agent's own message into the data.
 */
export function lineOf(error: RequestError, secrets: readonly string[]): string {
  const lines = [error.message, ...saidIn(error.data)].map((text) =>
    firstLine(safeOutput(text.trim().slice(0, longest), secrets), 300),
  );
  const [message = "", ...more] = lines;
  return firstLine([message, ...more.filter((line) => !message.includes(line))].join(": "), 300);
}

const text = z.string().catch("");
/** Where agents put a message: `{details}` is the library's own form, `{error: {message}}` a provider's. */
const dataSchema = z.union([
  z.string().transform((said) => [said]),
  z
    .looseObject({
      details: text,
      message: text,
      error: z
        .union([z.string(), z.looseObject({ message: z.string() }).transform(({ message }) => message)])
        .catch(""),
    })
    .transform(({ details, message, error }) => [details, message, error]),
]);

/** Returns the messages in an error's data, without duplicates. */
function saidIn(data: unknown): readonly string[] {
  const read = dataSchema.safeParse(data);
  return read.success ? [...new Set(read.data)].filter((each) => each.trim() !== "") : [];
}

/** Returns the data as JSON. Empty when it cannot be serialized, for example because it is nested too deeply. */
function jsonWords(data: unknown): string {
  try {
    return data === undefined ? "" : JSON.stringify(data);
  } catch {
    return "";
  }
}
