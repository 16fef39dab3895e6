import { setTimeout as sleep } from "node:timers/promises";
import { RequestError } from "@agentclientprotocol/sdk";
import { type AgentWords, readAgentWords, saysNoMoney } from "../../core/recovery/agent-words.ts";
import { safeAfter, safeOutput } from "../../core/secrets/mask.ts";
import { exitCodeWords } from "../../core/text/exit-code.ts";
import { lastWords } from "../../core/text/last-words.ts";
import { firstLine, formatDuration } from "../../core/text.ts";
import { endWords } from "../process/end-words.ts";
import type { AgentSaid } from "../process/runner.ts";
import { type HelloAnswer, unreadableWords } from "./answers.ts";
import { lineOf, protocolErrorWords } from "./error-words.ts";
import { wordsInErrors, wordsInPlaceOfResult } from "./own-words.ts";
import type { PermissionDesk } from "./permissions.ts";
import type { TalkOutcome, Talk } from "./talk.ts";

/** Converts the end of a conversation with an agent into our outcomes. */

/** Maximum number of characters kept of the agent's last message. */
const longestSummary = 2_000;

/** Time to wait for the exit of a process whose output has closed: the exit says more. */
const exitGraceMs = 5_000;

/** The outcome when the agent ended its turn. `stopReason` is null when the agent gave none. */
export function stopOutcome(talk: Talk, desk: PermissionDesk, stopReason: string | null, said: AgentSaid): TalkOutcome {
  // After a rejection or a cancel the agent may end its turn in words of its own. What we did decides the outcome.
  if (desk.rejected() !== null || talk.ended !== null) return afterCancel(talk, desk);
  const safeSummary = said.message.slice(-longestSummary).trim();
  switch (stopReason) {
    case "end_turn": {
      const own = wordsInPlaceOfResult(said.message);
      if (own !== null) return failed("the agent ended its turn with", safeSummary, own);
      return { type: "finished", exitCode: 0, summary: safeSummary, said };
    }
    case "refusal":
      return failed("the agent refused", safeSummary, { from: "refusal" });
    case "max_tokens":
      return failed("the agent ran out of tokens", safeSummary, null);
    case "max_turn_requests":
      return failed("the agent reached its limit of requests in one turn", safeSummary, null);
    case "cancelled":
      return failed("the agent cancelled its turn", safeSummary, null);
    case null:
      return failed("the agent ended its turn without saying why", safeSummary, null);
    default: {
      const reason = firstLine(safeOutput(stopReason.slice(0, 1_000), talk.request.secrets), 100);
      return failed(`the agent stopped for an unknown reason: ${reason}`, safeSummary, null);
    }
  }
}

/** What we were waiting for, by phase; empty while the agent works. */
const awaited: Readonly<Record<Talk["phase"], string>> = {
  handshake: ", waiting for its answer to initialize",
  session: ", waiting for it to open a session",
  prompt: "",
};

/** The outcome when we ended the conversation. A rejected permission is the reason for the cancel that follows it. */
export function afterCancel(talk: Talk, desk: PermissionDesk): TalkOutcome {
  const { ended } = talk;
  const rejected = desk.rejected();
  if (rejected !== null && ended?.type !== "cut") return { type: "permission", ask: rejected };
  if (ended?.type === "timeout" || ended?.type === "inactive")
    return { type: "timeout", reason: `${endWords(ended)}${awaited[talk.phase]}` };
  return { type: "cut" };
}

/** For a message that cannot be read; the library has no error type for it. */
const brokenWords = "it sent what is no message of the protocol";

/**
 * The outcome when the agent answered with an error, or its connection broke. `closing` is the reason for which the connection was
 * closed, if it was; only the agent's messages can cause that. Rethrows any other error.
 */
