import { z } from "zod";
import { DEFAULT_MAX_MESSAGE_BYTES, MessageTooLargeError } from "@agentclientprotocol/sdk";
import { longestSessionId } from "./update.ts";

/** What an agent answers, as far as it has the protocol's shape. The library passes it on as it came. */

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

/** What an agent says of itself. */
export interface HelloAnswer {
  /** Null: it says none that could be one. */
  readonly protocolVersion: number | string | null;
  readonly agent: { readonly name: string; readonly version: string | null } | null;
  readonly canResume: boolean;
  readonly canLoad: boolean;
  /** How a person may log in: a name, and what it says about it. */
  readonly logins: readonly { readonly name: string; readonly description: string | null }[];
}

/** Null: it is no answer to *initialize*. */
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

/** Null: it names no session. */
export function sessionIdIn(answer: unknown): string | null {
  return z.object({ sessionId: text.min(1).max(longestSessionId) }).safeParse(answer).data?.sessionId ?? null;
}

/** Null: it does not say why the turn is over. */
export function stopReasonIn(answer: unknown): string | null {
  return z.object({ stopReason: text }).safeParse(answer).data?.stopReason ?? null;
}

/** What an error that ended the connection says of the message which the agent sent; null: it is about something else. */
export function unreadableWords(error: unknown): string | null {
  if (!(error instanceof MessageTooLargeError)) return null;
  return `it sent a message of more than ${DEFAULT_MAX_MESSAGE_BYTES / 1024 / 1024} MB, which nobody reads`;
}
