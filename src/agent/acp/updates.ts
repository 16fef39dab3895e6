import { z } from "zod";
import { dollars } from "../../core/money.ts";
import { safeAfter, safeOutput } from "../../core/secrets/mask.ts";
import { firstLine } from "../../core/text.ts";
import { type PlanLine, untold } from "../../core/worklog/todos.ts";
import { modelOfSession, tokensOfMessage, tokensOfTurn } from "./tokens.ts";
import { mostLines, openPlans, planIn } from "./todos.ts";
import { openToolCalls, type ToolOperation, type ToolUpdate } from "./tool-calls.ts";
import type { Activity } from "./activity.ts";
import type { OutputKeeper } from "../process/output.ts";
import type { AgentSaid, RunObserver } from "../process/runner.ts";

/**
 * What an agent tells while it works (ACP `session/update`). Read leniently: a kind of update that is new, or one that
 * does not have the shape it should have, is passed over; nothing an agent reports can end the run.
 */
const part = z.unknown().optional();
const toolParts = { locations: part, rawInput: part, rawOutput: part, content: part, _meta: part };
const Update = z.discriminatedUnion("sessionUpdate", [
  z.object({
    sessionUpdate: z.literal("agent_message_chunk"),
    content: z.object({ text: z.string() }),
    messageId: z.string().nullish(),
    _meta: part,
  }),
  z.object({
    sessionUpdate: z.literal("plan"),
    entries: z.array(z.object({ content: z.string(), status: z.string() })),
  }),
  z.object({
    sessionUpdate: z.literal("tool_call"),
    toolCallId: z.string(),
    title: z.string(),
    kind: z.string().nullish(),
    status: z.string().nullish(),
    ...toolParts,
  }),
  z.object({
    sessionUpdate: z.literal("tool_call_update"),
    toolCallId: z.string(),
    title: z.string().nullish(),
    kind: z.string().nullish(),
    status: z.string().nullish(),
    ...toolParts,
  }),
  z.object({ sessionUpdate: z.literal("usage_update"), cost: part }),
]);
type Update = z.infer<typeof Update>;

const Notification = z.object({
  sessionId: z.string().catch(""),
  update: z.looseObject({ sessionUpdate: z.string() }),
});

const Cost = z.object({ amount: z.unknown(), currency: z.string() });

/** What is read of a line of a plan: much more than is shown, so that a secret is seen whole. */
const longestLine = 20_000;
const longestStatus = 1_000;

/** No session of an agent costs more: what says so cannot be (F-309). In US dollars. */
const mostUsd = 100_000;

const longestMessage = 64_000;

/** Titles of commands that are kept. */
const mostCommands = 500;
const longestTitle = 2_000;

/** Kept in front of it, so that a secret that the cut would go through is seen whole. */
const margin = 16_384;

export interface UpdateReader {
  /** Takes the parameters of one `session/update`. Updates are worked on one after the other. Never throws. */
  take(params: unknown): void;
  /** Takes the tool call that a permission is asked for: some agents (qwen-code) tell nowhere else what it does. Never throws. */
  asked(call: ToolUpdate): void;
  /** While true, what comes is the history of a resumed session: its cost counts, its words were said before. */
  replaying(value: boolean): void;
  /** What opening a session was answered with: its model may stand there. */
  opened(session: unknown): void;
  /** What a prompt was answered with: its tokens may stand there. */
  ended(answer: unknown): void;
  /** Resolves when everything taken so far has been worked on; rejects when the observer failed. */
  settled(): Promise<void>;
  /** What it said last and which commands it ran. */
  said(secrets: readonly string[]): AgentSaid;
}

