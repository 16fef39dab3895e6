import type { Mirror } from "../../agent/git/mirror.ts";
import type { ArtifactType } from "../../core/critics/critic.ts";
import { isManifest } from "../../core/critics/dependencies.ts";
import { type Artifact, linesOfDiff, linesOfFiles } from "../../core/critics/lines.ts";
import { testsIn } from "../../core/critics/tests.ts";
import type { Goal } from "../../core/goals/goal.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { pinBase } from "../shared/base.ts";

/** The part of a run's work that is reviewed, and its commit. */
export interface WorkToReview {
  readonly goal: Goal;
  readonly run: Run;
  readonly type: ArtifactType;
  readonly commit: string;
}

/** The work as critics read it. */
export interface ReviewedWork {
  readonly text: string;
  readonly artifact: Artifact;
  /** Its name for people. */
  readonly name: string;
  /** True when it is too large to be reviewed. */
  readonly isTooLarge: boolean;
  /** The document that should be written is not in the commit. */
  readonly isAbsent?: true;
}

/** Larger changes are not approved automatically. A person looks at them. */
export const mostBytes = 2_000_000;

/** Reads the work of one kind. Null when there is none of that kind. A text says why it cannot be read now. Throws GitError. */
export async function readWork(
  deps: Deps,
  { goal, run, type, commit }: WorkToReview,
): Promise<ReviewedWork | string | null> {
  const base = await pinBase(deps, goal.repositoryId);
  if (base.type === "failed") return base.reason;
  const diff = await deps.git.rawDiff(base.mirror, run.baseCommit ?? base.commit, commit, mostBytes);
  const whole = linesOfDiff(diff.text);
  const isTooLarge = !diff.isWhole;
  const document = goal.linkage.kind === "spec" ? goal.linkage.path : null;
  if (type === "code") {
    const manifests = await manifestsIn(deps, base.mirror, commit, whole);
    if (document === null) return { text: diff.text, artifact: { ...whole, manifests }, name: "the code", isTooLarge };
    const artifact = { ...beside(whole, document), manifests };
    return isNothing(artifact) ? null : { text: textOf(artifact), artifact, name: "the code", isTooLarge };
  }
  if (type === "test") {
    const artifact = testsIn(whole);
    if (isNothing(artifact)) return null;
    return { text: textOf(artifact), artifact, name: "the tests", isTooLarge };
  }
  const path = document ?? "";
  const text = (await deps.git.textAt(base.mirror, commit, path, mostBytes))?.replaceAll("\0", "") ?? null;
  if (text === null) return { text: "", artifact: linesOfFiles([]), name: path, isTooLarge, isAbsent: true };
  const isWhole = Buffer.byteLength(text) < mostBytes;
  return { text, artifact: linesOfFiles([{ path, text }]), name: path, isTooLarge: isTooLarge || !isWhole };
}

/** Maximum number of manifests that are read. */
const mostManifests = 50;

/** The current texts of manifests with added lines. */
async function manifestsIn(
  { git }: Pick<Deps, "git">,
  mirror: Mirror,
  commit: string,
  { added }: Artifact,
): Promise<ReadonlyMap<string, string>> {
  const paths = [...new Set(added.map(({ path }) => path))].filter((path) => isManifest(path)).slice(0, mostManifests);
  const manifests = new Map<string, string>();
  for (const path of paths) {
    const text = await git.textAt(mirror, commit, path, mostBytes);
    if (text !== null) manifests.set(path, text);
  }
  return manifests;
}

/** The changes outside of a document. */
function beside({ added, removed, moved }: Artifact, document: string): Artifact {
  return {
    added: added.filter((line) => line.path !== document),
    removed: removed.filter((line) => line.path !== document),
    moved: moved.filter(({ from, to }) => from !== document && to !== document),
  };
}

function isNothing({ added, removed, moved }: Artifact): boolean {
  return added.length + removed.length + moved.length === 0;
}

function textOf({ added, removed, moved }: Artifact): string {
  return [
    ...moved.map(({ from, to }) => `${from} is ${to} now`),
    ...added.map((line) => `${line.path}:${line.number}: +${line.text}`),
    ...removed.map((line) => `${line.path}:${line.number}: -${line.text}`),
  ].join("\n");
}
