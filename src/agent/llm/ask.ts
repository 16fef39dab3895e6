import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { ModelFailure } from "../../core/prompts/model-failure.ts";
import type { ModelQuestion } from "../../core/prompts/question.ts";
import { repairPrompt } from "../../core/prompts/repair.ts";
import { readJson } from "../../core/text/json.ts";
import { cleanText } from "../../core/text.ts";
import { callModel, type Called } from "./call.ts";
import { priceOf, type Tokens, worstCase } from "./price.ts";
import type { ModelSettings } from "./settings.ts";

/** The result of a question to a model, with its cost. Money in micro-dollars. */
export type ModelAnswer<Value> = Spent &
  (
    | { readonly type: "answered"; readonly value: Value; readonly wasRepaired: boolean }
    | { readonly type: "failed"; readonly reason: ModelFailure; readonly words: string }
  );

export interface Spent {
  readonly tokens: Tokens;
  /** Null when the model's price is unknown. */
  readonly costMicroUsd: number | null;
  /** True when the use of a call was not reported, because it was cut off or lost; its estimated maximum cost is counted. */
  readonly isAssumed: boolean;
  readonly calls: number;
}

export interface AskOptions {
  readonly capMicroUsd: number;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Maximum number of retries after 429, 5xx and lost connections. */
  readonly retries: number;
  readonly longestWaitMs: number;
  /** Waits between two tries; by default in real time. */
  readonly wait?: (ms: number) => Promise<void>;
}

/**
 * Asks a model for an answer of a given shape, checked by zod. Repairs a wrong shape once, retries a limited number of times when the
 * provider is limited or away, and checks the remaining budget before every call. Never throws because of a provider.
 */
export async function askModel<Value>(
  settings: ModelSettings,
  question: ModelQuestion<Value>,
  options: AskOptions,
): Promise<ModelAnswer<Value>> {
  const price = await priceOf(settings);
  const wait = options.wait ?? ((ms: number) => sleep(ms, undefined, { signal: options.signal }).then(() => undefined));
  const sum = openSum(price);
  let prompt = question.prompt;
  let wasRepaired = false;
  let tries = 0;
  let last: Called | null = null;

  const failed = (reason: ModelFailure, words: string): ModelAnswer<Value> => ({
    type: "failed",
    reason,
    words,
    ...sum.spent(),
  });

  while (true) {
    const worst = worstCase(price, { ...question, prompt });
    if (worst !== null && (sum.spent().costMicroUsd ?? 0) + worst > options.capMicroUsd) {
      // A lost call counts with its estimated maximum, and may leave too little for another try.
      if (last?.type === "later") return failed(last.reason, last.words);
      return failed("over-budget", `the next call may cost more than is left`);
    }
    const called = await callModel(settings, { ...question, prompt }, options);
    last = called;
    sum.add(called, worst);
    switch (called.type) {
      case "answered": {
        const checked = check(question.schema, called.text);
        if (checked.type === "ok") return { type: "answered", value: checked.value, wasRepaired, ...sum.spent() };
        const reason = called.isTruncated ? "truncated" : "malformed";
        if (wasRepaired) return failed(reason, checked.problem);
        wasRepaired = true;
        prompt = repairPrompt(question.prompt, called.text, checked.problem);
        break;
      }
      case "later": {
        tries += 1;
        const waitMs = called.afterMs ?? 500 * 2 ** (tries - 1);
        if (tries > options.retries || waitMs > options.longestWaitMs) return failed(called.reason, called.words);
        await wait(waitMs).catch(() => undefined); // An aborted wait is detected by the signal below.
        if (options.signal.aborted) return failed("timeout", "nobody waits for the answer any more");
        break;
      }
      case "refused":
      case "rejected":
      case "timeout":
        return failed(called.type, called.words);
    }
  }
}

type Checked<Value> =
  | { readonly type: "ok"; readonly value: Value }
  | { readonly type: "wrong"; readonly problem: string };

/** Parses JSON and checks its shape, even when a model wraps it in a fence. */
function check<Value>(schema: z.ZodType<Value>, text: string): Checked<Value> {
  const read = readJson(withoutFence(text));
  if (read.type === "wrong") return { type: "wrong", problem: `the answer ${read.problem}` };
  const checked = schema.safeParse(cleaned(read.value));
  if (checked.success) return { type: "ok", value: checked.data };
  const problems = checked.error.issues.map((issue) => `${issue.path.join(".") || "the answer"}: ${issue.message}`);
  return { type: "wrong", problem: problems.slice(0, 10).join("; ") };
}

/** Cleans all texts, so that any store takes them: a model may write NUL, or half a character, as an escape. */
function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cleaned(each)]));
}

function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length < 6 || !trimmed.startsWith("```") || !trimmed.endsWith("```")) return trimmed;
  return trimmed
    .slice(3, -3)
    .replace(/^json\b/, "")
    .trim();
}

function openSum(price: (tokens: Tokens) => number | null): {
  add(called: Called, worst: number | null): void;
  spent(): Spent;
} {
  let tokens: Tokens = { input: 0, cached: 0, output: 0 };
  let cost: number | null = 0;
  let isAssumed = false;
  let calls = 0;
  return {
    add(called, worst) {
      calls += 1;
      const used = called.tokens;
      // A call whose use nobody reported counts with its estimated maximum cost (D22).
      const isUnreported = used === null && !called.isFree;
      const more = used === null ? (isUnreported ? worst : 0) : price(used);
      isAssumed ||= isUnreported;
      cost = cost === null || more === null ? null : cost + more;
      if (used !== null)
        tokens = {
          input: tokens.input + used.input,
          cached: tokens.cached + used.cached,
          output: tokens.output + used.output,
        };
    },
    spent: () => ({ tokens, costMicroUsd: cost, isAssumed, calls }),
  };
}
