import {
  type ClientConnection,
  client,
  type InitializeResponse,
  methods,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
  type StopReason,
} from "@agentclientprotocol/sdk";
import { setTimeout as sleep } from "node:timers/promises";
import { type AgentWords, readAgentWords } from "../../core/recovery/agent-words.ts";
import { safeAfter, safeOutput } from "../../core/secrets/mask.ts";
import { firstLine, formatDuration } from "../../core/text.ts";
import { readAgentFile, writeAgentFile } from "./files.ts";
import { openPermissionDesk, type PermissionDesk } from "./permissions.ts";
import type { AgentProcess } from "./process.ts";
import { readUpdates, type UpdateReader } from "./updates.ts";
import type { Activity } from "./activity.ts";
import { limitReason } from "./command.ts";
import type { OutputKeeper } from "../process/output.ts";
import { wordsInErrors } from "./own-words.ts";
import type { AgentSaid, RunObserver, RunRequest, RunResult } from "../process/runner.ts";
import { type ShellEnd, watchLimits } from "../process/shell.ts";

/** A result without what is known outside of the conversation. */
export type Outcome = RunResult extends infer Each
  ? Each extends RunResult
    ? Omit<Each, "durationMs" | "output" | "noSpace" | "command">
    : never
  : never;

/** After a cancel the agent may still say that it has stopped. */
const cancelGraceMs = 1_500;

/** Of its last message. */
const longestSummary = 2_000;

/** Its output has closed; its exit, which says more, follows. */
const exitGraceMs = 5_000;

export interface ConversationOptions {
  readonly agent: AgentProcess;
  /** The names that it goes by. */
  readonly programs: readonly string[];
  readonly request: RunRequest;
  readonly observer: RunObserver;
  readonly activity: Activity;
  readonly keeper: OutputKeeper;
  readonly signal: AbortSignal;
  readonly initializeTimeoutMs: number;
  /** Gives away what must be called whenever the agent writes anything. */
  readonly onHeard: (listener: () => void) => void;
  /** Hears why a file could not be written that the agent gave us to write. */
  readonly onUnwritten: (error: unknown) => void;
  /** The end of what it wrote to standard error, raw. */
  readonly lastErrors: () => string;
}

/**
 * One prompt, from the handshake to the stop reason:
 *
 *   initialize ──► resume | load | new session ──► prompt ──► end of turn
 *
 * It is over when the agent has answered, has exited, has shown that it is no agent, or was cancelled (by us, or by a
 * rejected permission) and has had its grace. The process is the caller's to bury.
 */
export async function converse(options: ConversationOptions): Promise<Outcome> {
  const { agent, request } = options;
  const talk: Talk = { ...options, phase: "handshake", sessionId: null, ended: null };
  let interrupt: (outcome: Outcome) => void = () => {};
  const interrupted = new Promise<Outcome>((settle) => {
    interrupt = settle;
  });

  function cancel(outcome: () => Outcome): void {
    // A moment later: the answer that says "reject" must leave before the cancel.
    setImmediate(() => {
      desk.close();
      const { sessionId } = talk;
      if (sessionId !== null) {
        connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {}); // It may be gone.
      }
      const graceMs = talk.phase === "prompt" ? cancelGraceMs : 0;
      setTimeout(() => interrupt(outcome()), graceMs).unref();
    });
  }

  const desk = openPermissionDesk({
    request,
    observer: options.observer,
    activity: options.activity,
    onRejected: () => cancel(() => afterCancel(talk, desk)),
  });
  const updates = readUpdates(options);
  const connection = client({ name: "Chief of Staff" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => desk.answer(params))
    .onRequest(methods.client.fs.readTextFile, ({ params }) => readAgentFile(request.worktree, params))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) =>
      writeAgentFile(request.worktree, params).catch((error: unknown) => {
        options.onUnwritten(error);
        throw error;
      }),
    )
    .onNotification(
      methods.client.session.update,
      (params) => params,
      ({ params }) => updates.take(params),
    )
    .connect(agent.stream);
  const limits = watchLimits({ ...request, signal: options.signal }, (end) => {
    talk.ended = end;
    cancel(() => afterCancel(talk, desk));
  });
  options.onHeard(limits.heard);

  try {
    const exited = agent.child.exited.then(() => exitOutcome(talk, desk));
    const broken = agent.broken.then(() =>
      unavailable(talk, "it does not speak the Agent Client Protocol", wordsOfErrors(talk)),
    );
    return await Promise.race([runPrompt(talk, connection, desk, updates), exited, broken, interrupted]);
  } finally {
    limits.stop();
    desk.close();
    connection.close();
  }
}

