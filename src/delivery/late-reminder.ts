import { reminderNotice } from "../core/cards/notices.ts";
import { onDuty } from "../core/on-duty.ts";
import { dropReminder, redrawReminder, stillReminded } from "../db/late-reminders.ts";
import type { Message } from "../db/messages.ts";
import type { Deps } from "../deps.ts";

/**
 * Brings a reminder that was held up to date: it would wake somebody for a question that was answered or asked anew meanwhile, or
 * that somebody takes care of. It goes without those; where none is left it goes itself. False: it says what it should.
 */
export async function renewReminder(
  { database: { db }, config, policy, now }: Pick<Deps, "database" | "config" | "policy" | "now">,
  { messageId, card }: Message,
): Promise<boolean> {
  if (card.reminds === undefined) return false;
  const open = await stillReminded(db, card.reminds);
  if (open.length === card.reminds.length) return false;
  const duty = onDuty(config.duties, config.approvers, { at: now(), zone: config.timezone });
  const notice = reminderNotice(open, policy.places, { duty, second: config.second });
  if (notice === null) await dropReminder(db, messageId);
  else await redrawReminder(db, messageId, { card: notice.card, threadSubject: notice.chatThread ?? null });
  return true;
}
