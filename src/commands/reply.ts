import { confirmationCard } from "../core/cards/lists.ts";
import type { Checkpoint } from "../core/checkpoints/checkpoint.ts";
import { readReply } from "../core/replies/reply.ts";
import { safeOutput } from "../core/secrets/mask.ts";
import { shorten } from "../core/text.ts";
import { getCheckpoint } from "../db/checkpoints.ts";
import { getGoal } from "../db/goals.ts";
import { getSession } from "../db/sessions.ts";
import { appendTimeline } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import {
  type Caller,
  choiceOption,
  type Command,
  type CommandResult,
  done,
  type Given,
  option,
  refused,
  UsageError,
  word,
} from "./command.ts";
import { answer } from "./decide.ts";
import { execute } from "./execute.ts";

const changes = ["said", "edited", "deleted"] as const;

/** What a reply became. */
export interface ReplyValue {
  readonly became: "answer" | "comment";
  readonly subject: string;
}

export const reply: Command = {
  name: "reply",
  summary: "Say something about a goal or question: `ok`, `skip`, `pause` answer an open question, the rest is kept.",
  access: "comment",
  positionals: [
    { name: "subject", required: true },
    { name: "text", required: false, rest: true },
  ],
  options: {
    change: { value: "C", description: "said (default), edited or deleted: what happened to the reply" },
    at: { value: "TIME", description: "when it was written (ISO 8601), for replies that arrive late" },
  },
  run: takeReply,
};

/**
 * A reply in the thread of a card, or its later change. Only what was said, about an open question, after that question
 * was asked, answers; a change of a reply never decides anything. Everything is kept in the timeline.
 */
async function takeReply(deps: Deps, caller: Caller, given: Given): Promise<CommandResult> {
  const subject = word(given, "subject");
  const text = word(given, "text");
  const change = choiceOption(given, "change", changes) ?? "said";
  if (text.trim() === "" && change !== "deleted") throw new UsageError("TEXT is missing");
  const { db } = deps.database;
  const checkpoint = await getCheckpoint(db, subject);
  const session = checkpoint === null ? await getSession(db, subject) : null;
  const goal = session === null ? await getGoal(db, checkpoint?.goalId ?? subject) : null;
  if (checkpoint === null && goal === null && session === null)
    return refused(`nothing is called ${subject}`, "cos goals");
  const about = { goalId: goal?.goalId ?? null, sessionId: session?.sessionId ?? null, checkpoint };

  const isOpen = checkpoint?.status === "pending";
  const read = readReply(text, change === "said" && isOpen ? checkpoint.options : []);
  if (read.type === "answer" && checkpoint !== null) {
    if (wasWrittenBefore(checkpoint, option(given, "at"))) {
      await keep(deps, caller, { ...about, change, text });
      return refused(
        `the question changed after you wrote "${shorten(text, 40)}"; nothing was decided`,
        "cos checkpoints",
      );
    }
    return await answerBy(deps, caller, checkpoint, read);
  }

  await keep(deps, caller, { ...about, change, text });
  const value: ReplyValue = { became: "comment", subject };
  return done(value, confirmationCard(`Kept in the timeline of ${about.goalId ?? subject}.`));
}

async function answerBy(
  deps: Deps,
  caller: Caller,
  checkpoint: Checkpoint,
  read: { readonly choice: string; readonly instructions: string | null },
): Promise<CommandResult> {
  const { checkpointId, version } = checkpoint;
  const answered = await execute(deps, caller, answer, {
    positionals: { id: `${checkpointId}.${version}`, choice: read.choice },
    options: read.instructions === null ? {} : { instructions: [read.instructions] },
    switches: new Set(),
  });
  if (answered.type === "refused") return answered;
  const value: ReplyValue = { became: "answer", subject: checkpointId };
  return done(value, answered.card);
}

function wasWrittenBefore(checkpoint: Checkpoint, at: string | null): boolean {
  if (at === null) return false;
  const written = new Date(at);
  if (Number.isNaN(written.getTime())) throw new UsageError(`--at: found ${JSON.stringify(at)}, expected a time`, "at");
  return written < checkpoint.askedAt;
}

interface Kept {
  readonly goalId: string | null;
  readonly sessionId: string | null;
  readonly checkpoint: Checkpoint | null;
  readonly change: (typeof changes)[number];
  readonly text: string;
}

async function keep(deps: Deps, caller: Caller, { goalId, sessionId, checkpoint, change, text }: Kept): Promise<void> {
  const kept = shorten(safeOutput(text, deps.config.secrets), deps.policy.text.longestInput);
  await deps.database.transaction(async (tx) => {
    await appendTimeline(tx, {
      event: `reply.${change}`,
      goalId,
      sessionId,
      checkpointId: checkpoint?.checkpointId ?? null,
      actor: caller.actor,
      via: caller.via,
      at: deps.now(),
      detail: { text: kept, by: caller.member?.id ?? null },
    });
  });
}
