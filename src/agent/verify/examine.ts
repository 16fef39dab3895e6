import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesShown, lookedAfter, readExamination } from "../../core/acceptance/examination.ts";
import type { CriterionResult } from "../../core/acceptance/results.ts";
import type { Criterion, Spec } from "../../core/acceptance/spec.ts";
import { examinePrompt } from "../../core/prompts/examine.ts";
import type { RunResult } from "../process/runner.ts";
import { lineCounts } from "./looked.ts";
import type { VerifyOptions } from "./verifying.ts";

type Subagent = Extract<Criterion["verification"], { method: "subagent" }>;

/**
 * Has a subagent examine a criterion in a copy of the files (AC-12). Only its last message counts, if it answers this examination. Of
 * the evidence it names, only what the system finds too counts (F-204).
 */
export async function examine(
  criterion: Criterion,
  subagent: Subagent,
  spec: Spec,
  options: VerifyOptions,
): Promise<CriterionResult> {
  const { examiner } = options;
  const by = subagent.agent ?? "subagent";
  const base = { id: criterion.id, slug: criterion.slug, method: "subagent" as const, by };
  if (examiner === null) {
    const details = [options.whyUnexamined, ...subagent.checks];
    return { ...base, status: "not-checked", details, durationMs: 0, output: null };
  }
  const nonce = randomBytes(8).toString("hex");
  const outputFile = join(options.outputFolder, `${criterion.id}.txt`);
  const place = await options.copy();
  const startedAt = performance.now();
  try {
    const result = await examiner.runner(
      {
        runId: options.runId,
        goalId: criterion.id,
        worktree: place.directory,
        outputFile,
        prompt: examinePrompt({
          ...criterion,
          ...subagent,
          nonce,
          definition: subagent.agent === null ? null : (spec.agents[subagent.agent] ?? null),
        }),
        agentSessionId: null,
        timers: options.timers,
        timeoutMs: subagent.timeoutSeconds * 1000,
        inactivityMs: subagent.timeoutSeconds * 1000,
        environment: examiner.environment,
        enclosure: place.enclosure,
        secrets: options.secrets,
        allowedCommands: [],
        grants: [],
      },
      { ...silentObserver, ...examiner.purse?.(criterion.id) },
      options.signal,
    );
    const durationMs = Math.round(performance.now() - startedAt);
    const { output, noSpace } = result;
    const unseen = { ...base, status: "not-checked" as const, durationMs, output, noSpace };
    if (result.type !== "finished") {
      const reason = "reason" in result ? result.reason : result.type;
      const details = [`${examiner.label} could not examine it: ${reason}`];
      return { ...unseen, details, unjudged: result.type !== "cut" };
    }
    const answered = readExamination({ ...(await lastWords(result)), nonce, checks: subagent.checks });
    if (answered === null)
      return { ...unseen, details: [`${examiner.label} gave no answer that can be read`], unjudged: true };
    const lines = await linesAsGiven(options, filesShown(answered), place.directory);
    const findings = lookedAfter(answered, { lines, ran: result.said?.ran ?? null });
    const failing = findings.filter((finding) => !finding.pass);
    const shown = (failing.length > 0 ? failing : findings).map((finding) => `${finding.check}: ${finding.evidence}`);
    return { ...base, status: failing.length === 0 ? "pass" : "fail", details: shown, durationMs, output, noSpace };
  } finally {
    await place.remove();
  }
}

/** Line counts of the files that the answer refers to, from a copy that nobody has touched. */
async function linesAsGiven(
  options: VerifyOptions,
  paths: readonly string[],
  examined: string,
): Promise<Readonly<Record<string, number>>> {
  if (paths.length === 0) return {};
  const untouched = await options.copy();
  try {
    return await lineCounts(untouched.directory, paths, [examined, options.inside.cwd]);
  } finally {
    await untouched.remove();
  }
}

/** The examiner's last message. A program without a protocol may have printed text of others too. */
async function lastWords({
  said,
  output,
}: Extract<RunResult, { type: "finished" }>): Promise<{ readonly message: string; readonly isTranscript: boolean }> {
  if (said !== null) return { message: said.message, isTranscript: false };
  const printed = output === null ? "" : await readFile(output.file, "utf8").catch(() => output.tail);
  return { message: printed, isTranscript: true };
}

/** An examiner only reads, so every permission is rejected. */
const silentObserver = {
  onActivity: () => undefined,
  onAgentSession: async () => undefined,
  onSpend: async () => undefined,
  onPermission: async () => "reject" as const,
};
