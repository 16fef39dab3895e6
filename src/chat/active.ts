import { type ChatPlatform, namesGroup } from "../core/chat-platforms.ts";
import type { PlatformOptions, Post } from "./platform.ts";

/** Leaves accounts that the platform has deactivated or does not know out of what people read. Neither function rejects. */
export interface ActiveAccounts {
  /**
   * Leaves them out of the mentions of a post: such a mention notifies nobody (D44). If no mentioned account of the platform is left, the
   * active approvers are mentioned instead.
   */
  post(post: Post): Promise<Post>;
  /** Leaves them out of the people who can do something. Waits for the platform for half a second at most. */
  among(accounts: readonly string[]): Promise<readonly string[]>;
}

/** How long an answer about one account is cached. */
const keptMs = 10 * 60_000;

/** A person waits for these words. */
const wordsWaitMs = 500;

/** Opens the lookup of accounts. `isActive` rejects when the platform does not answer; the account is then treated as active. */
export function openReach(
  platform: ChatPlatform,
  { approvers, personWaitMs: longestWaitMs, log }: Pick<PlatformOptions, "approvers" | "personWaitMs" | "log">,
  isActive: (userId: string) => Promise<boolean>,
): ActiveAccounts {
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

  return {
    async post(post) {
      const asked = (post.card.asks ?? []).filter((each) => each.startsWith(`${platform}:`));
      if (asked.length === 0) return post;
      const there = await active(asked);
      if (there.length === asked.length) return post;
      const asks = there.length > 0 ? there : await active(approvers);
      return { ...post, card: { ...post.card, asks } };
    },
    async among(accounts) {
      const late = new Promise<true>((resolve) => setTimeout(() => resolve(true), wordsWaitMs).unref());
      const lookSoon = (account: string) => Promise.race([isThere(account), late]);
      // Other platforms look up their own accounts.
      const there = await Promise.all(
        accounts.map(async (each) => !each.startsWith(`${platform}:`) || (await lookSoon(each))),
      );
      return accounts.filter((_, index) => there[index]);
    },
  };
}
