import type { webApi } from "@slack/bolt";
import { cleanText, shorten } from "../../core/text.ts";
import type { Person } from "../inbox.ts";

/** Looks somebody up when they act, so that a name is current and a deactivated account is known as one (D1). */
export type People = (userId: string) => Promise<Person>;

/**
 * A click must be answered within 3 s: Slack's word on a person is waited for `longestWaitMs`. When Slack does not answer, the id that Slack signed still counts: it is what COS_APPROVERS names. The name is then
 * the last known one.
 */
export function openPeople(client: webApi.WebClient, longestWaitMs: number): People {
  const names = new Map<string, string>();

  return async (userId) => {
    const timeOut = new Promise<null>((resolve) => setTimeout(() => resolve(null), longestWaitMs).unref());
    const answered = await Promise.race([client.users.info({ user: userId }).catch(() => null), timeOut]);
    const user = answered?.user;
    if (user === undefined) return { id: userId, name: names.get(userId) ?? `@${userId}`, isActive: true };
    const name = [user.profile?.display_name, user.real_name, user.name].find((each) => (each ?? "").trim() !== "");
    const shown = `@${shorten(
      cleanText(name ?? userId)
        .replace(/\s+/g, " ")
        .trim(),
      40,
    )}`;
    names.set(userId, shown);
    return { id: userId, name: shown, isActive: user.deleted !== true };
  };
}
