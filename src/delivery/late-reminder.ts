import { reminderNotice } from "../core/cards/notices.ts";
import { onDuty } from "../core/on-duty.ts";
import { dropReminder, redrawReminder, stillReminded } from "../db/late-reminders.ts";
import type { Message } from "../db/messages.ts";
import type { Deps } from "../deps.ts";

/**
 * Updates a reminder that was held back. Questions that were answered or changed meanwhile, or that somebody has acknowledged, are
 * removed from it: it would wake somebody for them. When none is left, the reminder is deleted. Returns false when nothing had to
 * change.
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
