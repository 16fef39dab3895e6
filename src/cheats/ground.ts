import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { git, tryGit } from "../agent/git/git.ts";
import type { Criterion } from "../core/acceptance/spec.ts";
import { type CheatRunner, runnerOf } from "../core/cheats/cheat.ts";
import { fileKinds, isProgram } from "../core/files/kind.ts";
import { type Edit, sourceMisses } from "../core/trials/near-miss.ts";
import type { Deps } from "../deps.ts";
import { type Bash, undefended } from "./undefended.ts";

/** A repository for the trials of one criterion. The criterion fails in it, because of a planted mistake. */
export interface CheatGround {
  readonly path: string;
  /** The file with the mistake, which the criterion's tests use. */
  readonly source: string;
  readonly tests: readonly string[];
  readonly runner: CheatRunner;
  /** The planted mistake in words; null when the criterion fails already. */
  readonly planted: string | null;
  /** The change that the work makes before it cheats, when the criterion guards; null when the mistake is in the base. */
  readonly breaks: Edit | null;
}

/** The subject of the trials, as a person named it. */
export interface CheatSubject {
  /** The root of the repository. */
  readonly path: string;
  readonly commit: string;
  readonly setup: string | null;
  /** The text of the criteria file. */
  readonly text: string;
  readonly criteria: readonly Criterion[];
  /** True when the base passes unchanged: the work then plants the mistake and cheats. */
  readonly guards: boolean;
}

/** Maximum number of files in which mistakes are planted before the criterion counts as blind to them. */
const mostFiles = 12;

/** Makes the ground of a criterion in `folder`, which must not exist. Returns a text when there is none, with the reason. */
export async function layCheatGround(
  deps: Deps,
  { path: from, commit, setup, guards }: CheatSubject,
  criterion: Criterion,
  folder: string,
): Promise<CheatGround | string> {
  const bash = criterion.verification;
  if (bash.method !== "bash") return "no command verifies it";
  await copyCommit(from, commit, folder);
  const { sources, tests, text } = await filesOf(deps, folder, bash);
  const trying = { path: folder, setup, criterion, bash };
  if (!(await undefended(deps, trying, null))) {
    const [source] = sources;
    const runner = source === undefined ? null : runnerOf(source, text);
    if (guards) return "it fails as it is: it guards nothing";
    if (source === undefined || runner === null) return "no cheat is known for its language";
    return { path: folder, source, tests, runner, planted: null, breaks: null };
  }
  for (const source of sources.slice(0, mostFiles)) {
    const runner = runnerOf(source, text);
    if (runner === null) continue;
    const before = await readFile(join(folder, source), "utf8");
    const lines = new Set(before.split("\n").map((_line, index) => index));
    for (const edit of sourceMisses(source, before, lines)) {
      await plant(folder, edit);
      const isSeen = !(await undefended(deps, trying, null));
      const ground = { path: folder, source, tests, runner, planted: edit.what };
      if (isSeen && !guards) return { ...ground, breaks: null };
      await git(["reset", "--quiet", "--hard", commit], { cwd: folder, configuration: "ours" });
      if (isSeen) return { ...ground, breaks: edit };
    }
  }
  return "it passes whatever mistake is planted";
}

/** Clones a repository at a commit; the clone shares nothing with the person's repository. */
async function copyCommit(from: string, commit: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await git(["clone", "--quiet", "--no-hardlinks", "--no-checkout", "--", from, folder], {
    cwd: dirname(folder),
    configuration: "person's",
  });
  await git(["checkout", "--quiet", "-B", "main", commit], { cwd: folder, configuration: "ours" });
}

async function plant(folder: string, { path, text }: Edit): Promise<void> {
  await writeFile(join(folder, path), text);
  const who = ["-c", "user.name=Chief of Staff", "-c", "user.email=chief-of-staff@localhost"];
  await git([...who, "commit", "--quiet", "--all", "--message=A mistake"], { cwd: folder, configuration: "ours" });
}

/** Lists the files. Programs that tests name come first, because tests notice mistakes in them most often. */
async function filesOf(
  deps: Deps,
  folder: string,
  { command }: Bash,
): Promise<{ readonly sources: string[]; readonly tests: string[]; readonly text: string }> {
  const kindOf = fileKinds(deps.policy);
  const listed = await git(["ls-files", "-z"], { cwd: folder, configuration: "ours" });
  const files = listed.split("\0").filter((path) => path !== "");
  const tests = files.filter((path) => kindOf(path).role === "test");
  const sources = files.filter((path) => kindOf(path).role === "source" && isProgram(path));
  const named: string[] = [];
  for (const path of sources) {
    const word =
      path
        .split("/")
        .at(-1)
        ?.replace(/\.\w+$/, "") ?? path;
    const asked = ["grep", "--quiet", "--fixed-strings", "--word-regexp", "-e", word, "--", ...tests];
    const isNamed = tests.length > 0 && (await tryGit(asked, { cwd: folder, configuration: "ours" })).type === "ok";
    if (isNamed) named.push(path);
    if (named.length >= mostFiles) break;
  }
  const manifest = await readFile(join(folder, "package.json"), "utf8").catch(() => "");
  return { sources: [...new Set([...named, ...sources])], tests, text: `${command}\n${manifest}` };
}