interface Talk extends ConversationOptions {
  phase: "handshake" | "session" | "prompt";
  sessionId: string | null;
  /** Set when one of our own limits or the signal ended it. */
  ended: ShellEnd | null;
}

async function runPrompt(
  talk: Talk,
  connection: ClientConnection,
  desk: PermissionDesk,
  updates: UpdateReader,
): Promise<Outcome> {
  let hello: InitializeResponse | null = null;
  try {
    hello = await initialize(talk, connection);
    if (hello === null)
      return unavailable(talk, `no answer to initialize within ${formatDuration(talk.initializeTimeoutMs)}`, null);
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      return unavailable(
        talk,
        `it speaks version ${String(hello.protocolVersion)} of the protocol, not ${PROTOCOL_VERSION}`,
        null,
      );
    }
    talk.phase = "session";
    const sessionId = await openSession(talk, connection, hello, updates);
    talk.sessionId = sessionId;
    await talk.observer.onAgentSession(sessionId);

    talk.phase = "prompt";
    const { stopReason } = await connection.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: talk.request.prompt }],
    });
    await updates.settled();
    return stopOutcome(talk, desk, stopReason, updates.said(talk.request.secrets));
  } catch (error) {
    return errorOutcome(talk, desk, hello, error);
  }
}

/** Null: no answer in time. */
async function initialize(talk: Talk, connection: ClientConnection): Promise<InitializeResponse | null> {
  let endWait = (): void => {};
  const tooLate = new Promise<null>((resolve) => {
    endWait = talk.request.timers.after(talk.initializeTimeoutMs, () => resolve(null));
  });
  try {
    return await Promise.race([
      connection.agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
        clientInfo: { name: "chief-of-staff", title: "Chief of Staff", version: "0.1.0" },
      }),
      tooLate,
    ]);
  } finally {
    endWait();
  }
}

/** The earlier session when there is one and the agent can take it up again, else a new one. */
async function openSession(
  talk: Talk,
  connection: ClientConnection,
  hello: InitializeResponse,
  updates: UpdateReader,
): Promise<string> {
  const { request } = talk;
  const place = { cwd: request.worktree, mcpServers: [] };
  const sessionId = request.agentSessionId;
  const canResume = hello.agentCapabilities?.sessionCapabilities?.resume != null;
  const canLoad = hello.agentCapabilities?.loadSession === true;
  if (sessionId !== null && (canResume || canLoad)) {
    updates.replaying(true); // Loading repeats the whole conversation.
    try {
      const how = canResume ? methods.agent.session.resume : methods.agent.session.load;
      await connection.agent.request(how, { ...place, sessionId });
      await updates.settled();
      return sessionId;
    } catch (error) {
      if (!(error instanceof RequestError) || readAgentWords(wordsOf(error, request))?.type === "login") throw error;
      talk.activity.say("The agent's earlier session is gone; it starts a new one");
    } finally {
      updates.replaying(false);
    }
  }
  const opened: NewSessionResponse = await connection.agent.request(methods.agent.session.new, place);
  return opened.sessionId;
}

function stopOutcome(talk: Talk, desk: PermissionDesk, stopReason: StopReason, said: AgentSaid): Outcome {
  // An agent may end its turn in its own words after a rejection or a cancel: what we did says how it ended.
  if (desk.rejected() !== null || talk.ended !== null) return afterCancel(talk, desk);
  const safeSummary = said.message.slice(-longestSummary).trim();
  switch (stopReason) {
    case "end_turn":
      return { type: "finished", exitCode: 0, summary: safeSummary, said };
    case "refusal":
      return failed("the agent refused", safeSummary, { from: "refusal" });
    case "max_tokens":
      return failed("the agent ran out of tokens", safeSummary, null);
    case "max_turn_requests":
      return failed("the agent reached its limit of requests in one turn", safeSummary, null);
    case "cancelled":
      return failed("the agent cancelled its turn", safeSummary, null);
    default:
      return failed(`the agent stopped for an unknown reason: ${String(stopReason)}`, safeSummary, null);
  }
}

