import type { NotNow, Platform } from "../chat/platform.ts";
import { errorWords } from "../core/errors.ts";
import { isUnavailable } from "../db/connection/failures.ts";
import type { Deps } from "../deps.ts";

/**
 * Wraps a platform's calls so that they never reject because of a card. An error that a card causes in the client counts as a failure
 * of the platform, and so does not block other cards for ever. An unavailable database has nothing to do with the card: that error is
 * rethrown.
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
