import type { StillPaused } from "../../core/cards/paused-words.ts";
import type { Checkpoint, Effect } from "../../core/checkpoints/checkpoint.ts";
import type { Answer, AnswerDecision } from "../../core/checkpoints/answering.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { shorten } from "../../core/text.ts";
import { insertDecision } from "../../db/decisions.ts";
import type { Db } from "../../db/connection/client.ts";
import { appendTimeline } from "../../db/timeline.ts";
import type { Deps } from "../../deps.ts";

/** The person who answers, and where. */
export interface Answerer {
  readonly actor: string;
  /** Their id on a chat platform, which stays the same when the name changes. Null for the local person. */
  readonly actorId: string | null;
  readonly via: string;
  /** The groups of which they are a member now, as the settings name them. */
  readonly groups: readonly string[];
  /** Groups whose membership the platform could not tell. */
  readonly inDoubt?: readonly string[];
}

/** The result of an answer. */
export interface Answered {
  readonly decision: AnswerDecision;
  /** Its current row. */
  readonly checkpoint: Checkpoint;
  /** The session or campaign of the question if it stays paused, whatever was answered. */
  readonly paused?: StillPaused | null;
}

/** An answer to a question. */
export interface AnswerToQuestion {
  readonly checkpoint: Checkpoint;
  readonly answer: Answer;
  readonly answerer: Answerer;
  readonly sessionId: string | null;
}

/** Records an answer in the audit trail and in the timeline: who, where, when, after how long (D10). */
export async function recordDecision(
  tx: Db,
  deps: Pick<Deps, "now" | "config">,
  { checkpoint, answer, answerer, sessionId }: AnswerToQuestion,
  how: { readonly choice: string; readonly effect: Effect | "acknowledge"; readonly settles: boolean },
): Promise<void> {
  const now = deps.now();
  const { choice, effect, settles } = how;
  const { checkpointId, version, goalId, runId, campaignId } = checkpoint;
  const waitedMs = now.getTime() - checkpoint.askedAt.getTime();
  const { notes, instructions, criteria, budgetMicroUsd } = answer;
  await insertDecision(tx, {
    checkpointId,
    version,
    ...how,
    actor: answerer.actor,
    actorId: answerer.actorId,
    via: answerer.via,
    notes,
    instructions,
    criteria,
    budgetMicroUsd,
    waitedMs,
    at: now,
  });
  await appendTimeline(tx, {
    event: settles ? "checkpoint.answered" : unsettledEvent(effect),
    goalId,
    sessionId,
    runId,
    checkpointId,
    campaignId,
    actor: answerer.actor,
    via: answerer.via,
    at: now,
    detail: { choice, version, waitedMs, ...broughtBy(answer, deps.config.secrets) },
  });
}

function broughtBy({ notes, instructions, criteria, budgetMicroUsd }: Answer, secrets: readonly string[]) {
  const told = (words: string) => shorten(safeOutput(words, secrets), longestTold);
  return {
    ...(notes === null ? {} : { notes: told(notes) }),
    ...(instructions === null ? {} : { instructions: told(instructions) }),
    ...(criteria === null ? {} : { hasCriteria: true }),
    ...(budgetMicroUsd === null ? {} : { ceilingMicroUsd: budgetMicroUsd }),
  };
}

/** Characters of a person's words in the timeline. The decision keeps the whole text. */
const longestTold = 300;

/** The event of an answer that does not settle the question: it was seen, its session was paused, or others have to agree too. */
function unsettledEvent(effect: Effect | "acknowledge") {
  if (effect === "acknowledge") return "checkpoint.acknowledged";
  return effect === "pause" ? "checkpoint.paused" : "checkpoint.voted";
}
