import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { git } from "../agent/git/git.ts";
import { projectDir } from "../config.ts";
import { findRepository } from "../db/repositories.ts";
import type { Deps } from "../deps.ts";
import { sampleDirOf } from "../paths.ts";
import { autopilotStart } from "./autopilot-start.ts";
import { goalAdd } from "./goal-add.ts";
import { repoAdd } from "./repo.ts";
import { type Caller, command, type CommandResult, refused } from "./command.ts";

const repositoryName = "sample";

/** The sample campaign: a small real repository, three goals, and a scripted agent that really works on them. */
export const sample = command({
  name: "sample",
  summary: "Try it: a small repository of its own, three goals, worked by a scripted agent.",
  access: "change",
  run: startSample,
});

async function startSample(deps: Deps, caller: Caller): Promise<CommandResult> {
  if ((await findRepository(deps.database.db, repositoryName)) !== null) {
    return refused("the sample is set up already", `cos goals --repo ${repositoryName}`);
  }
  const path = sampleDirOf(deps.config.dataDir);
  await copySample(path);

  const agent = `acp:"${process.execPath}" "${join(projectDir, "examples/scripted-agent/agent.mjs")}"`;
  const repo = repositoryName;
  const steps = [
    repoAdd.with({ path, name: repo, base: "main", agent }),
    goalAdd.with({ repo, from: join(projectDir, "examples/sample-repo/goals.yaml") }),
    autopilotStart.with({ repo }),
  ];
  let last: CommandResult = refused("nothing was done");
  for (const step of steps) {
    last = await step.run(deps, caller);
    if (last.type === "refused") return last;
  }
  return last;
}

/** A fresh copy with one commit on `main`; what an earlier, interrupted try left is replaced. */
async function copySample(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  const source = join(projectDir, "examples/sample-repo");
  await cp(source, path, { recursive: true, filter: (file) => !file.includes("node_modules") });
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
