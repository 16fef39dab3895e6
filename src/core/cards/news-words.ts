import type { GoalNews, RepositoryNews } from "../reports/standup-facts.ts";
import { shellWord } from "../text/shell-word.ts";
import { firstLine } from "../text.ts";

/** One line of a standup, and the next command. */
export interface Advice {
  readonly text: string;
  readonly command: string;
}

/** How a finished goal's branch differs from what our rows say. */
export function newsWords(goal: GoalNews): Advice {
  const { goalId, branch, headCommit, isBranchThere, repository, news } = goal;
  const { baseBranch: base } = repository;
  const path = shellWord(repository.path);
  const url = repository.url === null ? null : shellWord(repository.url);
  const merge = url === null ? `git -C ${path} merge ${branch}` : `git pull ${url} ${branch}`;
  const restore =
    url !== null
      ? `git -C ${shellWord(repository.mirrorDir)} push ${url} ${headCommit}:refs/heads/${branch}`
      : `git -C ${path} fetch ${shellWord(repository.mirrorDir)} ${branch}:${branch}`;
  switch (news.type) {
    case "merged-by-hand": {
      const what = mergedWords(goal, news);
      if (news.held === "commit") return { text: `${what}; this records it`, command: `cos goal merge ${goalId}` };
      if (isBranchThere) return { text: `${what}; this removes the branch`, command: `cos goal discard ${goalId}` };
      return { text: what, command: `git -C ${path} show ${(news.commit ?? headCommit).slice(0, 7)}` };
    }
    case "reverted":
      return {
        text: `reverted on ${base} by ${news.commit.slice(0, 7)}; this has it worked again`,
        command: `cos goal resume ${goalId}`,
      };
    case "lost": {
      const what = `was merged, and ${base} does not hold it any more`;
      if (isBranchThere) return { text: `${what}; this merges it again`, command: merge };
      return { text: `${what}; this brings its branch back`, command: restore };
    }
    case "branch-gone":
      return { text: `${branch} is gone, neither merged nor discarded; this brings it back`, command: restore };
  }
}

/** How the base branch got the work: by another goal's merge, or by a person. */
function mergedWords(
  { repository, broughtBy }: GoalNews,
  { held, commit }: Extract<GoalNews["news"], { readonly type: "merged-by-hand" }>,
): string {
  const { baseBranch: base } = repository;
  const from = broughtBy === undefined ? [] : [`of ${firstLine(broughtBy.content, 60)}`];
  const named = [...(commit === null ? [] : [commit.slice(0, 7)]), ...from].join(", ");
  const as = named === "" ? "" : ` (${named})`;
  if (broughtBy !== undefined) return `${base} has ${held === "commit" ? "it" : "the same change"} already${as}`;
  return held === "commit" ? `merged by hand into ${base}${as}` : `merged by hand: ${base} has the same change${as}`;
}

/** The problem of a repository that keeps us from reading its branches. */
export function repositoryTroubleWords({ repository, trouble }: RepositoryNews): Advice {
  const { name, baseBranch, machine } = repository;
  const path = shellWord(repository.path);
  switch (trouble.type) {
    case "missing":
      return {
        text: `${name} is not at ${repository.path} on ${machine}; a link to its new place is enough`,
        command: `ln -s WHERE ${path}`,
      };
    case "elsewhere":
      return { text: `${name}: ${trouble.reason}`, command: trouble.next };
    case "broken":
      return { text: `git cannot read ${name}: ${firstLine(trouble.reason, 160)}`, command: `git -C ${path} fsck` };
    case "no-base":
      return {
        text: `${name} has no branch ${baseBranch} with a commit any more; this names another one`,
        command:
          repository.url === null
            ? `cos repo add ${path} --base BRANCH`
            : `cos repo edit ${shellWord(name)} --base BRANCH`,
      };
    case "slow":
      return {
        text: `${name}: there was no time to look at ${trouble.unread} finished ${trouble.unread === 1 ? "branch" : "branches"}`,
        command: `git -C ${path} branch --list "cos/*" --no-merged ${shellWord(baseBranch)}`,
      };
  }
}
