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
 * A bare mirror of one person's repository (D23): goal worktrees hang on it, so that what an agent configures, hooks
 * up or deletes never reaches the person's repository. An agent can write to the mirror; everything in it that git
 * would obey is therefore written again before each of our own steps.
 */
export interface Mirror {
  /** Absolute. */
  readonly dir: string;
  /** Absolute path of the person's repository. */
  readonly repositoryPath: string;
  readonly objectFormat: string;
  /** What `config` and `info/exclude` must say. */
  readonly config: string;
  readonly exclude: string;
}

/** Ignored in every worktree: ours, and what no repository means to record even where its ignore file forgot it. */
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

/** What a person's repository says of itself. `commit`: where the branch stands that was asked about; null where there is none. */
export interface PersonsRepository {
  readonly objectFormat: string;
  readonly excludePath: string;
  readonly commit: string | null;
}

/** Asks by one process of git, if the branch is there. Throws `GitError` when the repository cannot be read. */
export async function askPerson(repositoryPath: string, branch: string | null): Promise<PersonsRepository> {
  const person = { cwd: repositoryPath, configuration: "person's" } as const;
  const asked = ["rev-parse", "--show-object-format", "--path-format=absolute", "--git-path", "info/exclude"];
  if (branch !== null) {
    const told = await tryGit([...asked, `refs/heads/${branch}^{commit}`], person);
    // A path may hold a line break; neither a format nor a commit can.
    const [, objectFormat = "", excludePath = "", commit] =
      /^(\w+)\n([^]*)\n([0-9a-f]{40,64})\n$/.exec(told.type === "ok" ? told.stdout : "") ?? [];
    if (commit !== undefined) return { objectFormat, excludePath, commit };
  }
  const [, objectFormat = "", excludePath = ""] = /^(\w+)\n([^]*)\n$/.exec(await git(asked, person)) ?? [];
  return { objectFormat, excludePath, commit: null };
}

/** As `openMirror`, where the person's repository was asked. */
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
 * A mirror as it lies there, without the person's repository: for reading it where that is not. Null where there is none. What
 * the person's own ignore files say is not known then.
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

/** Makes the mirror obey us again, whatever was written into it. Cheap; called before each of our own steps. */
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

/** A git command on the mirror itself. Throws `GitError`. */
export async function mirrorGit(mirror: Mirror, args: readonly string[], options: MirrorOptions = {}): Promise<string> {
  const result = await tryMirrorGit(mirror, args, options);
  if (result.type === "failed") throw new GitError(args, result);
  return result.stdout;
}

/** As `mirrorGit`, where failing is an answer. */
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
 * Runs git on a mirror. A lock that a killed process left is removed, and so is what agents wrote at which git stops: lines of its files
 * that are none, refs that lead nowhere. What a disk has lost of objects is fetched again. Then the command is repeated.
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

/** What else git asks of a folder, `guardMirror` lays. */
async function needsCreation(dir: string): Promise<boolean> {
  const head = await readFile(join(dir, "HEAD"), "utf8").catch(() => null);
  const objects = await stat(join(dir, "objects")).catch(() => null);
  return head === null || objects?.isDirectory() !== true;
}

async function createMirror(mirror: Mirror): Promise<void> {
  await mkdir(mirror.dir, { recursive: true, mode: 0o700 });
  await layFolders(mirror.dir);
  // The format of refs and objects is named, so that a newer git's defaults do not contradict our configuration.
  const formats = { GIT_DEFAULT_REF_FORMAT: "files", GIT_DEFAULT_HASH: mirror.objectFormat };
  await git(["init", "--quiet", "--bare", "--template=", mirror.dir], {
    cwd: mirror.dir,
    configuration: "ours",
    environment: formats,
  });
}

/** Replaces a file's content in one step. Whatever stands in its place, a link too, is replaced, not followed. */
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
