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
import { keepEnd } from "../process/stream-text.ts";
import { throttledActivity } from "./activity.ts";
import { commandWords } from "./command-line.ts";
import { agentNames, wordsInErrors, wordsInPlaceOfResult } from "./own-words.ts";

/** Our folder in a worktree: ignored by git, never committed, written again for every attempt. */
export const ourFolder = ".cos";

/**
 * Runner for a program that works on a goal without a protocol. The program gets the prompt on standard input and in the file named by
 * `COS_PROMPT_FILE`, in the worktree's ignored `.cos/`. Exit code 0 is a claim (D27). No shell is involved.
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

/** Runner for the goal's own `--run`: a line for `sh -c`, without a prompt. */
export function shellRunner(command: string): Runner {
  return (request, observer, signal) =>
    runAsRunner({ request, observer, signal, label: command, command, environment: request.environment });
}

/** Characters that are kept from the end of each of an agent's streams, to find out why it ended. */
const longestEnd = 4_000;

async function runAsRunner(options: {
  readonly request: RunRequest;
  readonly observer: RunObserver;
  readonly signal: AbortSignal;
  readonly label: string;
  readonly command: string | readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Set for an agent, which reads its prompt and whose standard error is its own. Not set for a goal's command. */
  readonly agent?: { readonly prompt: string; readonly programs: readonly string[] };
}): Promise<RunResult> {
  const { request, signal, label, agent } = options;
  const ends = { output: keepEnd(longestEnd), errors: keepEnd(longestEnd) };
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
          onStream: (stream, chunk) => ends[stream].take(chunk),
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
  // Standard output is the agent's own words only when it has nothing else: other lines may be output of its tests.
  const instead = wordsInPlaceOfResult(safeOutput(ends.output.text(), request.secrets).trim());
  // An agent that exits with 0 met no limit, whatever it wrote to standard error.
  if (shell.end.exitCode === 0) return resultOf(label, shell, instead);
  const errors = wordsInErrors(ends.errors.text(), agent.programs, request.secrets);
  return resultOf(label, shell, readAgentWords(errors) === null ? (instead ?? errors) : errors);
}

/** Turns the end of a command into the result of a run. `label` is the command as a person wrote it. */
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
 * Writes a file into the worktree's `.cos/` and returns its path. Replaces whatever the agent has put there, including a link that
 * leads elsewhere. Throws when the file system does.
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

/**
 * Maximum file size in bytes. JSON (evidence, reports) may be larger than text that goes into a prompt: it covers many criteria, in any
 * script.
 */
const longestOutput = { json: 1_000_000, text: 64_000 } as const;

/**
 * Reads and removes a file that an agent left in the worktree's `.cos/`. Null when there is none, when it is not a plain file (a link
 * is not followed), or when it is too large.
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

/** Like `takeAgentOutput`, parsed as JSON. Null also when the file is not valid JSON. */
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
