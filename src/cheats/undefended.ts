import { cp, mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../agent/git/tree.ts";
import { afterClosing } from "../agent/place/agent-room.ts";
import { runShell } from "../agent/process/shell.ts";
import { verifyCommand } from "../agent/verify/verify.ts";
import type { Criterion } from "../core/acceptance/spec.ts";
import { temporaryNames } from "../core/housekeeping/folders.ts";
import type { Deps } from "../deps.ts";

export type Bash = Extract<Criterion["verification"], { method: "bash" }>;

/** A criterion and the repository in which it is tried. */
export interface UndefendedTrial {
  readonly path: string;
  readonly setup: string | null;
  readonly criterion: Criterion;
  readonly bash: Bash;
}

/** A shell script that runs before the criterion is verified, with its variables. */
export interface ScriptBefore {
  readonly script: string;
  readonly told: Readonly<Record<string, string>>;
}

/**
 * True when the criterion passes without any defence: in the folder in which the work was done, with the same HOME, temporary files and
 * neighbouring files. It is isolated from the rest of this machine like an agent.
 */
export async function undefended(
  deps: Deps,
  { path, setup, criterion, bash }: UndefendedTrial,
  done: ScriptBefore | null,
): Promise<boolean> {
  const root = await realpath(await mkdtemp(join(tmpdir(), temporaryNames.cheats)));
  const cwd = join(root, "project");
  const runId = deps.newId("cheat");
  const outputFolder = join(deps.config.dataDir, "output", runId);
  for (const folder of [join(root, "home"), join(root, "tmp"), outputFolder]) await mkdir(folder, { recursive: true });
  try {
    await cp(path, cwd, { recursive: true, verbatimSymlinks: true });
    const mirror = { dir: join(cwd, ".git") };
    const room = await deps.places.room({ worktree: root, mirror, runId, outputFile: join(outputFolder, "room.txt") });
    const home = join(root, "home");
    // When npm started us, its variable would point to settings in the real HOME.
    const environment = { HOME: home, npm_config_userconfig: join(home, ".npmrc"), PYTHONDONTWRITEBYTECODE: "1" };
    const common = { cwd, runId, enclosure: room.enclosure, secrets: deps.config.secrets, timers: deps.timers };
    const timeoutMs = deps.policy.goals.setupTimeoutMs;
    async function run(command: string, told: Readonly<Record<string, string>>): Promise<void> {
      const outputFile = join(outputFolder, "before.txt");
      await runShell({ ...common, command, environment: { ...environment, ...told }, timeoutMs, outputFile });
    }
    async function work(): Promise<boolean> {
      if (setup !== null) await run(setup, {});
      if (done !== null) await run(done.script, done.told);
      const signal = new AbortController().signal;
      const inside = { cwd, environment, enclosure: room.enclosure };
      const result = await verifyCommand(criterion, bash, { ...common, inside, outputFolder, signal });
      return result.status === "pass";
    }
    return await afterClosing(room, work());
  } finally {
    await removeTree(root);
    await removeTree(outputFolder);
  }
}
