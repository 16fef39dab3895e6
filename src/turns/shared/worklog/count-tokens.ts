import {
  hasReachedWarning,
  isWithinBound,
  noTokens,
  type TokenCount,
  withTokens,
} from "../../../core/worklog/tokens.ts";
import { lockWorklog, updateWorklog } from "../../../db/worklogs.ts";
import type { RunRecord, RecordingDeps } from "./recording.ts";
import { limited, within } from "./within.ts";

/**
 * Adds the tokens of text that an agent was given because of its worklog. Logs a warning once when the count comes near the tier's
 * bound, and each time it is above. It never stops the goal (C-06, C-24).
 */
export async function countTokens(deps: RecordingDeps, account: RunRecord, told: TokenCount): Promise<void> {
  const { worklog, goal } = account;
  if (worklog === null) return;
  const { flushTimeoutMs, tokenWarningShare } = deps.policy.worklog;
  const counted = await within(deps, flushTimeoutMs, () =>
    limited(deps, flushTimeoutMs, async (tx) => {
      const before = (await lockWorklog(tx, worklog.sessionId))?.tokens ?? 0;
      await updateWorklog(tx, worklog.sessionId, { tokens: before + told.total });
      return before;
    }),
  );
  const { goalId } = goal;
  if (counted.type !== "done") {
    deps.log.warn("worklog.tokens-not-counted", { goalId, tokens: told.total });
    return;
  }
  const { tier, byOperation } = told;
  const before = withTokens(noTokens(tier), "earlier", counted.value);
  const after = withTokens(before, "told", told.total);
  deps.log.info("worklog.told", { goalId, byOperation, total: after.total });
  if (hasReachedWarning(before, after, tokenWarningShare))
    deps.log.warn("worklog.tokens-near-bound", { goalId, tier, total: after.total });
  if (!isWithinBound(after)) deps.log.warn("worklog.tokens-over-bound", { goalId, tier, total: after.total });
}
