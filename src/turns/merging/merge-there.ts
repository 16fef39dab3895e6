import {
  type ForgeAnswer,
  type ForgePlace,
  type MergedThere,
  type MergeRefusal,
  type PullRequest,
  pullUrl,
} from "../../core/forges/forge.ts";
import {
  goesElsewhereWords,
  mergeGivenUpWords,
  mergerThere,
  mergeWaitsWords,
  nextForMerge,
  notMergedWords,
  type PullNamed,
} from "../../core/forges/merging.ts";
import { type ForgeTrouble, forgeTroubleSentence } from "../../core/forges/trouble.ts";
import { titleWords } from "../../core/forges/markdown.ts";
import type { Merge } from "../../db/merges.ts";
import { getPull, updatePull } from "../../db/pulls.ts";
import type { Repository } from "../../db/repositories.ts";
import type { Deps } from "../../deps.ts";
import { earlierCommits } from "../../facts/earlier-commits.ts";
import { forgeOf } from "../../facts/forge.ts";
import { type Ended, refusedMerge, type Waits } from "./ended.ts";
import { nextTry } from "./try-later.ts";

type ForgeMergeDeps = Pick<Deps, "database" | "config" | "policy" | "log" | "now" | "openForge">;

interface Wanted {
  readonly merge: Merge;
  readonly repository: Repository;
  /** The complete message of the merge commit. */
  readonly message: string;
}

/**
 * Merges the pull request of a goal through its forge. Null when there is none, or only one of earlier work: the branch is then
 * merged by git. The pull request is read first each time: the result of a lost response is seen there, and nothing is merged twice.
 * The forge merges only the commit that was verified.
 */
export async function mergeThere(
  deps: ForgeMergeDeps,
  { merge, repository, message }: Wanted,
): Promise<Ended | Waits | null> {
  const { goalId, headCommit, into } = merge;
  const place = forgeOf(deps.config, repository);
  const row = place === null ? null : await getPull(deps.database.db, goalId);
  if (place === null || row?.number == null) return null;
  const { number } = row;
  const pull = { provider: place.site.provider, url: pullUrl(place, number), goalId, into };
  const forge = deps.openForge(place);
  const step = async (there: PullRequest): Promise<Ended | Waits | null> => {
    // It was reopened since it was last read: reading it continues.
    if (row.state === "closed" && there.state !== "closed")
      await updatePull(deps.database.db, goalId, { state: "open", endedBy: null, endedAt: null, dueAt: deps.now() });
    const isOver = there.state === "merged";
    const earlier = isOver ? await earlierCommits(deps.database.db, goalId, headCommit) : new Set<string>();
    const next = nextForMerge(there, { headCommit, into, countedFor: row.mergedWork, earlier });
    switch (next.type) {
      case "none":
        return null;
      case "merged":
        return { ...mergedAs(next.commit, next.by, place), into: next.into };
      case "elsewhere":
        return refusedMerge(goesElsewhereWords(pull, next.into));
      case "refused":
        return refusedMerge(notMergedWords(pull, next.why, { said: null, by: next.by }));
      case "ready": {
        const made = await forge.ready(there);
        // If it is not merged, it becomes a draft again: its text is written again.
        await updatePull(deps.database.db, goalId, { isDraft: false, written: null });
        return made.type === "failed" ? onTrouble(deps, { merge, pull, wasAsked: false }, made.trouble) : await send();
      }
      case "merge":
        return await send();
    }
  };
  const send = async (): Promise<Ended | Waits | null> => {
    const [first = "", ...rest] = message.split("\n");
    const wanted = { headCommit, title: titleWords(first, 200), message: rest.join("\n").trim() };
    const asked = await forge.merge(number, wanted);
    deps.log.info("pull.merge-asked", { goalId, number, answer: answerWord(asked) });
    if (asked.type === "failed") return onTrouble(deps, { merge, pull, wasAsked: true }, asked.trouble);
    if (asked.value.type === "merged") return mergedAs(asked.value.commit, null, place);
    // The forge also refuses when somebody else has just merged it.
    const after = await forge.read(number);
    if (after.type === "ok" && after.value.state !== "open") return await step(after.value);
    const { why, said } = asked.value;
    return onRefusal(deps, { merge, pull, wasAsked: false }, why, said);
  };
  const read = await forge.read(number);
  const wasAsked = merge.status === "merging";
  return read.type === "failed" ? onTrouble(deps, { merge, pull, wasAsked }, read.trouble) : await step(read.value);
}

function answerWord(asked: ForgeAnswer<MergedThere>): string {
  if (asked.type === "failed") return asked.trouble.kind;
  return asked.value.type === "merged" ? "merged" : asked.value.why;
}

function mergedAs(commit: string | null, by: string | null, place: ForgePlace): Ended {
  const outcome = by === null ? null : `Merged there by ${mergerThere(by, place.site.provider)}`;
  return { status: "merged", resultCommit: commit, outcome, conflict: null };
}

interface PullMerge {
  readonly merge: Merge;
  readonly pull: PullNamed;
  /** True when the forge may have merged it without this process knowing. */
  readonly wasAsked: boolean;
}

function onRefusal(deps: ForgeMergeDeps, pull: PullMerge, why: MergeRefusal, said: string): Ended | Waits {
  if (why === "later") return again(deps, pull, `the forge does not know yet whether it may be merged`, null);
  return refusedMerge(notMergedWords(pull.pull, why, { said, by: null }));
}

function onTrouble(deps: ForgeMergeDeps, pull: PullMerge, trouble: ForgeTrouble): Ended | Waits {
  if (trouble.kind === "unreachable" || trouble.kind === "limited")
    return again(deps, pull, trouble.reason, trouble.waitMs);
  return refusedMerge(`${forgeTroubleSentence(trouble)}; then: cos goal merge ${pull.merge.goalId}. ${pull.pull.url}`);
}

function again(
  deps: ForgeMergeDeps,
  { merge, pull, wasAsked }: PullMerge,
  reason: string,
  waitMs: number | null,
): Ended | Waits {
  const next = nextTry(deps, merge, waitMs);
  if (next === null) return refusedMerge(mergeGivenUpWords(pull, reason, deps.policy.merging.longestWaitMs));
  const { dueAt, pauseMs } = next;
  return { status: wasAsked ? "merging" : "due", dueAt, outcome: mergeWaitsWords(pull, reason, pauseMs) };
}
