import { type ChatPlatform, namesGroup } from "../core/chat-platforms.ts";
import type { PlatformOptions, Post } from "./platform.ts";

/**
 * Leaves accounts that the platform has deactivated out of the mentions of a post: such a mention notifies nobody (D44). If no mentioned
 * account of the platform is left, the active approvers are mentioned instead.
 */
export type LeaveOutInactive = (post: Post) => Promise<Post>;

/** How long an answer about one account is cached. */
const keptMs = 10 * 60_000;

/**
 * Returns a function that removes inactive accounts from a post's mentions. `isActive` rejects when the platform does not answer; the
 * account is then treated as active. The returned function never rejects.
 */
export function openReach(
  platform: ChatPlatform,
  { approvers, personWaitMs: longestWaitMs, log }: Pick<PlatformOptions, "approvers" | "personWaitMs" | "log">,
  isActive: (userId: string) => Promise<boolean>,
): LeaveOutInactive {
  const known = new Map<string, { readonly at: number; readonly isThere: Promise<boolean> }>();
  const told = new Set<string>();

  async function look(account: string): Promise<boolean> {
    const late = new Promise<true>((resolve) => setTimeout(() => resolve(true), longestWaitMs).unref());
    const isThere = await Promise.race([isActive(account.slice(platform.length + 1)).catch(() => true), late]);
    if (!isThere && !told.has(account)) {
      told.add(account);
      log("warn", `${platform}.account-inactive`, { account });
    }
    return isThere;
  }

  function isThere(account: string): Promise<boolean> {
    if (namesGroup(account)) return Promise.resolve(true);
    const found = known.get(account);
    if (found !== undefined && Date.now() - found.at <= keptMs) return found.isThere;
    const fresh = { at: Date.now(), isThere: look(account) };
    known.set(account, fresh);
    return fresh.isThere;
  }

  async function active(accounts: readonly string[]): Promise<string[]> {
    const mine = accounts.filter((each) => each.startsWith(`${platform}:`));
    const there = await Promise.all(mine.map(isThere));
    return mine.filter((_, index) => there[index]);
  }

  return async (post) => {
    const asked = (post.card.asks ?? []).filter((each) => each.startsWith(`${platform}:`));
    if (asked.length === 0) return post;
    const there = await active(asked);
    if (there.length === asked.length) return post;
    const asks = there.length > 0 ? there : await active(approvers);
    return { ...post, card: { ...post.card, asks } };
  };
}
