import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitOptions, GitError, type GitResult, git, tryGit } from "./git.ts";
import { pastBrokenRefs } from "./agent-objects.ts";
import { pastBrokenFiles } from "./broken-files.ts";
import { pastLostObjects } from "./lost-objects.ts";
import { inGitDir, layFolders } from "./mirror-folders.ts";
import { objectFormatIn } from "./object-format.ts";
import { ignoresNamed } from "./person-ignores.ts";
import { makePlain, makePlainHere } from "./plain-mirror.ts";
import { pastStaleLocks } from "./stale-locks.ts";

/**
 * A bare mirror of one person's repository (D23), to which the goals' worktrees belong. So an agent's configuration, hooks and
 * deletions never reach the person's repository. An agent can write to the mirror. Everything in it that git would obey is therefore
 * written again before each of our own steps.
 */
export interface Mirror {
  /** Absolute path of the mirror. */
  readonly dir: string;
  /** Absolute path of the person's repository. */
  readonly repositoryPath: string;
  readonly objectFormat: string;
  /** The required content of `config` and `info/exclude`. */
  readonly config: string;
  readonly exclude: string;
}

/** Ignored in every worktree: our folder, and files that no repository wants to record, even if its ignore file forgot them. */
const alwaysIgnored = [".cos/", "node_modules/", ".venv/", "__pycache__/", ".DS_Store"];

/**
 * Opens the mirror at `mirrorDir`, creating it when it is missing or broken. Throws `GitError` when the person's
 * repository cannot be read.
 */
export async function openMirror(options: {
  readonly mirrorDir: string;
  readonly repositoryPath: string;
}): Promise<Mirror> {
  const { mirrorDir, repositoryPath } = options;
  return await openAs(mirrorDir, repositoryPath, await askPerson(repositoryPath, null));
}

/** Facts about a person's repository. `commit` is the tip of the requested branch; null when there is none. */
export interface PersonsRepository {
  readonly objectFormat: string;
  readonly excludePath: string;
  readonly commit: string | null;
}

/** Asks git, by one process if the branch exists. Throws `GitError` when the repository cannot be read. */
export async function askPerson(repositoryPath: string, branch: string | null): Promise<PersonsRepository> {
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  const asked = ["rev-parse", "--show-object-format", "--path-format=absolute", "--git-path", "info/exclude"];
  if (branch !== null) {
    const told = await tryGit([...asked, `refs/heads/${branch}^{commit}`], person);
    // A path may contain a line break; a format and a commit cannot.
    const [, objectFormat = "", excludePath = "", commit] =
      /^(\w+)\n([^]*)\n([0-9a-f]{40,64})\n$/.exec(told.type === "ok" ? told.stdout : "") ?? [];
    if (commit !== undefined) return { objectFormat, excludePath, commit };
  }
  const [, objectFormat = "", excludePath = ""] = /^(\w+)\n([^]*)\n$/.exec(await git(asked, person)) ?? [];
  return { objectFormat, excludePath, commit: null };
}

/** Like `openMirror`, with the facts of `askPerson`. */
export async function openAs(dir: string, repositoryPath: string, person: PersonsRepository): Promise<Mirror> {
  const { objectFormat, excludePath } = person;
  const mirror: Mirror = {
    dir,
    repositoryPath,
    objectFormat,
    config: configTemplate(objectFormat, await ignoresNamed(repositoryPath)),
    exclude: `${alwaysIgnored.join("\n")}\n${await readFile(excludePath, "utf8").catch(() => "")}`,
  };
  await makePlain(dir);
  if (await needsCreation(mirror.dir)) await createMirror(mirror);
  await guardMirror(mirror);
  return mirror;
}

/**
 * Opens an existing mirror without the person's repository, to read it where that is missing. Null when there is no mirror. The
 * person's own ignore files are unknown in this case.
 */
export async function findMirror(dir: string): Promise<Mirror | null> {
  await makePlain(dir);
  const config = await readFile(join(dir, "config"), "utf8").catch(() => null);
  if (config === null) return null;
  const objectFormat = objectFormatIn(config);
  const exclude = `${alwaysIgnored.join("\n")}\n`;
  const mirror = { dir, repositoryPath: dir, objectFormat, config: configTemplate(objectFormat, ""), exclude };
  await guardMirror(mirror);
  return mirror;
}

