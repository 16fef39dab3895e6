import { confirmationCard } from "../core/cards/lists.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { safeOutput } from "../core/secrets/mask.ts";
import { shorten } from "../core/text.ts";
import type { Db } from "../db/connection/client.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { type Caller, type CommandResult, done } from "./command.ts";

export const changes = ["said", "edited", "deleted"] as const;

/** The result of a reply. */
export interface ReplyValue {
  readonly became: "answer" | "proposal" | "question" | "comment";
  readonly subject: string;
}

/**
 * Says that a reply about `subject` is kept in its goal's timeline. `question`: "open" when an open question there was not answered,
 * "none" when no question is open; null when neither is to be said.
 */
export function kept(
  subject: string,
  { goalId }: Pick<ReplyToKeep, "goalId">,
  question: "open" | "none" | null = null,
): CommandResult<ReplyValue> {
  const value: ReplyValue = { became: "comment", subject };
  const undecided = question === "open" ? " Nothing was decided: the question still waits for a choice." : "";
  const waits = goalId === null ? "" : ` What it waits for: cos why ${goalId}`;
  const more = question === "none" ? [`Nothing follows from it: no question is open here.${waits}`] : [];
  return done(value, confirmationCard(`Kept in the timeline of ${goalId ?? subject}.${undecided}`, more));
}

export interface ReplyToKeep {
  readonly goalId: string | null;
  readonly sessionId: string | null;
  readonly checkpoint: Checkpoint | null;
  readonly change: (typeof changes)[number];
  readonly text: string;
}

/** Keeps a reply in the timeline, and changes nothing else. */
export async function keep(deps: Deps, caller: Caller, reply: ReplyToKeep): Promise<void> {
  await deps.database.transaction((tx) => keepIn(tx, deps, caller, reply));
}

/** Like `keep`, inside a transaction that also writes other things. */
export async function keepIn(tx: Db, deps: Deps, caller: Caller, reply: ReplyToKeep): Promise<void> {
  const { goalId, sessionId, checkpoint, change, text } = reply;
  await appendTimeline(tx, {
    event: `reply.${change}`,
    goalId,
    sessionId,
    checkpointId: checkpoint?.checkpointId ?? null,
    actor: caller.actor,
    via: caller.via,
    at: deps.now(),
    detail: {
      text: shorten(safeOutput(text, deps.config.secrets), deps.policy.text.longestInput),
      by: caller.member?.id ?? null,
    },
  });
}
