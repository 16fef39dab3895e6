import { z } from "zod";
import { DEFAULT_MAX_MESSAGE_BYTES, MessageTooLargeError } from "@agentclientprotocol/sdk";
import { longestSessionId } from "./update.ts";

/** Parsers for an agent's answers, as far as they have the protocol's shape. The library passes answers on unchecked. */

const text = z.string();
const optional = <Type extends z.ZodType>(type: Type) => type.nullish().catch(null);

const Info = z.object({ name: text, version: optional(text) });
const Way = z.object({ name: z.string().catch(""), description: optional(text) });
const Hello = z.object({
  protocolVersion: z.union([z.number(), z.string()]).nullable().catch(null),
  agentInfo: optional(Info),
  agentCapabilities: optional(
    z.object({
      loadSession: optional(z.boolean()),
      sessionCapabilities: optional(z.object({ resume: z.unknown().optional() })),
    }),
  ),
  authMethods: optional(z.array(Way.nullable().catch(null))),
});

/** The agent's answer to *initialize*. */
export interface HelloAnswer {
  /** Null when the answer has no version, or one that is neither number nor text. */
  readonly protocolVersion: number | string | null;
  readonly agent: { readonly name: string; readonly version: string | null } | null;
  readonly canResume: boolean;
  readonly canLoad: boolean;
  /** The ways in which a person may log in, each with its description. */
  readonly logins: readonly { readonly name: string; readonly description: string | null }[];
}

/** Returns the parsed answer to *initialize*; null when it is not such an answer. */
export function helloIn(answer: unknown): HelloAnswer | null {
  const hello = Hello.safeParse(answer).data;
  if (hello === undefined) return null;
  const { protocolVersion, agentInfo, agentCapabilities, authMethods } = hello;
  return {
    protocolVersion,
    agent: agentInfo == null ? null : { name: agentInfo.name, version: agentInfo.version ?? null },
    canResume: agentCapabilities?.sessionCapabilities?.resume != null,
    canLoad: agentCapabilities?.loadSession === true,
    logins: (authMethods ?? []).flatMap((way) =>
      way === null ? [] : [{ name: way.name, description: way.description ?? null }],
    ),
  };
}

/** Returns the id of the opened session; null when the answer has none of valid length. */
export function sessionIdIn(answer: unknown): string | null {
  return z.object({ sessionId: text.min(1).max(longestSessionId) }).safeParse(answer).data?.sessionId ?? null;
}

/** Returns the stop reason of a prompt's answer; null when the answer has none. */
export function stopReasonIn(answer: unknown): string | null {
  return z.object({ stopReason: text }).safeParse(answer).data?.stopReason ?? null;
}

/** Returns words for a connection that ended because the agent's message was too large; null for any other error. */
export function unreadableWords(error: unknown): string | null {
  if (!(error instanceof MessageTooLargeError)) return null;
  return `it sent a message of more than ${DEFAULT_MAX_MESSAGE_BYTES / 1024 / 1024} MB, which nobody reads`;
}
