import { describe, expect, it } from "vitest";
import type { PullRequest } from "../../../src/core/forges/forge.ts";
import { gitlabRefusal, type MergeAsked, mergeRefusal, nextForMerge } from "../../../src/core/forges/merging.ts";

const there: PullRequest = {
  number: 1,
  title: "T",
  isDraft: false,
  state: "open",
  into: "main",
  headCommit: "a",
  mergedAs: null,
  endedBy: null,
  labels: [],
  changedAt: null,
};

const asked: MergeAsked = { headCommit: "a", into: "main", countedFor: null, earlier: new Set(["0"]) };

describe("merging a pull request [F-605]", () => {
  it.each<[string, Partial<PullRequest>, ReturnType<typeof nextForMerge>["type"]]>([
    ["open at the verified commit", {}, "merge"],
    ["a draft", { isDraft: true }, "ready"],
    ["another commit, also as a draft", { headCommit: "b", isDraft: true }, "refused"],
    ["closed", { state: "closed" }, "refused"],
    ["whose base somebody has changed", { into: "release" }, "elsewhere"],
    ["whose base somebody has changed, of other commits", { into: "release", headCommit: "b" }, "refused"],
    ["merged already, whatever stands at the branch now", { state: "merged", headCommit: "" }, "merged"],
  ])("%s", (_, changed, type) => {
    expect(nextForMerge({ ...there, ...changed }, asked).type).toBe(type);
  });

  it("merged already with earlier work is none of this work", () => {
    const merged = { ...there, state: "merged", headCommit: "0" } as const;
    expect(nextForMerge(merged, asked)).toEqual({ type: "none" });
    expect(nextForMerge(merged, { ...asked, earlier: new Set() })).toMatchObject({ type: "merged" });
  });

  it("merged already counts for the work that it was counted for, and says where it went", () => {
    const merged = { ...there, state: "merged", headCommit: "updated-there", into: "release" } as const;
    expect(nextForMerge(merged, { ...asked, countedFor: "0" })).toEqual({ type: "none" });
    expect(nextForMerge(merged, { ...asked, countedFor: "a" })).toMatchObject({ type: "merged", into: "release" });
  });

  it.each([
    [405, "At least 1 approving review is required by reviewers with write access.", null, "reviews"],
    [405, "Waiting on code owner review from ana/owners.", null, "reviews"],
    [405, "not ready to be merged: There are requested changes", null, "reviews"],
    [405, 'Required status check "ci" is expected.', null, "checks"],
    [409, "Head branch was modified. Review and try the merge again.", null, "moved"],
    [405, "Base branch was modified. Review and try the merge again.", null, "later"],
    [409, "head out of date", null, "moved"],
    [405, "Pull Request is not mergeable", true, "conflict"],
    [405, "Pull Request is not mergeable", false, "rule"],
    [403, "Resource not accessible by integration", null, "rights"],
    [405, "User not allowed to merge PR", null, "rights"],
    [405, "Please try again later", null, "later"],
    [405, "Merge commits are not allowed on this repository.", false, "rule"],
  ] as const)("%s %s", (status, message, hasConflict, why) => {
    expect(mergeRefusal({ status, message }, hasConflict)).toBe(why);
  });

  it("GitLab says it beside the merge request; what it does not say yet is in its answer", () => {
    const answer = { status: 405, message: "405 Method Not Allowed" };
    expect(
      ["not_approved", "ci_still_running", "conflict", "checking", "need_rebase", "new_word", null].map((each) =>
        gitlabRefusal(each, answer),
      ),
    ).toEqual(["reviews", "checks", "conflict", "later", "rule", "rule", "rule"]);
  });
});
