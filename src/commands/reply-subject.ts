import type { Checkpoint, CheckpointOption } from "../core/checkpoints/checkpoint.ts";
import { answerable } from "../core/checkpoints/find-option.ts";
import { answerOfReply } from "../core/replies/answer.ts";
import { compileReply } from "../core/replies/compile.ts";
import type { CompiledReply } from "../core/replies/compiled-reply.ts";
import { readReply } from "../core/replies/reply.ts";
import { getCampaign } from "../db/campaigns.ts";
import { getCheckpoint, pendingCheckpoint, pendingOfCampaign } from "../db/checkpoints.ts";
import { pendingOfNight } from "../db/night-questions.ts";
import { getGoal } from "../db/goals.ts";
import { getNight } from "../db/nights.ts";
import { getReply } from "../db/replies.ts";
import { getSession } from "../db/sessions.ts";
import type { Deps } from "../deps.ts";
import { questionsIn } from "../turns/shared/sessions.ts";

interface About {
  readonly goalId: string | null;
  readonly sessionId: string | null;
  /** The question that the reply may be about. */
  readonly checkpoint: Checkpoint | null;
}

/**
 * Finds what an id names. The thread of a goal or campaign belongs to its open question; that of a session or night belongs to no
 * question of its goals. Null when nothing has the id.
 */
export async function findSubject(deps: Deps, subject: string): Promise<About | null> {
  const { db } = deps.database;
  const checkpoint = await getCheckpoint(db, subject);
  if (checkpoint !== null) return { goalId: checkpoint.goalId, sessionId: null, checkpoint };
  const session = await getSession(db, subject);
  if (session !== null) return { goalId: null, sessionId: subject, checkpoint: await pendingCheckpoint(db, subject) };
  const goal = await getGoal(db, subject);
  if (goal !== null) return { goalId: subject, sessionId: null, checkpoint: await pendingCheckpoint(db, subject) };
  if ((await getCampaign(db, subject)) !== null) {
    const [question, ...more] = await pendingOfCampaign(db, subject);
    return { goalId: null, sessionId: null, checkpoint: more.length > 0 ? null : (question ?? null) };
  }
  if ((await getNight(db, subject)) !== null) return { goalId: null, sessionId: null, checkpoint: null };
  const said = await getReply(db, subject);
  return said === null ? null : await findSubject(deps, said.checkpointId);
}

/** Returns the command that shows what happened so far; for an escalation, also what was tried. */
export function tellingCommand({ goalId, checkpoint }: Pick<About, "goalId" | "checkpoint">): string {
  if (checkpoint?.kind === "escalation") return `cos escalation ${checkpoint.checkpointId}`;
  return goalId === null ? "cos status" : `cos why ${goalId}`;
}

/** True when a reply in the thread of a session or night means a question of one of its goals. */
export async function readsAsAnswer({ database: { db } }: Deps, subject: string, text: string): Promise<boolean> {
  const ofSession = (await getSession(db, subject)) === null ? [] : await questionsIn(db, subject);
  const open = [...ofSession, ...(await pendingOfNight(db, subject))];
  return open.some((question) => saysChoice(text, answerable(question)));
}

/** True when a reply is one of the choices, in any words. An instruction does not count, because it may be a comment. */
function saysChoice(text: string, options: readonly CheckpointOption[]): boolean {
  if (readReply(text, options).type === "answer") return true;
  const compiled = compileReply(text, { options, asksClarification: false });
  return compiled.type === "unclear" ? compiled.isMeant === true : choiceTypes.includes(compiled.type);
}

const choiceTypes: readonly CompiledReply["type"][] = ["proceed", "skip", "manual", "pause"];

/** True when a reply to a settled question asks for something else, in words of its own that nobody reads any more. */
export function wouldChange({ options, chosenOption }: Checkpoint, text: string): boolean {
  const compiled = compileReply(text, { options, asksClarification: false });
  if (compiled.type === "retry") return compiled.instruction !== null;
  if (["modify", "budget", "edit"].includes(compiled.type)) return true;
  const said = answerOfReply(compiled, options, 0)?.choice;
  return ["skip", "manual", "pause"].includes(compiled.type) && said !== chosenOption;
}
