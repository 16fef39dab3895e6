import { safeOutput } from "../../core/secrets/mask.ts";
import { firstLine } from "../../core/text.ts";
import { type PlanLine, untold } from "../../core/worklog/todos.ts";
import { openCommandsRun } from "./commands-run.ts";
import { costIn } from "./cost.ts";
import { planLine, readLines } from "./plan-lines.ts";
import { modelsOfSession, tokensOfMessage, tokensOfTurn } from "./tokens.ts";
import { openPlans, planIn } from "./todos.ts";
import { openToolCalls, type ToolOperation, type ToolUpdate } from "./tool-calls.ts";
import { openTranscript, type Transcript } from "./transcript.ts";
import { readUpdate, type SessionUpdate, type Update } from "./update.ts";
import type { Activity } from "./activity.ts";
import type { OutputKeeper } from "../process/output.ts";
import type { AgentSaid, RunObserver } from "../process/runner.ts";

export interface UpdateReader {
  /** Takes the parameters of one `session/update`. Updates are handled one after the other. Never throws. */
  take(params: unknown): void;
  /**
   * Takes the tool call of a permission request: some agents (qwen-code) describe the call nowhere else. Resolves to the call's known
   * input, which others (opencode) reported earlier; null when none is known. Never throws, never rejects.
   */
  asked(call: ToolUpdate): Promise<Readonly<Record<string, unknown>> | null>;
  /** Takes the masked words of a request that was refused without asking anybody. */
  refused(words: string): void;
  /** While true, updates are the history of a resumed session: costs count, words and tool calls are ignored. */
  replaying(value: boolean): void;
  /** Takes the answer to opening a session, which may name the model. */
  opened(session: unknown): void;
  /** Takes the answer to a prompt, which may hold token counts. Calls that are still open are written to the transcript. */
  ended(answer: unknown): void;
  /** Resolves when all updates so far have been handled. Rejects when the observer failed. */
  settled(): Promise<void>;
  /** The last message, the commands that ran, and the tool calls that are not over. */
  said(secrets: readonly string[]): AgentSaid;
}

type Observer = Pick<RunObserver, "onSpend" | "onOddCost" | "onTokens" | "onPlan" | "onOperation">;

interface ReaderOptions {
  readonly keeper: OutputKeeper;
  readonly activity: Activity;
  readonly observer: Observer;
  /** Called for every update of a known kind. */
  readonly onSign: () => void;
  /** Called when a tool call of this session is over. */
  readonly onDone: (operation: ToolOperation, toolCallId: string) => void;
}

/** Reports plans and tool calls as activity and cost as spend, and writes words and calls into the kept output. */
export function readUpdates(options: ReaderOptions): UpdateReader {
  const { observer } = options;
  const transcript = openTranscript(options.keeper);
  const tools = openTools(options, transcript);
  const tokens = openTokens(observer);
  let isReplay = false;
  let last: Promise<void> = Promise.resolve();

  function inTurn(work: () => void | Promise<void>): void {
    last = last.then(work);
    last.catch(() => {}); // The error is reported by `settled`.
  }

  async function act({ update, sessionId }: SessionUpdate, isHistory: boolean): Promise<void> {
    if (update.sessionUpdate === "usage_update") return await tellCost(observer, update.cost, sessionId);
    if (isHistory) return;
    if (update.sessionUpdate !== "agent_message_chunk") return tools.take(update);
    tokens.ofMessage(update._meta);
    transcript.words(update.content.text);
  }

  return {
    take(params) {
      const told = readUpdate(params);
      if (told === null) return;
      const isHistory = isReplay;
      options.onSign();
      inTurn(() => act(told, isHistory));
    },
    asked(call) {
      inTurn(() => tools.asked(call));
      return last.then(() => tools.inputOf(call.toolCallId)).catch(() => null); // The error is reported by `settled`.
    },
    refused(words) {
      const line = `Refused, and nobody asked: the agent offers no choice for one use: ${words}`;
      options.activity.say(line);
      inTurn(() => transcript.line(line));
    },
    replaying(value) {
      isReplay = value;
    },
    opened: (session) => tokens.opened(session),
    ended(answer) {
      tokens.ofTurn(answer);
      for (const title of tools.open()) transcript.line(`tool not over: ${title}`);
    },
    async settled() {
      // The handler of an earlier permission request may be called only in the next loop iteration.
      await new Promise((resume) => setImmediate(resume));
      await last;
    },
    said: (secrets) => ({
      message: transcript.lastMessage(secrets),
      ran: tools.ran(secrets),
      open: tools.open().map((title) => safeOutput(title, secrets)),
    }),
  };
}

