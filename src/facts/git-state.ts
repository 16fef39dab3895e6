import { type SeenBranches, readBranches } from "../agent/git/git-state.ts";
import { refresh } from "../agent/git/remote.ts";
import {
  type BranchNews,
  type BranchState,
  branchState,
  type FinishedBranch,
  newsKey,
  newsOf,
  type SeenBranch,
} from "../core/reports/branches.ts";
import type { GoalNews, NewsPlace, RepositoryNews } from "../core/reports/standup-facts.ts";
import type { Db } from "../db/connection/client.ts";
import { listRepositories } from "../db/repositories.ts";
import { finishedBranches } from "../db/standup.ts";
import { appendTimeline, eventsBetween } from "../db/timeline.ts";
import type { Deps } from "../deps.ts";
import { mirrorDirOf } from "../paths.ts";
import { originOf } from "./origin.ts";

/** The state of the finished branches of the last weeks, by the rows and by git. */
export interface GitFacts {
  readonly branches: readonly { readonly branch: FinishedBranch; readonly state: BranchState }[];
  /** News that no earlier standup has reported. */
  readonly news: readonly GoalNews[];
  readonly troubles: readonly RepositoryNews[];
}

const dayMs = 24 * 60 * 60_000;

/**
 * Reads all repositories in parallel, within the policy's timeout. Do not call it in a transaction: git may take long. A repository that
 * cannot be read is a line of its own. `since`: what standups have reported until then is not news.
 */
export async function gatherGit(
  deps: Pick<Deps, "database" | "now" | "policy" | "config">,
  since: Date,
): Promise<GitFacts> {
  const { db } = deps.database;
  const { lookBackMs, readWithinMs } = deps.policy.standup;
  const now = deps.now();
  const finished = await finishedBranches(db, new Date(now.getTime() - lookBackMs));
  const said = await saidNews(db, since, lookBackMs);
  const repositories = await listRepositories(db);

  const read = await Promise.all(
    repositories.map(async (repository) => {
      const branches = finished.filter((each) => each.repositoryId === repository.repositoryId);
      const { name, baseBranch, repositoryId } = repository;
      const origin = originOf(deps.config, repository);
      const { dir: path, remote } = origin;
      const mirrorDir = mirrorDirOf(deps.config.dataDir, repositoryId);
      const refreshed = await refresh(origin, baseBranch, { withinMs: readWithinMs });
      const reading: SeenBranches =
        refreshed.type === "failed"
          ? { branches: new Map(), trouble: { type: "elsewhere", ...refreshed.trouble } }
          : await readBranches({ repositoryPath: path, baseBranch, mirrorDir, branches, withinMs: readWithinMs });
      const place: NewsPlace = {
        name,
        path,
        url: remote?.url ?? null,
        baseBranch,
        mirrorDir,
        machine: deps.config.machine,
      };
      return { place, branches, reading };
    }),
  );

  const standing = read.flatMap(({ place, branches, reading }) =>
    branches.map((branch) => {
      const seen: SeenBranch = reading.branches.get(branch.goalId) ?? { type: "unread" };
      return { place, branch, seen, state: branchState(branch, seen, place.baseBranch, now) };
    }),
  );
  // For a removed repository, the rows say what was decided. Nothing else can be decided there.
  const away = finished
    .filter(({ repositoryId }) => repositories.every((each) => each.repositoryId !== repositoryId))
    .map((branch) => ({ branch, state: branchState(branch, { type: "unread" }, "", now) }))
    .filter(({ state }) => state.type !== "not-merged");
  return {
    branches: [...standing.map(({ branch, state }) => ({ branch, state })), ...away],
    news: standing.flatMap(({ place, branch, seen, state }): GoalNews[] => {
      const news = newsOf(state);
      // A branch that could not be read counts as unchanged: its state was reported before.
      if (seen.type === "unread" || news === null || said.has(`${branch.goalId}.${newsKey(news)}`)) return [];
      const { goalId, content, headCommit } = branch;
      const isBranchThere = seen.tip !== null;
      const found = { goalId, content, branch: branch.branch, headCommit, isBranchThere, repository: place, news };
      return [
        {
          ...found,
          ...broughtBy(
            news,
            standing.filter((each) => each.place === place),
          ),
        },
      ];
    }),
    troubles: read.flatMap(({ place, reading }) =>
      reading.trouble === null ? [] : [{ repository: place, trouble: reading.trouble }],
    ),
  };
}

interface BranchNow {
  readonly branch: FinishedBranch;
  readonly seen: SeenBranch;
  readonly state: BranchState;
}

/** The goal of the same repository whose merge brought the found commit into the base branch. Empty when no goal did. */
function broughtBy(news: BranchNews, standing: readonly BranchNow[]): Pick<GoalNews, "broughtBy"> {
  if (news.type !== "merged-by-hand" || news.commit === null) return {};
  const { commit } = news;
  const ours = standing.find(
    ({ branch, seen, state }) =>
      state.type === "merged" && (branch.headCommit === commit || (seen.type === "read" && seen.arrivedAs === commit)),
  );
  return ours === undefined ? {} : { broughtBy: { goalId: ours.branch.goalId, content: ours.branch.content } };
}

/** Keys of the news that posted standups have reported until a moment. */
async function saidNews(db: Db, until: Date, lookBackMs: number): Promise<ReadonlySet<string>> {
  const rows = await eventsBetween(
    db,
    "goal.found-in-git",
    new Date(until.getTime() - lookBackMs - dayMs),
    new Date(until.getTime() + 1),
  );
  return new Set(rows.map((row) => `${row.goalId}.${row.detail.key}`));
}

/** Records the news of a posted standup: the next one leaves them out, and the goals' timelines show them. */
export async function keepNews(tx: Db, news: readonly GoalNews[], now: Date): Promise<void> {
  await appendTimeline(
    tx,
    ...news.map(({ goalId, news: found, broughtBy: by }) => ({
      event: "goal.found-in-git" as const,
      goalId,
      at: now,
      detail: {
        news: found.type,
        commit: "commit" in found ? found.commit : null,
        key: newsKey(found),
        ...(by === undefined ? {} : { broughtBy: by.goalId }),
      },
    })),
  );
}