/** How it ended when we ended it. A rejected permission is the reason for the cancel that followed it. */
function afterCancel(talk: Talk, desk: PermissionDesk): Outcome {
  const { ended } = talk;
  const rejected = desk.rejected();
  if (rejected !== null && ended?.type !== "cut") return { type: "permission", ask: rejected };
  if (ended?.type === "timeout" || ended?.type === "inactive") return { type: "timeout", reason: limitReason(ended) };
  return { type: "cut" };
}

async function errorOutcome(
  talk: Talk,
  desk: PermissionDesk,
  hello: InitializeResponse | null,
  error: unknown,
): Promise<Outcome> {
  if (desk.rejected() !== null || talk.ended !== null) return afterCancel(talk, desk);
  if (error instanceof RequestError) {
    const own = wordsOf(error, talk.request);
    const words = firstLine(safeOutput(error.message, talk.request.secrets), 300);
    if (readAgentWords(own)?.type === "login") return { type: "needs-login", reason: loginReason(words, hello) };
    if (talk.phase === "handshake") return unavailable(talk, `it refused to initialize: ${words}`, own);
    const what = talk.phase === "session" ? "the agent opened no session" : "the agent answered with an error";
    return failed(what, words, own);
  }
  if (!talk.agent.stream.readable.locked || isConnectionEnd(error)) {
    // The exit is about to be known; it wins the race when it comes in time.
    await Promise.race([talk.agent.child.exited, sleep(exitGraceMs)]);
    return exitOutcome(talk, desk);
  }
  throw error;
}

async function exitOutcome(talk: Talk, desk: PermissionDesk): Promise<Outcome> {
  if (desk.rejected() !== null || talk.ended !== null) return afterCancel(talk, desk);
  const exit = await Promise.race([talk.agent.child.exited, sleep(0, null)]);
  const how =
    exit === null
      ? "closed its output"
      : exit.type === "exited"
        ? `exited with code ${exit.exitCode}`
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

/** ACP's authentication required; some agents only say so in words. */
const authRequired = -32_000;

/** An error of the protocol as the agent's own words; what it adds as data belongs to them. */
function wordsOf(error: RequestError, { secrets }: RunRequest): AgentWords {
  const data = error.data === undefined ? "" : JSON.stringify(error.data);
  const text = safeOutput(`${error.message}\n${data}`.slice(0, 4000), secrets).trim();
  return { from: "protocol", text, asksForLogin: error.code === authRequired };
}

function wordsOfErrors(talk: Talk): AgentWords {
  return wordsInErrors(talk.lastErrors(), talk.programs, talk.request.secrets);
}

function loginReason(words: string, hello: InitializeResponse | null): string {
  const ways = (hello?.authMethods ?? []).map((method) => firstLine(method.description ?? method.name, 200));
  return ways.length === 0 ? words : `${words}. Ways to log in: ${ways.join("; ")}`;
}

function failed(what: string, words: string, own: AgentWords | null): Outcome {
  const line = firstLine(words, 300);
  return { type: "failed", exitCode: null, reason: line === "" ? what : `${what}: ${line}`, own };
}

/** With what was seen of it, because the command is usually simply the wrong one. */
function unavailable(talk: Talk, what: string, own: AgentWords | null): Outcome {
  const seen = firstLine(safeOutput(talk.agent.seen(), talk.request.secrets), 200);
  const errors = lastLine(talk.lastErrors(), talk.request.secrets);
  const words = [seen === "" ? "" : `it wrote: ${seen}`, errors === "" ? "" : `its errors: ${errors}`];
  return { type: "unavailable", reason: [what, ...words.filter((each) => each !== "")].join("; "), own };
}

/** Of the last 2000 characters; a secret that they cut is left out. */
function lastLine(text: string, secrets: readonly string[]): string {
  const end = safeAfter(text, Math.max(0, text.length - 2_000), secrets);
  return firstLine(end.trimEnd().split("\n").at(-1) ?? "", 300);
}

/** The library says in words only that the other side is gone. */
function isConnectionEnd(error: unknown): boolean {
  return error instanceof Error && error.message.includes("connection closed");
}
