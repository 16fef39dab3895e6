import { z } from "zod";

/**
 * Parses an agent's reports while it works (ACP `session/update`). Read leniently: an update of an unknown kind or shape is ignored.
 * Nothing that an agent reports can end the run.
 */
const part = z.unknown().optional();
const toolParts = { locations: part, rawInput: part, rawOutput: part, content: part, _meta: part };
const Update = z.discriminatedUnion("sessionUpdate", [
  z.object({
    sessionUpdate: z.literal("agent_message_chunk"),
    content: z.object({ text: z.string() }),
    messageId: z.string().nullish(),
    _meta: part,
  }),
  z.object({
    sessionUpdate: z.literal("plan"),
    entries: z.array(z.object({ content: z.string(), status: z.string() })),
  }),
  z.object({
    sessionUpdate: z.literal("tool_call"),
    toolCallId: z.string(),
    title: z.string(),
    kind: z.string().nullish(),
    status: z.string().nullish(),
    ...toolParts,
  }),
  z.object({
    sessionUpdate: z.literal("tool_call_update"),
    toolCallId: z.string(),
    title: z.string().nullish(),
    kind: z.string().nullish(),
    status: z.string().nullish(),
    ...toolParts,
  }),
  z.object({ sessionUpdate: z.literal("usage_update"), cost: part }),
]);
export type Update = z.infer<typeof Update>;

/** Maximum length of a session id. */
export const longestSessionId = 1_000;

const Notification = z.object({
  sessionId: z.string().max(longestSessionId).catch(""),
  update: z.looseObject({ sessionUpdate: z.string() }),
});

/** One `session/update` with the id of its session; "" when it names none. */
export interface SessionUpdate {
  readonly sessionId: string;
  readonly update: Update;
}

/** Parses the parameters of one `session/update`. Null when its kind or shape is unknown. Never throws. */
export function readUpdate(params: unknown): SessionUpdate | null {
  const told = Notification.safeParse(params);
  if (!told.success) return null;
  const update = Update.safeParse(told.data.update);
  return update.success ? { sessionId: told.data.sessionId, update: update.data } : null;
}
