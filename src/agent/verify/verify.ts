import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { longestTimeoutSeconds } from "../../core/acceptance/verification.ts";
import { unmet } from "../../core/acceptance/pass-condition.ts";
import { tellingLines } from "../../core/acceptance/telling-lines.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import { type Criterion, type Spec, unknownMethod } from "../../core/acceptance/spec.ts";
import { closedFilesWords } from "../../core/isolation/files.ts";
import { reachesNothing, shutNetworkWords } from "../../core/isolation/network.ts";
import { spaceWordsOf } from "../../core/space/no-space.ts";
import { inOneLine } from "../../core/text/bounds.ts";
import { exitCodeWords } from "../../core/text/exit-code.ts";
import { formatDuration, shorten } from "../../core/text.ts";
import { killOwn } from "../process/orphans.ts";
import { leftOutLine } from "../process/output.ts";
import type { KeptOutput } from "../process/runner.ts";
import { runShell, type ShellResult } from "../process/shell.ts";
import { examine } from "./examine.ts";
import type { VerifyOptions } from "./verifying.ts";

/** Runs criteria against a directory. The system does this itself; the author of the work has no part in it (AC-10…13). */

/**
 * Gives every criterion of the spec a result, in the spec's order; none is skipped (S2-DN-01). Commands share one directory and run one
 * after the other, in the order of the file: a later one may need what an earlier one builds. Examinations run in parallel, each in its
 * own copy. Never rejects because of what runs.
 */
export async function verifySpec(spec: Spec, options: VerifyOptions): Promise<readonly CriterionResult[]> {
  await mkdir(options.outputFolder, { recursive: true });
  const results = new Map<string, CriterionResult>();

  async function worker(waiting: Criterion[]): Promise<void> {
    for (let criterion = waiting.shift(); criterion !== undefined; criterion = waiting.shift()) {
      const same = sameCommand(spec, criterion);
      const found = same === undefined ? undefined : results.get(same.id);
      const result = takenOver(found, criterion) ?? (await verifyOne(criterion, spec, options));
      results.set(criterion.id, result);
      options.onResult(result);
    }
  }

  const commands = spec.criteria.filter(({ verification }) => verification.method === "bash");
  const others = spec.criteria.filter((each) => !commands.includes(each));
  const beside = Math.max(1, options.parallel - (commands.length === 0 ? 0 : 1));
  await Promise.all([worker(commands), ...Array.from({ length: beside }, () => worker(others))]);
  await killOwn(options.runId);
  return spec.criteria.flatMap((criterion) => results.get(criterion.id) ?? []);
}

/** An earlier criterion with the same command and conditions: a check of the repository may also be a goal's own criterion. */
export function sameCommand<C extends Pick<Criterion, "verification">>(
  { criteria }: { readonly criteria: readonly C[] },
  { verification }: C,
): C | undefined {
  if (verification.method !== "bash") return undefined;
  const asked = JSON.stringify(verification);
  const first = criteria.find((each) => JSON.stringify(each.verification) === asked);
  return first?.verification === verification ? undefined : first;
}

/** Reuses the result of the same command, which is not run again. Null when there is none, or it is neither pass nor fail. */
function takenOver(found: CriterionResult | undefined, { id, slug }: Criterion): CriterionResult | null {
  const isTelling = found?.status === "pass" || found?.status === "fail";
  return found !== undefined && isTelling && found.noSpace == null ? { ...found, id, slug, durationMs: 0 } : null;
}

async function verifyOne(criterion: Criterion, spec: Spec, options: VerifyOptions): Promise<CriterionResult> {
  const { verification } = criterion;
  switch (verification.method) {
    case "bash":
      return await verifyCommand(criterion, verification, options);
    case "subagent":
      return await examine(criterion, verification, spec, options).catch((error: unknown) => {
        // The other examinations continue; this result says that the criterion is not proven.
        const noSpace = spaceWordsOf(error);
        if (noSpace === null) throw error;
        const found = {
          status: "not-checked",
          method: "subagent",
          by: "subagent",
          details: [noSpace],
          noSpace,
        } as const;
        return { id: criterion.id, slug: criterion.slug, durationMs: 0, output: null, ...found };
      });
    case "ci":
    case "manual":
    case "unknown":
      return unrun(criterion, verification);
  }
}

type Unrun = Exclude<Criterion["verification"], { method: "bash" | "subagent" }>;