async function tellCost(observer: Observer, said: unknown, sessionId: string): Promise<void> {
  const cost = costIn(said);
  if (cost?.type === "cost") await observer.onSpend(cost.costMicroUsd, sessionId);
  else if (cost?.type === "odd") observer.onOddCost?.(cost.words);
}

/**
 * Reports tokens once: an agent reports them with each message or at the end of the turn. If a message had them, the turn's are
 * ignored.
 */
function openTokens(observer: Observer) {
  let models: readonly string[] = [];
  let hasTold = false;
  return {
    opened(session: unknown): void {
      const named = modelsOfSession(session);
      if (named.length > 0) models = named;
    },
    ofMessage(meta: unknown): void {
      const used = tokensOfMessage(meta, models);
      if (used === null) return;
      hasTold = true;
      observer.onTokens?.(used);
    },
    ofTurn(answer: unknown): void {
      if (!hasTold) for (const used of tokensOfTurn(answer, models)) observer.onTokens?.(used);
    },
  };
}

type ToolTold = Exclude<Update, { sessionUpdate: "agent_message_chunk" | "usage_update" }>;

/** Reports plans and tool calls as activity and to the observer, and writes them as lines. Some agents write their plan with a tool. */
function openTools({ activity, observer, onDone }: ReaderOptions, transcript: Transcript) {
  const isNewPlan = openPlans();
  const commands = openCommandsRun();
  const calls = openToolCalls((operation, toolCallId) => {
    const plan = planIn(operation);
    if (plan === null) observer.onOperation?.(operation);
    else if (isNewPlan(plan, "tool")) tellPlan(plan);
    onDone(operation, toolCallId);
  });

  function tellPlan(told: readonly PlanLine[]): void {
    const lines = readLines(told);
    // Only the number of entries is known, which helps no person.
    if (told.some(({ status }) => status === untold)) return observer.onOperation?.({ type: "plan", lines });
    for (const { content, status } of lines) transcript.line(`plan: [${status}] ${content}`);
    if (told.length > lines.length) transcript.line(`plan: and ${told.length - lines.length} more`);
    activity.say(planLine(told));
    observer.onOperation?.({ type: "plan", lines });
    observer.onPlan?.(
      lines.map(({ content, status }) => ({ text: firstLine(content, 200), isDone: status === "completed" })),
    );
  }

  return {
    take(update: ToolTold): void {
      switch (update.sessionUpdate) {
        case "plan":
          if (isNewPlan(readLines(update.entries), "protocol")) tellPlan(update.entries);
          break;
        case "tool_call":
          calls.take({ ...update, status: update.status ?? "pending" });
          if (update.kind === "execute") commands.began(update.toolCallId, update.title);
          transcript.line(`tool: ${update.kind == null ? "" : `[${update.kind}] `}${update.title}`);
          activity.say(update.title);
          break;
        case "tool_call_update":
          if (update.title != null) commands.titled(update.toolCallId, update.title);
          if (update.status === "completed" || update.status === "failed") {
            const title = update.title ?? calls.titleOf(update.toolCallId) ?? update.toolCallId;
            transcript.line(`tool ${update.status}: ${title}`);
          }
          calls.take(update);
          break;
      }
    },
    asked(call: ToolUpdate): void {
      calls.take({ ...call, status: "pending" });
      if (call.title != null) commands.titled(call.toolCallId, call.title);
    },
    ran: (secrets: readonly string[]) => commands.titles(secrets),
    inputOf: (toolCallId: string) => calls.inputOf(toolCallId),
    open: () => calls.open(),
  };
}
