import { client, methods, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { tmpdir } from "node:os";
import { firstLine, formatDuration } from "../../core/text.ts";
import { safeOutput } from "../../core/secrets/mask.ts";
import { allIsRead } from "../process/read-all.ts";
import { keepEnd } from "../process/stream-text.ts";
import { realTimers } from "../process/timers.ts";
import { startAgent } from "./process.ts";
import { helloIn, unreadableWords } from "./answers.ts";
import { lineOf } from "./error-words.ts";
import { helloTo } from "./hello.ts";
import { readableMessages } from "./messages.ts";
import { lastLine } from "./outcomes.ts";

/** Characters of standard error that are kept. More than is shown, so that a secret in front of the shown part is masked whole. */
const keptErrors = 18_000;

export type Greeting =
  | {
      readonly type: "answered";
      readonly name: string | null;
      readonly version: string | null;
      readonly takesSessionsUp: boolean;
      readonly logins: readonly string[];
    }
  | { readonly type: "silent"; readonly reason: string };

interface Greeted {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly waitMs: number;
}

/** Starts an agent, reads its answer to *initialize*, and ends it. Asks nothing else, so no model is called. */
export async function greetAgent(commandLine: string, { environment, secrets, waitMs }: Greeted): Promise<Greeting> {
  const runId = `greeting-${process.pid}-${Math.round(performance.now() * 1000)}`;
  const cwd = tmpdir();
  const errors = keepEnd(keptErrors);
  const start = await startAgent({
    commandLine,
    request: { runId, worktree: cwd, outputFile: null, environment, enclosure: null },
    onBytes: () => undefined,
    onErrors: (chunk) => errors.take(chunk),
  });
  if (start.type === "not-started") return { type: "silent", reason: start.reason };
  const { child, stream, seen } = start.agent;
  const endedEarly = "it ended before it answered";
  const lastWords = (): string => lastLine(errors.text(), secrets) || seen();
  const connection = client({ name: "Chief of Staff" }).connect(readableMessages(stream, () => undefined));
  let endWait = (): void => {};
  try {
    const late = new Promise<string>((settle) => {
      endWait = realTimers.after(waitMs, () => settle(`no answer to initialize within ${formatDuration(waitMs)}`));
    });
    const exited = child.exited.then(() => endedEarly);
    const asked = connection.agent.request(methods.agent.initialize, helloTo([]));
    const answer = await Promise.race([asked.then((told: unknown) => ({ told })), late, exited]);
    if (typeof answer !== "string") return answered(answer.told);
    await allIsRead();
    return { type: "silent", reason: withWords(answer, lastWords(), secrets) };
  } catch (error) {
    const unreadable = unreadableWords(error);
    if (unreadable !== null) return { type: "silent", reason: unreadable };
    // The connection may close before the exit of the process is seen.
    if (!(error instanceof RequestError))
      return { type: "silent", reason: withWords(endedEarly, lastWords(), secrets) };
    return { type: "silent", reason: withWords("it refused to initialize", lineOf(error, secrets), secrets) };
  } finally {
    endWait();
    connection.close();
    child.terminate();
    await child.dead();
  }
}

function answered(answer: unknown): Greeting {
  const hello = helloIn(answer);
  if (hello === null || hello.protocolVersion === null)
    return { type: "silent", reason: "its answer to initialize is none of the protocol" };
  const { protocolVersion, agent, canResume, canLoad, logins } = hello;
  if (protocolVersion !== PROTOCOL_VERSION)
    return { type: "silent", reason: `it speaks version ${firstLine(String(protocolVersion), 20)} of the protocol` };
  return {
    type: "answered",
    name: agent === null ? null : firstLine(agent.name, 100),
    version: agent?.version == null ? null : firstLine(agent.version, 60),
    takesSessionsUp: canResume || canLoad,
    logins: logins.map((each) => firstLine(each.name, 100)).slice(0, 5),
  };
}

function withWords(what: string, words: string, secrets: readonly string[]): string {
  const safe = firstLine(safeOutput(words, secrets), 200);
  return safe === "" ? what : `${what}: ${safe}`;
}