/** The result of a criterion for which nothing is run. */
export function unrun({ id, slug }: Pick<Criterion, "id" | "slug">, verification: Unrun): CriterionResult {
  const base = { id, slug, durationMs: 0, output: null };
  switch (verification.method) {
    case "manual":
      return {
        ...base,
        status: "requires-human",
        method: "manual",
        by: "a person",
        details: linesOf(verification.instructions),
      };
    case "ci":
      return {
        ...base,
        status: "requires-human",
        method: "ci",
        by: "the forge",
        details: ["it is checked at the forge when the work is there: look at the checks of its pull request"],
      };
    case "unknown":
      return {
        ...base,
        status: "fail",
        method: "unknown",
        by: verification.named,
        details: [unknownMethod(verification)],
      };
  }
}

type Bash = Extract<Criterion["verification"], { method: "bash" }>;

/**
 * Runs one command and checks its condition. Processes that it leaves running belong to its run. Never rejects because of the command.
 */
export async function verifyCommand(
  criterion: Criterion,
  bash: Bash,
  verifying: Pick<VerifyOptions, "inside" | "outputFolder" | "runId" | "secrets" | "timers" | "signal">,
): Promise<CriterionResult> {
  const outputFile = join(verifying.outputFolder, `${criterion.id}.txt`);
  const { reaching, ...inside } = verifying.inside;
  const reached = bash.network === undefined ? undefined : await reaching?.(bash.network);
  const shut = reached === undefined ? inside : { ...inside, enclosure: reached.enclosure };
  const shell = await runShell({
    ...shut,
    command: bash.command,
    runId: verifying.runId,
    secrets: verifying.secrets,
    timers: verifying.timers,
    timeoutMs: bash.timeoutSeconds * 1000,
    outputFile,
    signal: verifying.signal,
  });
  await reached?.close();
  const output = shell.output === null ? "" : await readKept(shell.output);
  const failures = problemsOf(shell, bash, output);
  const problems = (shut.enclosure ?? null) === null ? failures : withShut(failures, bash, output);
  const name = shorten(inOneLine(bash.command, "; "), 120);
  return {
    id: criterion.id,
    slug: criterion.slug,
    status: problems.length === 0 ? "pass" : "fail",
    method: "bash",
    by: name,
    details: problems.length === 0 ? [`${name} exited ${exitCodeOf(shell) ?? 0}`] : problems,
    exitCode: exitCodeOf(shell),
    durationMs: Math.round(shell.durationMs),
    output: shell.output,
    // For a passed command, its words about disk space do not matter; that its output could not be kept does.
    noSpace: problems.length > 0 || shell.output === null ? shell.noSpace : null,
  };
}

/** Reads a kept output. The line that we inserted between its start and end is replaced, so that no condition matches it. */
async function readKept(output: KeptOutput): Promise<string> {
  const text = await readFile(output.file, "utf8").catch(() => output.tail);
  return output.truncated ? text.replace(leftOutLine(output.bytes), "\n…\n") : text;
}

function exitCodeOf({ end }: ShellResult): number | null {
  return end.type === "exited" ? end.exitCode : null;
}

/** Adds words about missing network and write access after the first line, which says how the command ended. */
function withShut([first, ...others]: readonly string[], { network = reachesNothing }: Bash, output: string): string[] {
  return first === undefined
    ? []
    : [first, ...shutNetworkWords(output, network), ...closedFilesWords(output), ...others];
}

/** Why a command did not pass, the main reason first; empty when it passed. S2-DN-02, S2-DN-03, S2-DN-09. */
function problemsOf(shell: ShellResult, bash: Bash, output: string): string[] {
  const { end } = shell;
  const name = shorten(inOneLine(bash.command, "; "), 80);
  switch (end.type) {
    case "timeout":
      return [`${name} timed out after ${bash.timeoutSeconds}s`, ...moreTime(bash), ...tellingLines(output)];
    case "inactive":
      return [`${name} was silent for ${formatDuration(end.afterMs)}`, ...tellingLines(output)];
    case "cut":
      return [`${name} was cut short`];
    case "not-started":
      return [`${name} could not be started: ${end.reason}`];
    case "signalled":
      return [`${name} was ended by ${end.signal}`, ...tellingLines(output)];
    case "exited": {
      const problems = unmet(bash.condition, end.exitCode, output, shell.output?.truncated ?? false);
      if (problems.length === 0) return [];
      return [`${name} exited with code ${exitCodeWords(end.exitCode)}`, ...problems, ...tellingLines(output)];
    }
  }
}

/** Advice to give a criterion more time. */
function moreTime({ timeoutSeconds }: Bash): string[] {
  const most = longestTimeoutSeconds;
  return timeoutSeconds < most ? [`timeout_seconds of its criterion gives it more, at most ${most}`] : [];
}

function linesOf(text: string): string[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.length === 0 ? ["see the criterion"] : lines;
}
