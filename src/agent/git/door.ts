import { takeLeftObjects } from "./agent-objects.ts";
import { keepLeft, leftWork } from "./attempt.ts";
import { fetchBase, openAtBase } from "./base.ts";
import { bundleWork, unbundleWork } from "./bundle.ts";
import { commitWork } from "./commit.ts";
import { changedFiles, differenceOf, diffText, rawDiff } from "./diff.ts";
import { heldForBackup, keptAttempts, keptReplaced } from "./kept-refs.ts";
import { dropRef, setBranchAside } from "./aside.ts";
import { contains, hasCommit, joinCommits, mergeCommits, moveBranch } from "./merge.ts";
import { findMirror, openMirror } from "./mirror.ts";
import { removeHalfWritten } from "./new-objects.ts";
import { packObjects } from "./pack-objects.ts";
import { publishBranch, pushToRemote } from "./publish.ts";
import { rebaseCommits } from "./rebase.ts";
import { askRemote, refresh } from "./remote.ts";
import { inspectRepository } from "./repository.ts";
import { deleteRef, restoreRefs, snapshotRefs, writeRef } from "./refs.ts";
import {
  filesAt,
  filesNaming,
  forgetWorktree,
  linksAt,
  prepareCheckout,
  prepareWorktree,
  removeWorktree,
  textAt,
  committedTree,
} from "./worktree.ts";

/** All git operations of a turn: mirror, worktree, commit, merge, publish. */
export const realGit = {
  askRemote,
  refresh,
  inspectRepository,
  openMirror,
  openAtBase,
  findMirror,
  fetchBase,
  bundleWork,
  unbundleWork,
  filesAt,
  linksAt,
  filesNaming,
  textAt,
  treeOf: committedTree,
  changedFiles,
  differenceOf,
  diffText,
  rawDiff,
  contains,
  hasCommit,
  prepareWorktree,
  keepLeft,
  leftWork,
  removeUnfinished: removeHalfWritten,
  packObjects,
  prepareCheckout,
  removeWorktree,
  forgetWorktree,
  takeLeftObjects,
  keptAttempts,
  keptReplaced,
  heldForBackup,
  commitWork,
  mergeCommits,
  joinCommits,
  rebaseCommits,
  snapshotRefs,
  restoreRefs,
  writeRef,
  deleteRef,
  dropRef,
  setAside: setBranchAside,
  moveBranch,
  publishBranch,
  pushToRemote,
} as const;

/** Git for a turn. Failures of git are `GitError` or return values, as each function says; a full disk is `NoSpace`. */
export type Git = typeof realGit;
