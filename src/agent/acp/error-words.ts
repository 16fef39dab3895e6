import type { RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { AgentWords } from "../../core/recovery/agent-words.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { firstLine } from "../../core/text.ts";

/** An error that an agent answered with over its protocol, as its own words. */

/** ACP's authentication required; some agents only say so in words. */
const authRequired = -32_000;

/** More of one text is not read. */
const longest = 4_000;

/** An error of the protocol as the agent's own words; what it adds as data belongs to them. */
export function protocolErrorWords(
  error: RequestError,
  secrets: readonly string[],
): Extract<AgentWords, { from: "protocol" }> {
  const texts = [error.message, ...saidIn(error.data), jsonWords(error.data)];
  const safe = texts.map((text) => safeOutput(text.trim().slice(0, longest), secrets)).filter((text) => text !== "");
  return { from: "protocol", texts: safe, asksForLogin: error.code === authRequired };
}

/**
 * The error in one line for people. The protocol's library answers what an agent did not catch with "Internal error", and
 * puts the agent's own message into the data.
 */
export function lineOf(error: RequestError, secrets: readonly string[]): string {
  const lines = [error.message, ...saidIn(error.data)].map((text) =>
    firstLine(safeOutput(text.trim().slice(0, longest), secrets), 300),
  );
  const [message = "", ...more] = lines;
  return firstLine([message, ...more.filter((line) => !message.includes(line))].join(": "), 300);
}

const text = z.string().catch("");
/** Where agents put a message: `{details}` is the library's own way, `{error: {message}}` a provider's. */
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

/** What the data of an error says in sentences. */
function saidIn(data: unknown): readonly string[] {
  const read = dataSchema.safeParse(data);
  return read.success ? [...new Set(read.data)].filter((each) => each.trim() !== "") : [];
}

/** Nested deeper than anybody reads it says nothing. */
function jsonWords(data: unknown): string {
  try {
    return data === undefined ? "" : JSON.stringify(data);
  } catch {
    return "";
  }
}