export async function errorOutcome(
  talk: Talk,
  desk: PermissionDesk,
  hello: HelloAnswer | null,
  { error, closing }: { readonly error: unknown; readonly closing: unknown },
): Promise<TalkOutcome> {
  if (desk.rejected() !== null || talk.ended !== null) return afterCancel(talk, desk);
  const isEnd = isConnectionEnd(error);
  const unreadable = unreadableWords(error) ?? (error === closing && !isEnd ? brokenWords : null);
  if (unreadable !== null)
    return talk.phase === "handshake"
      ? unavailable(talk, unreadable, null)
      : odd(`the agent is not heard any more: ${unreadable}`);
  if (error instanceof RequestError) {
    const own = protocolErrorWords(error, talk.request.secrets);
    const words = lineOf(error, talk.request.secrets);
    if (readAgentWords(own)?.type === "login") return { type: "needs-login", reason: loginReason(words, hello) };
    if (talk.phase === "handshake") return unavailable(talk, `it refused to initialize: ${words}`, own);
    const what = talk.phase === "session" ? "the agent opened no session" : "the agent answered with an error";
    return failed(what, words, own);
  }
  if (!talk.agent.stream.readable.locked || isEnd) {
    // The exit will be known soon, and it wins the race if it is in time.
    await Promise.race([talk.agent.child.exited, sleep(exitGraceMs)]);
    return exitOutcome(talk, desk);
  }
  throw error;
}

/** The outcome when the agent's process exited. */
export async function exitOutcome(talk: Talk, desk: PermissionDesk): Promise<TalkOutcome> {
  if (desk.rejected() !== null || talk.ended !== null) return afterCancel(talk, desk);
  const exit = await Promise.race([talk.agent.child.exited, sleep(0, null)]);
  const how =
    exit === null
      ? "closed its output"
      : exit.type === "exited"
        ? `exited with code ${exitCodeWords(exit.exitCode)}`
        : `was ended by ${exit.signal}`;
  const own = exit?.type === "exited" && exit.exitCode !== 0 ? wordsOfErrors(talk) : null;
  if (talk.phase === "handshake") return unavailable(talk, `it ${how} before it answered`, own);
  const errors = lastLine(talk.lastErrors(), talk.request.secrets);
  const exitCode = exit?.type === "exited" ? exit.exitCode : null;
  return {
    type: "failed",
    exitCode,
    reason: `the agent ${how} before it had finished${errors === "" ? "" : `: ${errors}`}`,
    own,
  };
}

/** Returns the end of the agent's standard error as its own words. */
export function wordsOfErrors(talk: Talk): AgentWords {
  return wordsInErrors(talk.lastErrors(), talk.programs, talk.request.secrets);
}

function loginReason(words: string, hello: HelloAnswer | null): string {
  const ways = (hello?.logins ?? []).slice(0, 5).map(({ name, description }) => firstLine(description ?? name, 200));
  return ways.length === 0 || saysNoMoney(words) ? words : `${words}. Ways to log in: ${ways.join("; ")}`;
}

/** The outcome for an answer that breaks the protocol. */
export function odd(reason: string): TalkOutcome {
  return failed(reason, "", null);
}

function failed(what: string, words: string, own: AgentWords | null): TalkOutcome {
  const line = firstLine(words, 300);
  return { type: "failed", exitCode: null, reason: line === "" ? what : `${what}: ${line}`, own };
}

/** The outcome when the agent did not begin: no work was tried, and nothing is charged. */
export function notStarted(talk: Talk): TalkOutcome {
  const { reason } = unavailable(talk, `no answer to initialize within ${formatDuration(talk.startMs)}`, null);
  return { type: "not-started", reason };
}

/** The outcome when no agent answers. It includes what the program wrote, because usually the command is simply wrong. */
export function unavailable(
  talk: Talk,
  what: string,
  own: AgentWords | null,
): Extract<TalkOutcome, { type: "unavailable" }> {
  const seen = firstLine(safeOutput(talk.agent.seen(), talk.request.secrets), 200);
  const errors = lastLine(talk.lastErrors(), talk.request.secrets);
  const words = [seen === "" ? "" : `it wrote: ${seen}`, errors === "" ? "" : `its errors: ${errors}`];
  return { type: "unavailable", reason: [what, ...words.filter((each) => each !== "")].join("; "), own };
}

/**
 * Returns the line of an agent's errors that says how it ended, masked, from the last 2000 characters. A secret that is cut by that
 * limit is left out.
 */
export function lastLine(text: string, secrets: readonly string[]): string {
  return lastWords(safeAfter(text, Math.max(0, text.length - 2_000), secrets));
}

/** The library reports a closed connection only in words. */
function isConnectionEnd(error: unknown): boolean {
  return error instanceof Error && error.message.includes("connection closed");
}
