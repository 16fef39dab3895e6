import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Mirror } from "../../agent/git/mirror.ts";
import { afterClosing } from "../../agent/place/agent-room.ts";
import { endWords } from "../../agent/process/end-words.ts";
import { runSetup, type Setup } from "../../agent/verify/setup.ts";
import { lastWords } from "../../core/text/last-words.ts";
import type { Run } from "../../db/runs.ts";
import type { Deps } from "../../deps.ts";
import { assertSpace } from "./space-claims.ts";

/** A new worktree, and the repository's command that sets it up. */
interface SettingUp {
  readonly run: Run;
  readonly mirror: Mirror;
  readonly worktreeDir: string;
  readonly command: string;
  /** Relative to the data directory. */
  readonly outputFile: string;
  readonly signal: AbortSignal;
}

/** Runs the setup of a worktree, isolated in a room of its own. Throws NoSpace when it failed because the disk is full. */
export async function setUp(
  deps: Pick<Deps, "config" | "policy" | "space" | "timers" | "places">,
  { run, mirror, worktreeDir, command, outputFile: path, signal }: SettingUp,
): Promise<Setup> {
  const { runId } = run;
  const outputFile = join(deps.config.dataDir, path);
  await mkdir(dirname(outputFile), { recursive: true });
  const room = await deps.places.room({ worktree: worktreeDir, mirror, runId, outputFile });
  const working = runSetup({
    mirror,
    worktree: worktreeDir,
    shell: {
      enclosure: room.enclosure,
      command,
      runId,
      environment: {},
      secrets: deps.config.secrets,
      timers: deps.timers,
      timeoutMs: deps.policy.goals.setupTimeoutMs,
      outputFile,
      signal,
    },
  });
  const setup = await afterClosing(room, working);
  if (setup.type === "failed") await assertSpace(deps, run, command, setup.shell);
  return setup;
}

/** Returns why a setup failed: "npm ci: exit code 1. " and its last words, or without them if it printed nothing. */
export function setupFailureWords(command: string, { shell }: Extract<Setup, { readonly type: "failed" }>): string {
  const tail = lastWords(shell.output?.tail ?? "");
  const how = endWords(shell.end);
  return `${command}: ${tail === "" ? how : `${how}. ${tail}`}`;
}
