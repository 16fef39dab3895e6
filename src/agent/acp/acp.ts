import { safeOutput } from "../../core/secrets/mask.ts";
import { spaceLineIn, spaceWordsOf } from "../../core/space/no-space.ts";
import { keepOutput } from "../process/output.ts";
import { converse } from "./conversation.ts";
import type { TalkOutcome } from "./talk.ts";
import { commandWords } from "./command-line.ts";
import { startAgent } from "./process.ts";
import { throttledActivity } from "./activity.ts";
import { agentNames } from "./own-words.ts";
import type { Runner, RunResult } from "../process/runner.ts";
import { drained } from "../process/shell.ts";
import { keepEnd } from "../process/stream-text.ts";

/** Default time limit for an agent's answer to *initialize*. It is long because some agents download something at their first start. */
const longestStartMs = 120_000;

/** Characters of standard error that are kept. More than is shown, so that a secret in front of the shown part is masked whole. */
const keptErrors = 18_000;

/**
 * Runner for a coding agent that speaks the Agent Client Protocol, version 1, over stdio. The kept output is a transcript: the agent's
 * messages, plans and tool calls, and its standard error. Nothing the agent does makes it throw; it rejects only when the observer
 * rejects.
 */
export function acpRunner(commandLine: string): Runner {
  return async (request, observer, signal): Promise<RunResult> => {
    const startedAt = performance.now();
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    const command = commandLine;
    if (signal.aborted) return { type: "cut", command, durationMs: 0, output: null, noSpace: null };

    const keeper = keepOutput({ file: request.outputFile, secrets: request.secrets });
    const activity = throttledActivity(observer, request.secrets);
    let heard = (): void => {};
    const lastErrors = keepEnd(keptErrors);
    let unwritten: unknown = null;
    const start = await startAgent({
      commandLine,
      request,
      onBytes: () => heard(),
      onErrors: (chunk) => {
        keeper.take(chunk);
        lastErrors.take(chunk);
      },
    });
    if (start.type === "not-started") {
      const { reason } = start;
      const nothing = { durationMs: elapsed(), output: keeper.finish(), noSpace: spaceWordsOf(keeper.broken()) };
      return { type: "unavailable", command, reason, own: null, ...nothing };
    }

    const { child } = start.agent;
    let outcome: TalkOutcome;
    try {
      outcome = await converse({
        agent: start.agent,
        commandLine: commandWords(commandLine),
        programs: agentNames(commandWords(commandLine)),
        request,
        observer,
        activity,
        keeper,
        signal,
        startMs: request.startMs ?? longestStartMs,
        onHeard: (listener) => {
          heard = listener;
        },
        onUnwritten: (error) => {
          unwritten = error;
        },
        lastErrors: lastErrors.text,
      });
    } catch (error) {
      await buried();
      throw error;
    }
    const output = await buried();
    const noSpace = spaceWordsOf(keeper.broken()) ?? spaceWordsOf(unwritten) ?? toldSpace(outcome);
    return { ...outcome, command, durationMs: elapsed(), output, noSpace };

    /** Returns the line that reports a full disk, from the agent's errors only: its messages may be about the work. */
    function toldSpace(ended: TalkOutcome): string | null {
      if (ended.type !== "failed" && ended.type !== "unavailable" && ended.type !== "timeout") return null;
      const own = ended.type !== "timeout" && ended.own?.from === "protocol" ? ended.own.texts.join("\n") : "";
      return spaceLineIn(`${own}\n${safeOutput(lastErrors.text(), request.secrets)}`);
    }

    async function buried(): Promise<ReturnType<typeof keeper.finish>> {
      child.stdin?.end();
      child.terminate();
      await child.dead();
      if (child.stderr !== null) await drained(child.stderr);
      activity.flush();
      return keeper.finish();
    }
  };
}
