import { cp, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { git } from "../agent/git/git.ts";
import { projectDir } from "../installed.ts";
import { findRepository, unfinishedIn } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { sampleDirOf } from "../paths.ts";
import { autopilotStart } from "./autopilot-start.ts";
import { goalAdd } from "./goal-add.ts";
import { holdsIt } from "./repo-remove.ts";
import { repoAdd } from "./repo.ts";
import { flag } from "./fields.ts";
import { type Caller, command, type CommandResult, type ReadyCall, refused } from "./command.ts";

/** The name of the sample's repository. */
export const repositoryName = "sample";

/** The sample: a small real repository, three goals, and a scripted agent that really works on them. */
export const sample = command({
  name: "sample",
  summary: "Try it: a small repository of its own, three goals, worked by a scripted agent.",
  access: "change",
  options: {
    trouble: flag("instead: two goals that meet trouble; one mends itself, one is escalated and waits for your reply"),
  },
  run: (deps, caller, { trouble }) => startSample(deps, caller, stepsWith(trouble ? "trouble.yaml" : "goals.yaml")),
});

async function startSample(deps: Deps, caller: Caller, steps: readonly ReadyCall[]): Promise<CommandResult> {
  const path = sampleDirOf(deps.config.dataDir);
  const known = await findRepository(deps.database.db, repositoryName);
  if (known !== null && known.location !== (await realpath(path).catch(() => path)))
    return refused(
      `${repositoryName} is a repository of yours: ${known.location}`,
      `cos repo edit ${repositoryName} --name NAME`,
    );
  if (known !== null) {
    // Somebody who tried it in the console may try it again in a chat.
    const holds = holdsIt(repositoryName, await unfinishedIn(deps.database.db, known.repositoryId));
    return holds ?? (await inOrder(deps, caller, steps));
  }
  await copySample(path);
  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}" --free`;
  return await inOrder(deps, caller, [repoAdd.with({ path, name: repositoryName, base: "main", agent }), ...steps]);
}

function stepsWith(goals: string): readonly ReadyCall[] {
  return [
    goalAdd.with({ repo: repositoryName, from: join(projectDir, "examples/sample-repo", goals) }),
    autopilotStart.with({ repo: repositoryName }),
  ];
}

/** Runs the calls in order. Returns the result of the last one, or the first refusal. */
async function inOrder(deps: Deps, caller: Caller, calls: readonly ReadyCall[]): Promise<CommandResult> {
  let last: CommandResult = refused("nothing was done");
  for (const call of calls) {
    last = await call.run(deps, caller);
    if (last.type === "refused") return last;
  }
  return last;
}

/** Makes a fresh copy with one commit on `main`; the rest of an earlier, interrupted try is replaced. */
async function copySample(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  const source = join(projectDir, "examples/sample-repo");
  // An installed package is itself in a folder of that name.
  await cp(source, path, { recursive: true, filter: (file) => !relative(source, file).includes("node_modules") });
  // npm does not pack a file of this name.
  await writeFile(join(path, ".gitignore"), "node_modules/\n");
  const environment = {
    GIT_AUTHOR_NAME: "Sample",
    GIT_AUTHOR_EMAIL: "sample@localhost",
    GIT_COMMITTER_NAME: "Sample",
    GIT_COMMITTER_EMAIL: "sample@localhost",
  };
  await git(["init", "--quiet", "--initial-branch=main"], { cwd: path, configuration: "ours" });
  await git(["add", "--all"], { cwd: path, configuration: "ours" });
  await git(["commit", "--quiet", "--message", "The sample repository"], {
    cwd: path,
    configuration: "ours",
    environment,
  });
}
