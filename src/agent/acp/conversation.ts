import { type ClientConnection, client, methods, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { readAgentWords } from "../../core/recovery/agent-words.ts";
import { type HelloAnswer, helloIn, sessionIdIn, stopReasonIn } from "./answers.ts";
import { protocolErrorWords } from "./error-words.ts";
import { readAgentFile, writeAgentFile } from "./files.ts";
import { helloTo } from "./hello.ts";
import {
  afterCancel,
  errorOutcome,
  exitOutcome,
  notStarted,
  odd,
  stopOutcome,
  unavailable,
  wordsOfErrors,
} from "./outcomes.ts";
import { readableMessages } from "./messages.ts";
import { openPermissionDesk, type PermissionDesk } from "./permissions.ts";
import type { ConversationOptions, TalkOutcome, Talk } from "./talk.ts";
import { readUpdates, type UpdateReader } from "./updates.ts";
import { watchSilence } from "./silence.ts";
import { allIsRead } from "../process/read-all.ts";
import { watchLimits } from "../process/shell.ts";

/** Time for the agent to answer that it has stopped, after a cancel. */
const cancelGraceMs = 1_500;

/**
 * Runs one prompt, from the handshake to the stop reason:
 *
 *   initialize ──► resume | load | new session ──► prompt ──► end of turn
 *
 * It ends when the agent has answered, has exited, turned out not to speak the protocol, or was cancelled (by us, or by a rejected
 * permission) and the grace time is over. The caller must end the process.
 */
export async function converse(options: ConversationOptions): Promise<TalkOutcome> {
  const { agent, request } = options;
  const talk: Talk = { ...options, phase: "handshake", sessionId: null, isAnswered: false, ended: null };
  let interrupt: (outcome: TalkOutcome) => void = () => {};
  const interrupted = new Promise<TalkOutcome>((settle) => {
    interrupt = settle;
  });

  function cancel(outcome: () => TalkOutcome): void {
    // Cancel in the next loop iteration: the answer "reject" must be sent before the cancel.
    setImmediate(() => {
      desk.close();
      const { sessionId } = talk;
      if (sessionId !== null) {
        connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {}); // The connection may be closed.
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
    onUnaskable: (words) => updates.refused(words),
  });
  const silence = watchSilence(options);
  const updates = readUpdates({ ...options, onSign: silence.sign, onDone: desk.did });
  const connection = client({ name: "Chief of Staff" })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      silence.sign();
      const announced = updates.asked(params.toolCall);
      return await desk.answer(params, announced).finally(silence.sign);
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => readAgentFile(request.worktree, params))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) =>
      writeAgentFile(request.worktree, params).catch((error: unknown) => {
        options.onUnwritten(error);
        throw error;
      }),
    )
    .connect(readableMessages(agent.stream, updates.take));
  const limits = watchLimits({ ...request, signal: options.signal }, (end) => {
    talk.ended = end;
    cancel(() => afterCancel(talk, desk));
  });
  options.onHeard(limits.heard);

  try {
    const running = runPrompt(talk, connection, desk, updates);
    // Read what the agent wrote before it ended. If it had answered its prompt, that answer counts.
    const exited = agent.child.exited.then(allIsRead).then(() => (talk.isAnswered ? running : exitOutcome(talk, desk)));
    const broken = agent.broken.then(() =>
      unavailable(talk, "it does not speak the Agent Client Protocol", wordsOfErrors(talk)),
    );
    return await Promise.race([running, exited, broken, interrupted]);
  } finally {
    limits.stop();
    silence.stop();
    desk.close();
    connection.close();
    await desk.looked();
  }
}

async function runPrompt(
  talk: Talk,
  connection: ClientConnection,
  desk: PermissionDesk,
  updates: UpdateReader,
): Promise<TalkOutcome> {
  let answered: HelloAnswer | null = null;
  try {
    const hello = await initialize(talk, connection);
    if (hello.type === "late") {
      await allIsRead();
      return notStarted(talk);
    }
    answered = helloIn(hello.answer);
    if (answered === null) return unavailable(talk, "its answer to initialize is none of the protocol", null);
    const { agent, protocolVersion } = answered;
    if (agent !== null)
      talk.observer.onAgent?.({ name: agent.name.slice(0, 200), version: agent.version?.slice(0, 60) ?? null });
    if (protocolVersion !== PROTOCOL_VERSION) {
      const spoken = protocolVersion === null ? "no version" : `version ${String(protocolVersion).slice(0, 20)}`;
      return unavailable(talk, `it speaks ${spoken} of the protocol, not ${PROTOCOL_VERSION}`, null);
    }
    talk.agent.speaks();
    talk.phase = "session";
    const sessionId = await openSession(talk, connection, answered, updates);
    if (sessionId === null) return odd("the agent opened a session without a name");
    talk.sessionId = sessionId;
    await talk.observer.onAgentSession(sessionId);

    talk.phase = "prompt";
    const answer: unknown = await connection.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: talk.request.prompt }],
    });
    talk.isAnswered = true;
    await updates.settled();
    updates.ended(answer);
    return stopOutcome(talk, desk, stopReasonIn(answer), updates.said(talk.request.secrets));
  } catch (error) {
    return errorOutcome(talk, desk, answered, { error, closing: connection.signal.reason });
  }
}

type Hello = { readonly type: "late" } | { readonly type: "answered"; readonly answer: unknown };

async function initialize(talk: Talk, connection: ClientConnection): Promise<Hello> {
  let endWait = (): void => {};
  const tooLate = new Promise<Hello>((resolve) => {
    endWait = talk.request.timers.after(talk.startMs, () => resolve({ type: "late" }));
  });
  const asked = connection.agent.request(methods.agent.initialize, helloTo(talk.commandLine));
  try {
    return await Promise.race([asked.then((answer): Hello => ({ type: "answered", answer })), tooLate]);
  } finally {
    endWait();
  }
}

/**
 * Reopens the earlier session when there is one and the agent can resume or load it, else opens a new one. Null when the new session
 * has no id.
 */
async function openSession(
  talk: Talk,
  connection: ClientConnection,
  { canResume, canLoad }: HelloAnswer,
  updates: UpdateReader,
): Promise<string | null> {
  const { request } = talk;
  const place = { cwd: request.worktree, mcpServers: [] };
  const sessionId = request.agentSessionId;
  if (sessionId !== null && (canResume || canLoad)) {
    updates.replaying(true); // Loading repeats the whole conversation.
    try {
      const how = canResume ? methods.agent.session.resume : methods.agent.session.load;
      updates.opened(await connection.agent.request(how, { ...place, sessionId }));
      await updates.settled();
      return sessionId;
    } catch (error) {
      if (
        !(error instanceof RequestError) ||
        readAgentWords(protocolErrorWords(error, request.secrets))?.type === "login"
      )
        throw error;
      talk.activity.say("The agent's earlier session is gone; it starts a new one");
    } finally {
      updates.replaying(false);
    }
  }
  const opened: unknown = await connection.agent.request(methods.agent.session.new, place);
  updates.opened(opened);
  return sessionIdIn(opened);
}
