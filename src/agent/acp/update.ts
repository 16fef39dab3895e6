import { z } from "zod";

/**
 * What an agent tells while it works (ACP `session/update`). Read leniently: a kind of update that is new, or one that
 * does not have the shape it should have, is passed over; nothing an agent reports can end the run.
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

/** The longest name of a session that is heard. */
export const longestSessionId = 1_000;

const Notification = z.object({
  sessionId: z.string().max(longestSessionId).catch(""),
  update: z.looseObject({ sessionUpdate: z.string() }),
});

/** One `session/update` and whose it is; "" where no session is named. */
export interface SessionUpdate {
  readonly sessionId: string;
  readonly update: Update;
}

/** Reads the parameters of one `session/update`; null: of a kind, or in a shape, that is not known. Never throws. */
export function readUpdate(params: unknown): SessionUpdate | null {
  const told = Notification.safeParse(params);
  if (!told.success) return null;
  const update = Update.safeParse(told.data.update);
  return update.success ? { sessionId: told.data.sessionId, update: update.data } : null;
}