/** Passes plans and tool calls on as activity, cost as spend, and writes all of it into the kept output. */
export function readUpdates(options: {
  readonly keeper: OutputKeeper;
  readonly activity: Activity;
  readonly observer: Pick<RunObserver, "onSpend" | "onOddCost" | "onTokens" | "onPlan" | "onOperation">;
  /** Anything that it tells of a model or a tool. */
  readonly onSign: () => void;
  /** A tool call of this session is over. */
  readonly onDone: (operation: ToolOperation, toolCallId: string) => void;
}): UpdateReader {
  const { activity, observer } = options;
  const isNewPlan = openPlans();
  const calls = openToolCalls((operation, toolCallId) => {
    const plan = planIn(operation);
    if (plan === null) observer.onOperation?.(operation);
    else if (isNewPlan(plan, "tool")) tellPlan(plan);
    options.onDone(operation, toolCallId);
  });
  /** Of tool calls that execute something, by their ids. */
  const commands = new Map<string, string>();
  let isReplay = false;
  let model: string | null = null;
  let hasToldTokens = false;
  let message = "";
  let isInMessage = false;
  let last: Promise<void> = Promise.resolve();

  function keepLine(text: string): void {
    options.keeper.take(Buffer.from(`${isInMessage ? "\n" : ""}${text}\n`));
    isInMessage = false;
  }

  /** Another currency cannot be held against a ceiling in dollars, and an impossible amount against anything: as silence (D22). */
  async function takeCost(said: unknown, sessionId: string): Promise<void> {
    const cost = Cost.safeParse(said).data;
    if (cost === undefined) return;
    const { amount, currency } = cost;
    const isPossible = typeof amount === "number" && amount >= 0 && amount <= mostUsd;
    if (isPossible && currency === "USD") await observer.onSpend(dollars(amount), sessionId);
    else {
      const told = typeof amount === "number" || typeof amount === "string" ? amount : "no number";
      observer.onOddCost?.(firstLine(`${told} ${currency}`, 60));
    }
  }

  function takeTokens(meta: unknown): void {
    const used = tokensOfMessage(meta, model);
    if (used === null) return;
    hasToldTokens = true;
    observer.onTokens?.(used);
  }

  function tellPlan(told: readonly PlanLine[]): void {
    const lines = readLines(told);
    // Only how many there are: nothing that a person could follow.
    if (told.some(({ status }) => status === untold)) return observer.onOperation?.({ type: "plan", lines });
    for (const { content, status } of lines) keepLine(`plan: [${status}] ${content}`);
    if (told.length > lines.length) keepLine(`plan: and ${told.length - lines.length} more`);
    activity.say(planLine(told));
    observer.onOperation?.({ type: "plan", lines });
    observer.onPlan?.(
      lines.map(({ content, status }) => ({ text: firstLine(content, 200), isDone: status === "completed" })),
    );
  }

  async function act(update: Update, sessionId: string, isHistory: boolean): Promise<void> {
    if (update.sessionUpdate === "usage_update") return await takeCost(update.cost, sessionId);
    if (isHistory) return;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        takeTokens(update._meta);
        if (update.content.text === "") return;
        if (!isInMessage) message = "";
        message = (message + update.content.text).slice(-longestMessage - margin);
        isInMessage = true;
        options.keeper.take(Buffer.from(update.content.text));
        break;
      case "plan":
        if (isNewPlan(readLines(update.entries), "protocol")) tellPlan(update.entries);
        break;
      case "tool_call":
        calls.take(update);
        if (update.kind === "execute" && commands.size < mostCommands)
          commands.set(update.toolCallId, update.title.slice(0, longestTitle));
        keepLine(`tool: ${update.kind == null ? "" : `[${update.kind}] `}${update.title}`);
        activity.say(update.title);
        break;
      case "tool_call_update":
        if (update.title != null && commands.has(update.toolCallId))
          commands.set(update.toolCallId, update.title.slice(0, longestTitle));
        if (update.status === "completed" || update.status === "failed")
          keepLine(`tool ${update.status}: ${update.title ?? calls.titleOf(update.toolCallId) ?? update.toolCallId}`);
        calls.take(update);
        break;
    }
  }

  return {
    take(params) {
      const raw = Notification.safeParse(params);
      const parsed = raw.success ? Update.safeParse(raw.data.update) : raw;
      if (!parsed.success) return;
      const update = parsed.data;
      const isHistory = isReplay;
      options.onSign();
      const sessionId = raw.success ? raw.data.sessionId : "";
      last = last.then(() => act(update, sessionId, isHistory));
      last.catch(() => {}); // Seen by whoever awaits `settled`.
    },
    asked(call) {
      last = last.then(() => {
        calls.take({ ...call, status: "pending" });
        const title = call.title ?? null;
        if (title !== null && commands.has(call.toolCallId))
          commands.set(call.toolCallId, title.slice(0, longestTitle));
      });
      last.catch(() => {}); // Seen by whoever awaits `settled`.
    },
    replaying(value) {
      isReplay = value;
    },
    opened(session) {
      model = modelOfSession(session) ?? model;
    },
    ended(answer) {
      // Who counts each answer has counted the turn.
      if (!hasToldTokens) for (const used of tokensOfTurn(answer, model)) observer.onTokens?.(used);
    },
    async settled() {
      // An update that arrived together with the answer it precedes has its handler called a moment later.
      await new Promise((resume) => setImmediate(resume));
      await last;
    },
    said: (secrets) => ({
      message: safeAfter(message, Math.max(0, message.length - longestMessage), secrets).trim(),
      ran: [...commands.values()].map((title) => safeOutput(title, secrets)),
    }),
  };
}

function readLines(told: readonly PlanLine[]): PlanLine[] {
  return told.slice(0, mostLines).map(({ content, status }) => ({
    content: content.trimStart().slice(0, longestLine),
    status: status.slice(0, longestStatus),
  }));
}

function planLine(entries: readonly { readonly content: string; readonly status: string }[]): string {
  const done = entries.filter((entry) => entry.status === "completed").length;
  const current =
    entries.find((entry) => entry.status === "in_progress") ?? entries.find((each) => each.status === "pending");
  return `Plan ${done}/${entries.length}${current === undefined ? "" : `: ${current.content}`}`;
}
