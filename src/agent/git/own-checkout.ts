import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readsObjectsOf } from "./alternates.ts";
import { assertCommit, git } from "./git.ts";
import { guardMirror, type Mirror } from "./mirror.ts";
import { fillSubmodules } from "./submodules.ts";

/** Files taken from another commit, and files that must be absent (D26). */
export interface Overlay {
  readonly from: string;
  readonly files: readonly string[];
  readonly absent: readonly string[];
}

/**
 * Creates a separate repository in `directory`, which must not exist, at `commit`, on no branch, with `overlay` applied. It uses the
 * mirror's objects at `objects`, a path as seen by whoever works there; no change in it reaches the mirror. `refs` are extra names for
 * commits. Throws `GitError`.
 */
export async function checkOutAlone(options: {
  readonly mirror: Mirror;
  readonly directory: string;
  readonly commit: string;
  readonly overlay: Overlay;
  readonly refs: Readonly<Record<string, string>>;
  readonly objects: string;
}): Promise<void> {
  const { mirror, directory, commit, overlay } = options;
  assertCommit(commit);
  assertCommit(overlay.from);
  await guardMirror(mirror);
  const own = join(directory, ".git");
  const formats = { GIT_DEFAULT_REF_FORMAT: "files", GIT_DEFAULT_HASH: mirror.objectFormat };
  const ours = { cwd: dirname(directory), configuration: "ours" } as const;
  await git(["init", "--quiet", "--template=", directory], { ...ours, environment: formats });
  await mkdir(join(own, "info"), { recursive: true });
  await writeFile(join(own, "info", "exclude"), mirror.exclude);
  await writeFile(join(own, "objects", "info", "alternates"), `${options.objects}\n`);
  for (const [name, at] of [["HEAD", commit] as const, ...Object.entries(options.refs)]) {
    assertCommit(at);
    await mkdir(dirname(join(own, name)), { recursive: true });
    await writeFile(join(own, name), `${at}\n`);
  }
  await appendFile(join(own, "config"), "[user]\n\tname = Builder\n\temail = builder@localhost\n[gc]\n\tauto = 0\n");
  const environment = {
    GIT_DIR: own,
    GIT_WORK_TREE: directory,
    ...readsObjectsOf(join(mirror.dir, "objects")),
  };
  await git(["reset", "--quiet", "--hard", commit], { ...ours, environment });
  await fillSubmodules(mirror, directory, commit);
  for (const file of overlay.absent) await rm(join(directory, file), { recursive: true, force: true });
  if (overlay.files.length === 0) return;
  const args = ["--literal-pathspecs", "checkout", overlay.from, "--pathspec-from-file=-", "--pathspec-file-nul"];
  await git(args, { ...ours, cwd: directory, environment, input: overlay.files.join("\0") });
}