/** Restores the mirror's configuration and layout, whatever was written into it. Cheap; called before each of our own steps. */
export async function guardMirror(mirror: Mirror): Promise<void> {
  await makePlainHere(mirror.dir);
  await layFolders(mirror.dir);
  await makePlainHere(join(mirror.dir, "info"));
  await Promise.all([
    rm(join(mirror.dir, "config.worktree"), { force: true }),
    rm(join(mirror.dir, "config.lock"), { force: true }),
    rm(join(mirror.dir, "hooks"), { recursive: true, force: true }),
    rm(join(mirror.dir, "logs"), { recursive: true, force: true }),
    rm(join(mirror.dir, "info", "attributes"), { recursive: true, force: true }),
    rm(join(mirror.dir, "info", "grafts"), { recursive: true, force: true }),
    writeIfDifferent(join(mirror.dir, "config"), mirror.config),
    writeIfDifferent(join(mirror.dir, "HEAD"), "ref: refs/heads/none\n"),
    writeIfDifferent(join(mirror.dir, "info", "exclude"), mirror.exclude),
  ]);
}

type MirrorOptions = Pick<GitOptions, "environment" | "input" | "encoding" | "maxBytes" | "timeoutMs">;

/** Runs a git command on the mirror itself. Throws `GitError`. */
export async function mirrorGit(mirror: Mirror, args: readonly string[], options: MirrorOptions = {}): Promise<string> {
  const result = await tryMirrorGit(mirror, args, options);
  if (result.type === "failed") throw new GitError(args, result);
  return result.stdout;
}

/** Like `mirrorGit`, but returns a failure as a value. */
export async function tryMirrorGit(
  mirror: Mirror,
  args: readonly string[],
  options: MirrorOptions = {},
): Promise<GitResult> {
  const environment = { ...inGitDir(mirror.dir), ...options.environment };
  const all: GitOptions = { ...options, cwd: mirror.dir, configuration: "ours", environment };
  return await pastOdds(mirror, () => tryGit(args, all));
}

/**
 * Runs git on a mirror, and repairs what makes it fail: a lock left by a killed process, malformed lines that agents wrote, refs that
 * lead nowhere, and objects that a disk has lost, which are copied again. Then the command is repeated.
 */
export function pastOdds({ dir, repositoryPath }: Mirror, run: () => Promise<GitResult>): Promise<GitResult> {
  const pastRefs = () => pastBrokenRefs(dir, () => pastBrokenFiles(dir, () => pastStaleLocks(dir, run)));
  return pastLostObjects({ dir, repositoryPath }, pastRefs);
}

function configTemplate(objectFormat: string, theirIgnores: string): string {
  const isSha1 = objectFormat === "sha1";
  return [
    "[core]",
    `\trepositoryformatversion = ${isSha1 ? 0 : 1}`,
    "\tfilemode = true",
    "\tbare = true",
    "\thooksPath = /dev/null",
    ...(theirIgnores === "" ? [] : [`\texcludesFile = ${JSON.stringify(theirIgnores)}`]),
    ...(isSha1 ? [] : ["[extensions]", `\tobjectFormat = ${objectFormat}`]),
    "[user]",
    "\tname = Chief of Staff",
    "\temail = chief-of-staff@localhost",
    "[commit]\n\tgpgSign = false",
    "[tag]\n\tgpgSign = false",
    "[gc]\n\tauto = 0",
    "[maintenance]\n\tauto = false",
    "[push]\n\tdefault = nothing",
    "",
  ].join("\n");
}

/** True when `HEAD` or `objects` is missing. `guardMirror` restores everything else. */
async function needsCreation(dir: string): Promise<boolean> {
  const head = await readFile(join(dir, "HEAD"), "utf8").catch(() => null);
  const objects = await stat(join(dir, "objects")).catch(() => null);
  return head === null || objects?.isDirectory() !== true;
}

async function createMirror(mirror: Mirror): Promise<void> {
  await mkdir(mirror.dir, { recursive: true, mode: 0o700 });
  await layFolders(mirror.dir);
  // Ref and object formats are given, so that the defaults of a newer git do not contradict our configuration.
  const formats = { GIT_DEFAULT_REF_FORMAT: "files", GIT_DEFAULT_HASH: mirror.objectFormat };
  await git(["init", "--quiet", "--bare", "--template=", mirror.dir], {
    cwd: mirror.dir,
    configuration: "ours",
    environment: formats,
  });
}

/** Replaces a file's content atomically. Whatever stands at the path, even a link, is replaced, not followed. */
async function writeIfDifferent(path: string, content: string): Promise<void> {
  const found = await readFile(path, "utf8").catch(() => null);
  if (found === content) return;
  const fresh = `${path}.${process.pid}.${performance.now()}`;
  await writeFile(fresh, content);
  try {
    await rename(fresh, path);
  } catch {
    await rm(path, { recursive: true, force: true });
    await rename(fresh, path);
  }
}
