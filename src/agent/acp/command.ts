import { lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AgentWords, readAgentWords } from "../../core/recovery/agent-words.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { jsonOrNull } from "../../core/text/json.ts";
import { lastWords } from "../../core/text/last-words.ts";
import { firstLine } from "../../core/text.ts";
import { endWords } from "../process/end-words.ts";
import type { Runner, RunObserver, RunRequest, RunResult } from "../process/runner.ts";
import { runShell, type ShellResult } from "../process/shell.ts";
import { throttledActivity } from "./activity.ts";
import { commandWords } from "./command-line.ts";
import { agentNames, wordsInErrors, wordsInPlaceOfResult } from "./own-words.ts";

/** The folder of a worktree that is ours: ignored, never committed, laid out again for every attempt. */
export const ourFolder = ".cos";

/**
 * A program that works on a goal without a protocol: the prompt arrives on its standard input and lies in the file
 * named by `COS_PROMPT_FILE`, in the worktree's ignored `.cos/`. Exit code 0 is a claim (D27). No shell is involved.
 */
export function commandRunner(commandLine: string): Runner {
  return async (request, observer, signal) => {
    const command = commandWords(commandLine);
    const promptFile = await writeAgentInput(request.worktree, "prompt.md", request.prompt);
    return runAsRunner({
      request,
      observer,
      signal,
      label: commandLine,
      command,
      environment: { ...request.environment, COS_PROMPT_FILE: promptFile },
      agent: { prompt: request.prompt, programs: agentNames(command) },
    });
  };
}

/** The goal's own `--run`: a line for `sh -c`, without a prompt. */
export function shellRunner(command: string): Runner {
  return (request, observer, signal) =>
    runAsRunner({ request, observer, signal, label: command, command, environment: request.environment });
}

/** How much of the end of each of an agent's streams is looked at for why it ended. */
const longestEnd = 4_000;

async function runAsRunner(options: {
  readonly request: RunRequest;
  readonly observer: RunObserver;
  readonly signal: AbortSignal;
  readonly label: string;
  readonly command: string | readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** An agent reads its prompt, and what it writes to standard error is its own; a goal's command does neither. */
  readonly agent?: { readonly prompt: string; readonly programs: readonly string[] };
}): Promise<RunResult> {
  const { request, signal, label, agent } = options;
  const ends = { output: "", errors: "" };
  const activity = throttledActivity(options.observer, request.secrets);
  activity.say(`Running ${label}`);
  const shell = await runShell({
    command: options.command,
    cwd: request.worktree,
    runId: request.runId,
    environment: options.environment,
    enclosure: request.enclosure,
    secrets: request.secrets,
    ...(agent === undefined
      ? {}
      : {
          input: agent.prompt,
          onStream: (stream, chunk) => {
            ends[stream] = (ends[stream] + chunk.toString()).slice(-longestEnd);
          },
        }),
    timers: request.timers,
    timeoutMs: request.timeoutMs,
    inactivityMs: request.inactivityMs,
    outputFile: request.outputFile,
    signal,
    onOutput: (text) => activity.say(lastLineOf(text)),
  });
  activity.flush();
  if (agent === undefined || shell.end.type !== "exited") return resultOf(label, shell, null);
  // Said in the place of a result: it printed nothing else. What stands among other lines may be what its tests print.
  const instead = wordsInPlaceOfResult(safeOutput(ends.output, request.secrets).trim());
  // Who ended well met no limit, whatever it wrote to its errors on the way.
  if (shell.end.exitCode === 0) return resultOf(label, shell, instead);
  const errors = wordsInErrors(ends.errors, agent.programs, request.secrets);
  return resultOf(label, shell, readAgentWords(errors) === null ? (instead ?? errors) : errors);
}

/** The end of a command as a run's result. `label` is the command as a person wrote it. */
function resultOf(label: string, shell: ShellResult, own: AgentWords | null): RunResult {
  const common = { durationMs: shell.durationMs, output: shell.output, noSpace: shell.noSpace, command: label };
  const { end } = shell;
  switch (end.type) {
    case "exited":
      if (end.exitCode === 0 && own === null)
        return { ...common, type: "finished", exitCode: 0, summary: lastLine(shell), said: null };
      return { ...common, type: "failed", exitCode: end.exitCode, reason: failure(endWords(end), shell), own };
    case "signalled":
      return { ...common, type: "failed", exitCode: null, reason: failure(endWords(end), shell), own };
    case "timeout":
    case "inactive":
      return { ...common, type: "timeout", reason: endWords(end) };
    case "cut":
      return { ...common, type: "cut" };
    case "not-started":
      return { ...common, type: "unavailable", reason: end.reason, own };
  }
}

/**
 * Writes a file into the worktree's `.cos/` and returns its path. Whatever an agent has put in its place is replaced,
 * a link that leads elsewhere too. Throws when the file system does.
 */
export async function writeAgentInput(worktree: string, name: string, text: string): Promise<string> {
  const folder = join(worktree, ourFolder);
  const found = await lstat(folder).catch(() => null);
  if (found !== null && !found.isDirectory()) await rm(folder, { force: true });
  const path = join(folder, name);
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: "wx" });
  return path;
}

/** Of evidence and reports, about many criteria in whatever script, more is read than of what goes into a prompt. */
const longestOutput = { json: 1_000_000, text: 64_000 } as const;

/**
 * What an agent left in a file of the worktree's `.cos/`, which is taken away; null when it left none. Only a plain file
 * of bounded size is read: a link leads nowhere.
 */
export async function takeAgentOutput(worktree: string, name: string): Promise<string | null> {
  const path = join(worktree, ourFolder, name);
  const folder = await lstat(join(worktree, ourFolder)).catch(() => null);
  const found = folder?.isDirectory() === true ? await lstat(path).catch(() => null) : null;
  if (found === null) return null;
  const longest = name.endsWith(".json") ? longestOutput.json : longestOutput.text;
  const text = found.isFile() && found.size <= longest ? await readFile(path, "utf8") : null;
  await rm(path, { recursive: true, force: true });
  return text;
}

/** The same of a file that should hold JSON; null too when it does not. */
export async function takeAgentJson(worktree: string, name: string): Promise<unknown> {
  const text = await takeAgentOutput(worktree, name);
  return text === null ? null : jsonOrNull(text);
}

function failure(how: string, shell: ShellResult): string {
  const line = lastWords(shell.output?.tail ?? "");
  return line === "" ? how : `${how}: ${line}`;
}

function lastLine(shell: ShellResult): string {
  return lastLineOf(shell.output?.tail ?? "");
}

function lastLineOf(text: string): string {
  return firstLine(text.trimEnd().split("\n").at(-1) ?? "", 300);
}
