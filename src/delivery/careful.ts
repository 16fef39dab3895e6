import type { NotNow, Platform } from "../chat/platform.ts";
import { errorWords } from "../core/errors.ts";
import { isUnavailable } from "../db/connection/failures.ts";
import type { Deps } from "../deps.ts";

/**
 * A platform's calls, from which no throw gets out: a card that its client stumbles over counts as one at which the platform
 * failed, and holds no other for ever. That the database is away says nothing of a card, and is thrown on.
 */
export function carefully(platform: Platform, log: Deps["log"]): Pick<Platform, "post" | "update" | "find"> {
  function failed(error: unknown): NotNow {
    if (isUnavailable(error)) throw error;
    log.error("post.threw", { error });
    return { type: "retry", why: "failed", afterMs: 1_000, reason: errorWords(error), mayBeShown: true };
  }
  return {
    post: (post) => platform.post(post).catch(failed),
    update: (address, post) => platform.update(address, post).catch(failed),
    find: (post, since) => platform.find(post, since).catch(failed),
  };
}
